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
    /// What the finding means and what to do, in a few sentences.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $id:literal $name:literal $severity:ident $text:literal;)*) => {
        /// The kind of a finding. Ids never change meaning; retired ids are not given again.
        ///
        /// Ranges: 00xx reading, 01xx Blueprint and graph, 02xx node and pin, 03xx compiling,
        /// 04xx binary packages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* #[doc = $text] $variant,)* }

        impl Code {
            /// Every code, by id.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// Id, name, usual severity and explanation.
            pub fn info(self) -> CodeInfo {
                match self {
                    $(Code::$variant => CodeInfo { id: $id, name: $name, severity: Severity::$severity, explanation: $text },)*
                }
            }
        }
    };
}

codes! {
    JsonSyntax = "BP0001" "JSON_SYNTAX" Error "The file is not well-formed JSON. Nothing after the marked place was read.";
    JsonType = "BP0002" "JSON_TYPE" Error "A value has another JSON type than its key takes, for example a string where a list belongs.";
    UnknownKey = "BP0003" "UNKNOWN_KEY" Error "The object has no such key. Unknown keys are errors because a misspelt key would otherwise be lost silently.";
    DuplicateKey = "BP0004" "DUPLICATE_KEY" Error "The same key stands twice in one object.";
    MissingKey = "BP0005" "MISSING_KEY" Error "A key that the object needs is absent.";
    BadValue = "BP0006" "BAD_VALUE" Error "The value has the right JSON type but is not one the key takes.";
    FormatVersion = "BP0007" "FORMAT_VERSION" Error "The `format` key must be `blueprint/1`. Other versions are not read.";
    TooDeep = "BP0008" "TOO_DEEP" Error "Values or objects are nested deeper than the reader's limit.";
    TooLarge = "BP0009" "TOO_LARGE" Error "The input is over a size limit of the reader.";
    T3dSyntax = "BP0010" "T3D_SYNTAX" Error "The clipboard text is not well-formed at the marked place.";
    T3dTruncated = "BP0011" "T3D_TRUNCATED" Error "The clipboard text ends inside an object. It was probably cut when it was copied.";
    T3dNotK2 = "BP0012" "T3D_NOT_K2" Error "The text holds nodes of another editor (material, Niagara, PCG, animation). Only Blueprint (K2) nodes compile to Kismet bytecode.";
    DanglingLink = "BP0013" "DANGLING_LINK" Warning "A link names a node or pin that is not in the text, usually because it was not selected when copying. The link is dropped, as the editor does.";
    OneSidedLink = "BP0014" "ONE_SIDED_LINK" Warning "Only one end of the link names the other. The link is kept.";
    NotUtf8 = "BP0015" "NOT_UTF8" Error "The input is not text in UTF-8 or UTF-16.";
    UnknownInput = "BP0016" "UNKNOWN_INPUT" Error "The kind of input could not be told from its content. Force it with --from.";
    Inferred = "BP0017" "INFERRED" Note "The text does not hold this, so it was inferred from the nodes. Clipboard text has no parent class, no undeclared variables and no curves; add what differs.";
    AsmSyntax = "BP0018" "ASM_SYNTAX" Error "The assembly text does not read at the marked place.";
    BpxDamaged = "BP0019" "BPX_DAMAGED" Error "The file begins as a compiled package but is not one: it is cut, damaged, or of another format version.";
    Declarations = "BP0020" "DECLARATIONS" Error "A declaration file cannot be read. `bpc help` says how to give one; README says where its form is described.";

    DuplicateId = "BP0101" "DUPLICATE_ID" Error "Two nodes of one graph have the same id.";
    DuplicateName = "BP0102" "DUPLICATE_NAME" Error "Two things of one kind have the same name. Names compare without case.";
    LinkNode = "BP0103" "LINK_NODE" Error "A link names a node that the graph does not have.";
    LinkPin = "BP0104" "LINK_PIN" Error "A link names a pin that the node does not have.";
    PinDir = "BP0105" "PIN_DIR" Error "A link must go from an output pin to an input pin.";
    PinSelfLoop = "BP0106" "PIN_SELF_LOOP" Error "A pin is linked to a pin of its own node, which would create a loop.";
    PinType = "BP0107" "PIN_TYPE" Error "The types of the two linked pins do not fit together.";
    ExecOutMulti = "BP0108" "EXEC_OUT_MULTI" Error "An exec output can lead to one node only. Use a Sequence to run several.";
    InMulti = "BP0109" "IN_MULTI" Error "A data input can take one link only.";
    UnknownType = "BP0110" "UNKNOWN_TYPE" Error "The class, struct or enum is declared nowhere.";
    AmbiguousName = "BP0111" "AMBIGUOUS_NAME" Error "Several declared things have this short name. Use the full path.";
    VarBadType = "BP0113" "VAR_BAD_TYPE" Error "A variable cannot have this type.";
    VarInLib = "BP0114" "VAR_IN_LIB" Error "A function library cannot have member variables.";
    DupFunction = "BP0116" "DUP_FUNCTION" Error "The Blueprint has more than one function with the same name. Events and function graphs share one set of names.";
    FuncPropClash = "BP0117" "FUNC_PROP_CLASH" Error "A function and a variable have the same name.";
    EventOutOfDate = "BP0120" "EVENT_OUT_OF_DATE" Error "The event node names no function.";
    MacroInvalid = "BP0121" "MACRO_INVALID" Error "The macro instance names a macro graph that was not found.";
    MacroRecursive = "BP0122" "MACRO_RECURSIVE" Error "A macro contains itself, directly or through other macros. Expanding it would never end.";
    TunnelCollapse = "BP0123" "TUNNEL_COLLAPSE" Error "A tunnel's pins do not match those of the node it belongs to.";
    NoEntry = "BP0124" "NO_ENTRY" Error "A function graph has no entry node.";
    TwoEntries = "BP0125" "TWO_ENTRIES" Error "A function graph has two entry nodes.";
    ParentInvalid = "BP0126" "PARENT_INVALID" Error "The parent class is not declared, is this Blueprint itself, or its ancestors form a circle.";
    EventMisplaced = "BP0127" "EVENT_MISPLACED" Error "Events stand on event pages. A function or macro starts at its entry; call a custom event from there instead.";
    HidesInherited = "BP0128" "HIDES_INHERITED" Warning "A variable, dispatcher, component or timeline has the name of one that the parent class has already. The editor refuses the name; here nodes mean the Blueprint's own.";

    UnknownNode = "BP0201" "UNKNOWN_NODE" Error "No handler is known for this node class. The rest of the Blueprint is still checked.";
    FuncNotFound = "BP0202" "FUNC_NOT_FOUND" Error "No function of that name is declared in the class it should belong to.";
    FuncUndeclared = "BP0203" "FUNC_UNDECLARED" Warning "The function is declared nowhere; its signature was inferred from the node's pins. Give its declaration with --declarations to be sure of the emitted call.";
    FuncPinMissing = "BP0204" "FUNC_PIN_MISSING" Error "A parameter of the function has no pin, or a linked pin has no parameter. The node is out of date.";
    VarNotFound = "BP0205" "VAR_NOT_FOUND" Error "The class of the target has no such variable.";
    LocalNotFound = "BP0206" "LOCAL_NOT_FOUND" Error "The function has no such local variable.";
    SelfType = "BP0207" "SELF_TYPE" Error "The Target pin is not connected and self is not of the target's class.";
    SelfInStatic = "BP0208" "SELF_IN_STATIC" Error "A static function has no self; connect the Target pin.";
    Wildcard = "BP0209" "WILDCARD" Error "The type of a pin is undetermined. Connect it to something with a type.";
    SelfMultiPure = "BP0210" "SELF_MULTI_PURE" Error "A pure call cannot have several targets.";
    SelfMultiLatent = "BP0211" "SELF_MULTI_LATENT" Error "A latent call cannot have several targets.";
    LatentOutsideEventGraph = "BP0212" "LATENT_OUTSIDE_EVENTGRAPH" Error "A latent call (such as Delay) can stand only in an event graph, or in a macro used there.";
    NoExecPin = "BP0213" "NO_EXEC_PIN" Error "A function that is not pure is called by a node without exec pins.";
    PrunedRead = "BP0214" "PRUNED_READ" Warning "The value comes from a node that never runs because its exec pin is not connected. It reads as the type's default.";
    ReturnMismatch = "BP0216" "RETURN_MISMATCH" Error "The Return nodes of one function have different pins.";
    VarType = "BP0217" "VAR_TYPE" Error "The pin's type differs from the variable's type. Refresh the node.";
    RefLiteral = "BP0218" "REF_LITERAL" Error "A reference parameter cannot take a literal. Connect a variable.";
    LiteralInvalid = "BP0220" "LITERAL_INVALID" Error "The default of a pin cannot be read as a value of its type.";
    LiteralType = "BP0221" "LITERAL_TYPE" Error "A value of this type cannot be written as a literal. Use a Make node.";
    PinRequired = "BP0222" "PIN_REQUIRED" Error "This pin must have a connection.";
    CastInvalid = "BP0223" "CAST_INVALID" Error "The target class of the cast is missing or not a class.";
    SwitchCase = "BP0224" "SWITCH_CASE" Error "A case of the switch is not a value of its type, or stands twice.";
    SelectOption = "BP0225" "SELECT_OPTION" Error "The options of the Select do not fit its index type.";
    StructInvalid = "BP0226" "STRUCT_INVALID" Error "The node names a struct that is not declared, or a member that the struct does not have.";
    DelegateNotFound = "BP0227" "DELEGATE_NOT_FOUND" Error "The class has no such event dispatcher.";
    DelegateUnlinked = "BP0228" "DELEGATE_UNLINKED" Error "The Delegate pin must be connected to an event or a Create Event node.";
    EnumInvalid = "BP0229" "ENUM_INVALID" Error "The node names an enum or an entry that is not declared.";
    NodeProperty = "BP0230" "NODE_PROPERTY" Error "A property that the node needs is missing or malformed.";
    EnumUndeclared = "BP0232" "ENUM_UNDECLARED" Warning "The enum is declared nowhere; its entries are numbered in the order they are met. Give its declaration with --declarations to be sure of their values.";
    NoValue = "BP0233" "NO_VALUE" Error "The pin is connected to an output that gives no value: its node lacks a pin or property that it needs.";
    NoEventCode = "BP0234" "NO_EVENT_CODE" Error "An event has a stub, but the ubergraph has no code to start at.";

    DataCycle = "BP0301" "DATA_CYCLE" Error "Dependency cycle detected: the node's input depends on its own output through data wires.";
    GotoNowhere = "BP0302" "GOTO_NOWHERE" Error "Control flow is passed to a node that generates no code.";
    TypeUnknownSize = "BP0303" "TYPE_UNKNOWN_SIZE" Error "The size of a native struct is not declared, so a literal of it cannot be emitted.";
    ScriptTooLarge = "BP0304" "SCRIPT_TOO_LARGE" Error "A function's bytecode is over the limit of the format.";
    DialectUnsupported = "BP0305" "DIALECT_UNSUPPORTED" Error "The chosen engine version has no opcode for what the graph asks.";

    PackageMagic = "BP0401" "PACKAGE_MAGIC" Error "The file is not an Unreal package.";
    PackageVersion = "BP0402" "PACKAGE_VERSION" Error "The package was written by an engine version that is not read.";
    PackageTruncated = "BP0403" "PACKAGE_TRUNCATED" Error "The package ends before the data it announces.";
    PackageMalformed = "BP0404" "PACKAGE_MALFORMED" Error "A count, index or size in the package cannot be right.";
    PackageCooked = "BP0405" "PACKAGE_COOKED" Error "The package is cooked, unversioned or compressed. Cooked packages have no graphs; use the editor's own files.";
    LeftOut = "BP0406" "LEFT_OUT" Note "The package holds something that a Blueprint here has no place for, such as an animation graph or a tree of widgets. It is left out; all else is read.";
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
