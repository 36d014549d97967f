//! What every stage of one Blueprint's compilation reads.

use bp_diag::{Code, Diagnostic, Place};
use bp_graph::nodes::{MacroLibrary, PinContext};
use bp_graph::{Blueprint, Graph, Guid, MemberReference, Node, NodeId, PropertyValue};
use bp_reflect::{Class, EngineVersion, Function, Name, ObjectPath, Registry};

use crate::expanded::{Callee, ExGraph, ExNodeId, VariableRef};

/// What to emit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The engine version to compile for; none is the Blueprint's own.
    pub engine: Option<EngineVersion>,
    /// Whether to emit `Tracepoint` and `WireTracepoint`, and the code order that comes with them, as the
    /// editor does.
    pub debug_sites: bool,
}

impl Default for Options {
    /// The release form, for the Blueprint's own engine version.
    fn default() -> Self {
        Self {
            engine: None,
            debug_sites: false,
        }
    }
}

/// The inputs of one Blueprint's compilation.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Everything declared, this Blueprint's own class included.
    pub registry: &'a Registry,
    /// The Blueprint.
    pub blueprint: &'a Blueprint,
    /// Its class.
    pub class: &'a Class,
    /// All Blueprints compiled together, this one included.
    pub blueprints: &'a [Blueprint],
    /// Further Blueprints whose macros can be used.
    pub libraries: &'a [&'a Blueprint],
    /// The version compiled for.
    pub engine: EngineVersion,
    /// Whether debug sites are emitted.
    pub debug_sites: bool,
}

impl<'a> Context<'a> {
    /// The function a reference means: of the named class, or of the Blueprint and its ancestors.
    pub fn function(&self, reference: &MemberReference) -> Option<Callee<'a>> {
        let class = match &reference.parent {
            Some(parent) if !reference.is_self => parent,
            Some(_) | None => &self.class.path,
        };
        let (class, function) = self.registry.find_function(class, &reference.name)?;
        Some(Callee { class, function })
    }

    /// A function of a native class, by short class name.
    pub fn native(&self, class: &str, function: &str) -> Option<Callee<'a>> {
        let (class, function) = self.registry.find_function(
            &ObjectPath::new(format!("/Script/Engine.{class}")),
            &Name::new(function),
        )?;
        Some(Callee { class, function })
    }

    /// The member variable a reference means.
    pub fn member(&self, reference: &MemberReference) -> Option<VariableRef<'a>> {
        let class = match &reference.parent {
            Some(parent) if !reference.is_self => parent,
            Some(_) | None => &self.class.path,
        };
        let (owner, property) = self.registry.find_property(class, &reference.name)?;
        Some(VariableRef::Member {
            owner: owner.path.clone(),
            property,
        })
    }

    /// Blueprints whose macros can be used, this one first.
    fn macro_sources(&self) -> impl Iterator<Item = &'a Blueprint> + use<'a> {
        let own = self.blueprint;
        std::iter::once(own)
            .chain(
                self.blueprints
                    .iter()
                    .filter(move |other| !std::ptr::eq(*other, own)),
            )
            .chain(self.libraries.iter().copied())
    }

    /// The macro graph a macro instance means.
    pub fn find_macro(&self, node: &Node) -> Option<&'a Graph> {
        let reference = node.properties.get("MacroGraphReference")?;
        let guid: Option<Guid> = reference
            .get("GraphGuid")
            .and_then(PropertyValue::as_str)
            .and_then(|text| text.parse().ok())
            .filter(|guid: &Guid| !guid.is_zero());
        let path = reference
            .get("MacroGraph")
            .and_then(PropertyValue::as_object);
        let macros = |blueprint: &'a Blueprint| {
            blueprint
                .graphs
                .iter()
                .filter(|graph| graph.kind == bp_graph::GraphKind::Macro)
        };
        if let Some(path) = &path {
            let name = Name::new(path.name());
            // `/Game/Lib/BPM_Tools.BPM_Tools:Twice`: the asset decides between macros of the same name.
            let asset = path.outer().map(|outer| outer.name().to_owned());
            let in_asset = |blueprint: &&Blueprint| {
                asset.as_ref().is_none_or(|asset| {
                    blueprint.name == **asset || blueprint.class_path.package() == path.package()
                })
            };
            let found = self
                .macro_sources()
                .filter(in_asset)
                .flat_map(macros)
                .find(|graph| graph.name == name);
            if found.is_some() {
                return found;
            }
            // The engine keeps its standard macros in several libraries; we keep them in one.
            if path.as_str().starts_with("/Engine/") {
                let found = self
                    .macro_sources()
                    .flat_map(macros)
                    .find(|graph| graph.name == name);
                if found.is_some() {
                    return found;
                }
            }
        }
        let guid = guid?;
        self.macro_sources()
            .flat_map(macros)
            .find(|graph| graph.guid == guid)
    }

    /// The words for a drawn node in messages.
    pub fn place(&self, graph: &Graph, node: Option<NodeId>, pin: Option<&Name>) -> Place {
        let node = node.map(|id| &graph.nodes[id]);
        Place {
            blueprint: Some(self.blueprint.name.to_string()),
            graph: Some(graph.name.to_string()),
            node: node.map(|node| self.title(graph, node)),
            node_name: node.map(|node| node.name.to_string()),
            pin: pin.map(Name::to_string),
        }
    }

    /// A node's title as the editor shows it.
    pub fn title(&self, graph: &Graph, node: &Node) -> String {
        let cx = PinContext {
            registry: self.registry,
            blueprint: self.blueprint,
            graph,
            function: graph,
            macros: MacroLibrary::default(),
        };
        bp_graph::nodes::title(node, &cx)
    }

    /// A finding about a drawn node.
    pub fn diagnostic(
        &self,
        code: Code,
        message: impl Into<String>,
        graph: &Graph,
        node: Option<NodeId>,
        pin: Option<&Name>,
    ) -> Diagnostic {
        let span = node.map_or(graph.span, |id| {
            let of_pin = pin.and_then(|name| {
                graph
                    .pins_of(id)
                    .find(|(_, pin)| pin.name == *name)
                    .and_then(|(_, pin)| pin.span)
            });
            of_pin.or(graph.nodes[id].span).or(graph.span)
        });
        Diagnostic::new(code, message)
            .at(span)
            .place(self.place(graph, node, pin))
    }

    /// A finding about a node of an expanded graph: at the drawn node it was made of. Of one inside a macro or
    /// collapsed graph the way there is noted; where the inside is not the author's, as that of an engine's
    /// macro, the finding is about the instance that is.
    pub fn finding(
        &self,
        graph: &ExGraph<'_>,
        id: ExNodeId,
        code: Code,
        message: impl Into<String>,
        pin: Option<&Name>,
    ) -> Diagnostic {
        let origin = graph.origin(graph.node(id).origin);
        let engines_own =
            |library: &&&Blueprint| library.class_path.as_str().starts_with("/Engine/");
        let is_known = |graph: &Graph| {
            let mut engines_own = self.libraries.iter().filter(engines_own);
            !engines_own.any(|library| has_graph(library, graph))
        };
        let mut at = origin;
        let mut around = Vec::new();
        let mut within = origin.within;
        while let Some(outer) = within {
            let outer = graph.origin(outer);
            if !is_known(at.graph) && outer.node.is_some() {
                if let Some(node) = at.node {
                    let title = self.title(at.graph, &at.graph.nodes[node]);
                    around.push(format!("at “{title}” inside {}", at.graph.name));
                }
                at = outer;
            } else if let Some(node) = outer.node {
                let title = self.title(outer.graph, &outer.graph.nodes[node]);
                around.push(format!("inside “{title}” of graph {}", outer.graph.name));
            }
            within = outer.within;
        }
        let pin = pin.filter(|_| std::ptr::eq(at, origin));
        let finding = self.diagnostic(code, message, at.graph, at.node, pin);
        around.into_iter().fold(finding, Diagnostic::note)
    }

    /// Whether a function of this Blueprint has no self.
    pub fn is_static(&self, function: &Function) -> bool {
        function.is_static()
    }
}

fn has_graph(blueprint: &Blueprint, graph: &Graph) -> bool {
    blueprint.graphs.iter().any(|own| std::ptr::eq(own, graph))
}
