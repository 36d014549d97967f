//! Subsystems: pure calls of the library that finds them by class.

use bp_graph::Direction;
use bp_reflect::ObjectPath;

use super::made;
use crate::expand::Expander;
use crate::expanded::ExNodeId;

const LIBRARY: &str = "/Script/Engine.SubsystemBlueprintLibrary";

/// `K2Node_GetSubsystem`: the function follows from what kind of subsystem the class is.
///
/// Source: 1 node in a real package, a local player subsystem; the others are assumed alike.
pub(super) fn of_context(x: &mut Expander<'_, '_>, id: ExNodeId) {
    const KINDS: &[(&str, &str)] = &[
        ("LocalPlayerSubsystem", "GetLocalPlayerSubsystem"),
        ("WorldSubsystem", "GetWorldSubsystem"),
        ("GameInstanceSubsystem", "GetGameInstanceSubsystem"),
        ("AudioEngineSubsystem", "GetAudioEngineSubsystem"),
    ];
    let class = custom_class(x, id);
    let function = class.and_then(|class| {
        let is_declared = |base: &str| {
            x.cx.registry
                .is_child_of(&class, &ObjectPath::new(format!("/Script/Engine.{base}")))
        };
        // The base of a class that is not declared is still told by its name.
        KINDS
            .iter()
            .find(|(base, _)| is_declared(base))
            .or_else(|| KINDS.iter().find(|(base, _)| class.name().contains(base)))
            .map(|(_, function)| *function)
    });
    get(
        x,
        id,
        LIBRARY,
        function.unwrap_or("GetGameInstanceSubsystem"),
    );
}

/// `K2Node_GetSubsystemFromPC`. Source: 3 of 3 nodes in real packages.
pub(super) fn of_player_controller(x: &mut Expander<'_, '_>, id: ExNodeId) {
    get(
        x,
        id,
        LIBRARY,
        "GetLocalPlayerSubSystemFromPlayerController",
    );
}

/// `K2Node_GetEngineSubsystem`. Source: 5 of 5 nodes in real packages.
pub(super) fn of_engine(x: &mut Expander<'_, '_>, id: ExNodeId) {
    get(x, id, LIBRARY, "GetEngineSubsystem");
}

/// `K2Node_GetEditorSubsystem`. Source: 2 of 2 nodes in real packages.
pub(super) fn of_editor(x: &mut Expander<'_, '_>, id: ExNodeId) {
    get(
        x,
        id,
        "/Script/UnrealEd.EditorSubsystemBlueprintLibrary",
        "GetEditorSubsystem",
    );
}

fn custom_class(x: &Expander<'_, '_>, id: ExNodeId) -> Option<ObjectPath> {
    let node = x.graph.drawn(id)?;
    node.properties.object("CustomClass").or_else(|| {
        let pin = x.graph.in_pin(id, "Class")?;
        x.graph.pins[pin].default.object.clone()
    })
}

fn get(x: &mut Expander<'_, '_>, id: ExNodeId, library: &str, function: &str) {
    let Some(call) = made::call(x, id, library, function) else {
        return;
    };
    for pin in x.graph.pins_of(id) {
        if x.graph.pins[pin].direction == Direction::Input {
            let name = x.graph.pins[pin].name.clone();
            made::feed(x, Some(pin), call, name.as_str());
        }
    }
    if let (Some(class), Some(pin)) = (custom_class(x, id), x.graph.in_pin(call, "Class"))
        && !made::is_linked(x, pin)
    {
        x.graph.pins[pin].default.object = Some(class);
    }
    let result = x.graph.data_out(id);
    made::give_result(x, call, result);
    x.graph.dissolve(id);
}
