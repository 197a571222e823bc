//! Modules that a source archive of a release brings with it: `cargo install` then needs neither the target of guards nor the time to
//! build them. A list beside them says which sources they were made of, and modules of other sources are refused.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;

/// Below the package, in an archive only: `host/packaging/source.py` makes it.
const FOLDER: &str = "prebuilt";
/// Beside the modules: a line `DIGEST  PATH` for each source.
pub const LIST: &str = "SOURCES";

/// The folder of the modules; None in a checkout.
pub fn find(package: &Path, root: &Path) -> Result<Option<PathBuf>> {
    let folder = package.join(FOLDER);
    if !folder.is_dir() {
        return Ok(None);
    }
    let list = fs::read_to_string(folder.join(LIST)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut sources = BTreeSet::new();
    for line in list.lines() {
        let (_, path) = line.split_once("  ").ok_or_else(|| format!("{}: not a list: {line}", folder.display()))?;
        println!("cargo::rerun-if-changed={}", root.join(path).display());
        sources.insert(root.join(path));
    }
    if sources.is_empty() || self::list(root, &sources)? != list {
        let folder = folder.display();
        return Err(format!(
            "{folder} holds guards that were built of other sources than these. Remove that folder: then they are built anew, which needs \
             the target wasm32-unknown-unknown"
        )
        .into());
    }
    Ok(Some(folder))
}

/// The list for these files; those outside of the repository are pinned by Cargo.lock, which is one of them.
pub fn list(root: &Path, sources: &BTreeSet<PathBuf>) -> Result<String> {
    let mut list = String::new();
    for (path, inside) in sources.iter().filter_map(|path| Some((path, path.strip_prefix(root).ok()?))) {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        writeln!(list, "{:016x}{:08x}  {}", digest(&bytes), bytes.len(), inside.display())?;
    }
    Ok(list)
}

/// FNV-1a: it tells an edit, not an attack. Who can write the list can write the modules.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
