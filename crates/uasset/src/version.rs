//! Version numbers that decide how a package is stored.
//!
//! A package carries a UE4 number, a UE5 number, and one number per *custom version*: a part of the
//! engine that counts its own changes, known by a guid. Only the numbers that change what this crate
//! reads are named here.
//!
//! Source: known from public readers of packages; each step marked "seen" lies between two versions
//! of the corpus, so both of its sides are read there.

use crate::Guid;

/// The oldest UE4 number that is read (4.8); what is older stores properties in other ways.
pub(crate) const OLDEST_UE4: i32 = 482;
/// The newest UE4 number that is read; the number stands still since 4.27.
pub(crate) const NEWEST_UE4: i32 = 522;
/// The newest UE5 number that is read (5.6 saves 1017).
pub(crate) const NEWEST_UE5: i32 = 1018;
/// The layout of the summary itself; it counts down.
pub(crate) const OLDEST_LEGACY: i32 = -5;
/// The newest layout of the summary.
pub(crate) const NEWEST_LEGACY: i32 = -9;

/// Steps of the UE4 number: from this number on, the package stores the thing named.
pub(crate) mod ue4 {
    /// Exports say whether they are assets.
    pub(crate) const EXPORT_IS_ASSET: i32 = 485;
    /// The tag of an array of structs is followed by a tag of its elements.
    pub(crate) const ARRAY_INNER_TAG: i32 = 500;
    /// A property tag may carry a guid.
    pub(crate) const PROPERTY_TAG_GUID: i32 = 503;
    /// Names are followed by their hashes.
    pub(crate) const NAME_HASHES: i32 = 504;
    /// Exports list what must be loaded before them.
    pub(crate) const PRELOAD_DEPENDENCIES: i32 = 507;
    /// Exports name their template.
    pub(crate) const EXPORT_TEMPLATE: i32 = 508;
    /// Tags of sets and maps carry the types of their elements.
    pub(crate) const SET_MAP_TAGS: i32 = 509;
    /// The summary points to names that can be searched.
    pub(crate) const SEARCHABLE_NAMES: i32 = 510;
    /// Sizes and offsets of exports have 64 bits.
    pub(crate) const EXPORT_SIZE_64: i32 = 511;
    /// A soft path is an asset name and a sub-path, no longer one string (seen).
    pub(crate) const SOFT_PATH_NAME: i32 = 514;
    /// The summary carries a localization id (seen).
    pub(crate) const LOCALIZATION_ID: i32 = 516;
    /// The summary carries a persistent guid (seen).
    pub(crate) const PACKAGE_OWNER: i32 = 518;
    /// The summary no longer carries an owner guid, imports name their package (seen).
    pub(crate) const IMPORT_PACKAGE_NAME: i32 = 520;
}

/// Steps of the UE5 number: from this number on, the package stores the thing named.
pub(crate) mod ue5 {
    /// Imports say whether they are optional.
    pub(crate) const OPTIONAL_RESOURCES: i32 = 1003;
    /// Vectors, rotators and the like are doubles (seen).
    pub(crate) const LARGE_WORLD_COORDINATES: i32 = 1004;
    /// Exports carry no package guid any more (seen).
    pub(crate) const NO_EXPORT_GUID: i32 = 1005;
    /// Exports say whether they are inherited instances (seen).
    pub(crate) const EXPORT_IS_INHERITED: i32 = 1006;
    /// Soft paths name package and asset apart (seen).
    pub(crate) const SOFT_PATH_TOP_LEVEL: i32 = 1007;
    /// Soft paths are an index into a table of the package (seen).
    pub(crate) const SOFT_PATH_TABLE: i32 = 1008;
    /// Exports say where their script lies (seen).
    pub(crate) const EXPORT_SCRIPT_RANGE: i32 = 1010;
    /// Property lists and tags may carry extensions (seen).
    pub(crate) const PROPERTY_EXTENSIONS: i32 = 1011;
    /// Property tags carry complete type names (seen).
    pub(crate) const COMPLETE_TYPE_NAMES: i32 = 1012;
    /// The summary points to metadata (seen).
    pub(crate) const METADATA_OFFSET: i32 = 1014;
    /// The summary counts Verse cells (seen).
    pub(crate) const VERSE_CELLS: i32 = 1015;
    /// The summary carries a hash in place of a guid (seen).
    pub(crate) const SAVED_HASH: i32 = 1016;
    /// The summary points to the type hierarchies of imports (assumed: no sample).
    pub(crate) const IMPORT_HIERARCHIES: i32 = 1018;
}

/// A part of the engine with its own version number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Framework,
    Blueprints,
    Release,
    Ue5Release,
    Ue5Main,
    Fortnite,
    Core,
    Editor,
}

impl Part {
    /// The guid that the package's table of custom versions knows the part by.
    pub(crate) const fn guid(self) -> Guid {
        Guid(match self {
            Self::Framework => [0xCFFC_743F, 0x43B0_4480, 0x9391_14DF, 0x171D_2073],
            Self::Blueprints => [0xB0D8_32E4, 0x1F89_4F0D, 0xACCF_7EB7, 0x36FD_4AA2],
            Self::Release => [0x9C54_D522, 0xA826_4FBE, 0x9421_0746, 0x61B4_82D0],
            Self::Ue5Release => [0xD89B_5E42, 0x24BD_4D46, 0x8412_ACA8, 0xDF64_1779],
            Self::Ue5Main => [0x697D_D581, 0xE64F_41AB, 0xAA4A_51EC, 0xBEB7_B628],
            Self::Fortnite => [0x601D_1886, 0xAC64_4F84, 0xAA16_D3DE, 0x0DEA_C7D6],
            Self::Core => [0x375E_C13C, 0x06E4_48FB, 0xB500_84F0, 0x262A_717E],
            Self::Editor => [0xE4B0_68ED, 0xF494_42E9, 0xA231_DA0B, 0x2E46_BB41],
        })
    }
}

/// A step of a custom version: from this number of this part on, the package stores the thing named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(pub(crate) Part, pub(crate) i32);

/// Steps of the custom versions.
pub(crate) mod step {
    use super::{Part, Step};

    /// Pin types store their container in one byte (seen).
    pub(crate) const PIN_CONTAINER: Step = Step(Part::Framework, 26);
    /// Fields no longer form a linked list (seen).
    pub(crate) const NO_NEXT_FIELD: Step = Step(Part::Framework, 29);
    /// Pins store names in place of strings (seen).
    pub(crate) const PIN_NAMES: Step = Step(Part::Framework, 31);
    /// Pins are part of their node, no longer objects of their own (assumed: no older sample).
    pub(crate) const PINS_IN_NODE: Step = Step(Part::Blueprints, 4);
    /// Pin types know sets and maps.
    pub(crate) const PIN_SETS_AND_MAPS: Step = Step(Part::Blueprints, 6);
    /// Properties store a replication condition, first form (seen).
    pub(crate) const REPLICATION_CONDITION: Step = Step(Part::Release, 21);
    /// Field paths name their owner (seen).
    pub(crate) const FIELD_PATH_OWNER: Step = Step(Part::Release, 30);
    /// The same step, counted by another branch of the engine (seen).
    pub(crate) const FIELD_PATH_OWNER_2: Step = Step(Part::Fortnite, 33);
    /// Pin types say whether they are class wrappers (seen).
    pub(crate) const PIN_CLASS_WRAPPER: Step = Step(Part::Release, 32);
    /// The release is 4.27: all 105 packages that say so count 43 changes, all 39 of 4.26 count 38.
    pub(crate) const RELEASE_4_27: Step = Step(Part::Release, 43);
    /// Pin types say whether they are stored in single precision (seen).
    pub(crate) const PIN_SINGLE_PRECISION: Step = Step(Part::Ue5Release, 36);
    /// Pins store an index of their source (seen).
    pub(crate) const PIN_SOURCE_INDEX: Step = Step(Part::Ue5Main, 50);
    /// Properties are fields, no longer objects (seen).
    pub(crate) const PROPERTIES_ARE_FIELDS: Step = Step(Part::Core, 4);
    /// Values of enums have 64 bits.
    pub(crate) const ENUM_VALUES_64: Step = Step(Part::Core, 2);
    /// Number formats of texts store whether the sign is always written.
    pub(crate) const TEXT_ALWAYS_SIGN: Step = Step(Part::Editor, 0);
    /// Texts without history may hold a culture-invariant string (seen).
    pub(crate) const TEXT_INVARIANT: Step = Step(Part::Editor, 32);
    /// Texts name their package (assumed: no sample).
    pub(crate) const TEXT_PACKAGE: Step = Step(Part::Fortnite, 260);
}
