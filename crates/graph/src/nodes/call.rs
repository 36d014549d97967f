//! Calls of functions.

use bp_diag::Code;
use bp_reflect::{Class, Function, FunctionFlags, Name, ObjectPath, Property, PropertyType};
use serde_json::{Map, Value};

use super::context::{did_you_mean, function_names};
use super::spec::{Kind, advanced, number, object, word};
use super::title::plural_list;
use super::{
    Key, KeyKind, Keys, NodeClass, NodeError, PinContext, PinSpec, display_name, wildcard,
};
use crate::{Graph, MemberReference, Node, PinCategory, PinFlags, PinType};

const FUNCTION: Key = Key::required(
    "function",
    KeyKind::Text,
    "`Name` of self, its parents or the libraries, or `Class.Name`",
);
const TARGET_CLASS: Key = Key::new(
    "target_class",
    KeyKind::Class,
    "The class to look the function up in",
);
pub(crate) const INPUTS: Key = Key::new("inputs", KeyKind::Count, "How many operands");
const CALL_KEYS: &[Key] = &[FUNCTION, TARGET_CLASS];

/// What a call's `self` pin is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// As the function has it.
    Function,
    /// The parent's version of the Blueprint's own function.
    Parent,
    /// Any object.
    AnyObject,
}

/// The reference a `function` key names.
pub(crate) fn find_function(
    text: &str,
    target_class: Option<&ObjectPath>,
    cx: &PinContext<'_>,
) -> Result<MemberReference, NodeError> {
    let (head, name) = match text.rsplit_once([':', '.']) {
        Some((head, name)) if !name.is_empty() => (Some(head), name),
        _ => (None, text),
    };
    let name = Name::new(name);
    if let Some(class) = target_class {
        return Ok(MemberReference::of(class.clone(), name));
    }
    if let Some(head) = head {
        if head.eq_ignore_ascii_case("self") {
            return Ok(MemberReference::on_self(name));
        }
        let class =
            super::resolve_class(head, cx.registry).map_err(|error| error.key("function"))?;
        if let Some((_, function)) = find_in(&class, &name, cx) {
            return Ok(MemberReference::of(class, function.name.clone()));
        }
        // Of a class that was named by its path, nothing may be declared at all.
        if cx.registry.class(&class).is_none() || head.starts_with('/') {
            return Ok(MemberReference::of(class, name));
        }
        let elsewhere = libraries_with(&name, cx);
        let error = NodeError::new(
            Code::FuncNotFound,
            format!(
                "{} has no function `{name}`",
                PinContext::class_name(&class)
            ),
        )
        .key("function");
        return Err(if elsewhere.is_empty() {
            let names = function_names(&class, cx.registry);
            error.hint(did_you_mean(name.as_str(), names))
        } else {
            error.hint(Some(format!(
                "it is in {}",
                plural_list(elsewhere.iter().map(|class| class.path.name()), 4)
            )))
        });
    }
    if find_in(cx.class(), &name, cx).is_some() {
        return Ok(MemberReference::on_self(name));
    }
    refuse_signature(cx.class(), &name, cx)?;
    match libraries_with(&name, cx).as_slice() {
        [] => {
            let own = function_names(cx.class(), cx.registry);
            let names = own.into_iter().chain(
                cx.registry
                    .libraries()
                    .flat_map(|class| class.functions.keys().map(Name::as_str)),
            );
            let prefixed = Name::new(format!("K2_{name}"));
            let hint = if find_in(cx.class(), &prefixed, cx).is_some() {
                Some(format!("the engine calls it `{prefixed}`"))
            } else {
                did_you_mean(name.as_str(), names)
            };
            Err(NodeError::new(
                Code::FuncNotFound,
                format!(
                    "neither {} nor a function library has a function `{name}`",
                    PinContext::class_name(cx.class())
                ),
            )
            .key("function")
            .hint(hint))
        }
        [one] => Ok(MemberReference::of(one.path.clone(), name)),
        many => Err(NodeError::new(
            Code::AmbiguousName,
            format!("{} function libraries have a function `{name}`", many.len()),
        )
        .key("function")
        .hint(Some(format!(
            "write the class before it: {}",
            plural_list(
                many.iter()
                    .map(|class| format!("{}.{name}", class.path.name()))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(String::as_str),
                4
            )
        )))),
    }
}

fn find_in<'a>(
    class: &ObjectPath,
    name: &Name,
    cx: &PinContext<'a>,
) -> Option<(&'a Class, &'a Function)> {
    cx.registry.find_function(class, name)
}

fn libraries_with<'a>(name: &Name, cx: &PinContext<'a>) -> Vec<&'a Class> {
    let found = cx.registry.find_library_function(name);
    found.into_iter().map(|(class, _)| class).collect()
}

/// The `function` key that would give a reference.
pub(crate) fn function_text(reference: &MemberReference, cx: &PinContext<'_>) -> String {
    let name = &reference.name;
    match &reference.parent {
        Some(parent) => {
            // A library function that is the only one of its name needs no class.
            let alone = matches!(libraries_with(name, cx).as_slice(), [one] if one.path == *parent)
                && find_in(cx.class(), name, cx).is_none();
            if alone {
                name.to_string()
            } else {
                format!("{}.{name}", cx.class_text(parent))
            }
        }
        None if find_in(cx.class(), name, cx).is_some() => name.to_string(),
        None => format!("self.{name}"),
    }
}

/// Sets what the editor keeps on a call node beside the reference.
pub(crate) fn set_call(keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
    let text = keys.need("function")?;
    match find_function(text, keys.path("target_class"), cx) {
        Ok(reference) => {
            set_reference(&reference, node, cx);
            Ok(())
        }
        Err(error) => {
            // The name is kept for the node's title in messages.
            let name = text.rsplit(['.', ':']).next().unwrap_or(text);
            node.properties.set(
                "FunctionReference",
                MemberReference::on_self(name).to_value(),
            );
            Err(error)
        }
    }
}

pub(crate) fn set_reference(reference: &MemberReference, node: &mut Node, cx: &PinContext<'_>) {
    if let Some((class, function)) = cx.function_of(reference) {
        if function.is_pure() {
            let newer = cx.engine() >= bp_reflect::EngineVersion::new(5, 5);
            let flag = if newer {
                "bDefaultsToPureFunc"
            } else {
                "bIsPureFunc"
            };
            node.properties.set(flag, word(true));
        }
        if function.flags.contains(FunctionFlags::CONST) {
            node.properties.set("bIsConstFunc", word(true));
        }
        if class.is_interface() && reference.parent.is_some() {
            node.properties.set("bIsInterfaceCall", word(true));
        }
        if !function.meta.expand_enum_as_execs.is_empty() {
            node.properties.set("bWantsEnumToExecExpansion", word(true));
        }
    }
    node.properties
        .set("FunctionReference", reference.to_value());
}

/// The signature of a delegate is a function by its form, but has no code.
fn refuse_signature(class: &ObjectPath, name: &Name, cx: &PinContext<'_>) -> Result<(), NodeError> {
    let is_signature = cx
        .registry
        .ancestry(class)
        .any(|class| class.delegates.contains_key(name));
    if !is_signature {
        return Ok(());
    }
    Err(NodeError::new(
        Code::FuncDelegateDirect,
        format!("{name} is a delegate signature and cannot be called"),
    )
    .key("function")
    .hint(Some(
        "call the dispatcher with a CallDelegate node".to_owned(),
    )))
}

/// The function a call node names.
///
/// # Errors
/// The node names none, or it is declared nowhere.
pub(crate) fn called<'a>(
    node: &Node,
    cx: &PinContext<'a>,
) -> Result<(MemberReference, &'a Class, &'a Function), NodeError> {
    let reference = node.properties.member("FunctionReference").ok_or_else(|| {
        NodeError::new(Code::NodeProperty, "the node does not say what it calls").key("function")
    })?;
    if let Some((class, function)) = cx.function_of(&reference) {
        Ok((reference, class, function))
    } else {
        let class = reference.parent.as_ref().unwrap_or(cx.class());
        refuse_signature(class, &reference.name, cx)?;
        Err(NodeError::new(
            Code::FuncNotFound,
            format!(
                "{} has no function `{}`",
                PinContext::class_name(class),
                reference.name
            ),
        )
        .key("function")
        .hint(did_you_mean(
            reference.name.as_str(),
            function_names(class, cx.registry),
        )))
    }
}

/// Whether a parameter's pin is hidden.
fn is_hidden(param: &Property, function: &Function) -> bool {
    function.meta.hidden.contains(&param.name)
        || function.meta.world_context.as_ref() == Some(&param.name)
        || is_latent_info(param)
}

fn is_latent_info(param: &Property) -> bool {
    matches!(&param.ty, PropertyType::Struct(path) if path.name() == "LatentActionInfo")
}

/// The pin of a parameter on a call node.
pub(crate) fn param_pin(param: &Property, function: &Function, cx: &PinContext<'_>) -> PinSpec {
    let makes_temporary = function.meta.auto_create_ref.contains(&param.name);
    let mut spec = PinSpec::of_param(param, cx.engine(), makes_temporary)
        .with(advanced(param, &function.meta.advanced))
        .with_if(is_hidden(param, function), PinFlags::HIDDEN);
    if is_latent_info(param) {
        spec = spec.value("(Linkage=-1,UUID=-1,ExecutionFunction=\"\",CallbackTarget=None)");
        "LatentInfo".clone_into(&mut spec.default.autogenerated);
    }
    first_entry(spec, cx)
}

/// An enum input without a default starts with the enum's first entry.
pub(crate) fn first_entry(mut spec: PinSpec, cx: &PinContext<'_>) -> PinSpec {
    let is_enum_input = spec.direction == crate::Direction::Input
        && spec.ty.category == PinCategory::Byte
        && !spec.ty.is_container()
        && spec.default.value.is_empty();
    if is_enum_input
        && let Some(found) = spec
            .ty
            .object
            .as_ref()
            .and_then(|path| cx.registry.enumeration(path))
        && let Some(entry) = found.entries.first()
    {
        spec.default.value = entry.name.to_string();
    }
    spec
}

/// The pins of a call.
pub(crate) fn call_pins(
    reference: &MemberReference,
    class: &Class,
    function: &Function,
    target: Target,
    is_pure: bool,
    cx: &PinContext<'_>,
) -> Vec<PinSpec> {
    let mut pins = Vec::new();
    let expanded = |param: &Property| function.meta.expand_enum_as_execs.contains(&param.name);
    let entries = |param: &Property| -> Vec<String> {
        param
            .ty
            .target()
            .and_then(|path| cx.registry.enumeration(path))
            .map(|found| {
                found
                    .entries
                    .iter()
                    .filter(|entry| !entry.hidden)
                    .map(|entry| entry.name.to_string())
                    .collect()
            })
            .unwrap_or_default()
    };
    if !is_pure {
        let of = |is_output: bool| -> Vec<String> {
            function
                .params
                .iter()
                .filter(|param| {
                    expanded(param) && (param.is_output() || param.is_return()) == is_output
                })
                .flat_map(entries)
                .collect()
        };
        match of(false).as_slice() {
            [] => pins.push(PinSpec::exec_in("execute")),
            names => pins.extend(names.iter().map(|name| PinSpec::exec_in(name.as_str()))),
        }
        match of(true).as_slice() {
            [] if function.meta.latent => {
                let then = PinSpec {
                    friendly_name: Some(
                        "NSLOCTEXT(\"UObjectDisplayNames\", \"Completed\", \"Completed\")".into(),
                    ),
                    ..PinSpec::exec_out("then")
                };
                pins.push(then);
            }
            [] => pins.push(PinSpec::exec_out("then")),
            names => pins.extend(names.iter().map(|name| PinSpec::exec_out(name.as_str()))),
        }
    }
    pins.push(target_pin(reference, class, function, target, cx));
    for param in &function.params {
        pins.push(
            param_pin(param, function, cx).with_if(expanded(param) && !is_pure, PinFlags::HIDDEN),
        );
    }
    pins
}

fn target_pin(
    reference: &MemberReference,
    class: &Class,
    function: &Function,
    target: Target,
    cx: &PinContext<'_>,
) -> PinSpec {
    let of_class = |path: &ObjectPath| {
        let category = if cx.registry.class(path).is_some_and(Class::is_interface) {
            PinCategory::Interface
        } else {
            PinCategory::Object
        };
        PinType::with_object(category, path.clone())
    };
    match target {
        Target::AnyObject => {
            return PinSpec::target(PinType::with_object(
                PinCategory::Object,
                super::super::types::OBJECT.into(),
            ))
            .with(PinFlags::DEFAULT_IGNORED);
        }
        Target::Parent => return PinSpec::target(of_class(&class.path)).hidden(),
        Target::Function => {}
    }
    if function.is_static() {
        // Inside its own library a function is called on the class itself.
        let spec = PinSpec::target(of_class(&class.path)).hidden();
        return if class.path == *cx.class() {
            spec
        } else {
            spec.object(class.path.default_object())
        };
    }
    let is_own = class.path == *cx.class() && reference.parent.is_none();
    let ty = if is_own {
        PinType {
            sub_category: "self".to_owned(),
            ..PinType::of(PinCategory::Object)
        }
    } else {
        of_class(&class.path)
    };
    // Pure functions of Blueprints hide the pin when called on self.
    let hidden = function.is_pure() && reference.parent.is_none() && class.is_blueprint();
    PinSpec::target(ty).with_if(hidden, PinFlags::HIDDEN)
}

/// The types of outputs that follow from the class given to the call (`DeterminesOutputType`): of each such
/// output its name and the class, once that is known from the default or link of the call's class input.
pub(crate) fn dynamic_outputs(
    node: &Node,
    graph: &Graph,
    function: &Function,
) -> Vec<(Name, ObjectPath)> {
    let class = function
        .arguments()
        .find(|param| {
            matches!(
                param.ty,
                PropertyType::Class(_) | PropertyType::SoftClass(_)
            ) && !param.is_output()
        })
        .and_then(|param| {
            let pin = node
                .pins
                .iter()
                .map(|pin| &graph.pins[*pin])
                .find(|pin| pin.name == param.name && pin.is_input())?;
            match pin.links.first() {
                None => pin.default.object.clone(),
                Some(other) => graph.pins[*other].ty.object.clone(),
            }
        });
    let Some(class) = class else {
        return Vec::new();
    };
    function
        .params
        .iter()
        .filter(|param| {
            let element = if let PropertyType::Array(inner) = &param.ty {
                inner
            } else {
                &param.ty
            };
            function.meta.dynamic_output.contains(&param.name)
                && matches!(element, PropertyType::Object(_) | PropertyType::Class(_))
        })
        .map(|param| (param.name.clone(), class.clone()))
        .collect()
}

/// Keys of a call, read off its properties.
pub(crate) fn call_keys(node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
    let mut keys = Map::new();
    if let Some(reference) = node.properties.member("FunctionReference") {
        keys.insert("function".to_owned(), function_text(&reference, cx).into());
    }
    keys
}

/// “Set Actor Location”.
pub(crate) fn call_title(node: &Node, cx: &PinContext<'_>) -> String {
    let Some(reference) = node.properties.member("FunctionReference") else {
        return display_name(node.short_class(), false);
    };
    cx.function_of(&reference)
        .and_then(|(_, function)| function.meta.display_name.clone())
        .unwrap_or_else(|| {
            let name = reference.name.as_str();
            display_name(name.strip_prefix("K2_").unwrap_or(name), false)
        })
}

/// Pins of a library call whose types follow the linked container.
pub(crate) fn container_groups(node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
    let Some(reference) = node.properties.member("FunctionReference") else {
        return Vec::new();
    };
    let library = reference
        .parent
        .as_ref()
        .map(|parent| parent.name().to_owned())
        .unwrap_or_default();
    if library == "BlueprintMapLibrary" {
        return wildcard::map_groups(node, graph);
    }
    wildcard::all_wildcards(node, graph)
}

/// `K2Node_CallFunction`.
pub(crate) struct CallFunction;

impl NodeClass for CallFunction {
    fn class(&self) -> &'static str {
        "K2Node_CallFunction"
    }
    fn keys(&self) -> &'static [Key] {
        CALL_KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_call(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        call_keys(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let (reference, class, function) = called(node, cx)?;
        let pure = function.is_pure();
        let mut pins = call_pins(&reference, class, function, Target::Function, pure, cx);
        for (name, class) in dynamic_outputs(node, cx.graph, function) {
            for pin in pins.iter_mut().filter(|pin| pin.name == name) {
                pin.ty.object = Some(class.clone());
            }
        }
        Ok(pins)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        container_groups(node, graph)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        call_title(node, cx)
    }
    fn is_title_of_properties(&self) -> bool {
        true
    }
}

/// Classes whose nodes look and compile like a plain call.
macro_rules! call_node {
    ($(#[$doc:meta])* $name:ident $class:literal) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl NodeClass for $name {
            fn class(&self) -> &'static str {
                $class
            }
            fn keys(&self) -> &'static [Key] {
                CALL_KEYS
            }
            fn set(
                &self,
                keys: &Keys,
                node: &mut Node,
                cx: &PinContext<'_>,
            ) -> Result<(), NodeError> {
                set_call(keys, node, cx)
            }
            fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
                call_keys(node, cx)
            }
            fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
                CallFunction.pins(node, cx)
            }
            fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
                call_title(node, cx)
            }
        }
    };
}

call_node!(
    /// `K2Node_CallMaterialParameterCollectionFunction`.
    CallMaterialParameterCollectionFunction "K2Node_CallMaterialParameterCollectionFunction"
);
call_node!(
    /// `K2Node_AnimGetter`: reads the time of an animation's asset player, in transition rules.
    AnimGetter "K2Node_AnimGetter"
);
call_node!(
    /// `K2Node_CallDataTableFunction`. Assumed: no instance was met.
    CallDataTableFunction "K2Node_CallDataTableFunction"
);

/// `K2Node_CallFunctionOnMember`: a call on what a variable of self holds. Assumed: no instance was met.
pub(crate) struct CallFunctionOnMember;

const ON: Key = Key::required(
    "on",
    KeyKind::Text,
    "The variable whose object is the target",
);

impl NodeClass for CallFunctionOnMember {
    fn class(&self) -> &'static str {
        "K2Node_CallFunctionOnMember"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[
                Key::required("function", KeyKind::Text, "`Name`, or `Class.Name`"),
                ON,
            ]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let variable = Name::new(keys.need("on")?);
        let found = cx.registry.find_property(cx.class(), &variable);
        let Some((_, property)) = found else {
            return Err(NodeError::new(
                Code::VarNotFound,
                format!(
                    "{} has no variable `{variable}`",
                    PinContext::class_name(cx.class())
                ),
            )
            .key("on"));
        };
        let class = property.ty.target().cloned();
        let text = keys.need("function")?;
        let of = class.filter(|_| !text.contains(['.', ':']));
        let reference = find_function(text, of.as_ref(), cx)?;
        set_reference(&reference, node, cx);
        let member = MemberReference::on_self(property.name.clone());
        node.properties
            .set("MemberVariableToCallOn", member.to_value());
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = call_keys(node, cx);
        if let Some(variable) = node.properties.member("MemberVariableToCallOn") {
            keys.insert("on".to_owned(), variable.name.as_str().into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = CallFunction.pins(node, cx)?;
        for pin in pins.iter_mut().filter(|pin| pin.name == "self") {
            pin.flags |= PinFlags::HIDDEN;
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        call_title(node, cx)
    }
}

/// `K2Node_CallArrayFunction`.
pub(crate) struct CallArrayFunction;

impl NodeClass for CallArrayFunction {
    fn class(&self) -> &'static str {
        "K2Node_CallArrayFunction"
    }
    fn keys(&self) -> &'static [Key] {
        CALL_KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        set_call(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        call_keys(node, cx)
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        CallFunction.pins(node, cx)
    }
    fn wildcards(&self, node: &Node, graph: &Graph) -> Vec<wildcard::Group> {
        wildcard::all_wildcards(node, graph)
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        let title = call_title(node, cx);
        match title.strip_prefix("Array ") {
            Some(rest) => rest.to_owned(),
            None => title,
        }
    }
}

/// `K2Node_CallParentFunction`.
pub(crate) struct CallParentFunction;

impl NodeClass for CallParentFunction {
    fn class(&self) -> &'static str {
        "K2Node_CallParentFunction"
    }
    fn keys(&self) -> &'static [Key] {
        CALL_KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let text = keys.need("function")?;
        let plain = !text.contains(['.', ':']);
        let parent = keys
            .path("target_class")
            .or(plain.then_some(&cx.blueprint.parent));
        let reference = find_function(text, parent, cx)?;
        set_reference(&reference, node, cx);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(reference) = node.properties.member("FunctionReference") {
            let text = match &reference.parent {
                Some(parent) if *parent == cx.blueprint.parent => reference.name.to_string(),
                Some(parent) => format!("{}.{}", cx.class_text(parent), reference.name),
                None => format!("self.{}", reference.name),
            };
            keys.insert("function".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let (reference, class, function) = called(node, cx)?;
        let pure = function.is_pure();
        Ok(call_pins(
            &reference,
            class,
            function,
            Target::Parent,
            pure,
            cx,
        ))
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        format!("Parent: {}", call_title(node, cx))
    }
}

/// `K2Node_Message`.
pub(crate) struct Message;

impl NodeClass for Message {
    fn class(&self) -> &'static str {
        "K2Node_Message"
    }
    fn keys(&self) -> &'static [Key] {
        CALL_KEYS
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let text = keys.need("function")?;
        if keys.path("target_class").is_none() && !text.contains(['.', ':']) {
            let name = Name::new(text);
            let owners: Vec<_> = cx
                .registry
                .classes()
                .filter(|class| class.is_interface() && class.functions.contains_key(&name))
                .collect();
            match owners.as_slice() {
                [one] => {
                    set_reference(&MemberReference::of(one.path.clone(), name), node, cx);
                    return Ok(());
                }
                [] => {
                    let names: Vec<_> = cx
                        .registry
                        .classes()
                        .filter(|class| class.is_interface())
                        .flat_map(|class| class.functions.keys().map(Name::as_str))
                        .collect();
                    return Err(NodeError::new(
                        Code::FuncNotFound,
                        format!("no interface has a function `{name}`"),
                    )
                    .key("function")
                    .hint(did_you_mean(text, names)));
                }
                many => {
                    return Err(NodeError::new(
                        Code::AmbiguousName,
                        format!("{} interfaces have a function `{name}`", many.len()),
                    )
                    .key("function")
                    .hint(Some(format!(
                        "write the interface before it: `{}.{name}`",
                        many[0].path.name()
                    ))));
                }
            }
        }
        set_call(keys, node, cx)
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(reference) = node.properties.member("FunctionReference") {
            let text = match &reference.parent {
                Some(parent) => format!("{}.{}", cx.class_text(parent), reference.name),
                None => format!("self.{}", reference.name),
            };
            keys.insert("function".to_owned(), text.into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let (reference, class, function) = called(node, cx)?;
        // A message always has exec pins: its cast can fail.
        Ok(call_pins(
            &reference,
            class,
            function,
            Target::AnyObject,
            false,
            cx,
        ))
    }
    fn title(&self, node: &Node, cx: &PinContext<'_>) -> String {
        format!("{} (Message)", call_title(node, cx))
    }
}

/// `K2Node_AddComponent`: a component from a template the class keeps.
pub(crate) struct AddComponent;

impl NodeClass for AddComponent {
    fn class(&self) -> &'static str {
        "K2Node_AddComponent"
    }
    fn keys(&self) -> &'static [Key] {
        const {
            &[Key::required(
                "of",
                KeyKind::Class,
                "The class of the component",
            )]
        }
    }
    fn set(&self, keys: &Keys, node: &mut Node, cx: &PinContext<'_>) -> Result<(), NodeError> {
        let class = keys.need_path("of")?;
        node.properties
            .set("TemplateType", object(Kind::Class, class));
        set_reference(&MemberReference::on_self("AddComponent"), node, cx);
        Ok(())
    }
    fn keys_of(&self, node: &Node, cx: &PinContext<'_>) -> Map<String, Value> {
        let mut keys = Map::new();
        if let Some(class) = node.properties.object("TemplateType") {
            keys.insert("of".to_owned(), cx.class_text(&class).into());
        }
        keys
    }
    fn pins(&self, node: &Node, cx: &PinContext<'_>) -> Result<Vec<PinSpec>, NodeError> {
        let mut pins = CallFunction.pins(node, cx)?;
        let internal = PinFlags::HIDDEN | PinFlags::NOT_CONNECTABLE;
        for pin in &mut pins {
            match pin.name.as_str() {
                "TemplateName" => pin.flags |= internal | PinFlags::DEFAULT_READ_ONLY,
                "ComponentTemplateContext" | "bDeferredFinish" => pin.flags |= internal,
                "ReturnValue" => {
                    if let Some(class) = node.properties.object("TemplateType") {
                        pin.ty.object = Some(class);
                    }
                }
                _ => {}
            }
        }
        Ok(pins)
    }
    fn title(&self, node: &Node, _cx: &PinContext<'_>) -> String {
        match node.properties.object("TemplateType") {
            Some(class) => format!("Add {}", super::spec::class_display(&class)),
            None => "Add Component".to_owned(),
        }
    }
}

/// How many operands a node has beyond two.
pub(crate) fn set_operands(keys: &Keys, node: &mut Node) {
    if let Some(count) = keys.int("inputs")
        && count > 2
    {
        node.properties
            .set("NumAdditionalInputs", number(count - 2));
    }
}
