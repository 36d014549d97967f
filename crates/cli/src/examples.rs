//! An example of each diagnostic: the files of `tests/errors`, which a test compiles, so that what `bpc explain`
//! shows is what the compiler says.

use bp_diag::Code;

/// A file with a mistake and the same file without it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The diagnostic it is about.
    pub code: Code,
    /// What its files are called, without extensions.
    pub name: &'static str,
    /// Extension of the file with the mistake: the kind of input.
    pub bad_extension: &'static str,
    /// Extension of the file without it.
    pub good_extension: &'static str,
    /// The bytes with the mistake.
    bad: &'static [u8],
    /// The bytes without it.
    good: &'static [u8],
    /// What is said of the bad file, a line a finding.
    expected: &'static str,
}

macro_rules! examples {
    ($($code:ident $name:literal $bad:literal $good:literal;)*) => {
        /// Every example, by code.
        pub const EXAMPLES: &[Example] = &[$(Example {
            code: Code::$code,
            name: $name,
            bad_extension: $bad,
            good_extension: $good,
            bad: include_bytes!(concat!("../../../tests/errors/", $name, ".bad.", $bad)),
            good: include_bytes!(concat!("../../../tests/errors/", $name, ".good.", $good)),
            expected: include_str!(concat!("../../../tests/errors/", $name, ".expected")),
        },)*];
    };
}

examples! {
    JsonSyntax "BP0001_comma_missing" "json" "json";
    JsonType "BP0002_text_for_a_list" "json" "json";
    UnknownKey "BP0003_misspelt_key" "json" "json";
    DuplicateKey "BP0004_key_twice" "json" "json";
    MissingKey "BP0005_graph_without_kind" "json" "json";
    BadValue "BP0006_unknown_kind" "json" "json";
    FormatVersion "BP0007_other_version" "json" "json";
    TooDeep "BP0008_nested_too_deep" "json" "json";
    TooLarge "BP0009_name_too_long" "json" "json";
    T3dSyntax "BP0010_value_cut" "t3d" "t3d";
    T3dTruncated "BP0011_text_cut" "t3d" "t3d";
    T3dNotK2 "BP0012_material_node" "t3d" "t3d";
    DanglingLink "BP0013_node_not_copied" "t3d" "t3d";
    OneSidedLink "BP0014_link_of_one_end" "t3d" "t3d";
    NotUtf8 "BP0015_latin_1" "json" "json";
    UnknownInput "BP0016_no_known_kind" "txt" "json";
    Inferred "BP0017_parent_of_a_paste" "t3d" "json";
    AsmSyntax "BP0018_no_such_opcode" "bpasm" "bpasm";
    DuplicateId "BP0101_id_twice" "json" "json";
    DuplicateName "BP0102_variable_twice" "json" "json";
    LinkNode "BP0103_node_not_there" "json" "json";
    LinkPin "BP0104_pin_not_there" "json" "json";
    PinDir "BP0105_input_first" "json" "json";
    PinSelfLoop "BP0106_own_output" "json" "json";
    PinType "BP0107_int_to_string" "json" "json";
    PinType "BP0107_int_to_string_in_a_paste" "t3d" "t3d";
    ExecOutMulti "BP0108_two_ways_at_once" "json" "json";
    ExecOutMulti "BP0108_two_ways_in_a_paste" "t3d" "t3d";
    InMulti "BP0109_two_values" "json" "json";
    UnknownType "BP0110_class_not_declared" "json" "json";
    AmbiguousName "BP0111_function_of_two_libraries" "json" "json";
    VarBadType "BP0113_array_of_arrays" "json" "json";
    VarInLib "BP0114_variable_of_a_library" "json" "json";
    UnhashableKey "BP0115_set_of_bools" "json" "json";
    DupFunction "BP0116_event_and_function" "json" "json";
    FuncPropClash "BP0117_function_and_variable" "json" "json";
    NotOverridable "BP0118_function_that_is_no_event" "json" "json";
    NotOverridable "BP0118_outputs_of_an_event" "json" "json";
    OverrideSig "BP0119_other_parameters" "json" "json";
    EventOutOfDate "BP0120_no_such_event" "json" "json";
    MacroInvalid "BP0121_no_such_macro" "json" "json";
    MacroRecursive "BP0122_macro_in_itself" "json" "json";
    TunnelCollapse "BP0123_pin_that_the_macro_lost" "json" "json";
    NoEntry "BP0124_entry_not_copied" "t3d" "t3d";
    TwoEntries "BP0125_entry_twice" "json" "json";
    ParentInvalid "BP0126_own_parent" "json" "json";
    EventMisplaced "BP0127_event_in_a_function" "json" "json";
    VarNameClash "BP0128_name_of_the_parent" "json" "json";
    GraphNameTaken "BP0129_event_of_a_graphs_name" "json" "json";
    GraphNameTaken "BP0129_event_of_a_macros_name" "json" "json";
    UnknownNode "BP0201_class_without_handler" "json" "json";
    FuncNotFound "BP0202_no_such_function" "json" "json";
    FuncUndeclared "BP0203_function_of_the_game" "t3d" "t3d";
    FuncPinMissing "BP0204_parameter_that_is_gone" "json" "json";
    VarNotFound "BP0205_no_such_variable" "json" "json";
    LocalNotFound "BP0206_no_such_local" "json" "json";
    SelfType "BP0207_self_is_no_pawn" "json" "json";
    SelfInStatic "BP0208_self_of_a_library" "json" "json";
    Wildcard "BP0209_array_without_type" "json" "json";
    SelfMultiPure "BP0210_pure_call_on_two" "json" "json";
    SelfMultiLatent "BP0211_latent_call_on_two" "json" "json";
    LatentOutsideEventGraph "BP0212_delay_in_a_function" "json" "json";
    NoExecPin "BP0213_call_without_exec_pins" "json" "json";
    PrunedRead "BP0214_value_of_what_never_runs" "json" "json";
    ReturnUnlinked "BP0215_result_never_reached" "json" "json";
    ReturnMismatch "BP0216_results_differ" "json" "json";
    VarType "BP0217_pin_of_the_old_type" "json" "json";
    RefLiteral "BP0218_literal_for_a_reference" "json" "json";
    ConstWrite "BP0219_variable_of_the_parent" "json" "json";
    ConstWrite "BP0219_write_in_a_const_function" "json" "json";
    LiteralInvalid "BP0220_no_number" "json" "json";
    LiteralType "BP0221_value_without_type" "json" "json";
    PinRequired "BP0222_nothing_to_change" "json" "json";
    CastInvalid "BP0223_always_succeeds" "json" "json";
    CastInvalid "BP0223_cast_without_class" "t3d" "t3d";
    CastInvalid "BP0223_never_succeeds" "json" "json";
    SwitchCase "BP0224_case_twice" "json" "json";
    SelectOption "BP0225_index_without_options" "json" "json";
    StructInvalid "BP0226_no_such_member" "json" "json";
    DispatcherNotFound "BP0227_no_such_dispatcher" "json" "json";
    DispatcherUnlinked "BP0228_nothing_bound" "json" "json";
    EnumInvalid "BP0229_no_such_entry" "json" "json";
    NodeProperty "BP0230_call_of_nothing" "t3d" "t3d";
    EnumUndeclared "BP0232_enum_of_the_game" "t3d" "t3d";
    NoValue "BP0233_node_that_gives_nothing" "json" "json";
    FuncInternalOnly "BP0235_call_of_the_editors_own" "json" "json";
    FuncDelegateDirect "BP0236_call_of_a_signature" "json" "json";
    NeverExecuted "BP0237_never_reached" "json" "json";
    ImpureNoExec "BP0238_set_without_exec_pins" "json" "json";
    RefReadonly "BP0239_sort_what_is_read_only" "json" "json";
    WorldContext "BP0240_object_in_no_world" "json" "json";
    DelegateNoFunction "BP0241_no_such_function_to_bind" "json" "json";
    DelegateNoSignature "BP0242_delegate_to_an_unknown_pin" "json" "json";
    MessageInterface "BP0243_message_of_a_class" "json" "json";
    MessageTarget "BP0244_message_to_nobody" "json" "json";
    BreakUnlinked "BP0245_nothing_to_break" "json" "json";
    DataCycle "BP0301_sum_of_itself" "json" "json";
    GotoNowhere "BP0302_set_without_a_value" "json" "json";
    TypeUnknownSize "BP0303_literal_of_unknown_size" "json" "json";
}

impl Example {
    /// The examples of a code.
    pub fn of(code: Code) -> impl Iterator<Item = &'static Self> {
        EXAMPLES.iter().filter(move |example| example.code == code)
    }

    /// The example as a few lines: what is wrong, what is said of it, and what it should be.
    pub fn text(&self) -> String {
        let bad = String::from_utf8_lossy(self.bad);
        let good = String::from_utf8_lossy(self.good);
        let mut out = String::new();
        for line in only_in(&bad, &good) {
            out += &format!("  - {line}\n");
        }
        let mark = format!("[{}]: ", self.code.info().id);
        for line in self.expected.lines() {
            // The place in a file that the reader does not have says nothing.
            if let Some((_, words)) = line.split_once(&mark) {
                out += &format!("  ! {}\n", cut(words));
            }
        }
        for line in only_in(&good, &bad) {
            out += &format!("  + {line}\n");
        }
        out
    }
}

/// Longest line of an example that is shown whole, in characters.
const MAX_LINE: usize = 110;

/// Most lines of a kind that are shown.
const MAX_LINES: usize = 8;

/// The lines of `text` that `other` does not have, without what they are indented by.
fn only_in(text: &str, other: &str) -> Vec<String> {
    let mut rest: Vec<&str> = other.lines().map(str::trim).collect();
    let mut out = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(at) = rest.iter().position(|known| *known == line) {
            rest.remove(at);
        } else if out.len() == MAX_LINES {
            out.push("…".to_owned());
            break;
        } else {
            out.push(cut(line));
        }
    }
    out
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
