//! Assembly text: everything survives printing and parsing, and wrong text is refused with its place.

mod common;

use bp_bytecode::asm::{Comments, PrintOptions, parse, print, print_function};
use bp_bytecode::{Expr, Interner, Opcode, Package, ReferenceTables, file};
use bp_reflect::Name;
use common::sample_package::{package, package_of};
use common::{DIALECTS, Rng, random_expr, sample, statements_of};

fn check(package: &Package) -> String {
    let text = print(package, PrintOptions::default());
    let again = parse(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    assert_eq!(file::write(&again.package), file::write(package), "{text}");
    let shown = print(&again.package, PrintOptions::OFFSETS);
    let again = parse(&shown).unwrap_or_else(|errors| panic!("{}\n{shown}", errors[0]));
    assert_eq!(file::write(&again.package), file::write(package), "{shown}");
    text
}

#[test]
fn every_opcode_survives() {
    for dialect in DIALECTS {
        for op in Opcode::ALL {
            for variant in 0..8 {
                let Some(expr) = sample(*op, dialect, variant) else {
                    continue;
                };
                let mut refs = Interner::new();
                let bytes = statements_of(&[expr], dialect, &mut refs);
                let text = check(&package_of(dialect, refs, bytes));
                assert!(!text.contains("    bytes "), "{text}");
                assert!(!text.contains("references"), "{text}");
            }
        }
    }
}

#[test]
fn random_trees_survive() {
    for dialect in DIALECTS {
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let exprs: Vec<Expr> = (0..4).map(|_| random_expr(&mut rng, dialect, 5)).collect();
            let mut refs = Interner::new();
            let bytes = statements_of(&exprs, dialect, &mut refs);
            check(&package_of(dialect, refs, bytes));
        }
    }
}

#[test]
fn every_field_of_a_package_survives() {
    for dialect in DIALECTS {
        let text = check(&package(dialect));
        assert!(text.contains("\n    bytes A2 00\n"), "{text}");
        assert!(text.contains("\n    JumpIfNot(L1, CallMath("), "{text}");
    }
}

#[test]
fn tables_that_do_not_follow_from_the_scripts_survive() {
    let dialect = DIALECTS[1];
    let original = package(dialect);
    let mut reversed = original.clone();
    reversed
        .references
        .objects
        .push("/Game/Unused.Unused".into());
    assert!(check(&reversed).contains("references"));
    let mut doubled = original.clone();
    let first = doubled.references.objects[0].clone();
    doubled.references.objects.push(first);
    assert!(check(&doubled).contains("    bytes 07"));
    let mut emptied = original;
    emptied.references = ReferenceTables::default();
    assert!(check(&emptied).contains("    bytes 07"));
}

#[test]
fn the_text_is_as_documented() {
    let original = package(DIALECTS[1]);
    let class = &original.classes[0];
    let text = print_function(
        &original,
        class,
        &Name::new("Open"),
        PrintOptions::OFFSETS,
        &Comments::new(),
    );
    assert_eq!(
        text.as_deref(),
        Some(
            r#"  function Open flags public|blueprint_callable
    param Amount int flags parm
    local Left int
    event_offset 0xA
    node 0 "Event \"Graph\"" "Branch" "K2Node_IfThenElse_0"
    node 1 "Event \"Graph\"" "Set\nHealth; now" "K2Node_IfThenElse_0"
  code
    site 0
    JumpIfNot(L1, CallMath(/Script/Engine.KismetMathLibrary:Greater_IntInt, LocalVariable(Amount), IntConst(0)))  ; 0x0
    site 1
    site 0
    Let(Health@self, InstanceVariable(Health@self), LocalVariable(Left))  ; 0x1D
  L1:
    Return(Nothing)  ; 0x38
    EndOfScript  ; 0x3A
  end
"#
        )
    );
}

#[test]
fn a_fragment_is_a_package() {
    let assembly = parse(
        "; one function is enough\n\
         function Test\n\
         code\n\
         again: Jump(behind)  ; a label may stand before its statement\n\
         behind:\n\
           ex_jump(again)\n\
           EX_Return(Nothing)\n\
           EndOfScript\n\
         end\n",
    )
    .expect("the text is right");
    let class = &assembly.package.classes[0];
    assert_eq!(class.class.path.as_str(), "/Fragment.Fragment_C");
    let function = class.function(&Name::new("test")).expect("it is there");
    assert_eq!(
        function.script,
        [0x06, 5, 0, 0, 0, 0x06, 0, 0, 0, 0, 0x04, 0x0B, 0x53]
    );
    let lines = &assembly.lines.classes[0].functions[0];
    assert_eq!(lines.line, 2);
    let found: Vec<u32> = lines.statements.iter().map(|(_, line)| *line).collect();
    assert_eq!(found, [4, 6, 7, 8]);
}

#[test]
fn wrong_text_is_refused_with_place_and_expectation() {
    for (text, expected) in [
        (
            "hello",
            "1:1: expected `package`, `references`, `class`, `struct`, `enum` or an item of a class, found `hello`",
        ),
        (
            "package 9.9",
            "1:9: there is no bytecode of engine 9.9 here: give one from 4.16 to 5.x",
        ),
        (
            "function A\npackage 5.6\nend",
            "2:1: expected `param`, `local`, `super`, `inferred`, `meta`, `event_offset`, `node`, `site_at`, `code` or `end`, found `package`",
        ),
        (
            "function A\ncode\n  IntConst(x)\nend",
            "3:12: expected a whole number of 32 bits, found `x`",
        ),
        (
            "function A\ncode\n  IntConst(99999999999)\nend",
            "3:12: 99999999999 does not fit in a whole number of 32 bits",
        ),
        (
            "function A\ncode\n  IntConst(1\nend",
            "3:13: expected `)`, found the end of the line",
        ),
        (
            "function A\ncode\n  IntConst\nend",
            "3:11: expected `(` and the operands of EX_IntConst, found the end of the line",
        ),
        (
            "function A\ncode\n  Jump(nowhere)\nend",
            "3:8: label `nowhere` is not placed in this function",
        ),
        (
            "function A\ncode\nx:\nx:\nend",
            "4:1: label `x` is placed already",
        ),
        ("function A\ncode\n  Fly\nend", "3:3: `Fly` is no opcode"),
        (
            "function A\ncode\n  EndArray\nend",
            "3:3: EX_EndArray closes a list and is no expression",
        ),
        (
            "function A\ncode\n  Nothing Nothing\nend",
            "3:11: expected the end of the line, found `Nothing`",
        ),
        (
            "function A\ncode\n  NameConst(\"a)\nend",
            "3:13: this string has no closing quote",
        ),
        (
            "function A\ncode\n  NameConst(\"\\q\")\nend",
            "3:14: expected one of the escapes \\\" \\\\ \\n \\r \\t \\u{…}",
        ),
        (
            "function A\ncode\n  SetMap(Self, Self)\nend",
            "3:20: expected `=>`, found `)`",
        ),
        (
            "function A\ncode\n  bytes 5G\nend",
            "3:9: expected a byte of two hexadecimal digits, found `5G`",
        ),
        (
            "function A\ncode\n",
            "3:1: expected `end` of the function on line 1, found the end of the text",
        ),
        (
            "function A\nend\nfunction a\nend",
            "3:10: the class has a function a already",
        ),
        (
            "property X object",
            "1:12: type `object` needs the name of a class after a colon",
        ),
        (
            "property X int flags edit|flying",
            "1:22: `flying` is no flag of this kind",
        ),
        ("default X = [1, {Y = ?}]", "1:22: `?` has no meaning here"),
        (
            "default X = maybe",
            "1:13: expected a value: a number, a string, `true`, `false`, `name(…)`, `text(…)`, `object(…)`, `{…}`, `[…]`, `map(…)` or `unbound`, found `maybe`",
        ),
        (
            "package 4.27\nfunction A\ncode\n  DoubleConst(1)\nend",
            "4:3: EX_DoubleConst exists since 5.0, the script is for 4.27",
        ),
    ] {
        let errors = parse(text).expect_err("the text is wrong");
        let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [expected], "{text}");
    }
}

#[test]
fn errors_are_collected_over_the_whole_text() {
    let errors = parse(
        "package 5.6\nclass /Game/A.A\n  kind odd\n  function F\n  code\n    Fly\n    Swim\n  end\nend\n",
    )
    .expect_err("the text is wrong");
    let lines: Vec<u32> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [3, 6, 7]);
}

#[test]
fn damaged_text_is_refused_without_panic() {
    let text = print(&package(DIALECTS[1]), PrintOptions::default());
    let bytes = text.as_bytes();
    let mut rng = Rng::new(7);
    for at in (0..bytes.len() - 1).step_by(3) {
        let mut damaged = bytes.to_vec();
        damaged[at] = match rng.below(3) {
            0 => b"()[]{}\",;=<>@#\n 0-"[rng.below(18) as usize],
            1 => rng.below(256) as u8,
            _ => {
                damaged.remove(at);
                rng.below(128) as u8
            }
        };
        let _ = parse(&String::from_utf8_lossy(&damaged));
        if at % 48 == 0 {
            let _ = parse(&String::from_utf8_lossy(&bytes[..at]));
        }
    }
    let deep = format!("function A\ncode\n{}\nend", "Return(".repeat(100_000));
    let errors = parse(&deep).expect_err("too deep");
    assert_eq!(errors[0].message, "expressions are nested deeper than 256");
    let deep = format!("default X = {}", "[".repeat(100_000));
    assert_eq!(
        parse(&deep).expect_err("too deep")[0].message,
        "this value is nested too deeply"
    );
    let deep = format!("property X {}", "array<".repeat(100_000));
    assert_eq!(
        parse(&deep).expect_err("too deep")[0].message,
        "this type is nested too deeply"
    );
}

/// `tests/bytecode/every_opcode.bpasm` shows how each opcode is written; printing gives it again.
#[test]
fn the_sheet_of_all_opcodes_is_its_own_print() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/bytecode/every_opcode.bpasm");
    let sheet = std::fs::read_to_string(path)
        .expect("the file can be read")
        .replace("\r\n", "\n");
    let assembly = parse(&sheet).unwrap_or_else(|errors| panic!("{}", errors[0]));
    pretty_assertions::assert_eq!(print(&assembly.package, PrintOptions::default()), sheet);
    for op in Opcode::ALL {
        let is_terminator = op.row().role == bp_bytecode::table::Role::Terminator;
        let name = op.name().trim_start_matches("EX_");
        let is_shown = sheet.contains(&format!("{name}("))
            || sheet.contains(&format!("{name}\n"))
            || sheet.contains(&format!("{name})"))
            || sheet.contains(&format!("{name},"));
        assert_eq!(is_shown, !is_terminator, "{}", op.name());
    }
}

#[test]
fn notes_say_what_is_called_and_what_properties_are() {
    let text = "package 5.6

class /Game/A.A_C : /Script/Engine.Actor
  property Health int
  function Hurt flags public
    param Amount int flags parm
    param Left string flags parm|out_parm
  code
    Let(null, LocalOutVariable(Left), StringConst(\"\"))
    Return(Nothing)
    EndOfScript
  end
  function Run
    local Shown string
  code
    LocalFinalFunction(self:Hurt, InstanceVariable(Health@self), LocalVariable(Shown))
    Let(Health@self, InstanceVariable(Health@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(Health@self), IntConst(1)))
    Context(InstanceVariable(Other@/Script/Engine.Pawn), null, VirtualFunction(Leave))
    Return(Nothing)
    EndOfScript
  end
end
";
    let assembly = parse(text).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let shown = print(&assembly.package, PrintOptions::READABLE);
    let notes: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split_once("  ; ")?.1.split_once("  "))
        .map(|(_, note)| note)
        .collect();
    assert_eq!(
        notes,
        [
            "Left: string",
            "calls Hurt(Amount: int, out Left: string); Health: int, Shown: string",
            "calls KismetMathLibrary.Add_IntInt; Health: int",
            "calls Leave",
        ]
    );
    let again = parse(&shown).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(file::write(&again.package), file::write(&assembly.package));
}

#[test]
fn a_script_with_a_foreign_opcode_is_shown_up_to_it() {
    let text = "package 5.6

class /Game/A.A_C
  function Run
    local Count int
  code
    JumpIfNot(L1, True)
    Let(Count, LocalVariable(Count), IntConst(5))
  L1:
    bytes 6E 01 02 03 53
  end
  function Next
  code
    Return(Nothing)
    EndOfScript
  end
end
";
    let assembly = parse(text).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let shown = print(&assembly.package, PrintOptions::OFFSETS);
    let body: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.ends_with("code"))
        .take_while(|line| !line.ends_with("end"))
        .collect();
    assert_eq!(
        body,
        [
            "  code",
            "    JumpIfNot(0x1D, True)  ; 0x0",
            "    Let(Count, LocalVariable(Count), IntConst(5))  ; 0x6",
            "    ; at 0x1D (byte 29): 0x6E is no opcode of the engine (some games add one of this byte), in `00 00 00 1D 05 00 00 00 [6E] 01 02 03 53`",
            "    bytes 6E 01 02 03 53",
        ]
    );
    assert!(shown.contains("function Next"));
    let again = parse(&shown).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(file::write(&again.package), file::write(&assembly.package));
}
