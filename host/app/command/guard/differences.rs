//! The differences between two locks, component by component.

use std::collections::BTreeMap;

use guardhost_policy::config::{LockFile, Locked};
use guardhost_report::{PinAction, PinChange, PinSide};

/// Every guard and language of either lock, by id.
pub fn differences(old: &LockFile, new: &LockFile, reads: &LockedReads) -> Vec<PinChange> {
    let mut ids: Vec<&str> = old.components.iter().chain(&new.components).map(|locked| locked.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let difference = |id| PinChange { reads: reads.get(id).cloned(), ..difference(id, old.get(id), new.get(id)) };
    ids.into_iter().map(difference).collect()
}

/// What languages read, in words, by their ids.
pub type LockedReads = BTreeMap<String, String>;

fn difference(id: &str, old: Option<&Locked>, new: Option<&Locked>) -> PinChange {
    let action = match (old, new) {
        (None, _) => PinAction::Added,
        (_, None) => PinAction::Removed,
        (old, new) if old == new => PinAction::Unchanged,
        _ => PinAction::Updated,
    };
    let imports = |locked: Option<&Locked>| locked.map(|locked| locked.imports.clone()).unwrap_or_default();
    let (before, after) = (imports(old), imports(new));
    let beyond = |a: &[String], b: &[String]| a.iter().filter(|name| !b.contains(name)).cloned().collect();
    PinChange {
        id: id.to_owned(),
        action,
        imports_gained: beyond(&after, &before),
        imports_lost: beyond(&before, &after),
        reads: None,
        settings_changed: matches!((old, new), (Some(old), Some(new)) if old.settings != new.settings),
        from: old.map(side),
        to: new.map(side),
        notes: Vec::new(),
    }
}

pub fn side(locked: &Locked) -> PinSide {
    PinSide {
        version: locked.version.clone(),
        digest: locked.digest.to_string(),
        size: locked.size,
        source: locked.source.to_string(),
        signers: locked.signers.clone(),
    }
}
