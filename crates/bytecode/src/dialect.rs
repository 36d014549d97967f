//! What of the bytecode depends on the engine version.

use bp_reflect::EngineVersion;
use serde::{Deserialize, Serialize};

/// The engine version a script is written for, and the rules that follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dialect {
    /// The version.
    pub engine: EngineVersion,
}

/// What an `EX_Cast` converts; its byte is the dialect's ([`Dialect::cast_byte`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CastKind {
    /// Object to interface; never emitted, `EX_ObjToInterfaceCast` is used instead.
    ObjectToInterface,
    /// Whether an object is not null.
    ObjectToBool,
    /// Whether an interface is not null.
    InterfaceToBool,
    /// Narrows.
    DoubleToFloat,
    /// Widens.
    FloatToDouble,
}

impl Dialect {
    /// The dialect of an engine version.
    pub const fn new(engine: EngineVersion) -> Self {
        Self { engine }
    }

    /// Whether `Real` operands are doubles.
    pub fn has_large_world_coordinates(self) -> bool {
        self.engine.has_large_world_coordinates()
    }

    /// The byte of a cast kind, if this version has it.
    ///
    /// Source: 488 bool casts and 352 numeric casts of real packages. 5.0 numbers the widening cast 6.
    pub fn cast_byte(self, kind: CastKind) -> Option<u8> {
        let v5 = self.engine.major >= 5;
        Some(match kind {
            CastKind::ObjectToInterface => {
                if v5 {
                    0x00
                } else {
                    0x46
                }
            }
            CastKind::ObjectToBool => {
                if v5 {
                    0x01
                } else {
                    0x47
                }
            }
            CastKind::InterfaceToBool => {
                if v5 {
                    0x02
                } else {
                    0x49
                }
            }
            CastKind::DoubleToFloat if v5 => 0x03,
            CastKind::FloatToDouble if self.engine == EngineVersion::new(5, 0) => 0x06,
            CastKind::FloatToDouble if v5 => 0x04,
            CastKind::DoubleToFloat | CastKind::FloatToDouble => return None,
        })
    }

    /// The cast kind a byte means, the reverse of [`Dialect::cast_byte`].
    pub fn cast_kind(self, byte: u8) -> Option<CastKind> {
        [
            CastKind::ObjectToInterface,
            CastKind::ObjectToBool,
            CastKind::InterfaceToBool,
            CastKind::DoubleToFloat,
            CastKind::FloatToDouble,
        ]
        .into_iter()
        .find(|kind| self.cast_byte(*kind) == Some(byte))
    }

    /// Whether text literals use the numbering of 5.8, which has a kind for texts with notes.
    pub fn has_text_notes(self) -> bool {
        self.engine >= EngineVersion::new(5, 8)
    }

    /// Whether `EX_LocalVirtualFunction` and `EX_LocalFinalFunction` exist.
    ///
    /// Source: absent in 4.16 - 4.18 packages, present in 4.22; assumed to begin with 4.19.
    pub fn has_local_calls(self) -> bool {
        self.engine >= EngineVersion::new(4, 19)
    }

    /// Whether `EX_CallMath` serves every static final native function, not only the math library's.
    ///
    /// Source: 91 of 91 calls up to 4.22 and all later ones.
    pub fn has_call_math_everywhere(self) -> bool {
        self.engine >= EngineVersion::new(4, 23)
    }
}
