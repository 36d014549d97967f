//! What kind of input some bytes are.

use bp_bytecode::file::is_package_file;

/// Kinds of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
pub enum Kind {
    /// Blueprint JSON.
    Json,
    /// Text that the editor puts on the clipboard.
    T3d,
    /// An Unreal package, `.uasset` or `.umap`.
    Uasset,
    /// A compiled package, `.bpx`.
    Bpx,
    /// Assembly text, `.bpasm`.
    Bpasm,
}

impl Kind {
    /// Whether it holds graphs, so that it can be compiled.
    pub fn is_source(self) -> bool {
        match self {
            Self::Json | Self::T3d | Self::Uasset => true,
            Self::Bpx | Self::Bpasm => false,
        }
    }

    /// In a few words, with the article.
    pub fn words(self) -> &'static str {
        match self {
            Self::Json => "a Blueprint in JSON",
            Self::T3d => "clipboard text",
            Self::Uasset => "an Unreal package",
            Self::Bpx => "a compiled package",
            Self::Bpasm => "assembly text",
        }
    }

    /// The kind that a file's name promises.
    pub fn of_extension(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "json" => Self::Json,
            "t3d" | "copy" => Self::T3d,
            "uasset" | "umap" => Self::Uasset,
            "bpx" => Self::Bpx,
            "bpasm" => Self::Bpasm,
            _ => return None,
        })
    }

    /// The kind that some bytes are, told from their content alone.
    ///
    /// Clipboard text may be wrapped in a document or in JSON strings, so `Begin Object` counts
    /// wherever it stands, unless the text is a Blueprint in JSON.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if is_package_file(bytes) {
            return Some(Self::Bpx);
        }
        if bytes.starts_with(&PACKAGE_TAG) || bytes.starts_with(&PACKAGE_TAG_SWAPPED) {
            return Some(Self::Uasset);
        }
        let text = bp_graph::t3d::decode_bytes(bytes).ok()?;
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let is_json = text.starts_with(['{', '[']);
        if is_json && text.contains("blueprint/") {
            return Some(Self::Json);
        }
        if ["Begin Object", "Begin Map", "BPVar("]
            .iter()
            .any(|mark| text.contains(mark))
        {
            return Some(Self::T3d);
        }
        if is_json {
            return Some(Self::Json);
        }
        let first = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with(';'))?;
        let word = first.split_whitespace().next()?;
        ASSEMBLY_WORDS.contains(&word).then_some(Self::Bpasm)
    }
}

/// What `.uasset` files begin with, little endian as nearly always.
const PACKAGE_TAG: [u8; 4] = [0xC1, 0x83, 0x2A, 0x9E];
/// The same, saved on a big-endian machine.
const PACKAGE_TAG_SWAPPED: [u8; 4] = [0x9E, 0x2A, 0x83, 0xC1];

/// Words that an assembly text can begin with.
const ASSEMBLY_WORDS: [&str; 6] = ["package", "class", "function", "struct", "enum", "names"];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &[u8], kind: Option<Kind>) {
        assert_eq!(Kind::of_content(content), kind, "{content:?}");
    }

    #[test]
    fn content_tells_the_kind() {
        check(b"{\"format\": \"blueprint/1\"}", Some(Kind::Json));
        check(b"\xEF\xBB\xBF  {\"format\"", Some(Kind::Json));
        check(b"Begin Object Class=K2Node_Knot", Some(Kind::T3d));
        check(
            b"{\"code\": \"Begin Object Class=K2Node_Knot\"}",
            Some(Kind::T3d),
        );
        check(b"\xC1\x83\x2A\x9E\xF8\xFF", Some(Kind::Uasset));
        check(b"\x89BPX\r\n\x1a\n\x01\x00", Some(Kind::Bpx));
        check(b"; a comment\n\npackage 5.6\n", Some(Kind::Bpasm));
        check(b"hello", None);
        check(b"", None);
    }

    #[test]
    fn utf16_is_text_too() {
        let mut bytes = vec![0xFF, 0xFE];
        bytes.extend("Begin Object".encode_utf16().flat_map(u16::to_le_bytes));
        check(&bytes, Some(Kind::T3d));
    }
}
