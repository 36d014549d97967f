//! Whether two graphs, or two Blueprints, are the same drawing.

use std::fmt::Debug;

use bp_reflect::Property;

use crate::{
    Blueprint, Graph, Guid, Node, NodeId, Pin, PinId, PinType, Properties, PropertyValue, Variable,
};

/// Properties that follow from other parts of the model, so that a source may leave them out: they
/// count only when both graphs have them.
const DERIVED: &[&str] = &[
    "UserDefinedPins",
    "BoundGraph",
    "ExtraFlags",
    "LocalVariables",
];

fn is_derived(node: &Node, key: &str) -> bool {
    // An entry's reference names the function that the graph is.
    let is_entry = node.class == "K2Node_FunctionEntry";
    DERIVED.contains(&key) || (is_entry && key == "FunctionReference")
}

/// Names the first difference between two graphs: the path to it and both values. None when they are
/// the same drawing.
///
/// The same are: name, kind, flags and local variables of the graph; nodes in order with their names,
/// classes, ids, positions, comments, states and properties; pins in order with all they say; links,
/// compared by their place in the other graph, in order; the graphs inside collapsed nodes. A pin
/// or graph without id is the same as one with any; properties that follow from others count only when both
/// graphs have them. Not looked at are spans, the order of properties, and the package of the class in an object reference
/// (`Class` and `/Script/CoreUObject.Class` are the same).
pub fn graph_difference(a: &Graph, b: &Graph) -> Option<String> {
    Difference::new(Detail::All).graphs(a, b).err()
}

/// How much of a pin counts when two Blueprints are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// All that it says.
    All,
    /// All but what the editor makes anew when it refreshes a node: its id, its tool tip and its display name.
    Made,
}

/// Names the first difference between two Blueprints, as [`graph_difference`] does for graphs: the class
/// with all its members, then the graphs in order. `detail` says what of pins counts.
pub fn blueprint_difference(a: &Blueprint, b: &Blueprint, detail: Detail) -> Option<String> {
    Difference::new(detail).blueprints(a, b).err()
}

/// Where in the graph the comparison is.
struct Difference {
    path: Vec<String>,
    detail: Detail,
}

type Same = Result<(), String>;

impl Difference {
    fn new(detail: Detail) -> Self {
        Self {
            path: Vec::new(),
            detail,
        }
    }

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

    /// Sources leave ids out, or give one where there was none.
    fn ids(&self, what: &str, a: Guid, b: Guid) -> Same {
        if a.is_zero() || b.is_zero() {
            return Ok(());
        }
        self.equal(what, &a, &b)
    }

    fn within(&mut self, place: String, compare: impl FnOnce(&mut Self) -> Same) -> Same {
        self.path.push(place);
        let same = compare(self);
        self.path.pop();
        same
    }

    fn blueprints(&mut self, a: &Blueprint, b: &Blueprint) -> Same {
        self.equal("name", &a.name, &b.name)?;
        self.equal("class", &a.class_path, &b.class_path)?;
        self.equal("kind", &a.kind, &b.kind)?;
        self.equal("parent", &a.parent, &b.parent)?;
        self.equal("engine", &a.engine, &b.engine)?;
        self.equal("interfaces", &a.interfaces, &b.interfaces)?;
        self.list("variable", &a.variables, &b.variables, Self::members)?;
        self.list(
            "designer variable",
            &a.designer_variables,
            &b.designer_variables,
            |this, a, b| this.equal("property", &property(a), &property(b)),
        )?;
        self.list(
            "dispatcher",
            &a.dispatchers,
            &b.dispatchers,
            |this, a, b| {
                this.equal("name", &a.name, &b.name)?;
                this.equal("guid", &a.guid, &b.guid)?;
                this.equal("category", &a.category, &b.category)?;
                this.equal("display name", &a.friendly_name, &b.friendly_name)?;
                this.equal("metadata", &a.metadata, &b.metadata)?;
                this.list("parameter", &a.params, &b.params, |this, a, b| {
                    this.equal("name", &a.name, &b.name)?;
                    this.types(&a.ty, &b.ty)?;
                    this.equal("default", &a.default, &b.default)
                })
            },
        )?;
        self.list("component", &a.components, &b.components, |this, a, b| {
            this.equal("name", &a.name, &b.name)?;
            this.equal("class", &a.class, &b.class)?;
            this.equal("parent", &a.parent, &b.parent)?;
            this.equal("owner of parent", &a.parent_owner, &b.parent_owner)?;
            this.equal("socket", &a.socket, &b.socket)?;
            this.equal("guid", &a.guid, &b.guid)?;
            this.values(&a.properties, &b.properties)
        })?;
        self.list(
            "component override",
            &a.component_overrides,
            &b.component_overrides,
            |this, a, b| {
                this.equal("name", &a.name, &b.name)?;
                this.equal("class", &a.class, &b.class)?;
                this.values(&a.properties, &b.properties)
            },
        )?;
        self.within("class defaults".to_owned(), |this| {
            this.values(&a.class_defaults, &b.class_defaults)
        })?;
        self.list("timeline", &a.timelines, &b.timelines, |this, a, b| {
            this.equal("name", &a.name, &b.name)?;
            this.equal("guid", &a.guid, &b.guid)?;
            this.equal("length", &a.length, &b.length)?;
            this.equal("auto-play", &a.auto_play, &b.auto_play)?;
            this.equal("looping", &a.looping, &b.looping)?;
            this.list("track", &a.tracks, &b.tracks, |this, a, b| {
                this.equal("name", &a.name, &b.name)?;
                this.equal("kind", &a.kind, &b.kind)?;
                this.equal("keys", &a.keys, &b.keys)
            })
        })?;
        self.list("struct", &a.structs, &b.structs, |this, a, b| {
            this.equal("path", &a.path, &b.path)?;
            this.list("member", &a.members, &b.members, |this, a, b| {
                this.equal("name", &a.name, &b.name)?;
                this.equal("type", &a.ty, &b.ty)?;
                this.equal("default", &a.default, &b.default)
            })
        })?;
        self.list("enum", &a.enums, &b.enums, |this, a, b| {
            this.equal("path", &a.path, &b.path)?;
            this.equal("entries", &a.entries, &b.entries)
        })?;
        self.list("graph", &a.graphs, &b.graphs, Self::graphs)
    }

    fn list<T>(
        &mut self,
        what: &str,
        a: &[T],
        b: &[T],
        compare: impl Fn(&mut Self, &T, &T) -> Same,
    ) -> Same {
        self.equal(&format!("number of {what}s"), &a.len(), &b.len())?;
        for (idx, (a, b)) in a.iter().zip(b).enumerate() {
            self.within(format!("{what} {idx}"), |this| compare(this, a, b))?;
        }
        Ok(())
    }

    fn values(&mut self, a: &Properties, b: &Properties) -> Same {
        self.equal("number of properties", &a.0.len(), &b.0.len())?;
        for (key, value) in &a.0 {
            match b.get(key) {
                Some(other) if same_value(value, other) => {}
                other => return Err(self.differ(key, &Some(value), &other)),
            }
        }
        Ok(())
    }

    fn members(&mut self, a: &Variable, b: &Variable) -> Same {
        self.within(a.name.to_string(), |this| {
            this.variables(a, b)?;
            this.equal("notified function", &a.on_rep, &b.on_rep)?;
            this.equal("replication", &a.replication, &b.replication)?;
            this.equal("metadata", &a.metadata, &b.metadata)?;
            this.equal("category", &a.category, &b.category)?;
            this.equal("display name", &a.friendly_name, &b.friendly_name)
        })
    }

    fn graphs(&mut self, a: &Graph, b: &Graph) -> Same {
        self.within(format!("graph {}", a.name), |this| {
            this.equal("name", &a.name, &b.name)?;
            this.equal("kind", &a.kind, &b.kind)?;
            this.ids("guid", a.guid, b.guid)?;
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
        self.properties(na, nb)?;
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

    fn properties(&mut self, node: &Node, other: &Node) -> Same {
        let (a, b) = (&node.properties, &other.properties);
        for (key, value) in &a.0 {
            match b.get(key) {
                Some(other) if same_value(value, other) => {}
                None if is_derived(node, key) => {}
                other => return Err(self.differ(key, &Some(value), &other)),
            }
        }
        match b.0.iter().find(|(key, _)| a.get(key).is_none()) {
            Some((key, value)) if !is_derived(node, key) => {
                Err(self.differ(key, &None::<PropertyValue>, value))
            }
            _ => Ok(()),
        }
    }

    fn pins(&mut self, (ga, a): (&Graph, PinId), (gb, b): (&Graph, PinId)) -> Same {
        let (pa, pb): (&Pin, &Pin) = (&ga.pins[a], &gb.pins[b]);
        self.equal("name", &pa.name, &pb.name)?;
        self.equal("direction", &pa.direction, &pb.direction)?;
        self.types(&pa.ty, &pb.ty)?;
        self.equal("default", &pa.default, &pb.default)?;
        self.equal("flags", &pa.flags, &pb.flags)?;
        if self.detail == Detail::All {
            self.ids("id", pa.id, pb.id)?;
            self.equal("friendly name", &pa.friendly_name, &pb.friendly_name)?;
            self.equal("tool tip", &pa.tool_tip, &pb.tool_tip)?;
        }
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

/// What a source can say of a property of the class.
fn property(property: &Property) -> (&bp_reflect::Name, &bp_reflect::PropertyType, u64, u32) {
    (
        &property.name,
        &property.ty,
        property.flags.bits(),
        property.array_dim,
    )
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
