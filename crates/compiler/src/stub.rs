//! Functions without a graph: event stubs and interface functions.

use std::sync::Arc;

use bp_bytecode::{NodeName, PropertyRef};
use bp_diag::{Code, Diagnostic, Diagnostics};
use bp_graph::nodes::pin_type_of_value;
use bp_graph::{Direction, Graph, PropertyValue};
use bp_reflect::{
    EngineVersion, Function, FunctionFlags, Name, ObjectPath, Property, PropertyFlags,
    PropertyType, Value,
};
use la_arena::Arena;
use smallvec::SmallVec;

use crate::context::Context;
use crate::expand::ExpandedFunction;
use crate::expanded::{ExNodeId, Op};
use crate::ir::{Call, CallTarget, FunctionIr, Statement, StatementKind, Term, TermKind};

/// The stub of an event: keeps its parameters in the ubergraph's frame and runs the ubergraph at the
/// event's place.
///
/// Source: `facts/epic-output.md`, 1,912 of 1,912 stubs. In the debug form the entry, the assignments together and the call each have
/// their sites; 4.16 has none.
pub(crate) fn stub(
    cx: &Context<'_>,
    ubergraph: &ExpandedFunction<'_>,
    event: ExNodeId,
    ubergraph_ir: &FunctionIr,
) -> (FunctionIr, Diagnostics) {
    let graph = &ubergraph.graph;
    let Op::Event { function: name } = &graph.node(event).op else {
        unreachable!("only events have stubs")
    };
    let mut diagnostics = Diagnostics::new();
    let signature = signature(cx, ubergraph, event, name, &mut diagnostics);
    let path = cx.class.path.member(name);
    let mut terms = Arena::new();
    let mut statements = Vec::new();
    let origin = graph.origin(graph.node(event).origin);
    let node = origin.node.map(|id| &origin.graph.nodes[id]);
    let nodes = vec![NodeName {
        graph: origin.graph.name.to_shared(),
        title: node.map_or_else(
            || name.to_shared(),
            |node| cx.title(origin.graph, node).into(),
        ),
        name: node.map_or_else(Arc::default, |node| node.name.to_shared()),
    }];
    let has_sites = cx.debug_sites && cx.engine >= EngineVersion::new(4, 18);
    // Sites are statements like any other; without them the kind is dropped.
    let mut push = |kind: StatementKind| {
        let is_site = matches!(
            kind,
            StatementKind::DebugSite | StatementKind::WireTraceSite
        );
        if has_sites || !is_site {
            statements.push(Statement { kind, node: 0 });
        }
    };
    push(StatementKind::DebugSite);
    push(StatementKind::WireTraceSite);
    // The frame's properties were named when the ubergraph was lowered, in this order.
    let frame = frame_properties(ubergraph, event, ubergraph_ir);
    if !frame.is_empty() {
        push(StatementKind::DebugSite);
        for (param, property) in frame {
            let Some(param) = signature.param(&param) else {
                if let Some(finding) = stale_pin(cx, ubergraph, event, &param, name) {
                    diagnostics.push(finding);
                }
                continue;
            };
            let local = terms.alloc(Term {
                ty: param.ty.clone(),
                kind: TermKind::Local {
                    property: PropertyRef::new(path.clone(), param.name.clone()),
                    is_out: param.flags.contains(PropertyFlags::OUT_PARM),
                },
            });
            push(StatementKind::AssignOnPersistentFrame(property, local));
        }
        push(StatementKind::WireTraceSite);
    }
    push(StatementKind::DebugSite);
    let offset = terms.alloc(Term {
        ty: PropertyType::Int,
        kind: TermKind::EventOffset(name.clone()),
    });
    push(StatementKind::Call(Arc::new(Call {
        target: CallTarget {
            class: cx.class.path.clone(),
            name: ubergraph.name.clone(),
            flags: ubergraph.signature.flags,
            custom_thunk: false,
            is_interface: false,
            is_blueprint: true,
        },
        object: None,
        through_interface: false,
        is_parent: false,
        arguments: vec![offset],
        result: None,
        cleared: SmallVec::new(),
    })));
    push(StatementKind::WireTraceSite);
    push(StatementKind::Return);
    let ir = FunctionIr {
        path,
        function: signature,
        terms,
        statements,
        uses_flow_stack: false,
        events: Vec::new(),
        stub_of: Some(ubergraph.name.clone()),
        event_parameters: rustc_hash::FxHashMap::default(),
        nodes,
        pins: Vec::new(),
    };
    (ir, diagnostics)
}

/// A pin of an event that its function has no parameter for gives nothing, so nothing may read it.
fn stale_pin(
    cx: &Context<'_>,
    ubergraph: &ExpandedFunction<'_>,
    event: ExNodeId,
    name: &Name,
    function: &Name,
) -> Option<Diagnostic> {
    let graph = &ubergraph.graph;
    let pin = graph.out_pin(event, name.as_str())?;
    let origin = graph.origin(graph.node(event).origin);
    (!graph.pins[pin].links.is_empty()).then(|| {
        cx.diagnostic(
            Code::FuncPinMissing,
            format!("{function} has no parameter `{name}`"),
            origin.graph,
            origin.node,
            Some(name),
        )
        .hint("the event node is out of date; refresh it")
    })
}

/// Each parameter pin of an event with the property that the ubergraph keeps it in.
fn frame_properties(
    ubergraph: &ExpandedFunction<'_>,
    event: ExNodeId,
    ir: &FunctionIr,
) -> Vec<(Name, PropertyRef)> {
    let graph = &ubergraph.graph;
    let names = ir.event_parameters.get(&event);
    graph
        .node(event)
        .pins
        .iter()
        .map(|pin| &graph.pins[*pin])
        .filter(|pin| {
            pin.direction == Direction::Output && !pin.is_exec() && pin.name != "OutputDelegate"
        })
        .zip(names.into_iter().flatten())
        .map(|(pin, property)| (pin.name.clone(), property.clone()))
        .collect()
}

/// The function an event implements: declared by its class's outline, by what it overrides, or by its
/// pins.
fn signature(
    cx: &Context<'_>,
    ubergraph: &ExpandedFunction<'_>,
    event: ExNodeId,
    name: &Name,
    diagnostics: &mut Diagnostics,
) -> Function {
    let graph = &ubergraph.graph;
    if let Some(function) = cx.class.functions.get(name) {
        return function.clone();
    }
    if let Some((class, overridden)) = cx.registry.find_function(&cx.class.path, name) {
        let mut function = overridden.clone();
        function.flags &= !(FunctionFlags::NATIVE | FunctionFlags::REQUIRED_API);
        function.flags |= FunctionFlags::BLUEPRINT_EVENT;
        if !class.is_blueprint() {
            function.flags |= FunctionFlags::EVENT;
        }
        function.super_function = Some(class.path.member(name));
        return function;
    }
    // Input, bound and timeline events make their own functions; an override that is drawn needs one to
    // override.
    if graph
        .drawn(event)
        .is_some_and(|node| node.class == "K2Node_Event")
    {
        let origin = graph.origin(graph.node(event).origin);
        diagnostics.push(
            cx.diagnostic(
                Code::FuncUndeclared,
                format!("event {name} is declared nowhere; its signature is inferred from the node's pins"),
                origin.graph,
                origin.node,
                None,
            )
            .hint("give the declaration of its class with --declarations FILE"),
        );
    }
    let mut function = Function::new(name.clone(), FunctionFlags::BLUEPRINT_EVENT);
    for pin in &graph.node(event).pins {
        let pin = &graph.pins[*pin];
        if pin.direction == Direction::Output && !pin.is_exec() && pin.name != "OutputDelegate" {
            // A type that cannot be told is reported when the ubergraph names the parameter.
            let ty = pin
                .ty
                .to_property(cx.registry, cx.engine)
                .unwrap_or(PropertyType::Wildcard);
            let mut flags = PropertyFlags::PARM
                | PropertyFlags::BLUEPRINT_VISIBLE
                | PropertyFlags::BLUEPRINT_READ_ONLY;
            if pin.ty.is_reference {
                flags |= PropertyFlags::OUT_PARM | PropertyFlags::REFERENCE_PARM;
                function.flags |= FunctionFlags::HAS_OUT_PARMS;
            }
            flags.set(PropertyFlags::CONST_PARM, pin.ty.is_const);
            function
                .params
                .push(Property::new(pin.name.clone(), ty, flags));
        }
    }
    function
}

/// A function with the signature of another that only returns. It has no locals: those of a broken function
/// need not even have a type.
pub(crate) fn emptied(ir: &FunctionIr) -> FunctionIr {
    let mut function = ir.function.clone();
    function.locals.clear();
    returning(ir.path.clone(), function)
}

/// A function whose script only returns: what interface functions compile to.
pub(crate) fn empty(cx: &Context<'_>, signature: Function) -> FunctionIr {
    returning(cx.class.path.member(&signature.name), signature)
}

fn returning(path: ObjectPath, function: Function) -> FunctionIr {
    FunctionIr {
        path,
        function,
        terms: Arena::new(),
        statements: vec![Statement {
            kind: StatementKind::Return,
            node: 0,
        }],
        uses_flow_stack: false,
        events: Vec::new(),
        stub_of: None,
        event_parameters: rustc_hash::FxHashMap::default(),
        nodes: vec![NodeName {
            graph: Arc::default(),
            title: Arc::default(),
            name: Arc::default(),
        }],
        pins: Vec::new(),
    }
}

/// The function of an animation graph: gives a link to no pose. Poses are evaluated by the instance, not by code.
///
/// Source: all 21 graphs from 4.24 to 5.4; the packages of 4.22 and 4.16 have none, and that 4.23 has is assumed.
/// Parameters for linked input poses are assumed; one whose type cannot be told is an error.
pub(crate) fn animation_graph(cx: &Context<'_>, graph: &Graph) -> (FunctionIr, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let pose = PropertyType::Struct(ObjectPath::new("/Script/Engine.PoseLink"));
    let output = PropertyFlags::PARM | PropertyFlags::OUT_PARM;
    let input =
        PropertyFlags::PARM | PropertyFlags::BLUEPRINT_VISIBLE | PropertyFlags::BLUEPRINT_READ_ONLY;
    let mut function = Function::new(
        graph.name.clone(),
        FunctionFlags::BLUEPRINT_CALLABLE
            | FunctionFlags::BLUEPRINT_EVENT
            | FunctionFlags::HAS_OUT_PARMS,
    );
    for (id, node) in graph.nodes.iter() {
        if node.class != "AnimGraphNode_LinkedInputPose" {
            continue;
        }
        let name = node
            .properties
            .get("Node")
            .and_then(|node| node.get("Name"));
        let name = name.and_then(PropertyValue::as_str).unwrap_or("InputPose");
        function
            .params
            .push(Property::new(name, pose.clone(), input));
        let parameters = node.properties.get("Inputs");
        for parameter in parameters.map(PropertyValue::elements).unwrap_or_default() {
            let name = parameter.get("Name").and_then(PropertyValue::as_str);
            let ty = parameter.get("Type").and_then(pin_type_of_value);
            let ty = ty.and_then(|ty| ty.to_property(cx.registry, cx.engine));
            if let (Some(name), Some(ty)) = (name, ty) {
                function.params.push(Property::new(name, ty, input));
            } else {
                let message = format!(
                    "the type of input `{}` of {} cannot be told",
                    name.unwrap_or_default(),
                    graph.name
                );
                diagnostics.push(cx.diagnostic(Code::VarBadType, message, graph, Some(id), None));
            }
        }
    }
    function
        .params
        .push(Property::new(graph.name.clone(), pose.clone(), output));
    let path = cx.class.path.member(&graph.name);
    let mut terms = Arena::new();
    let result = terms.alloc(Term {
        ty: pose.clone(),
        kind: TermKind::Local {
            property: PropertyRef::new(path.clone(), graph.name.clone()),
            is_out: true,
        },
    });
    let value =
        Value::parse("", &pose, cx.registry).unwrap_or_else(|_| Value::zero(&pose, cx.registry));
    let none = terms.alloc(Term {
        ty: pose,
        kind: TermKind::Literal(value),
    });
    let all = [
        StatementKind::DebugSite,
        StatementKind::WireTraceSite,
        StatementKind::DebugSite,
        StatementKind::Assign(result, none),
        StatementKind::WireTraceSite,
        StatementKind::Return,
    ];
    let is_site = |kind: &StatementKind| {
        matches!(
            kind,
            StatementKind::DebugSite | StatementKind::WireTraceSite
        )
    };
    let statements = all
        .into_iter()
        .filter(|kind| cx.debug_sites || !is_site(kind));
    let ir = FunctionIr {
        terms,
        statements: statements.map(|kind| Statement { kind, node: 0 }).collect(),
        nodes: vec![NodeName {
            graph: graph.name.to_shared(),
            title: graph.name.to_shared(),
            name: Arc::default(),
        }],
        ..empty(cx, function)
    };
    (ir, diagnostics)
}
