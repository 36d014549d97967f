use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An engine release: `4.27`, `5.3`. Ordered by age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EngineVersion {
    /// 4 or 5.
    pub major: u8,
    /// The number behind the point.
    pub minor: u8,
}

impl EngineVersion {
    /// The version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// The newest version whose output was observed; what a Blueprint without `engine` compiles for.
    pub const LATEST: Self = Self::new(5, 6);

    /// The oldest version whose bytecode is known well enough to be written.
    pub const OLDEST: Self = Self::new(4, 16);

    /// Whether vectors, rotators and transforms hold doubles ("large world coordinates").
    /// Source: file version 1004, first seen in 5.0 packages.
    pub fn has_large_world_coordinates(self) -> bool {
        self >= Self::new(5, 0)
    }
}

impl fmt::Display for EngineVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for EngineVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not an engine version such as 5.3");
        let (major, minor) = text.trim().split_once('.').ok_or_else(bad)?;
        let minor = minor.split('.').next().unwrap_or(minor);
        let version = Self {
            major: major.parse().map_err(|_| bad())?,
            minor: minor.parse().map_err(|_| bad())?,
        };
        if version < Self::OLDEST || version.major > 5 {
            return Err(format!(
                "there is no bytecode of engine {version} here: give one from {} to 5.x",
                Self::OLDEST
            ));
        }
        Ok(version)
    }
}
