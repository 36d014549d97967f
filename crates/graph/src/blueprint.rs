//! A Blueprint: its class's members and its graphs.

use bp_diag::Span;
use bp_reflect::{EngineVersion, Enum, Name, ObjectPath, Property, PropertyFlags, Struct};

use indexmap::IndexMap;

use crate::{Graph, Guid, PinType, Properties};

/// What sort of Blueprint it is (`EBlueprintType`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlueprintKind {
    /// An ordinary class.
    #[default]
    Normal,
    /// Static functions.
    FunctionLibrary,
    /// Macros only; has no class of its own.
    MacroLibrary,
    /// Function signatures.
    Interface,
    /// The Blueprint of a level.
    LevelScript,
}

/// A Blueprint as drawn.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// Its short name, without `_C`.
    pub name: Name,
    /// Path of the class it makes: `/Game/Doors/BP_Door.BP_Door_C`.
    pub class_path: ObjectPath,
    /// What sort it is.
    pub kind: BlueprintKind,
    /// Path of the parent class.
    pub parent: ObjectPath,
    /// The engine version it was saved by, or is to be compiled for.
    pub engine: EngineVersion,
    /// Paths of the interfaces it implements, in order.
    pub interfaces: Vec<ObjectPath>,
    /// Member variables, in order, dispatchers and components left out.
    pub variables: Vec<Variable>,
    /// Members that other designers than the variable list make: widgets of a widget tree, actors that a
    /// level's graphs refer to. Known from packages, whose class declares them; empty for other sources.
    pub designer_variables: Vec<Property>,
    /// Event dispatchers, in order.
    pub dispatchers: Vec<Dispatcher>,
    /// Components, parents before children.
    pub components: Vec<Component>,
    /// Inherited components whose properties this class changes.
    pub component_overrides: Vec<ComponentOverride>,
    /// Defaults of inherited members that this class changes, by engine name.
    pub class_defaults: Properties,
    /// Timelines.
    pub timelines: Vec<Timeline>,
    /// Structs defined beside it.
    pub structs: Vec<Struct>,
    /// Enums defined beside it.
    pub enums: Vec<Enum>,
    /// All graphs: event pages in page order, then the others in the order of the file.
    pub graphs: Vec<Graph>,
    /// The whole of it in its source.
    pub span: Option<Span>,
}

impl Blueprint {
    /// An empty Blueprint of `/Game`.
    pub fn new(name: impl Into<Name>, parent: ObjectPath, engine: EngineVersion) -> Self {
        let name = name.into();
        Self {
            class_path: ObjectPath::new(format!("/Game/{name}.{name}_C")),
            name,
            kind: BlueprintKind::Normal,
            parent,
            engine,
            interfaces: Vec::new(),
            variables: Vec::new(),
            designer_variables: Vec::new(),
            dispatchers: Vec::new(),
            components: Vec::new(),
            component_overrides: Vec::new(),
            class_defaults: Properties::default(),
            timelines: Vec::new(),
            structs: Vec::new(),
            enums: Vec::new(),
            graphs: Vec::new(),
            span: None,
        }
    }

    /// The graph of that name.
    pub fn graph(&self, name: &Name) -> Option<&Graph> {
        self.graphs.iter().find(|graph| graph.name == *name)
    }
}

/// A member or local variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Identifies it over renames.
    pub guid: Guid,
    /// Its type.
    pub ty: PinType,
    /// `CPF_*` bits as the editor keeps them on the variable.
    pub flags: PropertyFlags,
    /// Its default in the engine's text form; none is the type's zero.
    pub default: Option<String>,
    /// Function called when a replicated value arrives.
    pub on_rep: Option<Name>,
    /// To whom a replicated variable is sent (`ELifetimeCondition`, such as `COND_OwnerOnly`); none for everyone.
    pub replication: Option<String>,
    /// What the editor notes about it, by engine key: `tooltip`, `ExposeOnSpawn`, `MultiLine`.
    pub metadata: IndexMap<String, String>,
    /// Heading it is listed under.
    pub category: Option<String>,
    /// What the editor shows, where a reader knows it.
    pub friendly_name: Option<String>,
    /// Where it is written.
    pub span: Option<Span>,
}

/// What the editor notes about a new variable. Sources that say nothing of it mean this.
///
/// Source: most variables of 296 packages.
pub(crate) fn usual_metadata() -> IndexMap<String, String> {
    IndexMap::from([("MultiLine".to_owned(), "true".to_owned())])
}

impl Variable {
    /// A plain variable.
    pub fn new(name: impl Into<Name>, ty: PinType) -> Self {
        Self {
            name: name.into(),
            guid: Guid::default(),
            ty,
            flags: PropertyFlags::EDIT | PropertyFlags::BLUEPRINT_VISIBLE,
            default: None,
            on_rep: None,
            replication: None,
            metadata: usual_metadata(),
            category: None,
            friendly_name: None,
            span: None,
        }
    }
}

/// An event dispatcher: a multicast delegate variable and its signature.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    /// Its name; the signature is `<Name>__DelegateSignature`.
    pub name: Name,
    /// Parameters in order.
    pub params: Vec<Variable>,
    /// Identifies it over renames.
    pub guid: Guid,
    /// Heading it is listed under.
    pub category: Option<String>,
    /// What the editor shows, where a reader knows it.
    pub friendly_name: Option<String>,
    /// What the editor notes about it, by engine key.
    pub metadata: IndexMap<String, String>,
    /// Where it is written.
    pub span: Option<Span>,
}

impl Dispatcher {
    /// A dispatcher of which nothing else is known.
    pub fn new(name: impl Into<Name>, params: Vec<Variable>) -> Self {
        Self {
            name: name.into(),
            params,
            guid: Guid::default(),
            category: None,
            friendly_name: None,
            metadata: usual_metadata(),
            span: None,
        }
    }
}

/// A component of every object of the class.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its variable.
    pub name: Name,
    /// Its class.
    pub class: ObjectPath,
    /// The component it is attached to.
    pub parent: Option<Name>,
    /// Of a component attached to one of an ancestor: the short name of the ancestor's class (`BP_Door_C`), or
    /// [`Self::NATIVE`]. None for a component of this Blueprint, and where the source does not say it.
    pub parent_owner: Option<Name>,
    /// The bone or socket of the parent it is attached to.
    pub socket: Option<Name>,
    /// Identifies it over renames.
    pub guid: Guid,
    /// The properties its author set, by engine name.
    pub properties: Properties,
    /// Where it is written.
    pub span: Option<Span>,
}

impl Component {
    /// The owner of a component that a native class makes. It goes by the name of the object, which need not be
    /// that of a variable.
    pub const NATIVE: &'static str = "native";
}

/// An inherited component with properties of its own in this class.
#[derive(Clone, Debug)]
pub struct ComponentOverride {
    /// Its variable; of a component that a native class makes, the name of the object.
    pub name: Name,
    /// Its class.
    pub class: ObjectPath,
    /// The properties that differ from the parent's, by engine name.
    pub properties: Properties,
}

/// A timeline of every object of the class.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// Its name, shared by its node and its variable.
    pub name: Name,
    /// Names the variables made for its tracks.
    pub guid: Guid,
    /// Seconds.
    pub length: f64,
    /// Starts with the object.
    pub auto_play: bool,
    /// Starts again at the end.
    pub looping: bool,
    /// Curves and events.
    pub tracks: Vec<TimelineTrack>,
    /// Where it is written.
    pub span: Option<Span>,
}

impl Timeline {
    /// The member variable of a track's value, or of the `_Direction`: `<Timeline>_<Track>_<Guid>`,
    /// blanks as underscores.
    pub fn member(&self, track: &str) -> Name {
        let track = track.replace(' ', "_");
        if self.guid.is_zero() {
            Name::new(format!("{}_{track}", self.name))
        } else {
            Name::new(format!("{}_{track}_{}", self.name, self.guid))
        }
    }

    /// The function run after each step.
    pub fn update_function(&self) -> Name {
        Name::new(format!("{}__UpdateFunc", self.name))
    }

    /// The function run at the end.
    pub fn finished_function(&self) -> Name {
        Name::new(format!("{}__FinishedFunc", self.name))
    }

    /// The function an event track runs.
    pub fn event_function(&self, track: &str) -> Name {
        Name::new(format!("{}__{track}__EventFunc", self.name))
    }
}

/// One track of a timeline.
#[derive(Clone, Debug)]
pub struct TimelineTrack {
    /// Its name, and that of its pin.
    pub name: Name,
    /// What it drives.
    pub kind: TimelineTrackKind,
    /// Time in seconds, then one value a component of the kind; sorted by time.
    pub keys: Vec<(f64, Vec<f64>)>,
}

/// What a timeline track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimelineTrackKind {
    /// A float.
    Float,
    /// A vector.
    Vector,
    /// A linear colour.
    LinearColor,
    /// An exec pin.
    Event,
}
