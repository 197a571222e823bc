//! `go.sum`.

use crate::lock::{Algorithm, Digest, Entry, Lock, Root};

/// None: a line is not a module, a version and a digest.
pub fn read(text: &str) -> Option<Lock> {
    let mut lock = Lock::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, version, digest] = words[..] else { return None };
        let algorithm = if digest.starts_with("h1:") { Algorithm::Base64(32) } else { Algorithm::Other };
        let digests = vec![Digest { algorithm, value: digest.to_owned() }];
        if let Some(version) = version.strip_suffix("/go.mod") {
            lock.roots.push(Root { of: "*".into(), name: name.to_owned(), requirement: version.to_owned() });
        }
        // The two digests of a module are of different files.
        let source = if version.ends_with("/go.mod") { "go.mod" } else { "" };
        lock.entries.push(Entry {
            name: name.to_owned(),
            version: version.to_owned(),
            source: source.into(),
            digests,
            line: number,
            ..Entry::default()
        });
    }
    Some(lock)
}
