//! The embedded declarations: nothing lost on the way in, and versions told apart.

use std::fs;
use std::path::Path;

use bp_reflect::{
    Class, EngineVersion, Function, FunctionFlags, Lookup, Name, ObjectPath, PropertyFlags,
    PropertyType, Registry, declarations, link,
};

const UE4: EngineVersion = EngineVersion::new(4, 27);
const LATEST: EngineVersion = EngineVersion::LATEST;

fn function<'a>(registry: &'a Registry, class: &str, name: &str) -> &'a Function {
    let path = ObjectPath::new(format!("/Script/{class}"));
    let found = registry.find_function(&path, &Name::new(name));
    found.unwrap_or_else(|| panic!("{class}:{name}")).1
}

/// Parameters as `name: type`, a star before outputs.
fn signature(registry: &Registry, class: &str, name: &str) -> String {
    let params = &function(registry, class, name).params;
    let shown = params.iter().map(|param| {
        let star = if param.is_output() { "*" } else { "" };
        format!("{star}{}: {}", param.name, param.ty)
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Every file of the research database that ours were made of, with its path; none if it is absent.
fn sources() -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/engine/declarations");
    let mut files: Vec<_> = ["engine", "project"]
        .iter()
        .filter_map(|part| fs::read_dir(dir.join(part)).ok())
        .flatten()
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| {
            let text = fs::read_to_string(file).expect("a readable file");
            (file.display().to_string(), text)
        })
        .collect()
}

#[test]
#[expect(clippy::print_stderr, reason = "says that the comparison was left out")]
fn nothing_of_the_source_is_lost() {
    let sources = sources();
    if sources.is_empty() {
        eprintln!("skipped: the declarations database is not here");
        return;
    }
    for engine in [UE4, LATEST] {
        let registry = declarations::embedded(engine);
        let mut counts = [0; 4];
        for (file, text) in &sources {
            let source = declarations::read(text, engine).unwrap_or_else(|e| panic!("{file}: {e}"));
            if !file.contains("/engine/declarations/engine/") {
                continue;
            }
            for class in &source.classes {
                let ours = registry.class(&class.path);
                let ours = ours.unwrap_or_else(|| panic!("{}", class.path));
                class_is_kept(class, ours);
                counts[1] += class.functions.len() + class.delegates.len();
            }
            for theirs in &source.structs {
                let ours = registry.structure(&theirs.path);
                let ours = ours.unwrap_or_else(|| panic!("{}", theirs.path));
                // For older versions we leave out members that the source does not date.
                let n_kept = ours.members.len();
                assert!(
                    engine == UE4 || n_kept >= theirs.members.len(),
                    "{}",
                    ours.path
                );
                assert!(ours.native_size >= theirs.native_size, "{}", ours.path);
            }
            for theirs in &source.enums {
                let ours = registry.enumeration(&theirs.path);
                let ours = ours.unwrap_or_else(|| panic!("{}", theirs.path));
                assert_eq!(ours.form, theirs.form, "{}", ours.path);
                for entry in &theirs.entries {
                    let kept = ours.entry(entry.name.as_str());
                    let kept = kept.unwrap_or_else(|| panic!("{}", entry.name));
                    // The source takes this one from a list without the hidden entry before it.
                    let is_corrected = entry.name == "UseColor_Foreground";
                    assert!(
                        kept.value == entry.value || entry.value.is_none() || is_corrected,
                        "{}:{}",
                        ours.path,
                        entry.name
                    );
                }
            }
            for (path, _) in &source.delegates {
                assert!(registry.signature(path).is_some(), "{path}");
            }
            counts[0] += source.classes.len();
            counts[2] += source.structs.len();
            counts[3] += source.enums.len();
        }
        assert!(registry.classes().count() >= counts[0], "{counts:?}");
        assert!(registry.structs().count() >= counts[2], "{counts:?}");
        assert!(registry.enums().count() >= counts[3], "{counts:?}");
        assert!(counts[0] > 500 && counts[1] > 3000, "{counts:?}");
    }
}

/// Equal but for unknown types, and for packages, which the source guesses for some structs.
fn same_type(ours: &PropertyType, theirs: &PropertyType) -> bool {
    let short = |ty: &PropertyType| {
        let mut ty = ty.clone();
        ty.map_targets(&mut |target| *target = ObjectPath::new(target.name()));
        ty
    };
    // Blueprints had no doubles in UE4; the source gives some functions only as UE5 has them.
    let text = short(theirs).to_string().replace("double", "float");
    *theirs == PropertyType::Wildcard
        || short(ours) == short(theirs)
        || short(ours).to_string() == text
}

fn class_is_kept(theirs: &Class, ours: &Class) {
    assert!(
        theirs.super_class.is_none() || ours.super_class.is_some(),
        "{}",
        ours.path
    );
    for property in &theirs.properties {
        assert!(
            ours.property(&property.name).is_some(),
            "{}:{}",
            ours.path,
            property.name
        );
    }
    for function in theirs.functions.values().chain(theirs.delegates.values()) {
        let at = format!("{}:{}", ours.path, function.name);
        let find = |name: &Name| {
            ours.functions
                .get(name)
                .or_else(|| ours.delegates.get(name))
        };
        // The source doubles the suffix of some signatures.
        let once = Name::new(
            function
                .name
                .as_str()
                .replace("__DelegateSignature__", "__"),
        );
        let kept = find(&function.name).or_else(|| find(&once));
        let kept = kept.unwrap_or_else(|| panic!("{at}"));
        // Sorting is in place, so the array is a reference, which the source misses.
        if ["SortNameArray", "SortStringArray"]
            .iter()
            .any(|name| kept.name == **name)
        {
            continue;
        }
        // The source misses that the getters of subsystems and the conversions of input values are pure.
        // Where it only guesses that a function is final, we may know that it is virtual.
        let node_flags = FunctionFlags::BLUEPRINT_PURE
            | FunctionFlags::BLUEPRINT_CALLABLE
            | (function.meta.uncertain & FunctionFlags::FINAL);
        let besides_pure = |f: &Function| f.flags | node_flags;
        assert_eq!(besides_pure(kept), besides_pure(function), "{at}");
        if function.params.is_empty() {
            continue; // Events that the source knows only as overridden come without parameters.
        }
        let is_counted = function.params.iter().any(|param| param.name == "Arg0");
        if kept.certainty != function.certainty || is_counted {
            continue; // A signature that the source only counts.
        }
        let names = |f: &Function| f.params.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(kept), names(function), "{at}");
        for (a, b) in kept.params.iter().zip(&function.params) {
            // Of delegates of the asset loaders the source has made-up names.
            let is_made_up = b.ty.to_string().ends_with("OnLoaded");
            assert!(
                is_made_up || same_type(&a.ty, &b.ty),
                "{at}: {} {}",
                a.ty,
                b.ty
            );
            assert_eq!((a.flags, &a.default), (b.flags, &b.default), "{at}");
        }
    }
}

#[test]
fn every_signature_that_a_property_names_is_declared() {
    let registry = declarations::embedded(LATEST);
    let mut missing = Vec::new();
    for class in registry.classes() {
        for property in &class.properties {
            if let PropertyType::MulticastDelegate(Some(path)) = &property.ty
                && registry.signature(path).is_none()
            {
                missing.push(path.to_string());
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn metadata_beyond_signatures_is_there() {
    let registry = declarations::embedded(LATEST);
    let library = "Engine.KismetSystemLibrary";
    let meta = |class: &str, name: &str| function(&registry, class, name).meta.clone();
    assert!(meta(library, "PrintString").optional_world_context);
    assert_eq!(
        meta(library, "MoveComponentTo").expand_enum_as_execs,
        ["MoveAction"]
    );
    assert_eq!(meta(library, "K2_SetTimer").default_to_self, ["Object"]);
    assert!(meta(library, "Delay").latent);
    assert!(meta("Engine.KismetArrayLibrary", "Array_Add").custom_thunk);
    let actor = ObjectPath::new("/Script/Engine.Actor");
    let root = registry.find_property(&actor, &"RootComponent".into());
    let getter = root.expect("declared").1.getter.clone();
    assert_eq!(getter, Some("K2_GetRootComponent".into()));
}

#[test]
fn parameters_and_types_depend_on_the_version() {
    let old = declarations::embedded(EngineVersion::new(5, 0));
    let new = declarations::embedded(EngineVersion::new(5, 1));
    let has_key = |r: &Registry| {
        let print = function(r, "Engine.KismetSystemLibrary", "PrintString");
        print.param(&"Key".into()).is_some()
    };
    assert!(!has_key(&old) && has_key(&new));

    let ue4 = declarations::embedded(UE4);
    let clamp = |r: &Registry| signature(r, "Engine.KismetMathLibrary", "FClamp");
    assert_eq!(
        clamp(&ue4),
        "Value: float, Min: float, Max: float, *ReturnValue: float"
    );
    assert_eq!(
        clamp(&new),
        "Value: double, Min: double, Max: double, *ReturnValue: double"
    );
    for class in ue4.classes() {
        for function in class.functions.values() {
            let is_double = |p: &bp_reflect::Property| p.ty == PropertyType::Double;
            let is_new = function.name.as_str().contains("Double");
            assert!(
                is_new || !function.params.iter().any(is_double),
                "{}",
                function.name
            );
        }
    }
    let sizes = |r: &Registry, name: &str| {
        let structure = r.structure(&name.into()).expect("declared");
        (structure.native_size, structure.members[0].ty.clone())
    };
    let vector = "/Script/CoreUObject.Vector";
    assert_eq!(sizes(&ue4, vector), (Some(12), PropertyType::Float));
    assert_eq!(sizes(&old, vector), (Some(24), PropertyType::Double));
}

#[test]
fn final_depends_on_the_version_where_the_engine_changed_it() {
    let is_final = |engine, class, name| {
        let registry = declarations::embedded(engine);
        let flags = function(&registry, class, name).flags;
        flags.contains(FunctionFlags::FINAL)
    };
    let set_scale = ("Engine.SceneComponent", "SetRelativeScale3D");
    assert!(!is_final(
        EngineVersion::new(4, 24),
        set_scale.0,
        set_scale.1
    ));
    assert!(is_final(
        EngineVersion::new(4, 25),
        set_scale.0,
        set_scale.1
    ));
    let set_brush = ("UMG.Image", "SetBrushFromTexture");
    assert!(is_final(
        EngineVersion::new(4, 24),
        set_brush.0,
        set_brush.1
    ));
    assert!(!is_final(
        EngineVersion::new(4, 25),
        set_brush.0,
        set_brush.1
    ));
}

#[test]
fn short_names_and_library_functions_are_found() {
    let registry = declarations::embedded(LATEST);
    let actor = ObjectPath::new("/Script/Engine.Actor");
    assert_eq!(registry.find_class("actor"), Lookup::One(&actor));
    assert_eq!(
        registry.find_struct("FVector"),
        Lookup::One(&"/Script/CoreUObject.Vector".into())
    );
    assert_eq!(registry.find_class("NoSuchClass"), Lookup::None);
    let found = registry.find_library_function(&"add_intint".into());
    let [(class, add)] = found.as_slice() else {
        panic!("{}", found.len());
    };
    assert_eq!(class.path.name(), "KismetMathLibrary");
    assert!(add.is_pure() && add.is_static());
    assert_eq!(
        signature(&registry, "Engine.KismetMathLibrary", "Add_IntInt"),
        "A: int, B: int, *ReturnValue: int"
    );
    assert!(
        registry
            .find_library_function(&"SetLifeSpan".into())
            .is_empty()
    );
}

#[test]
fn added_declarations_go_before_embedded_ones() {
    let mut registry = declarations::embedded(LATEST);
    let untouched = registry.clone();
    let actor = ObjectPath::new("/Script/Engine.Actor");
    let text = r#"{"package": "/Script/Engine", "classes": [
        {"name": "Actor", "super": "CoreUObject.Object"},
        {"name": "MyLibrary", "super": "Engine.BlueprintFunctionLibrary",
         "functions": [{"name": "PrintString", "flags": "Static"}]}
    ]}"#;
    let declared = declarations::read(text, LATEST).expect("a declaration file");
    declared.add_to(&mut registry);
    assert!(registry.class(&actor).expect("Actor").functions.is_empty());
    assert_eq!(registry.find_class("Actor"), Lookup::One(&actor));
    assert!(!untouched.class(&actor).expect("Actor").functions.is_empty());
    assert_eq!(registry.classes().count(), untouched.classes().count() + 1);
    let print = registry.find_library_function(&"PrintString".into());
    assert_eq!(print.len(), 2);

    let mut registry = untouched.clone();
    let class = registry.class_mut(&actor).expect("Actor");
    class.properties.clear();
    assert!(registry.class(&actor).expect("Actor").properties.is_empty());
    assert!(
        !untouched
            .class(&actor)
            .expect("Actor")
            .properties
            .is_empty()
    );
}

#[test]
fn errors_name_the_place() {
    let check = |text: &str, expected: &str| {
        let error = declarations::read(text, LATEST).expect_err(text);
        assert_eq!(error.to_string(), expected);
    };
    check("{\n 3", "line 2, column 2: key must be a string");
    check("5", "file: expected an object, found 5");
    check(
        "{}",
        "package: expected a package such as /Script/Engine, found {}",
    );
    let class =
        |body: &str| format!(r#"{{"package": "/Script/X", "classes": [{{"name": "A", {body}}}]}}"#);
    check(
        &class(r#""functions": [{"name": "F", "params": ["const X: float3"]}]"#),
        "classes[0] A: functions[0] F: params[0]: const X: `float3` is not a type",
    );
    check(
        &class(r#""functions": [{"name": "F", "flags": "Finale"}]"#),
        "classes[0] A: functions[0] F: flags: `Finale` is no flag",
    );
    check(
        &class(r#""function": []"#),
        "classes[0] A: unknown key `function`",
    );
    check(
        &class(r#""properties": ["sinec=5.1 X: int"]"#),
        "classes[0] A: properties[0]: sinec=5.1 X: int: expected a word such as `const` or \
         `since=5.1`, found \"sinec=5.1\"",
    );
    check(
        &class(r#""properties": [3]"#),
        "classes[0] A: properties[0]: expected an object, found 3",
    );
}

/// Structs whose members, laid out by the rules of C++, do not give the size that bytecode states,
/// because C++ has members there that reflection does not show.
const HIDDEN_MEMBERS: &[&str] = &[
    "DateTime",
    "Timespan",
    "Key",
    "SlateBrush",
    "SlateColor",
    // Vectors of doubles are padded to whole registers in it.
    "Transform",
];

#[test]
fn sizes_computed_from_members_are_those_that_bytecode_states() {
    let mut n_checked = 0;
    for engine in [UE4, LATEST] {
        let registry = declarations::embedded(engine);
        for structure in registry.structs() {
            let (Some(declared), true) = (structure.native_size, structure.is_complete) else {
                continue;
            };
            let mut computed = structure.clone();
            computed.native_size = None;
            let layout = link::link_struct(&computed, &registry, engine).expect("a layout");
            assert!(layout.native_exact, "{}", structure.path);
            n_checked += 1;
            if HIDDEN_MEMBERS.contains(&structure.path.name()) {
                assert!(layout.native_size <= declared, "{}", structure.path);
            } else {
                assert_eq!(layout.native_size, declared, "{engine} {}", structure.path);
            }
        }
    }
    assert!(n_checked > 40, "{n_checked}");
}

#[test]
fn words_of_engine_structs_are_the_sums_of_their_members() {
    let registry = declarations::embedded(LATEST);
    let words = |path: &str| link::words(&PropertyType::Struct(path.into()), &registry);
    assert_eq!(words("/Script/CoreUObject.Vector"), 3);
    assert_eq!(words("/Script/Engine.Vector_NetQuantize"), 3);
    assert_eq!(words("/Script/CoreUObject.Transform"), 10);
    assert_eq!(words("/Script/Engine.LatentActionInfo"), 4);
    assert_eq!(words("/Script/CoreUObject.Timespan"), 1);
}

#[test]
fn everything_embedded_can_be_laid_out() {
    for engine in [EngineVersion::OLDEST, UE4, LATEST] {
        let registry = declarations::embedded(engine);
        for structure in registry.structs() {
            link::link_struct(structure, &registry, engine).expect("a layout");
        }
        for class in registry.classes() {
            link::link_class(class, &registry, engine).expect("a layout");
            for function in class.functions.values() {
                let layout = link::link_function(function, &registry, engine).expect("a layout");
                assert_eq!(layout.slots.len(), function.params.len());
                let returns = function.return_param().is_some();
                assert_eq!(layout.return_value_offset.is_some(), returns);
            }
        }
    }
}

#[test]
fn damaged_files_are_read_or_refused_but_never_panic() {
    let text = include_str!("../../../graphs/engine/declarations/GameplayTags.json");
    let mut seed: u64 = 0x5eed_0003;
    let mut below = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    let pieces = [
        "{",
        "]",
        "\"",
        "null",
        "-1",
        ": ",
        " = ",
        "é",
        "since=9.9 ",
        "array<",
        ">",
        "1e99",
    ];
    let mut n_read = 0;
    for _ in 0..400 {
        let mut damaged = text.to_owned();
        let at = below(text.len());
        if text.is_char_boundary(at) {
            let end = (at + below(4)).min(text.len());
            damaged.replace_range(at..end, pieces[below(pieces.len())]);
        }
        if let Ok(declared) = declarations::read(&damaged, LATEST) {
            let mut registry = Registry::new();
            declared.add_to(&mut registry);
            for structure in registry.structs() {
                let _ = link::link_struct(structure, &registry, LATEST);
            }
            n_read += 1;
        }
    }
    assert!((1..400).contains(&n_read), "{n_read}");
}

#[test]
fn a_registry_can_be_shared_between_threads() {
    fn is_shareable<T: Send + Sync + Clone>(_: &T) {}
    is_shareable(&declarations::embedded(LATEST));
}

#[test]
fn members_of_complete_structs_match_the_operands_of_observed_literals() {
    let mut n_checked = 0;
    for engine in [UE4, LATEST] {
        let registry = declarations::embedded(engine);
        for structure in registry.structs().filter(|s| s.is_complete) {
            let Some(literal) = registry.struct_literal(&structure.path) else {
                continue;
            };
            let inherited = structure.super_struct.iter();
            let inherited = inherited.filter_map(|path| registry.structure(path));
            let members = inherited
                .flat_map(|parent| &parent.members)
                .chain(&structure.members)
                .filter(|member| !member.flags.contains(PropertyFlags::TRANSIENT));
            let at = |n: usize| format!("{engine} {} {n}", structure.path);
            assert_eq!(
                members.clone().count(),
                literal.len(),
                "{}",
                at(literal.len())
            );
            for (n, (member, opcode)) in members.zip(literal).enumerate() {
                let ty = member.ty.to_string();
                let fits: &[&str] = match ty.split([':', '<']).next().expect("never empty") {
                    "bool" => &["False", "True", "BitFieldConst"],
                    "byte" | "enum" => &["ByteConst"],
                    "int" => &["IntConst", "SkipOffsetConst"],
                    "float" => &["FloatConst"],
                    "double" => &["DoubleConst"],
                    "name" => &["NameConst"],
                    "struct" => &["StructConst", "VectorConst"],
                    "object" | "weak_object" => &["NoObject", "Self"],
                    "array" => &["ArrayConst"],
                    "map" => &["MapConst"],
                    "string" => &["StringConst"],
                    "text" => &["TextConst"],
                    other => panic!("{} {other}", at(n)),
                };
                assert!(fits.iter().any(|fit| *opcode == *fit), "{} {opcode}", at(n));
                n_checked += 1;
            }
        }
    }
    assert!(n_checked > 150, "{n_checked}");
}

#[test]
fn what_is_written_reads_the_same() {
    for engine in [UE4, LATEST] {
        let registry = declarations::embedded(engine);
        let mut classes: Vec<Class> = registry.classes().cloned().collect();
        for function in classes
            .iter_mut()
            .flat_map(|class| class.functions.values_mut())
        {
            // Names of parameters that this version does not have.
            let params = &function.params;
            let exists = |name: &Name| params.iter().any(|param| param.name == *name);
            function.meta.hidden.retain(exists);
            function.meta.advanced.retain(exists);
        }
        let enums: Vec<_> = registry.enums().cloned().collect();
        assert!(classes.len() > 500 && enums.len() > 50);
        let text = declarations::write(&classes, &enums, "a test");
        let read = declarations::read(&text, engine).expect("it reads");
        let by_path = |path: &ObjectPath| read.classes.iter().find(|class| class.path == *path);
        for class in &classes {
            let again = by_path(&class.path).expect("it was written");
            for (name, function) in &class.functions {
                assert_eq!(again.functions.get(name), Some(function), "{}", class.path);
            }
            assert!(again == class, "{} differs", class.path);
        }
        assert_eq!(read.classes.len(), classes.len());
        for found in &enums {
            let again = read.enums.iter().find(|read| read.path == found.path);
            assert_eq!(again, Some(found));
        }
    }
}

#[test]
fn names_with_spaces_and_blueprint_classes_can_be_declared() {
    let text = r#"[
        {"package": "/Game/BP_Door", "classes": [{"name": "BP_Door_C", "super": "Engine.Actor",
         "functions": [{"name": "Open it", "flags": "Public BlueprintCallable BlueprintEvent",
          "params": [{"name": "How far", "type": "float", "flags": ["Parm"], "default": "1.0"}]}]}]},
        {"package": "/Script/MyGame", "enums": [{"name": "EState", "entries": ["A=0", "B=3"]}]}]"#;
    let read = declarations::read(text, LATEST).expect("it reads");
    let class = &read.classes[0];
    assert!(class.is_blueprint());
    assert_eq!(class.path.as_str(), "/Game/BP_Door.BP_Door_C");
    let again = declarations::write(&read.classes, &read.enums, "a test");
    assert_eq!(declarations::read(&again, LATEST).expect("it reads"), read);
    let error = declarations::read(r#"[{"package": "/Script/A"}, {"pack": 1}]"#, LATEST);
    let error = error.expect_err("a key is unknown").to_string();
    assert_eq!(error, "packages[1]: file: unknown key `pack`");
}

#[test]
fn functions_that_only_bytecode_calls_are_accessors_of_the_variable_they_are_named_after() {
    let text = r#"{"package": "/Script/Game", "classes": [{"name": "Slider",
        "properties": ["Value: float", "bIsOn: bool", "Origin: int", "Step: float"],
        "functions": [
            {"name": "GetValue", "flags": "Final Native Public", "params": ["return ReturnValue: float"], "evidence": ["bytecode:FinalFunction x3"]},
            {"name": "SetIsOn", "flags": "Final Native Public", "params": ["Arg0: bool"], "evidence": ["bytecode:FinalFunction x1"]},
            {"name": "SetOrigin", "flags": "Final Native Public", "params": ["Arg0: int"], "evidence": ["bytecode:FinalFunction x1", "pins x1"]},
            {"name": "SetOrigin_Internal", "flags": "Final Native Public", "params": ["Arg0: int"], "evidence": ["bytecode:FinalFunction x1"]},
            {"name": "SetStep", "flags": "Final Native Public", "params": ["Step: float"]}
        ]}]}"#;
    let found = declarations::read(text, LATEST).expect("it is well-formed");
    let class = &found.classes[0];
    let accessors = |name: &str| {
        let property = class.property(&name.into()).expect("declared");
        let text = |name: &Option<Name>| name.as_ref().map(ToString::to_string);
        (text(&property.getter), text(&property.setter))
    };
    assert_eq!(accessors("Value"), (Some("GetValue".to_owned()), None));
    assert_eq!(accessors("bIsOn"), (None, Some("SetIsOn".to_owned())));
    let internal = Some("SetOrigin_Internal".to_owned());
    assert_eq!(accessors("Origin"), (None, internal));
    // Nodes may call it, so it is no accessor.
    assert_eq!(accessors("Step"), (None, None));
    let flags = class.functions[&Name::new("GetValue")].flags;
    assert!(flags.contains(FunctionFlags::BLUEPRINT_PURE));
}
