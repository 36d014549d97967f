//! Whether a package may be run.
//!
//! Every script is decoded and its tree checked in one pass, in time linear in its size. What the
//! package and the registry do not declare has an unknown type, which fits everything; callees that
//! are not declared are counted in the [`Report`]. Classes of native code are declared in part, so the
//! absence of a native property or of a relation between native classes is never an error.
//!
//! # Rules
//! - **V001 bytes**: a script is decoded to its last byte.
//! - **V002 ending**: the last two statements are `Return` and `EndOfScript`. A script is left out only
//!   by functions of native classes and by native functions.
//! - **V003 end of script**: `EndOfScript` stands nowhere but at the end.
//! - **V004 target**: every jump, push and skip offset is the start of a statement of its script.
//! - **V005 switch offsets**: the offsets inside a switch lead where its parts begin and end.
//! - **V006 skip size**: the skip size of a context is the size of its inner expression.
//! - **V007 depth**: expressions are nested no deeper than 256.
//! - **V008 statement**: an expression that stands as a statement does something.
//! - **V009 value**: an expression that stands as a value gives one.
//! - **V010 place**: a destination is a place.
//! - **V011 result**: a call that stands as a value returns one.
//! - **V012 argument count**: a call passes one argument for each parameter.
//! - **V013 argument type**: an argument fits its parameter.
//! - **V014 out argument**: an out or reference parameter that is not const receives a place.
//! - **V015 property**: a property reference names a property of its owner, and the owner is the one
//!   the opcode reaches: this function, the class at hand or an ancestor, the struct.
//! - **V016 out variable**: out parameters are reached with `LocalOutVariable`, all other variables of
//!   a function without.
//! - **V017 destination type**: `LetBool` stores into a bool, `LetObj` into an object or class, and so on.
//! - **V018 let property**: the property of a `Let` is its destination's, or null.
//! - **V019 value type**: what is stored, compared or computed with fits the type it is used as.
//! - **V020 condition**: a condition is a bool.
//! - **V021 flow stack**: no pop where the flow stack is surely empty.
//! - **V022 latent info**: a `LatentActionInfo` holds a linkage, an id, a function and a target, and a
//!   linkage into this script names this function.
//! - **V023 persistent frame**: `LetValueOnPersistentFrame` stores into a variable of the class's
//!   ubergraph.
//! - **V024 entry point**: the number with which an event calls the ubergraph is the start of a
//!   statement there.
//! - **V025 version**: opcodes, text kinds and cast kinds exist in the package's engine version.
//! - **V026 reference**: references are in the package's tables, and the tables name nothing twice.
//! - **V027 count**: the stored number of elements is their number.
//! - **V028 shape**: scripts are parallel to functions, classes come after their parents, the ubergraph
//!   exists, debug sites are sorted starts of statements and name nodes that exist.
//! - **V029 context**: what a context reaches through is an object, class or interface.
//! - **V030 callee**: a function of a class in the package exists.

mod calls;
mod script;
mod tree;
mod types;
mod world;

use std::fmt;
use std::ops::Deref;

use bp_reflect::{Name, ObjectPath, Registry};
use indexmap::IndexMap;

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
    ($($rule:ident $id:literal $name:literal;)*) => {
        /// A rule of the verifier; the module's documentation says what each asks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $(#[doc = concat!($id, ": ", $name)] $rule,)* }

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
        }
    };
}

rules! {
    Bytes "V001" "bytes";
    Ending "V002" "ending";
    EndOfScript "V003" "end of script";
    Target "V004" "target";
    SwitchOffsets "V005" "switch offsets";
    SkipSize "V006" "skip size";
    Depth "V007" "depth";
    Statement "V008" "statement";
    Value "V009" "value";
    Place "V010" "place";
    Result "V011" "result";
    ArgumentCount "V012" "argument count";
    ArgumentType "V013" "argument type";
    OutArgument "V014" "out argument";
    Property "V015" "property";
    OutVariable "V016" "out variable";
    DestinationType "V017" "destination type";
    LetProperty "V018" "let property";
    ValueType "V019" "value type";
    Condition "V020" "condition";
    FlowStack "V021" "flow stack";
    LatentInfo "V022" "latent info";
    PersistentFrame "V023" "persistent frame";
    EntryPoint "V024" "entry point";
    Version "V025" "version";
    Reference "V026" "reference";
    Count "V027" "count";
    Shape "V028" "shape";
    Context "V029" "context";
    Callee "V030" "callee";
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
    for (compiled, scripts) in package.classes.iter().zip(&scripts) {
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
    let position = |error: &VerifyError| {
        let class = package
            .classes
            .iter()
            .position(|class| Some(&class.class.path) == error.class.as_ref());
        let function = class.and_then(|class| {
            let name = error.function.as_ref()?;
            package.classes[class].class.functions.get_index_of(name)
        });
        (class, function, error.offset)
    };
    report.errors.sort_by_cached_key(position);
    report
}
