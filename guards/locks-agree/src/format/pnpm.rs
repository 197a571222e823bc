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
            (2, "overrides") => lock.overrides.extend(overridden(inner).map(str::to_owned)),
            (2, "packages") => {
                let (name, version, peers) = identity(key(inner).trim_start_matches('/'), &lock.generation);
                lock.entries.push(Entry {
                    name: name.to_owned(),
                    version: version.to_owned(),
                    variant: peers.to_owned(),
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

/// The package of `a: ^1`, `'@scope/a@1': ^2` and `b>a: ^1`.
fn overridden(inner: &str) -> Option<&str> {
    let selector = inner.split(": ").next()?.trim_matches(['\'', '"']);
    let one = selector.rsplit('>').next()?;
    let end = one.get(1..).and_then(|rest| rest.find('@')).map_or(one.len(), |at| at + 1);
    Some(&one[..end])
}

/// Name, version, and the peers with which that version stands there: once for each choice of them.
fn identity<'k>(key: &'k str, generation: &str) -> (&'k str, &'k str, &'k str) {
    // Up to version 5: `@scope/name/1.0.0_peer@2.0.0`.
    if generation.trim_start_matches(|c: char| !c.is_ascii_digit()).starts_with('5') {
        let slashes = key.match_indices('/').map(|(at, _)| at);
        let nth = usize::from(key.starts_with('@'));
        let Some(end) = slashes.clone().nth(nth) else { return (key, "", "") };
        let (version, peers) = key[end + 1..].split_once('_').unwrap_or((&key[end + 1..], ""));
        return (&key[..end], version, peers);
    }
    // Later: `@scope/name@1.0.0(peer@2.0.0)`.
    let (plain, peers) = key.split_at(key.find('(').unwrap_or(key.len()));
    match plain.get(1..).and_then(|rest| rest.rfind('@')).map(|at| at + 1) {
        Some(at) => (&plain[..at], &plain[at + 1..], peers),
        None => (plain, "", peers),
    }
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
