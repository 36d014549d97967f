//! Output files: whole or not at all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::exit::{Failure, Outcome};

/// Files that come into being together, under their names only when all of them are written.
///
/// Dropped before [`Outputs::commit`], nothing is left behind.
#[derive(Debug, Default)]
pub struct Outputs {
    pending: Vec<(NamedTempFile, PathBuf)>,
    /// For devices and pipes, which a file must not take the place of.
    streams: Vec<(PathBuf, Vec<u8>)>,
}

impl Outputs {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a file under a temporary name in the folder of `path`.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Outcome<()> {
        let failure = |reason| Failure::Write {
            path: path.to_owned(),
            reason,
        };
        // A link stays a link: what it leads to is written.
        let real = path.canonicalize();
        let path = real.as_deref().unwrap_or(path);
        if fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
            self.streams.push((path.to_owned(), bytes.to_owned()));
            return Ok(());
        }
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".bpc-");
        #[cfg(unix)]
        let readable = {
            use std::os::unix::fs::PermissionsExt;
            // Narrowed by the umask, as for every other new file.
            let mode = fs::metadata(path).map_or(0o666, |old| old.permissions().mode());
            fs::Permissions::from_mode(mode)
        };
        #[cfg(unix)]
        builder.permissions(readable);
        let mut file = builder.tempfile_in(folder).map_err(failure)?;
        file.write_all(bytes).map_err(failure)?;
        file.flush().map_err(failure)?;
        file.as_file().sync_all().map_err(failure)?;
        self.pending.push((file, path.to_owned()));
        Ok(())
    }

    /// Gives all files their names.
    ///
    /// # Errors
    /// A name cannot be taken, for example because a folder has it.
    pub fn commit(self) -> Outcome<Vec<PathBuf>> {
        for (_, path) in &self.pending {
            if path.is_dir() {
                return Err(Failure::usage(format!("{} is a folder", path.display())));
            }
        }
        let mut written = Vec::new();
        for (file, path) in self.pending {
            file.persist(&path).map_err(|error| Failure::Write {
                path: path.clone(),
                reason: error.error,
            })?;
            written.push(path);
        }
        for (path, bytes) in self.streams {
            let opened = fs::OpenOptions::new().write(true).open(&path);
            opened
                .and_then(|mut stream| stream.write_all(&bytes))
                .map_err(|reason| Failure::Write {
                    path: path.clone(),
                    reason,
                })?;
            written.push(path);
        }
        Ok(written)
    }
}

/// Writes one file, whole or not at all.
///
/// # Errors
/// As [`Outputs`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Outcome<()> {
    let mut outputs = Outputs::new();
    outputs.add(path, bytes)?;
    outputs.commit().map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_outputs_that_are_not_committed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut outputs = Outputs::new();
        outputs
            .add(&folder.path().join("a"), b"one")
            .expect("writable");
        drop(outputs);
        assert_eq!(fs::read_dir(&folder).expect("readable").count(), 0);
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        write_file(&path, b"first, longer").expect("writable");
        write_file(&path, b"second").expect("writable");
        assert_eq!(fs::read(&path).expect("readable"), b"second");
        assert_eq!(fs::read_dir(&folder).expect("readable").count(), 1);
    }
}
