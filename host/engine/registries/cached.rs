//! Answers between runs, each with the time at which it was given. Only what this user's host wrote counts.

use std::path::PathBuf;

use blake3::Hasher;
use guardhost_core::cache::BoundedFolder;
use serde::{Deserialize, Serialize};

use super::addresses::Registry;
use super::index::Found;
use crate::load::authenticated::Authenticated;

/// Bytes of all answers: some ten thousand.
const MOST: u64 = 4 << 20;

/// Seconds for which a package counts as there. When its first version came does not change, and what is there seldom goes.
const THERE: u64 = 7 * 24 * 60 * 60;

/// Seconds for which a package counts as missing: as long as somebody who was told so takes to publish it.
const MISSING: u64 = 10 * 60;

/// Of the user; holds nothing else.
pub struct CachedAnswers {
    pub folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct RegistryAnswer {
    /// Seconds since 1970.
    asked: u64,
    found: Found,
}

impl CachedAnswers {
    /// `now`: seconds since 1970.
    pub fn get(&self, registry: &Registry, name: &str, now: u64) -> Option<Found> {
        let RegistryAnswer { asked, found } = serde_json::from_slice(&self.open()?.get(&key(registry, name))?).ok()?;
        let lasts = match &found {
            Found::There { .. } => THERE,
            Found::Missing(_) => MISSING,
            Found::Unknown(_) => return None,
        };
        // An answer of the future was given by a clock that was wrong.
        (asked <= now && now - asked < lasts).then_some(found)
    }

    /// That it cannot be written is no error: it is asked again.
    pub fn put(&self, registry: &Registry, name: &str, found: &Found, now: u64) {
        if matches!(found, Found::Unknown(_)) {
            return;
        }
        let answer = serde_json::to_vec(&RegistryAnswer { asked: now, found: found.clone() });
        if let (Some(cache), Ok(answer)) = (self.open(), answer) {
            let _ = cache.put(&key(registry, name), &answer);
        }
    }

    fn open(&self) -> Option<Authenticated> {
        let folder = BoundedFolder::open(&self.folder, MOST).ok()?;
        Authenticated::new(folder.for_many(), "registry answers").ok()
    }
}

/// What another registry said is no answer of this one.
fn key(registry: &Registry, name: &str) -> String {
    let mut hasher = Hasher::new();
    hasher.update(registry.ecosystem.name().as_bytes());
    for url in &registry.urls {
        hasher.update(b"\0").update(url.as_str().as_bytes());
    }
    hasher.update(if registry.goes_on { b"\0+\0" } else { b"\0-\0" }).update(name.as_bytes());
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::addresses::{RegistryEcosystem, url};
    use super::*;

    #[test]
    fn answers_have_an_age() {
        let folder = tempfile::tempdir().unwrap();
        let kept = CachedAnswers { folder: folder.path().join("answers") };
        let registry = |text: &str| Registry {
            ecosystem: RegistryEcosystem::Npm,
            urls: url(text).into_iter().collect(),
            goes_on: false,
        };
        let (here, elsewhere) = (registry("https://a.example/"), registry("https://b.example/"));
        let there = Found::There { first: Some(5), versions: Some(2) };
        let missing = Found::Missing("404".into());
        kept.put(&here, "old", &there, 1_000);
        kept.put(&here, "none", &missing, 1_000);
        kept.put(&here, "dark", &Found::Unknown("503".into()), 1_000);
        for (name, now, expected) in [
            ("old", 1_000, Some(&there)),
            ("old", 1_000 + THERE - 1, Some(&there)),
            ("old", 1_000 + THERE, None),
            ("old", 999, None),
            ("none", 1_000 + MISSING - 1, Some(&missing)),
            ("none", 1_000 + MISSING, None),
            ("dark", 1_000, None),
            ("other", 1_000, None),
        ] {
            assert_eq!(kept.get(&here, name, now).as_ref(), expected, "{name} at {now}");
        }
        assert_eq!(kept.get(&elsewhere, "old", 1_000), None);
    }
}
