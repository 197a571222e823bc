//! The files whose names are nearest to one that does not exist.

use std::cmp::Reverse;

use crate::apply::base::ApplyBase;
use guardhost_core::change::{Oid, RepoPath};
use guardhost_core::error::Result;

const SHOWN: usize = 3;

/// Names with a lower Jaro-Winkler similarity (1 is equal) are not similar.
const SIMILAR: f64 = 0.88;

/// Best first: the same name elsewhere, then similar names. Walks the whole tree, so only for a misfit.
pub(super) fn nearest(base: &ApplyBase, missing: &RepoPath) -> Result<Vec<RepoPath>> {
    let name = String::from_utf8_lossy(missing.file_name()).to_lowercase();
    let mut found: Vec<(u64, RepoPath)> = Vec::new();
    base.tree.objects.walk(base.tree.oid, &mut |path, _| {
        let similarity = strsim::jaro_winkler(&name, &String::from_utf8_lossy(path.file_name()).to_lowercase());
        if similarity >= SIMILAR {
            let shared = path.parts().filter(|part| missing.parts().any(|other| other == *part)).count() as u64;
            found.push(((similarity * 1000.0) as u64 * 1000 + shared, path.clone()));
        }
        true
    })?;
    found.sort_by(|a, b| (Reverse(a.0), &a.1).cmp(&(Reverse(b.0), &b.1)));
    Ok(found.into_iter().take(SHOWN).map(|(_, path)| path).collect())
}

/// The files whose paths end as `missing` does or the other way round, part by part: a folder too many or too few; or behind a
/// blank, where the words before a name may be of the name.
pub(super) fn same_end(base: &ApplyBase, missing: &RepoPath) -> Result<Vec<RepoPath>> {
    let mut found = Vec::new();
    base.tree.objects.walk(base.tree.oid, &mut |path, _| {
        let ends_behind_blank = |whole: &RepoPath, end: &RepoPath| {
            whole.as_bytes().strip_suffix(end.as_bytes()).is_some_and(|rest| rest.ends_with(b" "))
        };
        if path.parts().rev().zip(missing.parts().rev()).all(|(a, b)| a == b)
            || ends_behind_blank(path, missing)
            || ends_behind_blank(missing, path)
        {
            found.push(path.clone());
        }
        found.len() < SHOWN
    })?;
    Ok(found)
}

/// Where the content `oid` is now; None when it is in no file, or in several.
pub(super) fn holder(base: &ApplyBase, oid: Oid) -> Result<Option<RepoPath>> {
    let mut found = Vec::new();
    base.tree.objects.walk(base.tree.oid, &mut |path, entry| {
        if entry.oid == oid {
            found.push(path.clone());
        }
        found.len() < 2
    })?;
    Ok(found.pop().filter(|_| found.is_empty()))
}

/// For a message: ` Did you mean …?`, or nothing.
pub(super) fn did_you_mean(names: &[RepoPath]) -> String {
    match names {
        [] => String::new(),
        names => format!(" Did you mean {}?", names.iter().map(RepoPath::to_string).collect::<Vec<_>>().join(" or ")),
    }
}
