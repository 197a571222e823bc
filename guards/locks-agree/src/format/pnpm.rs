//! `pnpm-lock.yaml`.

use crate::lock::{Digest, Entry, Lock, Root};

pub fn read(text: &str) -> Option<Lock> {
    let mut lock = Lock::default();
    let mut section = "";
    let mut importer = "";
    let mut dependency = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let inner = line.trim();
        let indent = line.len() - line.trim_start().len();
        if inner.is_empty() || inner.starts_with('#') {
            continue;
        }
        match (indent, section) {
            (0, _) => {
                section = inner.split(':').next().unwrap_or_default();
                if section == "lockfileVersion" {
                    lock.generation = inner.to_owned();
                }
                // Of a repository with one package, the root's dependencies stand without an importer.
                importer =
                    if matches!(section, "dependencies" | "devDependencies" | "optionalDependencies" | "specifiers") {
                        "."
                    } else {
                        ""
                    };
            }
            (2, "importers") => importer = key(inner),
            (6, "importers") => dependency = key(inner).to_owned(),
            (8, "importers") => lock.roots.extend(specifier(inner, importer, &dependency)),
            (2, "dependencies" | "devDependencies" | "optionalDependencies") => dependency = key(inner).to_owned(),
            (4, "dependencies" | "devDependencies" | "optionalDependencies") => {
                lock.roots.extend(specifier(inner, importer, &dependency))
            }
            (2, "packages") => {
                let name = key(inner).trim_start_matches('/');
                let plain = name.split('(').next().unwrap_or(name);
                let at = plain.get(1..).and_then(|rest| rest.rfind('@')).map(|at| at + 1);
                let (name, version) = at.map_or((plain, ""), |at| (&plain[..at], &plain[at + 1..]));
                lock.entries.push(Entry {
                    name: name.to_owned(),
                    version: version.to_owned(),
                    line: number,
                    ..Entry::default()
                });
            }
            (4, "packages") if inner.starts_with("resolution:") => {
                let integrity = inner
                    .split_once("integrity: ")
                    .map(|(_, rest)| rest.split([',', '}']).next().unwrap_or(rest).trim());
                if let (Some(integrity), Some(entry)) = (integrity, lock.entries.last_mut()) {
                    entry.digests.push(Digest::integrity(integrity));
                }
            }
            _ => {}
        }
    }
    Some(lock)
}

fn key(inner: &str) -> &str {
    let inner = inner.strip_suffix(": {}").unwrap_or(inner);
    inner.strip_suffix(':').unwrap_or(inner).trim_matches('\'')
}

fn specifier(inner: &str, importer: &str, name: &str) -> Option<Root> {
    let requirement = inner.strip_prefix("specifier: ")?.trim_matches(['\'', '"']).to_owned();
    Some(Root {
        of: if importer == "." { String::new() } else { importer.to_owned() },
        name: name.to_owned(),
        requirement,
    })
}
