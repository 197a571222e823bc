//! `yarn.lock`, of both generations of Yarn.

use crate::lock::{Digest, Entry, Lock, Root};

pub fn read(text: &str) -> Option<Lock> {
    let mut lock = Lock::default();
    let mut entry: Option<Entry> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let inner = line.trim();
        if inner.is_empty() || inner.starts_with('#') {
            continue;
        }
        if !line.starts_with(' ') {
            lock.entries.extend(entry.take());
            let keys = inner.strip_suffix(':')?;
            if keys == "__metadata" {
                continue;
            }
            let patterns: Vec<&str> = keys.split(',').map(|key| key.trim().trim_matches('"')).collect();
            let (name, _) = split(patterns[0])?;
            for pattern in &patterns {
                let (name, requirement) = split(pattern)?;
                lock.roots.push(Root { of: "*".into(), name: name.to_owned(), requirement: requirement.to_owned() });
            }
            entry = Some(Entry { name: name.to_owned(), line: number, ..Entry::default() });
            continue;
        }
        let is_own_key = line.starts_with("  ") && !line.starts_with("   ");
        let Some((key, value)) = inner.split_once([' ', ':']).filter(|_| is_own_key) else { continue };
        let value = value.trim_start_matches([':', ' ']).trim_matches('"');
        match (key, &mut entry) {
            ("cacheKey" | "version", None) => lock.generation += value,
            ("version", Some(entry)) => entry.version = value.to_owned(),
            ("resolved" | "resolution", Some(entry)) => {
                let (address, hash) = value.split_once('#').unwrap_or((value, ""));
                entry.source = address.to_owned();
                entry.addresses.push(address.to_owned());
                if key == "resolved" && hash.len() == 40 && address.ends_with(".tgz") {
                    entry.digests.push(Digest::hex(hash, 40));
                }
            }
            ("integrity", Some(entry)) => entry.digests.push(Digest::integrity(value)),
            // `10c0/…`: the digest behind the key of the cache.
            ("checksum", Some(entry)) => {
                let digest = value.rsplit('/').next().unwrap_or(value);
                entry.digests.push(Digest::hex(digest, 128));
            }
            _ => {}
        }
    }
    lock.entries.extend(entry);
    Some(lock)
}

/// `@scope/name@^1.0` into name and requirement.
fn split(pattern: &str) -> Option<(&str, &str)> {
    let at = pattern.get(1..)?.find('@')? + 1;
    Some((&pattern[..at], &pattern[at + 1..]))
}
