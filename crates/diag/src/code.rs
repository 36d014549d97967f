use serde::{Serialize, Serializer};

use crate::Severity;

/// What `bpc explain` says of a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// `BP0201`: the form users see and search for.
    pub id: &'static str,
    /// `SELF_TYPE`: the name used in conformance cases.
    pub name: &'static str,
    /// The severity a finding of this code has unless the place decides otherwise.
    pub severity: Severity,
    /// What the finding means and how it comes about, in a few sentences.
    pub cause: &'static str,
    /// What cures it, in a sentence.
    pub cure: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $id:literal $name:literal $severity:ident $cause:literal $cure:literal;)*) => {
        /// The kind of a finding. Ids never change meaning; retired ids are not given again.
        ///
        /// Ranges: 00xx reading, 01xx Blueprint and graph, 02xx node and pin, 03xx compiling,
        /// 04xx binary packages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* #[doc = $cause] $variant,)* }

        impl Code {
            /// Every code, by id.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// Id, name, usual severity, cause and cure.
            pub fn info(self) -> CodeInfo {
                match self {
                    $(Code::$variant => CodeInfo { id: $id, name: $name, severity: Severity::$severity, cause: $cause, cure: $cure },)*
                }
            }
        }
    };
}

codes! {
    JsonSyntax = "BP0001" "JSON_SYNTAX" Error
        "The file is not well-formed JSON. Nothing after the marked place was read."
        "Complete or correct the text at the marked place; an editor with JSON support shows it too.";
    JsonType = "BP0002" "JSON_TYPE" Error
        "A value has another JSON type than its key takes, for example a string where a list belongs."
        "Write the value in the form the key takes; `bpc schema graph` lists keys and types.";
    UnknownKey = "BP0003" "UNKNOWN_KEY" Error
        "The object has no such key. Unknown keys are errors because a misspelt key would otherwise be lost silently."
        "Correct the key, or remove it; `bpc nodes CLASS` shows the keys of a node.";
    DuplicateKey = "BP0004" "DUPLICATE_KEY" Error
        "The same key stands twice in one object."
        "Keep one of the two.";
    MissingKey = "BP0005" "MISSING_KEY" Error
        "A key that the object needs is absent."
        "Add the key.";
    BadValue = "BP0006" "BAD_VALUE" Error
        "The value has the right JSON type but is not one the key takes."
        "Give one of the values that the message names.";
    FormatVersion = "BP0007" "FORMAT_VERSION" Error
        "The `format` key must be `blueprint/1`. Other versions are not read."
        "Write `\"format\": \"blueprint/1\"`.";
    TooDeep = "BP0008" "TOO_DEEP" Error
        "Values or objects are nested deeper than the reader's limit."
        "Flatten the data, or move the inner part to a graph or macro of its own.";
    TooLarge = "BP0009" "TOO_LARGE" Error
        "The input is over a size limit of the reader."
        "Split the input.";
    T3dSyntax = "BP0010" "T3D_SYNTAX" Error
        "The clipboard text is not well-formed at the marked place."
        "Copy the nodes in the editor again, or mend the marked line.";
    T3dTruncated = "BP0011" "T3D_TRUNCATED" Error
        "The clipboard text ends inside an object. It was probably cut when it was copied."
        "Copy the nodes again and paste all of the text.";
    T3dNotK2 = "BP0012" "T3D_NOT_K2" Error
        "The text holds nodes of another editor (material, Niagara, PCG, animation). Only Blueprint (K2) nodes compile to Kismet bytecode."
        "Copy the nodes of a Blueprint graph.";
    DanglingLink = "BP0013" "DANGLING_LINK" Warning
        "A link names a node or pin that is not in the text, usually because it was not selected when copying. The link is dropped, as the editor does."
        "Copy the node at the other end too, or ignore the warning if the link is not needed.";
    OneSidedLink = "BP0014" "ONE_SIDED_LINK" Warning
        "Only one end of the link names the other. The link is kept."
        "Nothing has to be done; copy the nodes again to get rid of the warning.";
    NotUtf8 = "BP0015" "NOT_UTF8" Error
        "The input is not text in UTF-8 or UTF-16."
        "Save the file as UTF-8.";
    UnknownInput = "BP0016" "UNKNOWN_INPUT" Error
        "The kind of input could not be told from its content. Force it with --from."
        "Say what it is with --from, or give a file of a known kind.";
    Inferred = "BP0017" "INFERRED" Note
        "The text does not hold this, so it was inferred from the nodes. Clipboard text has no parent class, no undeclared variables and no curves; add what differs."
        "Convert the text with `bpc convert --to json`, and correct there what was inferred wrongly.";
    AsmSyntax = "BP0018" "ASM_SYNTAX" Error
        "The assembly text does not read at the marked place."
        "Write it as `bpc dis` shows it; `bpc opcodes NAME` lists operands.";
    BpxDamaged = "BP0019" "BPX_DAMAGED" Error
        "The file begins as a compiled package but is not one: it is cut, damaged, or of another format version."
        "Build the package again.";
    Declarations = "BP0020" "DECLARATIONS" Error
        "A declaration file cannot be read. `bpc help` says how to give one; README says where its form is described."
        "Correct the file at the place that the message names.";

    DuplicateId = "BP0101" "DUPLICATE_ID" Error
        "Two nodes of one graph have the same id."
        "Give each node an id of its own, and let links name the one they mean.";
    DuplicateName = "BP0102" "DUPLICATE_NAME" Error
        "Two things of one kind have the same name. Names compare without case."
        "Rename one of the two.";
    LinkNode = "BP0103" "LINK_NODE" Error
        "A link names a node that the graph does not have."
        "Correct the id, or add the node.";
    LinkPin = "BP0104" "LINK_PIN" Error
        "A link names a pin that the node does not have."
        "Use a pin that the node has; `bpc nodes CLASS` lists them.";
    PinDir = "BP0105" "PIN_DIR" Error
        "A link must go from an output pin to an input pin."
        "Swap the two ends.";
    PinSelfLoop = "BP0106" "PIN_SELF_LOOP" Error
        "A pin is linked to a pin of its own node, which would create a loop."
        "Put a node between, or keep the value in a variable.";
    PinType = "BP0107" "PIN_TYPE" Error
        "The types of the two linked pins do not fit together."
        "Put a conversion or a cast between, or link a pin of the right type.";
    ExecOutMulti = "BP0108" "EXEC_OUT_MULTI" Error
        "An exec output can lead to one node only. Use a Sequence to run several."
        "Put a Sequence between.";
    InMulti = "BP0109" "IN_MULTI" Error
        "A data input can take one link only."
        "Remove one of the links.";
    UnknownType = "BP0110" "UNKNOWN_TYPE" Error
        "The class, struct or enum is declared nowhere."
        "Correct the name, define it beside the Blueprint, give --project, or declare it with --declarations.";
    AmbiguousName = "BP0111" "AMBIGUOUS_NAME" Error
        "Several declared things have this short name. Use the full path."
        "Write the full path.";
    VarBadType = "BP0113" "VAR_BAD_TYPE" Error
        "A variable cannot have this type."
        "Choose another type; put an inner container into a struct.";
    VarInLib = "BP0114" "VAR_IN_LIB" Error
        "A function library cannot have member variables."
        "Use parameters or local variables, or make it an ordinary Blueprint.";
    UnhashableKey = "BP0115" "UNHASHABLE_KEY" Error
        "The key of a map or the element of a set is of a type that cannot be hashed: bool, text, a delegate, or a struct with such a member."
        "Use another key, such as a name, an int or an enum; a bool key can be two variables.";
    DupFunction = "BP0116" "DUP_FUNCTION" Error
        "The Blueprint has more than one function with the same name. Events and function graphs share one set of names."
        "Rename one of them, or do the work of both in one.";
    FuncPropClash = "BP0117" "FUNC_PROP_CLASH" Error
        "A function and a variable have the same name."
        "Rename one of them.";
    NotOverridable = "BP0118" "NOT_OVERRIDABLE" Error
        "The parent's function of this name cannot be overridden, or cannot be placed as an event because it has outputs."
        "Give the function or event another name; of a function with outputs, override it with a function graph.";
    OverrideSig = "BP0119" "OVERRIDE_SIG" Error
        "A function overrides one of the parent or an interface but differs from it in its parameters, its access, or in being static or final."
        "Take over the parent's parameters and access; a graph without `inputs` and `outputs` gets them by itself.";
    EventOutOfDate = "BP0120" "EVENT_OUT_OF_DATE" Error
        "The event node names no function."
        "Name an event that the parent or an implemented interface has, or use a custom event.";
    MacroInvalid = "BP0121" "MACRO_INVALID" Error
        "The macro instance names a macro graph that was not found."
        "Correct the macro's name, or compile together with the file of its library.";
    MacroRecursive = "BP0122" "MACRO_RECURSIVE" Error
        "A macro contains itself, directly or through other macros. Expanding it would never end."
        "Use a function for the recursion: functions can call themselves, macros cannot.";
    TunnelCollapse = "BP0123" "TUNNEL_COLLAPSE" Error
        "A tunnel's pins do not match those of the node it belongs to."
        "Refresh the node, or add the missing pin to the inside.";
    NoEntry = "BP0124" "NO_ENTRY" Error
        "A function graph has no entry node."
        "Add a `FunctionEntry` node to the graph.";
    TwoEntries = "BP0125" "TWO_ENTRIES" Error
        "A function graph has two entry nodes."
        "Remove one of the entries.";
    ParentInvalid = "BP0126" "PARENT_INVALID" Error
        "The parent class is not declared, is this Blueprint itself, or its ancestors form a circle."
        "Give another parent, or declare the class with --declarations.";
    EventMisplaced = "BP0127" "EVENT_MISPLACED" Error
        "Events stand on event pages. A function or macro starts at its entry; call a custom event from there instead."
        "Move the event to an event graph.";
    VarNameClash = "BP0128" "VAR_NAME_CLASH" Warning
        "A variable, dispatcher, component or timeline has the name of one that the parent class has already. The editor refuses the name; here nodes mean the Blueprint's own."
        "Rename the member, or use the inherited one.";
    GraphNameTaken = "BP0129" "GRAPH_NAME_TAKEN" Error
        "An event has the name of a graph. The compiler makes a graph of the event's name, and the name is taken."
        "Rename the event or the graph.";

    UnknownNode = "BP0201" "UNKNOWN_NODE" Error
        "No handler is known for this node class. The rest of the Blueprint is still checked."
        "Replace the node by nodes that do the same; `bpc nodes` lists the classes that are known.";
    FuncNotFound = "BP0202" "FUNC_NOT_FOUND" Error
        "No function of that name is declared in the class it should belong to."
        "Correct the name or the class, or declare the function with --declarations.";
    FuncUndeclared = "BP0203" "FUNC_UNDECLARED" Warning
        "The function is declared nowhere; its signature was inferred from the node's pins. Give its declaration with --declarations to be sure of the emitted call."
        "Declare it: `bpc check FILE --list-undeclared` prints a start.";
    FuncPinMissing = "BP0204" "FUNC_PIN_MISSING" Error
        "A parameter of the function has no pin, or a linked pin has no parameter. The node is out of date."
        "Refresh the node, and link the pins it then has.";
    VarNotFound = "BP0205" "VAR_NOT_FOUND" Error
        "The class of the target has no such variable."
        "Correct the name, name the class with `of`, or add the variable.";
    LocalNotFound = "BP0206" "LOCAL_NOT_FOUND" Warning
        "The function has no such local variable."
        "Add the local variable to the function, or use a member variable.";
    SelfType = "BP0207" "SELF_TYPE" Error
        "The Target pin is not connected and self is not of the target's class."
        "Connect an object of the class to `Target`.";
    SelfInStatic = "BP0208" "SELF_IN_STATIC" Error
        "A static function has no self; connect the Target pin."
        "Pass the object as a parameter and connect it.";
    Wildcard = "BP0209" "WILDCARD" Error
        "The type of a pin is undetermined. Connect it to something with a type."
        "Connect the pin, or set its type with the key `type`.";
    SelfMultiPure = "BP0210" "SELF_MULTI_PURE" Error
        "A pure call cannot have several targets."
        "Make one call for each target.";
    SelfMultiLatent = "BP0211" "SELF_MULTI_LATENT" Error
        "A latent call cannot have several targets."
        "Make one call for each target.";
    LatentOutsideEventGraph = "BP0212" "LATENT_OUTSIDE_EVENTGRAPH" Error
        "A latent call (such as Delay) can stand only in an event graph, or in a macro used there."
        "Move the call to an event graph; a custom event can be called from the function.";
    NoExecPin = "BP0213" "NO_EXEC_PIN" Error
        "A function that is not pure is called by a node without exec pins."
        "Refresh the node.";
    PrunedRead = "BP0214" "PRUNED_READ" Warning
        "The value comes from a node that never runs because its exec pin is not connected. It reads as the type's default."
        "Connect the exec pin of the node that gives the value, or remove the data wire.";
    ReturnUnlinked = "BP0215" "RETURN_UNLINKED" Warning
        "The exec pin of the Return node is not connected, so the function ends without writing the values it shows."
        "Connect the exec pin, or remove the node.";
    ReturnMismatch = "BP0216" "RETURN_MISMATCH" Error
        "The Return nodes of one function have different pins."
        "Give all Return nodes the pins of the function's outputs.";
    VarType = "BP0217" "VAR_TYPE" Error
        "The pin's type differs from the variable's type. Refresh the node."
        "Refresh the node.";
    RefLiteral = "BP0218" "REF_LITERAL" Error
        "A reference parameter cannot take a literal. Connect a variable."
        "Connect a variable of the type.";
    ConstWrite = "BP0219" "CONST_WRITE" Error
        "The variable is read-only here: its class does not let Blueprints write it, or the function is const and cannot change its object."
        "Call a function of the class that changes it, or make the function not const.";
    LiteralInvalid = "BP0220" "LITERAL_INVALID" Error
        "The default of a pin cannot be read as a value of its type."
        "Write the default in the form of the type; the message says what was expected.";
    LiteralType = "BP0221" "LITERAL_TYPE" Error
        "A value of this type cannot be written as a literal. Use a Make node."
        "Connect a Make node.";
    PinRequired = "BP0222" "PIN_REQUIRED" Error
        "This pin must have a connection."
        "Connect it.";
    CastInvalid = "BP0223" "CAST_INVALID" Error
        "The cast has no target class. With a class it is a note that the object is of the class anyhow, and a warning that it can never be of it."
        "Choose a class that the object can be of, or leave the cast out.";
    SwitchCase = "BP0224" "SWITCH_CASE" Error
        "A case of the switch is not a value of its type, or stands twice."
        "Correct or remove the case.";
    SelectOption = "BP0225" "SELECT_OPTION" Error
        "The options of the Select do not fit its index type."
        "Make the options fit the index.";
    StructInvalid = "BP0226" "STRUCT_INVALID" Error
        "The node names a struct that is not declared, or a member that the struct does not have."
        "Correct the name, or define the struct beside the Blueprint.";
    DispatcherNotFound = "BP0227" "DISPATCHER_NOT_FOUND" Error
        "The class has no such event dispatcher."
        "Correct the name, name the class with `of`, or add the dispatcher.";
    DispatcherUnlinked = "BP0228" "DISPATCHER_UNLINKED" Error
        "The Delegate pin must be connected to an event or a Create Event node."
        "Connect the red square of an event, or a Create Event node.";
    EnumInvalid = "BP0229" "ENUM_INVALID" Error
        "The node names an enum or an entry that is not declared."
        "Correct the name, or define the enum beside the Blueprint.";
    NodeProperty = "BP0230" "NODE_PROPERTY" Error
        "A property that the node needs is missing or malformed."
        "Give the property; `bpc nodes CLASS` shows the keys of the node.";
    EnumUndeclared = "BP0232" "ENUM_UNDECLARED" Warning
        "The enum is declared nowhere; its entries are numbered in the order they are met. Give its declaration with --declarations to be sure of their values."
        "Declare the enum with --declarations, or compile together with its file.";
    NoValue = "BP0233" "NO_VALUE" Error
        "The pin is connected to an output that gives no value: its node lacks a pin or property that it needs."
        "Complete the node that gives the value.";
    NoEventCode = "BP0234" "NO_EVENT_CODE" Error
        "An event has a stub, but the ubergraph has no code to start at."
        "Correct the ubergraph's other errors.";
    FuncInternalOnly = "BP0235" "FUNC_INTERNAL_ONLY" Warning
        "The function is made for nodes of the editor and should not be called from a Blueprint."
        "Use the node that is made for it, such as Spawn Actor from Class.";
    FuncDelegateDirect = "BP0236" "FUNC_DELEGATE_DIRECT" Error
        "The function is the signature of a delegate. It has no code that could be called."
        "Call the dispatcher with a `CallDelegate` node.";
    NeverExecuted = "BP0237" "NEVER_EXECUTED" Warning
        "The call was kept but nothing is connected to its exec pin, so it will never be executed."
        "Connect its exec pin, or remove the node.";
    ImpureNoExec = "BP0238" "IMPURE_NO_EXEC" Warning
        "The node is not pure, but it has no exec pins, so nothing says when it runs. It is kept."
        "Refresh the node, so that it gets its exec pins.";
    RefReadonly = "BP0239" "REF_READONLY" Error
        "A read-only variable is passed to a parameter through which the function writes."
        "Copy it to a variable of your own and pass that.";
    WorldContext = "BP0240" "WORLD_CONTEXT" Error
        "The function needs to know the world, and self is in none: the class derives from Object directly."
        "Connect an object that is in a world, such as an actor, to the pin.";
    DelegateNoFunction = "BP0241" "DELEGATE_NO_FUNCTION" Error
        "The Create Event node names no function, or one that its object does not have."
        "Select a function or custom event that the object has.";
    DelegateNoSignature = "BP0242" "DELEGATE_NO_SIGNATURE" Error
        "The delegate of the Create Event node leads nowhere, or to a pin without signature, so it is not known which parameters the function must have."
        "Connect the delegate to a dispatcher's or a function's pin.";
    MessageInterface = "BP0243" "MESSAGE_INTERFACE" Error
        "An interface message names a class that is not an interface."
        "Use an ordinary function call, or name the interface.";
    MessageTarget = "BP0244" "MESSAGE_TARGET" Error
        "An interface message has no target: nothing receives it."
        "Connect the object that should receive it to `Target`.";
    BreakUnlinked = "BP0245" "BREAK_UNLINKED" Error
        "The input of a Break node is not connected: there is no struct to take apart."
        "Connect a struct, or remove the node.";

    DataCycle = "BP0301" "DATA_CYCLE" Error
        "Dependency cycle detected: the node's input depends on its own output through data wires."
        "Keep one of the values in a variable: a Set node's output does not depend on its input.";
    GotoNowhere = "BP0302" "GOTO_NOWHERE" Error
        "Control flow is passed to a node that generates no code."
        "Lead the wire to a node that does something.";
    TypeUnknownSize = "BP0303" "TYPE_UNKNOWN_SIZE" Error
        "The size of a native struct is not declared, so a literal of it cannot be emitted."
        "Declare the struct with its size, or connect a variable in place of the literal.";
    ScriptTooLarge = "BP0304" "SCRIPT_TOO_LARGE" Error
        "A function's bytecode is over the limit of the format."
        "Split the function.";
    DialectUnsupported = "BP0305" "DIALECT_UNSUPPORTED" Error
        "The chosen engine version has no opcode for what the graph asks."
        "Compile for another version with --engine, or use other nodes.";

    PackageMagic = "BP0401" "PACKAGE_MAGIC" Error
        "The file is not an Unreal package."
        "Give a .uasset or .umap file as the editor saves it.";
    PackageVersion = "BP0402" "PACKAGE_VERSION" Error
        "The package was written by an engine version that is not read."
        "Save the asset with one of the versions that README lists.";
    PackageTruncated = "BP0403" "PACKAGE_TRUNCATED" Error
        "The package ends before the data it announces."
        "Get the whole file; it was cut when it was copied, or is a pointer of Git LFS.";
    PackageMalformed = "BP0404" "PACKAGE_MALFORMED" Error
        "A count, index or size in the package cannot be right."
        "Save the asset again.";
    PackageCooked = "BP0405" "PACKAGE_COOKED" Error
        "The package is cooked, unversioned or compressed. Cooked packages have no graphs; use the editor's own files."
        "Take the file from the project's Content folder.";
    LeftOut = "BP0406" "LEFT_OUT" Note
        "The package holds something that a Blueprint here has no place for, such as a tree of widgets. It is left out; all else is read."
        "Nothing has to be done.";
}

impl Code {
    /// The code with this id (`BP0201`) or name (`UNKNOWN_NODE`), compared without case.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| {
            let info = code.info();
            info.id.eq_ignore_ascii_case(text) || info.name.eq_ignore_ascii_case(text)
        })
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.info().id)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().id)
    }
}
