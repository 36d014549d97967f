//! Whether a package may be run.
//!
//! Every script is decoded and its tree checked in one pass, in time linear in its size. What the
//! package and the registry do not declare has an unknown type, which fits everything; callees that
//! are not declared are counted in the [`Report`]. Classes of native code are declared in part, so the
//! absence of a native property or of a relation between native classes is never an error.
//!
//! # Rules
//! - **V001 bytes**: a script is decoded to its last byte.
//! - **V002 ending**: the last two statements are `EX_Return` and `EX_EndOfScript`; a script is left out
//!   only by functions of native classes and by native functions.
//! - **V003 end of script**: `EX_EndOfScript` stands nowhere but at the end.
//! - **V004 target**: every jump, push and skip offset, and a constant that a computed jump goes to, is the
//!   start of a statement of its script.
//! - **V005 switch offsets**: the offsets inside a switch lead where its parts begin and end.
//! - **V006 skip size**: the skip size of a context is the size of its inner expression.
//! - **V007 depth**: expressions are nested no deeper than 256.
//! - **V008 statement**: an expression that stands as a statement does something.
//! - **V009 value**: an expression that stands as a value gives one; a bit field stands in a struct literal
//!   only.
//! - **V010 place**: a destination, and what an element is taken of, is a place: a variable, a member or an
//!   element.
//! - **V011 result**: a call that stands as a value returns one.
//! - **V012 argument count**: a call passes one argument for each parameter, in order.
//! - **V013 argument type**: an argument fits its parameter, and the wildcards of a container function are
//!   of one type.
//! - **V014 out argument**: an out or reference parameter that is not const receives a place.
//! - **V015 property**: a property reference names a property of its owner, and the owner is the one the
//!   opcode reaches: this function, the class at hand or an ancestor, the struct; the element of a
//!   container is named by container literals only.
//! - **V016 out variable**: out parameters are reached with `EX_LocalOutVariable`, all other variables of a
//!   function with `EX_LocalVariable`.
//! - **V017 destination type**: `EX_LetBool` stores into a bool, `EX_LetObj` into an object or class,
//!   `EX_SetArray` into an array, and so on.
//! - **V018 let property**: the property of an `EX_Let` is its destination's or of its type, or null.
//! - **V019 value type**: what is stored, compared, cast or computed with fits the type it is used as.
//! - **V020 condition**: a condition is a bool.
//! - **V021 flow stack**: no pop where the flow stack is surely empty.
//! - **V022 latent info**: a `LatentActionInfo` consists of a linkage, an id, a function and a target, and
//!   a linkage into this script names this function.
//! - **V023 persistent frame**: `EX_LetValueOnPersistentFrame` stores into a variable of the class's
//!   ubergraph.
//! - **V024 entry point**: the number with which an event calls the ubergraph is the start of a statement
//!   there.
//! - **V025 version**: opcodes, text kinds and cast kinds exist in the package's engine version and are
//!   executed by it.
//! - **V026 reference**: references are in the package's tables, and the tables name nothing twice.
//! - **V027 count**: the stored number of elements is their number.
//! - **V028 shape**: scripts are parallel to functions, nothing is declared twice or under another name, a
//!   result is the last parameter, classes come after at most 250 parents and implement interfaces only,
//!   the ubergraph exists, debug sites are sorted starts of statements and name nodes that exist.
//! - **V029 context**: what a context reaches through is an object or class, of a class context a class, of
//!   an interface context an interface; it holds a value or a call, and its property is of the value's
//!   type.
//! - **V030 callee**: a call names a function, and one of a class in the package exists.
//! - **V031 struct literal**: a struct literal names a struct, says its size, and has one part for each
//!   member that is not transient; sizes and numbers of native structs are compared where they are declared
//!   in full.
//! - **V032 return**: `EX_Return` gives a value if the function has a result, and `EX_Nothing` if it has
//!   none.
//! - **V033 call**: `EX_CallMath` calls static native functions, the local calls functions with a script; a
//!   function that is called by reference is the object's own, an ancestor's or a static one, and no
//!   signature.
//! - **V034 class operand**: a cast names a class.
//! - **V035 signature**: a delegate is bound to functions and delegates that take its arguments, and called
//!   with its own signature.
//! - **V036 transaction**: a transaction goes on behind itself when it is aborted, is closed under its own
//!   number in a known way, and holds neither jumps nor transactions.
//! - **V037 layout**: structs, objects and frames can be laid out: no struct holds itself, not even in a
//!   container, no Blueprint variable is a C array, and nothing takes more than 65,536 words (an object
//!   1,048,576).
//! - **V038 template**: defaults, components, timelines and bindings name members of the class and fit
//!   their types; lengths and keys of timelines are finite and sorted.
//!
//! # What is left to the interpreter
//! Whether an object is of the class it is declared as, an index is inside its array, a number is a
//! divisor, a chain of calls or a loop ends; and whether a computed jump with a variable leads to the
//! start of a statement, which it checks when it gets there.

mod calls;
mod layout;
mod literals;
mod objects;
mod script;
mod templates;
mod tree;
mod types;
mod world;

use std::fmt;
use std::ops::Deref;

use bp_reflect::{Name, ObjectPath, Registry};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::{CodeOffset, Package};

/// A value that the verifier found right. Nothing else makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified<T>(T);

impl<T> Verified<T> {
    /// The value, no longer known to be right once it is changed.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Verified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

macro_rules! rules {
    ($($rule:ident $id:literal $name:literal $asks:literal $way_out:literal;)*) => {
        /// A rule of the verifier; the module's documentation says what each asks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $(#[doc = concat!($id, " ", $name, ": ", $asks, ".")] $rule,)* }

        impl Rule {
            /// Every rule, by id.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];

            /// Its stable id.
            pub fn id(self) -> &'static str {
                match self { $(Rule::$rule => $id,)* }
            }

            /// Its name in a few words.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name,)* }
            }

            /// What must hold: a sentence without capital and final period.
            pub fn asks(self) -> &'static str {
                match self { $(Rule::$rule => $asks,)* }
            }

            /// What usually helps when it is broken: a sentence without capital and final period.
            pub fn way_out(self) -> &'static str {
                match self { $(Rule::$rule => $way_out,)* }
            }
        }
    };
}

rules! {
    Bytes "V001" "bytes"
        "a script is decoded to its last byte"
        "the bytes are damaged or of another layout; compile the Blueprint again";
    Ending "V002" "ending"
        "the last two statements are `EX_Return` and `EX_EndOfScript`; a script is left out only by functions of native classes and by native functions"
        "end the script with EX_Return and EX_EndOfScript";
    EndOfScript "V003" "end of script"
        "`EX_EndOfScript` stands nowhere but at the end"
        "leave a function with EX_Return";
    Target "V004" "target"
        "every jump, push and skip offset, and a constant that a computed jump goes to, is the start of a statement of its script"
        "use a label in front of a statement";
    SwitchOffsets "V005" "switch offsets"
        "the offsets inside a switch lead where its parts begin and end"
        "let the assembler compute them: write EX_SwitchValue as text";
    SkipSize "V006" "skip size"
        "the skip size of a context is the size of its inner expression"
        "let the assembler compute it: write the context as text";
    Depth "V007" "depth"
        "expressions are nested no deeper than 256"
        "store parts of the expression in local variables";
    Statement "V008" "statement"
        "an expression that stands as a statement does something"
        "store the value, or leave the statement out";
    Value "V009" "value"
        "an expression that stands as a value gives one; a bit field stands in a struct literal only"
        "put an expression there that gives a value";
    Place "V010" "place"
        "a destination, and what an element is taken of, is a place: a variable, a member or an element"
        "store the value in a variable first";
    Result "V011" "result"
        "a call that stands as a value returns one"
        "pass a variable for an output, and read that";
    ArgumentCount "V012" "argument count"
        "a call passes one argument for each parameter, in order"
        "compare the call with the declaration; give --declarations if that is of another version";
    ArgumentType "V013" "argument type"
        "an argument fits its parameter, and the wildcards of a container function are of one type"
        "compare the call with the declaration; give --declarations if that is of another version";
    OutArgument "V014" "out argument"
        "an out or reference parameter that is not const receives a place"
        "store the value in a variable and pass that";
    Property "V015" "property"
        "a property reference names a property of its owner, and the owner is the one the opcode reaches: this function, the class at hand or an ancestor, the struct; the element of a container is named by container literals only"
        "name the property and the class, struct or function that declares it";
    OutVariable "V016" "out variable"
        "out parameters are reached with `EX_LocalOutVariable`, all other variables of a function with `EX_LocalVariable`"
        "use the other of EX_LocalVariable and EX_LocalOutVariable";
    DestinationType "V017" "destination type"
        "`EX_LetBool` stores into a bool, `EX_LetObj` into an object or class, `EX_SetArray` into an array, and so on"
        "use the instruction of the destination's type";
    LetProperty "V018" "let property"
        "the property of an `EX_Let` is its destination's or of its type, or null"
        "name the destination's own property";
    ValueType "V019" "value type"
        "what is stored, compared, cast or computed with fits the type it is used as"
        "convert the value first";
    Condition "V020" "condition"
        "a condition is a bool"
        "compare the value, or convert it to a bool";
    FlowStack "V021" "flow stack"
        "no pop where the flow stack is surely empty"
        "push where to go on before the pop, or jump there";
    LatentInfo "V022" "latent info"
        "a `LatentActionInfo` consists of a linkage, an id, a function and a target, and a linkage into this script names this function"
        "resume this function, with EX_SkipOffsetConst as the linkage";
    PersistentFrame "V023" "persistent frame"
        "`EX_LetValueOnPersistentFrame` stores into a variable of the class's ubergraph"
        "store into a variable of the ubergraph";
    EntryPoint "V024" "entry point"
        "the number with which an event calls the ubergraph is the start of a statement there"
        "call the ubergraph with the offset of the event's first statement";
    Version "V025" "version"
        "opcodes, text kinds and cast kinds exist in the package's engine version and are executed by it"
        "compile for the engine version that has it";
    Reference "V026" "reference"
        "references are in the package's tables, and the tables name nothing twice"
        "let the assembler make the tables";
    Count "V027" "count"
        "the stored number of elements is their number"
        "let the assembler count: write the literal as text";
    Shape "V028" "shape"
        "scripts are parallel to functions, nothing is declared twice or under another name, a result is the last parameter, classes come after at most 250 parents and implement interfaces only, the ubergraph exists, debug sites are sorted starts of statements and name nodes that exist"
        "declare each thing once, parents first";
    Context "V029" "context"
        "what a context reaches through is an object or class, of a class context a class, of an interface context an interface; it holds a value or a call, and its property is of the value's type"
        "cast the value to the object it is meant to be";
    Callee "V030" "callee"
        "a call names a function, and one of a class in the package exists"
        "call a function that the class has";
    StructLiteral "V031" "struct literal"
        "a struct literal names a struct, says its size, and has one part for each member that is not transient; sizes and numbers of native structs are compared where they are declared in full"
        "give every member a value, in order of declaration";
    Return "V032" "return"
        "`EX_Return` gives a value if the function has a result, and `EX_Nothing` if it has none"
        "return the variable of the result, or EX_Nothing";
    Call "V033" "call"
        "`EX_CallMath` calls static native functions, the local calls functions with a script; a function that is called by reference is the object's own, an ancestor's or a static one, and no signature"
        "call the function on an object that has it";
    ClassOperand "V034" "class operand"
        "a cast names a class"
        "name a class";
    Signature "V035" "signature"
        "a delegate is bound to functions and delegates that take its arguments, and called with its own signature"
        "give the function the delegate's parameters";
    Transaction "V036" "transaction"
        "a transaction goes on behind itself when it is aborted, is closed under its own number in a known way, and holds neither jumps nor transactions"
        "leave a transaction through its end or EX_AutoRtfmAbort";
    Layout "V037" "layout"
        "structs, objects and frames can be laid out: no struct holds itself, not even in a container, no Blueprint variable is a C array, and nothing takes more than 65,536 words (an object 1,048,576)"
        "keep large or recursive values in objects";
    Template "V038" "template"
        "defaults, components, timelines and bindings name members of the class and fit their types; lengths and keys of timelines are finite and sorted"
        "declare the variable with the type of what it is to hold";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// One way in which a package is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The class; none for the package's tables.
    pub class: Option<ObjectPath>,
    /// The function; none for the class itself.
    pub function: Option<Name>,
    /// Start of the statement, or of the expression that could not be decoded; none for the function
    /// itself.
    pub offset: Option<CodeOffset>,
    /// The rule that is broken.
    pub rule: Rule,
    /// What was found.
    pub message: String,
    /// The first bytes at the offset, at most [`VerifyError::SHOWN`]; none without an offset.
    pub bytes: Vec<u8>,
}

impl VerifyError {
    /// Most bytes that an error shows.
    pub const SHOWN: usize = 16;
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(class) = &self.class {
            write!(f, "{class}")?;
            if let Some(function) = &self.function {
                write!(f, ":{function}")?;
            }
            if let Some(offset) = self.offset {
                write!(f, " at {offset}")?;
            }
            f.write_str(": ")?;
        }
        write!(
            f,
            "{} ({} {})",
            self.message,
            self.rule.id(),
            self.rule.name()
        )
    }
}

impl std::error::Error for VerifyError {}

/// What was looked at, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In order of classes, functions and offsets; those of the whole package first.
    pub errors: Vec<VerifyError>,
    /// Number of scripts.
    pub n_scripts: usize,
    /// Number of statements.
    pub n_statements: usize,
    /// Number of calls.
    pub n_calls: usize,
    /// Callees that nothing declares, with the number of their calls, in order of the first one.
    pub unknown_callees: IndexMap<String, usize>,
}

impl Report {
    /// Number of calls whose callee nothing declares.
    pub fn n_unknown_calls(&self) -> usize {
        self.unknown_callees.values().sum()
    }
}

/// Checks all rules.
///
/// # Errors
/// Every broken rule with its place. See the module's documentation.
pub fn verify(
    package: Package,
    registry: &Registry,
) -> Result<Verified<Package>, Vec<VerifyError>> {
    let report = check(&package, registry);
    if report.errors.is_empty() {
        Ok(Verified(package))
    } else {
        Err(report.errors)
    }
}

/// Checks all rules and says what was looked at.
pub fn check(package: &Package, registry: &Registry) -> Report {
    let mut report = Report::default();
    world::check_tables(package, &mut report);
    if !script::check_shape(package, &mut report) {
        return report;
    }
    let scripts = script::decode_all(package, &mut report);
    let world = world::World::new(package, registry);
    layout::check(package, &world, &mut report);
    for (compiled, scripts) in package.classes.iter().zip(&scripts) {
        templates::check(compiled, &world, &mut report);
        script::check_interfaces(compiled, &world, &mut report);
        let ubergraph = compiled
            .ubergraph
            .as_ref()
            .map(|name| compiled.class.path.member(name));
        for (index, script) in scripts.iter().enumerate() {
            let Some((name, function)) = compiled.class.functions.get_index(index) else {
                continue;
            };
            script::Checker {
                world: &world,
                dialect: package.dialect(),
                compiled,
                scripts,
                name,
                function,
                path: compiled.class.path.member(name),
                ubergraph: ubergraph.as_ref(),
                code: &compiled.functions[index],
                report: &mut report,
            }
            .check(script.as_ref());
        }
    }
    // Decoding ran ahead of the rest.
    let mut classes: FxHashMap<&ObjectPath, usize> = FxHashMap::default();
    for (index, compiled) in package.classes.iter().enumerate() {
        classes.entry(&compiled.class.path).or_insert(index);
    }
    let position = |error: &VerifyError| {
        let class = error
            .class
            .as_ref()
            .and_then(|path| classes.get(path).copied());
        let function = class.and_then(|class| {
            let name = error.function.as_ref()?;
            package.classes[class].class.functions.get_index_of(name)
        });
        (class, function, error.offset)
    };
    report.errors.sort_by_cached_key(position);
    for error in &mut report.errors {
        let Some((class, function, offset)) = error.class.as_ref().and_then(|path| {
            let class = *classes.get(path)?;
            let functions = &package.classes[class].class.functions;
            let function = functions.get_index_of(error.function.as_ref()?)?;
            Some((class, function, error.offset?))
        }) else {
            continue;
        };
        let code = &package.classes[class].functions[function].script;
        let start = code.len().min(offset.0 as usize);
        // Of a script that could not be decoded, it is not known where the statement ends.
        let next = scripts[class][function].as_ref().and_then(|script| {
            let behind = script
                .statements
                .partition_point(|statement| statement.offset <= offset);
            script.statements.get(behind)
        });
        let end = next.map_or(code.len(), |next| next.offset.0 as usize);
        let shown = end.min(start + VerifyError::SHOWN).max(start);
        error.bytes = code[start..shown].to_vec();
    }
    report
}
