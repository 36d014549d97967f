//! Graphs and their nodes, as the editor stores them.

use crate::archive::Archive;
use crate::pin::{
    PinDirection, read_direction, read_pin_name, read_pin_objects, read_pin_type, read_pins,
};
use crate::property::read_object;
use crate::version::step;
use crate::{
    ByteRange, Guid, Package, PackageError, PackageIndex, PackageName, PinData, PinType, Properties,
};

/// A graph (`UEdGraph`).
#[derive(Clone, Debug, PartialEq)]
pub struct GraphData {
    /// The object itself.
    pub index: PackageIndex,
    /// Its name.
    pub name: PackageName,
    /// What it lies in: the Blueprint, or the node it is collapsed into.
    pub outer: PackageIndex,
    /// The class that says what the graph means, mostly `EdGraphSchema_K2`.
    pub schema: PackageIndex,
    /// Its guid; macros are known by it.
    pub guid: Guid,
    /// Its nodes in the order of the graph, which decides the order of code. Nulls are left out.
    pub nodes: Vec<PackageIndex>,
    /// Graphs collapsed inside it.
    pub sub_graphs: Vec<PackageIndex>,
    /// All its properties.
    pub properties: Properties,
}

/// A node of a graph (`UEdGraphNode`).
#[derive(Clone, Debug, PartialEq)]
pub struct NodeData {
    /// The object itself.
    pub index: PackageIndex,
    /// Its name.
    pub name: PackageName,
    /// Path of its class, `/Script/BlueprintGraph.K2Node_CallFunction`.
    pub class: String,
    /// Its properties.
    pub properties: Properties,
    /// Its pins, in order.
    pub pins: Vec<PinData>,
    /// The pins its author defined, for nodes with editable pins.
    pub user_pins: Vec<UserPinData>,
    /// Bytes of the export that were not read: what the node's class adds. Empty for all classes of
    /// the engine seen but `K2Node_DynamicCast`, which adds a byte (its meaning is not known).
    pub unread: ByteRange,
}

/// A pin that the author of a node defined (`FUserPinInfo`).
#[derive(Clone, Debug, PartialEq)]
pub struct UserPinData {
    /// Its name.
    pub name: PackageName,
    /// Its type.
    pub ty: PinType,
    /// Which side it is on; `None` where an old package stores neither, and the node's class decides.
    pub direction: Option<PinDirection>,
    /// Its default value.
    pub default_value: String,
}

impl Package {
    /// Whether the export is a graph: `EdGraph` or a class that derives from it, which is known by
    /// its name ending so (assumed, as the classes themselves are not at hand).
    pub fn is_graph(&self, export: usize) -> bool {
        self.is_of_class(export, |class| class.ends_with("Graph"))
    }

    /// Whether the export is a node: an object inside a graph that is no graph.
    pub fn is_node(&self, export: usize) -> bool {
        self.exports().get(export).is_some_and(|row| {
            row.outer.export().is_some_and(|outer| self.is_graph(outer)) && !self.is_graph(export)
        })
    }

    /// Reads a graph without its nodes.
    ///
    /// # Errors
    /// [`PackageError::WrongClass`] if it is none, else as [`Package::object`].
    pub fn graph(&self, export: usize) -> Result<GraphData, PackageError> {
        self.expect_class(export, self.is_graph(export), "graph")?;
        let row = self.export(export)?;
        let (properties, _) = self.object(export)?;
        let exports_of = |name| {
            let objects = properties.objects(name);
            objects
                .into_iter()
                .filter(|index| index.export().is_some())
                .collect()
        };
        Ok(GraphData {
            index: PackageIndex::of_export(export),
            name: row.name.clone(),
            outer: row.outer,
            schema: properties.object("Schema"),
            guid: properties.guid("GraphGuid"),
            nodes: exports_of("Nodes"),
            sub_graphs: exports_of("SubGraphs"),
            properties,
        })
    }

    /// Reads a node.
    ///
    /// # Errors
    /// [`PackageError::WrongClass`] if it is none, else as [`Package::object`].
    pub fn node(&self, export: usize) -> Result<NodeData, PackageError> {
        self.expect_class(export, self.is_node(export), "graph node")?;
        let index = PackageIndex::of_export(export);
        let row = self.export(export)?;
        let (mut archive, is_default) = self.open_object(export)?;
        let properties = read_object(&mut archive, is_default)?;
        let pins = if archive.has(step::PINS_IN_NODE) {
            read_pins(&mut archive)?
        } else {
            read_pin_objects(self, &properties.objects("Pins"))?
        };
        let user_pins = read_user_pins(&mut archive);
        Ok(NodeData {
            index,
            name: row.name.clone(),
            class: self.class_path(index),
            properties,
            pins,
            user_pins,
            unread: archive.rest(),
        })
    }
}

/// Reads the user-defined pins after a node's pins.
///
/// Which classes have them cannot be known for all (plugins add their own), so it is decided by the
/// bytes: when they are such a list to the last byte, they are one. Otherwise nothing is taken.
fn read_user_pins(archive: &mut Archive<'_>) -> Vec<UserPinData> {
    let start = archive.position();
    let pins = archive
        .count(24, "user-defined pin count")
        .and_then(|count| archive.repeat(count, read_user_pin));
    match pins {
        Ok(pins) if archive.left() == 0 => pins,
        Ok(_) | Err(_) => {
            archive.seek(start);
            Vec::new()
        }
    }
}

fn read_user_pin(archive: &mut Archive<'_>) -> Result<UserPinData, PackageError> {
    Ok(UserPinData {
        name: read_pin_name(archive, "name of user-defined pin")?,
        ty: read_pin_type(archive)?,
        direction: read_user_direction(archive)?,
        default_value: archive.string("default of user-defined pin")?,
    })
}

/// The side of a user-defined pin; one package of the corpus stores 2, the engine's "no side".
fn read_user_direction(archive: &mut Archive<'_>) -> Result<Option<PinDirection>, PackageError> {
    const NO_SIDE: u8 = 2;
    let start = archive.position();
    if archive.u8("side of user-defined pin")? == NO_SIDE {
        return Ok(None);
    }
    archive.seek(start);
    read_direction(archive).map(Some)
}
