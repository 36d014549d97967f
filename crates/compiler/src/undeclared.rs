//! Functions and variables that nodes use and nothing declares: signatures are inferred from the pins.

mod interfaces;
mod task;

use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::nodes::MacroLibrary;
use bp_graph::{Blueprint, Direction, Graph, MemberReference, Node, NodeId, PinCategory};
use bp_reflect::{
    Certainty, Class, ClassKind, EngineVersion, Enum, EnumEntry, EnumForm, Function, FunctionFlags,
    Name, ObjectPath, Property, PropertyFlags, PropertyType, Registry,
};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

pub use interfaces::declare_interfaces;

/// Adds what a Blueprint's nodes refer to but nothing declares. One warning each, at the first use.
pub(crate) fn infer(blueprint: &Blueprint, registry: &mut Registry) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let mut warned = FxHashSet::default();
    let made = &mut FxHashSet::default();
    infer_ancestry(blueprint, registry, made);
    infer_enums(blueprint, registry, &mut diagnostics);
    let mut work: Vec<&Graph> = blueprint.graphs.iter().collect();
    while let Some(graph) = work.pop() {
        for (id, node) in graph.nodes.iter() {
            if let Some(reference) = node
                .properties
                .member("FunctionReference")
                .filter(|_| is_call(node))
            {
                let finding = infer_function(
                    blueprint,
                    graph,
                    id,
                    &reference,
                    registry,
                    made,
                    &mut warned,
                );
                if let Some(finding) = finding {
                    diagnostics.push(finding);
                }
            }
            if node.class == "K2Node_CallParentFunction"
                && let Some(reference) = node.properties.member("FunctionReference")
            {
                infer_parent_function(blueprint, &reference, registry, made);
            }
            let finding = task::infer(blueprint, graph, id, registry, made, &mut warned);
            if let Some(finding) = finding {
                diagnostics.push(finding);
            }
            if let Some(reference) = node.properties.member("DelegateReference") {
                infer_dispatcher(blueprint, &reference, registry, made);
            }
            if let Some(reference) = node.properties.member("VariableReference") {
                infer_variable(blueprint, graph, id, &reference, registry, made);
            }
        }
        work.extend(&graph.children);
    }
    diagnostics
}

/// The classes that a Blueprint uses as interfaces: those it implements and those it sends messages to.
pub(crate) fn interfaces(blueprint: &Blueprint) -> Vec<ObjectPath> {
    let mut found = blueprint.interfaces.clone();
    let mut work: Vec<&Graph> = blueprint.graphs.iter().collect();
    while let Some(graph) = work.pop() {
        let messages = graph.nodes.iter().map(|(_, node)| node);
        let messages = messages.filter(|node| node.short_class() == "Message");
        found.extend(
            messages.filter_map(|node| node.properties.member("FunctionReference")?.parent),
        );
        work.extend(&graph.children);
    }
    found
}

fn is_call(node: &Node) -> bool {
    let class = node.short_class();
    class.starts_with("Call")
        || matches!(
            class,
            "Message" | "PromotableOperator" | "CommutativeAssociativeBinaryOperator"
        )
}

/// The class a reference is looked up in.
fn owner(blueprint: &Blueprint, reference: &MemberReference) -> ObjectPath {
    match &reference.parent {
        Some(parent) if !reference.is_self => parent.clone(),
        Some(_) | None => blueprint.class_path.clone(),
    }
}

/// The class that inferred members of `class` go to: the first of its ancestors that nothing declares, if
/// there is one, else none for a Blueprint at hand, whose members are all known.
fn unknown_ancestor(
    class: &ObjectPath,
    blueprint: &Blueprint,
    registry: &Registry,
    made: &FxHashSet<ObjectPath>,
) -> Option<ObjectPath> {
    if let Some(partial) = registry
        .ancestry(class)
        .find(|class| made.contains(&class.path))
    {
        return Some(partial.path.clone());
    }
    let Some(root) = registry.ancestry(class).last() else {
        return Some(class.clone());
    };
    if let Some(parent) = &root.super_class {
        return Some(parent.clone());
    }
    if root.path.as_str() != "/Script/CoreUObject.Object" {
        return Some(root.path.clone());
    }
    (*class != blueprint.class_path).then(|| class.clone())
}

/// Gives a parent that is not at hand the native class its child's nodes show it derives from: the class
/// on the Target pin of a call on self, or of an event that is overridden. The most derived one counts.
fn infer_ancestry(
    blueprint: &Blueprint,
    registry: &mut Registry,
    made: &mut FxHashSet<ObjectPath>,
) {
    let own = &blueprint.class_path;
    let Some(unknown) = unknown_ancestor(own, blueprint, registry, made) else {
        return;
    };
    let mut work: Vec<&Graph> = blueprint.graphs.iter().collect();
    let mut base: Option<ObjectPath> = None;
    while let Some(graph) = work.pop() {
        work.extend(&graph.children);
        for (id, node) in graph.nodes.iter() {
            let on_self = ["FunctionReference", "VariableReference"]
                .iter()
                .filter_map(|key| node.properties.member(key))
                .any(|reference| reference.is_self || reference.parent.is_none());
            let target = graph
                .pins_of(id)
                .find(|(_, pin)| pin.name == "self" && on_self && pin.links.is_empty())
                .and_then(|(_, pin)| pin.ty.object.clone());
            let overridden = node
                .properties
                .member("EventReference")
                .and_then(|event| event.parent);
            for shown in target.into_iter().chain(overridden) {
                let is_candidate = shown.is_native()
                    && registry
                        .class(&shown)
                        .is_some_and(|class| !class.is_interface())
                    && shown.as_str() != "/Script/CoreUObject.Object";
                let is_nearer = base
                    .as_ref()
                    .is_none_or(|base| registry.is_child_of(&shown, base));
                if is_candidate && is_nearer {
                    base = Some(shown);
                }
            }
        }
    }
    if let Some(base) = base.filter(|_| !unknown.is_native()) {
        let class = class_mut(registry, &unknown, made);
        if class.super_class.is_none() {
            class.super_class = Some(base);
        }
    }
}

/// The class at `path`, made if nothing declares it.
fn class_mut<'r>(
    registry: &'r mut Registry,
    path: &ObjectPath,
    made: &mut FxHashSet<ObjectPath>,
) -> &'r mut Class {
    if registry.class(path).is_none() {
        made.insert(path.clone());
        let kind = if path.is_native() {
            ClassKind::Native
        } else {
            ClassKind::Blueprint
        };
        registry.add_partial_class(Class::new(path.clone(), None, kind));
    }
    registry.partial_class_mut(path).expect("it was just added")
}

/// Declares a function that a node calls and nothing declares, with a warning.
fn infer_function(
    blueprint: &Blueprint,
    graph: &Graph,
    id: NodeId,
    reference: &MemberReference,
    registry: &mut Registry,
    made: &mut FxHashSet<ObjectPath>,
    warned: &mut FxHashSet<(ObjectPath, Name)>,
) -> Option<Diagnostic> {
    let class = owner(blueprint, reference);
    if reference.name.is_none() || registry.find_function(&class, &reference.name).is_some() {
        return None;
    }
    // The signature of a delegate is declared; that it cannot be called is said where the call is compiled.
    if registry
        .ancestry(&class)
        .any(|class| class.delegates.contains_key(&reference.name))
    {
        return None;
    }
    let node = &graph.nodes[id];
    if !warned.insert((class.clone(), reference.name.clone())) {
        return None;
    }
    let finding = undeclared(blueprint, graph, node, &class, &reference.name, registry);
    let class = unknown_ancestor(&class, blueprint, registry, made).unwrap_or(class);
    let is_blueprint = !class.is_native();
    let function = function_of_pins(
        graph,
        id,
        reference,
        is_blueprint,
        registry,
        blueprint.engine,
    );
    let class = class_mut(registry, &class, made);
    class.functions.insert(function.name.clone(), function);
    Some(finding)
}

/// The warning about a function that a node calls and nothing declares.
fn undeclared(
    blueprint: &Blueprint,
    graph: &Graph,
    node: &Node,
    class: &ObjectPath,
    name: &Name,
    registry: &Registry,
) -> Diagnostic {
    let is_own = *class == blueprint.class_path;
    let elsewhere = registry
        .find_library_function(name)
        .first()
        .map(|(library, _)| library.path.name().to_owned());
    let finding = Diagnostic::new(
        Code::FuncUndeclared,
        format!(
            "function {}.{} is declared nowhere; its signature is inferred from the node's pins",
            class.name(),
            name
        ),
    )
    .at(node.span)
    .place(bp_diag::Place {
        blueprint: Some(blueprint.name.to_string()),
        graph: Some(graph.name.to_string()),
        node: Some(bp_graph::nodes::title(
            node,
            &bp_graph::outline::context(blueprint, graph, registry, MacroLibrary::default()),
        )),
        node_name: Some(node.name.to_string()),
        pin: None,
    });
    match elsewhere {
        Some(library) => finding.hint(format!("{library} has a function of this name")),
        None if is_own => {
            finding.hint("add the function's graph to the input, or declare it with --declarations")
        }
        None => finding.hint("give its declaration with --declarations FILE; bpc check --list-undeclared prints one to complete"),
    }
}

/// A parent call names the class whose function it runs. Of a Blueprint that is not at hand only this is
/// known: it overrides the function.
fn infer_parent_function(
    blueprint: &Blueprint,
    reference: &MemberReference,
    registry: &mut Registry,
    made: &mut FxHashSet<ObjectPath>,
) {
    let Some(parent) = &reference.parent else {
        return;
    };
    let is_unknown = !parent.is_native()
        && *parent != blueprint.class_path
        && registry.class(parent).is_none_or(|_| made.contains(parent));
    if !is_unknown {
        return;
    }
    let Some((class, function)) = registry.find_function(parent, &reference.name) else {
        return;
    };
    if class.path == *parent {
        return;
    }
    let mut function = function.clone();
    function.flags &= !(FunctionFlags::NATIVE | FunctionFlags::REQUIRED_API);
    function.flags |= FunctionFlags::BLUEPRINT_EVENT;
    function.certainty = Certainty::Inferred;
    let class = class_mut(registry, parent, made);
    class.functions.insert(function.name.clone(), function);
}

/// Enums that pins have and nothing declares: entries are those that defaults and cases name, in the order
/// they are met, with values from 0. One warning each.
fn infer_enums(blueprint: &Blueprint, registry: &mut Registry, diagnostics: &mut Diagnostics) {
    let mut found: IndexMap<ObjectPath, Vec<Name>> = IndexMap::new();
    let mut work: Vec<&Graph> = blueprint.graphs.iter().collect();
    while let Some(graph) = work.pop() {
        work.extend(&graph.children);
        for (_, pin) in graph.pins.iter() {
            let is_enum = matches!(pin.ty.category, PinCategory::Byte | PinCategory::Enum);
            let Some(path) = pin.ty.object.clone().filter(|_| is_enum) else {
                continue;
            };
            if registry.enumeration(&path).is_some() {
                continue;
            }
            let entries = found.entry(path).or_default();
            let mut meet = |text: &str| {
                let short = text.rsplit_once("::").map_or(text, |(_, short)| short);
                let is_name = short.starts_with(|c: char| c.is_alphabetic() || c == '_');
                let name = Name::new(short);
                if is_name && !entries.contains(&name) {
                    entries.push(name);
                }
            };
            let node = &graph.nodes[pin.node];
            for entry in node
                .properties
                .get("EnumEntries")
                .into_iter()
                .flat_map(|list| list.elements())
            {
                entry.as_str().into_iter().for_each(&mut meet);
            }
            meet(&pin.default.autogenerated);
            meet(&pin.default.value);
        }
    }
    for (path, entries) in found {
        let list: Vec<&str> = entries.iter().map(Name::as_str).collect();
        diagnostics.push(
            Diagnostic::new(
                Code::EnumUndeclared,
                format!(
                    "enum {} is declared nowhere; its entries are numbered as they are met",
                    path.name()
                ),
            )
            .at(blueprint.span)
            .note(format!("entries met: {}", list.join(", ")))
            .hint("give its declaration with --declarations FILE; bpc check --list-undeclared prints one to complete"),
        );
        let entries = entries
            .into_iter()
            .enumerate()
            .map(|(met, name)| EnumEntry {
                value: Some(numbered(&name).unwrap_or(met as i64)),
                name,
                display_name: None,
                hidden: false,
            })
            .collect();
        registry.add_enum(Enum {
            path,
            form: EnumForm::Byte,
            entries,
        });
    }
}

/// The number in an entry's name, for enums of Blueprints: the editor names entries
/// `NewEnumerator<N>`, and most keep their place.
fn numbered(name: &Name) -> Option<i64> {
    let text = name.as_str();
    let number = text
        .get(..13)
        .filter(|head| head.eq_ignore_ascii_case("NewEnumerator"))
        .and(text.get(13..))?;
    number.parse().ok()
}

/// A signature with what a call node shows. Flags are what most functions of the kind have.
///
/// Source: of native instance functions seen called, 81 % are final.
fn function_of_pins(
    graph: &Graph,
    id: NodeId,
    reference: &MemberReference,
    is_blueprint: bool,
    registry: &Registry,
    engine: EngineVersion,
) -> Function {
    let is_pure = !graph.pins_of(id).any(|(_, pin)| pin.is_exec());
    let is_static = graph.pins_of(id).any(|(_, pin)| {
        pin.name == "self"
            && pin
                .default
                .object
                .as_ref()
                .is_some_and(|object| object.name().starts_with("Default__"))
    });
    let mut flags = FunctionFlags::PUBLIC | FunctionFlags::BLUEPRINT_CALLABLE;
    flags.set(FunctionFlags::BLUEPRINT_PURE, is_pure);
    flags.set(FunctionFlags::STATIC, is_static);
    flags |= if is_blueprint {
        FunctionFlags::BLUEPRINT_EVENT
    } else {
        FunctionFlags::NATIVE | FunctionFlags::FINAL
    };
    let mut function = Function::new(reference.name.clone(), flags);
    function.certainty = Certainty::Inferred;
    for (_, pin) in graph.pins_of(id) {
        if pin.is_exec() || pin.name == "self" || pin.parent.is_some() {
            continue;
        }
        let mut ty = pin
            .ty
            .to_property(registry, engine)
            .unwrap_or(PropertyType::Wildcard);
        if pin.ty.category == PinCategory::Wildcard {
            ty = PropertyType::Wildcard;
        }
        let mut param_flags = PropertyFlags::PARM;
        if pin.direction == Direction::Output {
            param_flags |= PropertyFlags::OUT_PARM;
            function.flags |= FunctionFlags::HAS_OUT_PARMS;
            if pin.name == "ReturnValue" {
                param_flags |= PropertyFlags::RETURN_PARM;
            }
        } else if pin.ty.is_reference {
            param_flags |= PropertyFlags::OUT_PARM | PropertyFlags::REFERENCE_PARM;
            function.flags |= FunctionFlags::HAS_OUT_PARMS;
        }
        if pin.ty.is_const {
            param_flags |= PropertyFlags::CONST_PARM;
        }
        let is_latent_info = pin
            .ty
            .object
            .as_ref()
            .is_some_and(|path| path.name() == "LatentActionInfo");
        if is_latent_info {
            function.meta.latent = true;
        }
        if pin.name == "WorldContextObject" || pin.name == "__WorldContext" {
            function.meta.world_context = Some(pin.name.clone());
        }
        let mut param = Property::new(pin.name.clone(), ty, param_flags);
        if pin.direction == Direction::Input && !pin.default.autogenerated.is_empty() {
            param.default = Some(pin.default.autogenerated.clone());
        }
        function.params.push(param);
    }
    // The return value is the last parameter, wherever its pin stands.
    function.params.sort_by_key(Property::is_return);
    function
}

fn infer_variable(
    blueprint: &Blueprint,
    graph: &Graph,
    id: NodeId,
    reference: &MemberReference,
    registry: &mut Registry,
    made: &mut FxHashSet<ObjectPath>,
) {
    if reference.scope.is_some() || reference.name.is_none() {
        return;
    }
    let class = owner(blueprint, reference);
    if registry.find_property(&class, &reference.name).is_some() {
        return;
    }
    // A Blueprint at hand has all its variables: one that is missing is the author's mistake, unless an
    // ancestor is not declared.
    let Some(class) = unknown_ancestor(&class, blueprint, registry, made) else {
        return;
    };
    let value = graph
        .pins_of(id)
        .find(|(_, pin)| !pin.is_exec() && pin.name == reference.name)
        .map(|(_, pin)| pin);
    let Some(ty) = value.and_then(|pin| pin.ty.to_property(registry, blueprint.engine)) else {
        return;
    };
    let property = Property::new(
        reference.name.clone(),
        ty,
        PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE,
    );
    class_mut(registry, &class, made).properties.push(property);
}

/// An event dispatcher of a class that is not at hand; its signature is named after it.
fn infer_dispatcher(
    blueprint: &Blueprint,
    reference: &MemberReference,
    registry: &mut Registry,
    made: &mut FxHashSet<ObjectPath>,
) {
    if reference.name.is_none() {
        return;
    }
    let class = owner(blueprint, reference);
    if registry.find_property(&class, &reference.name).is_some() {
        return;
    }
    let Some(class) = unknown_ancestor(&class, blueprint, registry, made) else {
        return;
    };
    let signature = class.member(format_args!("{}__DelegateSignature", reference.name));
    let property = Property::new(
        reference.name.clone(),
        PropertyType::MulticastDelegate(Some(signature)),
        PropertyFlags::BLUEPRINT_VISIBLE
            | PropertyFlags::BLUEPRINT_ASSIGNABLE
            | PropertyFlags::BLUEPRINT_CALLABLE,
    );
    class_mut(registry, &class, made).properties.push(property);
}
