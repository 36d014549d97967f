//! A Blueprint: its class's members and its graphs.

use bp_diag::Span;
use bp_reflect::{EngineVersion, Enum, Name, ObjectPath, Property, PropertyFlags, Struct};

use crate::{Graph, Guid, PinType};

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
    /// Heading it is listed under.
    pub category: Option<String>,
    /// What the editor shows, where a reader knows it.
    pub friendly_name: Option<String>,
    /// Where it is written.
    pub span: Option<Span>,
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
    /// Where it is written.
    pub span: Option<Span>,
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
    /// Where it is written.
    pub span: Option<Span>,
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
