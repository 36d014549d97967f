//! Whose nodes look like ours and are not.

/// What editor a class that is no Blueprint node is from; none for Blueprint nodes and classes nobody
/// knows, which may be nodes of a plugin.
pub(super) fn foreign_editor(class: &str) -> Option<&'static str> {
    let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
    if name.contains("K2Node") || name.starts_with("EdGraphNode") {
        return None;
    }
    BY_NAME
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .or_else(|| {
            BY_PACKAGE
                .iter()
                .find(|(known, _)| package.eq_ignore_ascii_case(known))
        })
        .map(|(_, editor)| *editor)
}

/// By the beginning of the class's name, which text without packages has too.
const BY_NAME: &[(&str, &str)] = &[
    ("Material", "the material editor"),
    ("Niagara", "the Niagara editor"),
    ("PCG", "the PCG editor"),
    ("SoundCue", "the sound cue editor"),
    ("SoundNode", "the sound cue editor"),
    ("Metasound", "the MetaSound editor"),
    ("BehaviorTree", "the behavior tree editor"),
    ("BTComposite", "the behavior tree editor"),
    ("BTTask", "the behavior tree editor"),
    ("EnvironmentQuery", "the environment query editor"),
    ("StateTree", "the StateTree editor"),
    ("ControlRig", "the Control Rig editor"),
    ("RigVM", "the Control Rig editor"),
    ("Dataflow", "the Dataflow editor"),
    ("MovieGraph", "the movie render graph editor"),
    ("Conversation", "the conversation editor"),
    ("WidgetSlotPair", "the widget designer"),
];

/// By package.
const BY_PACKAGE: &[(&str, &str)] = &[
    ("/Script/NiagaraEditor", "the Niagara editor"),
    ("/Script/Niagara", "the Niagara editor"),
    ("/Script/PCGEditor", "the PCG editor"),
    ("/Script/PCG", "the PCG editor"),
    ("/Script/AudioEditor", "the sound cue editor"),
    ("/Script/MetasoundEditor", "the MetaSound editor"),
    ("/Script/BehaviorTreeEditor", "the behavior tree editor"),
    ("/Script/AIGraph", "the behavior tree editor"),
    ("/Script/AIModule", "the behavior tree editor"),
    (
        "/Script/EnvironmentQueryEditor",
        "the environment query editor",
    ),
    ("/Script/StateTreeEditorModule", "the StateTree editor"),
    ("/Script/StateTreeModule", "the StateTree editor"),
    ("/Script/ControlRigDeveloper", "the Control Rig editor"),
    ("/Script/RigVMDeveloper", "the Control Rig editor"),
    ("/Script/UMG", "the widget designer"),
    ("/Script/UMGEditor", "the widget designer"),
    ("/Script/Engine", "the level editor"),
];
