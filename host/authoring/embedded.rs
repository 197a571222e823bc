//! `sdk/` and the contract as they lie in the binary; see `sdk/embed.rs`.

use guardhost_core::change::FileMode;

type File = (&'static str, FileMode, &'static [u8]);

/// Paths as in Guardhost's own repository, sorted within each folder. A link's bytes are its target.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

/// What stands at `path`: the file itself, or all below a folder, each with its path from there (empty for the file itself).
pub fn below(path: &str) -> impl Iterator<Item = (&'static str, FileMode, &'static [u8])> {
    FILES.iter().filter_map(move |(file, mode, bytes)| {
        let rest = file.strip_prefix(path)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
        Some((rest, *mode, *bytes))
    })
}
