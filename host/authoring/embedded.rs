//! The files of `sdk/` and the contract, embedded in the binary by `sdk/embed.rs`.

use guardhost_core::change::FileMode;

type File = (&'static str, FileMode, &'static [u8]);

/// Paths as in Guardhost's own repository, sorted within each folder. A link's bytes are its target.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

/// The file at `path`, or all files below that folder, each with its path relative to `path` (empty for the file itself).
pub fn below(path: &str) -> impl Iterator<Item = (&'static str, FileMode, &'static [u8])> {
    FILES.iter().filter_map(move |(file, mode, bytes)| {
        let rest = file.strip_prefix(path)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
        Some((rest, *mode, *bytes))
    })
}
