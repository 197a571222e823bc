//! `Gemfile.lock`.

use crate::lock::{Digest, Entry, Lock, Root};

pub fn read(text: &str) -> Option<Lock> {
    let mut lock = Lock::default();
    let mut section = "";
    for (number, line) in (1..).zip(text.lines()) {
        if !line.starts_with(' ') {
            section = line.trim();
            continue;
        }
        let inner = line.trim();
        let (name, rest) = inner.split_once(' ').unwrap_or((inner, ""));
        match section {
            "DEPENDENCIES" => {
                let name = name.trim_end_matches('!').to_owned();
                lock.roots.push(Root { of: "*".into(), name, requirement: String::new() });
            }
            "CHECKSUMS" => {
                let version = rest.trim_start_matches('(').split(')').next().unwrap_or_default().to_owned();
                let digests =
                    rest.split_once("sha256=").map(|(_, digest)| Digest::hex(digest, 64)).into_iter().collect();
                lock.entries.push(Entry { name: name.to_owned(), version, digests, line: number, ..Entry::default() });
            }
            _ => {}
        }
    }
    (!lock.roots.is_empty()).then_some(lock)
}
