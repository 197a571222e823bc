//! Recordings of what the binary wrote: files in `tests/wire` that later outputs must equal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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

/// The same for a line of a file of many: `name: value`. In an update the other lines stay.
#[track_caller]
pub fn compare_line(file: &str, name: &str, value: &str) {
    static WRITING: Mutex<()> = Mutex::new(());
    let mut all = lines(file);
    if guard_cases::updating() {
        let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        all = lines(file);
        all.insert(name.to_owned(), value.to_owned());
        let text = all.iter().map(|(name, value)| format!("{name}: {value}\n")).collect::<String>();
        return fs::write(folder().join(file), text).unwrap();
    }
    let recorded = all.remove(name).unwrap_or_default();
    assert_eq!(
        recorded, value,
        "the line {name} of tests/wire/{file} is not what came of it; {UPDATE}=1 writes it anew"
    );
}

/// The lines of such a file, by name.
pub fn lines(file: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join(file)).unwrap_or_default();
    let parts = text.lines().filter_map(|line| line.split_once(": "));
    parts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The names of all recordings.
pub fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
