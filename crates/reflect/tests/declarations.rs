//! The embedded declarations: nothing lost on the way in, and versions told apart.

use std::fs;
use std::path::Path;

use bp_reflect::{
    Class, EngineVersion, Function, FunctionFlags, Lookup, Name, ObjectPath, PropertyType,
    Registry, declarations,
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
                let ours = registry.class(&class.path).expect(class.path.as_str());
                class_is_kept(class, ours);
                counts[1] += class.functions.len() + class.delegates.len();
            }
            for theirs in &source.structs {
                let ours = registry.structure(&theirs.path);
                let ours = ours.expect(theirs.path.as_str());
                assert!(ours.members.len() >= theirs.members.len(), "{}", ours.path);
                assert!(ours.native_size >= theirs.native_size, "{}", ours.path);
            }
            for theirs in &source.enums {
                let ours = registry.enumeration(&theirs.path);
                let ours = ours.expect(theirs.path.as_str());
                assert_eq!(ours.form, theirs.form, "{}", ours.path);
                for entry in &theirs.entries {
                    let kept = ours.entry(entry.name.as_str()).expect(entry.name.as_str());
                    assert!(kept.value == entry.value || entry.value.is_none());
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
        let kept = ours
            .functions
            .get(&function.name)
            .or_else(|| ours.delegates.get(&function.name));
        let kept = kept.unwrap_or_else(|| panic!("{at}"));
        assert_eq!(kept.flags, function.flags, "{at}");
        if kept.certainty != function.certainty {
            continue; // A signature that the source only counts.
        }
        let names = |f: &Function| f.params.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(kept), names(function), "{at}");
        for (a, b) in kept.params.iter().zip(&function.params) {
            assert!(a.ty == b.ty || b.ty == PropertyType::Wildcard, "{at}");
            assert_eq!((a.flags, &a.default), (b.flags, &b.default), "{at}");
        }
    }
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
    check("[]", "file: expected an object, found []");
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
