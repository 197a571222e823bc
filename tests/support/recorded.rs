//! Recordings of what the binary wrote: files in `tests/wire` that later outputs must equal.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// Set to `1`, it makes every comparison write its recording instead. Read the difference before you commit it.
pub const UPDATE: &str = guard_cases::UPDATE;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire")
}

/// Fails unless `value` is what `tests/wire/<name>` holds, byte for byte.
#[track_caller]
pub fn compare(name: &str, value: &str) {
    compare_file(&format!("tests/wire/{name}"), value);
}

/// The same for any file of the repository that is made.
#[track_caller]
pub fn compare_file(name: &str, value: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if guard_cases::updating() {
        fs::write(&path, value).unwrap();
        return;
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    if recorded != value {
        let diff = TextDiff::from_lines(&recorded, value);
        let diff = diff.unified_diff().context_radius(4).header("recorded", "now").to_string();
        panic!("{name} is not what the binary writes; {UPDATE}=1 records it anew.\n{diff}");
    }
}

/// The names of all recordings.
pub fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
