//! Whether two graphs are the same drawing.

use std::fmt::Debug;

use crate::{Graph, Node, NodeId, Pin, PinId, PinType, Properties, PropertyValue, Variable};

/// Properties that follow from other parts of the model, so that a source may leave them out: they
/// count only when both graphs have them.
const DERIVED: &[&str] = &[
    "UserDefinedPins",
    "BoundGraph",
    "ExtraFlags",
    "LocalVariables",
    "FunctionReference",
];

/// Names the first difference between two graphs: the path to it and both values. None when they are
/// the same drawing.
///
/// The same are: name, kind, flags and local variables of the graph; nodes in order with their names,
/// classes, ids, positions, comments, states and properties; pins in order with all they say; links,
/// compared by their place in the other graph, in order; the graphs inside collapsed nodes. A pin
/// without id is the same as one with any; properties that follow from others count only when both
/// graphs have them. Not looked at are spans, the order of properties, and the package of the class in an object reference
/// (`Class` and `/Script/CoreUObject.Class` are the same).
pub fn graph_difference(a: &Graph, b: &Graph) -> Option<String> {
    Difference { path: Vec::new() }.graphs(a, b).err()
}

/// Where in the graph the comparison is.
struct Difference {
    path: Vec<String>,
}

type Same = Result<(), String>;

impl Difference {
    fn differ(&self, what: &str, a: &dyn Debug, b: &dyn Debug) -> String {
        let mut path = self.path.join(": ");
        if !path.is_empty() {
            path.push_str(": ");
        }
        format!("{path}{what} is {a:?} in the first, {b:?} in the second")
    }

    fn equal<T: PartialEq + Debug>(&self, what: &str, a: &T, b: &T) -> Same {
        if a == b {
            Ok(())
        } else {
            Err(self.differ(what, a, b))
        }
    }

    fn within(&mut self, place: String, compare: impl FnOnce(&mut Self) -> Same) -> Same {
        self.path.push(place);
        let same = compare(self);
        self.path.pop();
        same
    }

    fn graphs(&mut self, a: &Graph, b: &Graph) -> Same {
        self.within(format!("graph {}", a.name), |this| {
            this.equal("name", &a.name, &b.name)?;
            this.equal("kind", &a.kind, &b.kind)?;
            this.equal("guid", &a.guid, &b.guid)?;
            this.equal("flags", &a.flags, &b.flags)?;
            this.equal("interface", &a.implements, &b.implements)?;
            this.equal("number of locals", &a.locals.len(), &b.locals.len())?;
            for (a, b) in a.locals.iter().zip(&b.locals) {
                this.within(format!("local {}", a.name), |this| this.variables(a, b))?;
            }
            for (idx, (a_node, b_node)) in a.nodes.iter().zip(b.nodes.iter()).enumerate() {
                let place = format!("node {idx} ({})", a_node.1.name);
                this.within(place, |this| this.nodes((a, a_node.0), (b, b_node.0)))?;
            }
            this.equal("number of nodes", &a.nodes.len(), &b.nodes.len())
        })
    }

    fn variables(&mut self, a: &Variable, b: &Variable) -> Same {
        self.equal("name", &a.name, &b.name)?;
        self.equal("guid", &a.guid, &b.guid)?;
        self.types(&a.ty, &b.ty)?;
        self.equal("flags", &a.flags, &b.flags)?;
        self.equal("default", &a.default, &b.default)
    }

    fn types(&mut self, a: &PinType, b: &PinType) -> Same {
        self.equal("type", a, b)
    }

    fn nodes(&mut self, (ga, a): (&Graph, NodeId), (gb, b): (&Graph, NodeId)) -> Same {
        let (na, nb): (&Node, &Node) = (&ga.nodes[a], &gb.nodes[b]);
        self.equal("name", &na.name, &nb.name)?;
        self.equal("class", &na.class, &nb.class)?;
        self.equal("package", &class_package(na), &class_package(nb))?;
        self.equal("guid", &na.guid, &nb.guid)?;
        self.equal("position", &na.at, &nb.at)?;
        self.equal("comment", &na.comment, &nb.comment)?;
        self.equal("state", &na.enabled, &nb.enabled)?;
        self.properties(&na.properties, &nb.properties)?;
        for (idx, (a, b)) in na.pins.iter().zip(&nb.pins).enumerate() {
            let place = format!("pin {idx} ({})", ga.pins[*a].name);
            self.within(place, |this| this.pins((ga, *a), (gb, *b)))?;
        }
        self.equal("number of pins", &na.pins.len(), &nb.pins.len())?;
        let inside = |graph: &Graph, node: &Node| {
            node.child.is_some_and(|child| child < graph.children.len())
        };
        self.equal("having an inside", &inside(ga, na), &inside(gb, nb))?;
        match (na.child, nb.child) {
            (Some(a), Some(b)) if inside(ga, na) => self.graphs(&ga.children[a], &gb.children[b]),
            _ => Ok(()),
        }
    }

    fn properties(&mut self, a: &Properties, b: &Properties) -> Same {
        for (key, value) in &a.0 {
            match b.get(key) {
                Some(other) if same_value(value, other) => {}
                None if DERIVED.contains(&key.as_str()) => {}
                other => return Err(self.differ(key, &Some(value), &other)),
            }
        }
        match b.0.iter().find(|(key, _)| a.get(key).is_none()) {
            Some((key, value)) if !DERIVED.contains(&key.as_str()) => {
                Err(self.differ(key, &None::<PropertyValue>, value))
            }
            _ => Ok(()),
        }
    }

    fn pins(&mut self, (ga, a): (&Graph, PinId), (gb, b): (&Graph, PinId)) -> Same {
        let (pa, pb): (&Pin, &Pin) = (&ga.pins[a], &gb.pins[b]);
        self.equal("name", &pa.name, &pb.name)?;
        // Text that names pins by id gives one to those that have none.
        if !pa.id.is_zero() && !pb.id.is_zero() {
            self.equal("id", &pa.id, &pb.id)?;
        }
        self.equal("direction", &pa.direction, &pb.direction)?;
        self.types(&pa.ty, &pb.ty)?;
        self.equal("default", &pa.default, &pb.default)?;
        self.equal("flags", &pa.flags, &pb.flags)?;
        self.equal("friendly name", &pa.friendly_name, &pb.friendly_name)?;
        self.equal("tool tip", &pa.tool_tip, &pb.tool_tip)?;
        self.equal("persistent guid", &pa.persistent_guid, &pb.persistent_guid)?;
        let places = |graph: &Graph, pins: &[PinId]| {
            pins.iter()
                .map(|pin| place(graph, *pin))
                .collect::<Vec<_>>()
        };
        self.equal("links", &places(ga, &pa.links), &places(gb, &pb.links))?;
        self.equal(
            "parts",
            &places(ga, &pa.sub_pins),
            &places(gb, &pb.sub_pins),
        )?;
        let option = |graph: &Graph, pin: Option<PinId>| pin.map(|pin| place(graph, pin));
        self.equal("whole", &option(ga, pa.parent), &option(gb, pb.parent))?;
        self.equal(
            "pass-through",
            &option(ga, pa.pass_through),
            &option(gb, pb.pass_through),
        )
    }
}

/// The package of a node's class, also where the node leaves out the usual one.
pub(crate) fn class_package(node: &Node) -> &str {
    match (&node.class_package, node.class.as_str()) {
        (Some(package), _) => package,
        (None, class) if class.starts_with("EdGraphNode_") => "/Script/UnrealEd",
        (None, _) => "/Script/BlueprintGraph",
    }
}

/// A pin by the places of its node and of itself on the node, which two graphs can share.
fn place(graph: &Graph, pin: PinId) -> (u32, Option<usize>) {
    let node = graph.pins[pin].node;
    (
        node.into_raw().into_u32(),
        graph.nodes[node]
            .pins
            .iter()
            .position(|other| *other == pin),
    )
}

fn same_value(a: &PropertyValue, b: &PropertyValue) -> bool {
    match (a, b) {
        (PropertyValue::Object(a), PropertyValue::Object(b)) => {
            let short = |class: &Option<String>| {
                class
                    .as_ref()
                    .map(|class| class.rsplit('.').next().unwrap_or(class).to_owned())
            };
            a.path == b.path && short(&a.class) == short(&b.class)
        }
        (PropertyValue::Tuple(a), PropertyValue::Tuple(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| a.0.eq_ignore_ascii_case(&b.0) && same_value(&a.1, &b.1))
        }
        (PropertyValue::Array(a), PropertyValue::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (a, b) => a == b,
    }
}
