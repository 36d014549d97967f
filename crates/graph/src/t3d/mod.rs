//! The text that the editor puts on the clipboard when nodes are copied (T3D): in and out.
//!
//! In: text ([`read`]; [`decode_bytes`] for a file's bytes). Out: a [`Clipboard`], the graphs and
//! variables that the text holds, and from it a whole [`Blueprint`](crate::Blueprint)
//! ([`to_blueprint`]), with what no paste holds inferred. The way back is [`write()`].
//!
//! Reading order: `clean` (undoes what Markdown, HTML and JSON do to a text), `lex` (characters to
//! values), `object` (values to nested objects), `node`, `pin` and `links` (objects to nodes, pins and
//! links), `read` (which graph a node is of, which editor it is from), `infer` (a Blueprint around the
//! graphs), `dress` (values to text in the form of a version), `write`.
//!
//! Shape of what is read, beside the invariants of the crate:
//! - Position, id, comment and state of a node are its fields; every other property line is in
//!   [`Node::properties`](crate::Node::properties) in the order of the text, elements of `Key(0)=`
//!   lines together in an array.
//! - `CustomProperties UserDefinedPin` lines are the property [`USER_DEFINED_PINS`], objects inside a
//!   node that are neither pins nor graphs the property [`SUBOBJECTS`].
//! - Spans count bytes of the text given to [`read`], whatever was undone before reading. A node's is
//!   its header, a pin's its `PinName`.
//!
//! Limits: texts of 64 MiB, objects and lists nested 256 deep. Reading takes time in proportion to the
//! length of the text, never panics, and reads on behind each mistake.
//!
//! Source: texts seen on public pages; see the tests for each form.

mod clean;
mod dress;
mod editors;
mod infer;
mod lex;
mod links;
mod node;
mod object;
mod pin;
mod read;
mod write;

use bp_diag::{Code, Diagnostic, Diagnostics, SourceId};
use bp_reflect::{EngineVersion, ObjectPath};
use indexmap::IndexMap;

use crate::{Graph, Guid, Variable};

pub use clean::decode_bytes;
pub use dress::{Dress, text_macro};
pub use infer::to_blueprint;
pub use pin::parse_text;
pub use write::{WriteOptions, asset_path, write, write_blueprint, write_variable};

/// Property that keeps the `CustomProperties UserDefinedPin` lines of a node: an array of lists
/// (`PinName`, `PinType`, `DesiredPinDirection`, `PinDefaultValue`).
pub const USER_DEFINED_PINS: &str = "UserDefinedPins";

/// Property that keeps objects inside a node: an array of lists that begin with `Class` and `Name`.
pub const SUBOBJECTS: &str = "Subobjects";

/// Texts longer than this are refused.
const MAX_BYTES: usize = 64 << 20;

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Clipboard {
    /// One graph for each that the nodes' paths name, in the order of their first nodes; then those
    /// copied as a whole. Never two of one name and place.
    pub graphs: Vec<Graph>,
    /// Member variables copied beside the nodes.
    pub variables: Vec<Variable>,
    /// Path of the Blueprint that the nodes are from, where the text names it:
    /// `/Game/Doors/BP_Door.BP_Door`; of a level `/Game/Map.Map:PersistentLevel.Map`.
    pub asset: Option<ObjectPath>,
    /// The form of the text, which tells its age.
    pub form: TextForm,
    /// Ids that are no 32 hexadecimal digits, as written.
    pub ids: GuidTexts,
}

impl Clipboard {
    /// Nodes of all graphs, insides of collapsed nodes included.
    pub fn n_nodes(&self) -> usize {
        fn count(graph: &Graph) -> usize {
            graph.nodes.len() + graph.children.iter().map(count).sum::<usize>()
        }
        self.graphs.iter().map(count).sum()
    }
}

/// The forms of the text over the years, oldest first.
///
/// Source: texts of known age; the versions at the boundaries are assumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextForm {
    /// Pins are objects of their own: UE 4.14 and before.
    PinObjects,
    /// Short class names in references: up to UE 4.27.
    Ue4,
    /// Full class names, paths quoted inside references: UE 5.0.
    Ue50,
    /// References quoted as a whole: UE 5.1 to 5.4.
    Ue51,
    /// `bDefaultsToPureFunc` in place of `bIsPureFunc`: UE 5.5 and later. Also what gives no evidence.
    #[default]
    Ue55,
}

impl TextForm {
    /// The newest version that writes the form and whose bytecode is known.
    pub fn engine(self) -> EngineVersion {
        match self {
            Self::PinObjects => EngineVersion::OLDEST,
            Self::Ue4 => EngineVersion::new(4, 27),
            Self::Ue50 => EngineVersion::new(5, 0),
            Self::Ue51 => EngineVersion::new(5, 4),
            Self::Ue55 => EngineVersion::LATEST,
        }
    }
}

/// Ids that are no 32 hexadecimal digits (`GUID_B` in a document, `{{TOKEN}}` in a template) by the
/// [`Guid`] made of them, so that they can be written again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuidTexts(IndexMap<Guid, String>);

impl GuidTexts {
    /// The text an id had, if it was no proper one.
    pub fn text(&self, id: Guid) -> Option<&str> {
        self.0.get(&id).map(String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether all ids were proper.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The id that a text is or stands for; an empty one is zeros.
    fn read(&mut self, text: &str) -> Guid {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("None") {
            return Guid::default();
        }
        text.parse().unwrap_or_else(|_| {
            let id = Guid::of_text(text);
            self.0.entry(id).or_insert_with(|| text.to_owned());
            id
        })
    }
}

/// Whether a text looks like clipboard text, of whichever editor and however damaged.
pub fn is_clipboard_text(text: &str) -> bool {
    text.contains("Begin Object")
        || ["BPVar(", "BPGraph("]
            .iter()
            .any(|word| text.contains(word))
}

/// Reads clipboard text.
///
/// The clipboard holds all that could be read, also when there are errors: text that is cut, malformed
/// or of another editor.
pub fn read(source: SourceId, text: &str) -> (Clipboard, Diagnostics) {
    if text.len() > MAX_BYTES {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::new(
            Code::TooLarge,
            format!(
                "the text has {} bytes; at most {MAX_BYTES} are read",
                text.len()
            ),
        ));
        return (Clipboard::default(), diagnostics);
    }
    read::read(source, &clean::clean(text))
}
