//! Drafts: edits of a reply that contradict one another, of which it does not say which one is meant.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, NoPatch, NoPatchKind, PatchFormat, RepoPath};

/// The old lines of a hunk, and what tells it from others with the same lines; and its new lines.
#[derive(PartialEq, Eq)]
struct Sides {
    old: u64,
    new: u64,
    has_both: bool,
}

/// Refuses a reply in which one edit undoes another one, or replaces the same text by another text.
pub(super) fn refuse(files: &[(PatchFormat, FilePatch)]) -> Result<(), NoPatch> {
    let mut seen: HashMap<(&RepoPath, u64), Vec<u64>> = HashMap::new();
    for (format, file) in files {
        let FileOp::Modify(hunks) = &file.op else { continue };
        // Hunks whose numbers keep them apart are of different places, however alike they are.
        let apart = are_apart(hunks);
        let mut held_back = Vec::new();
        for hunk in hunks {
            let Sides { old, new, has_both } = sides(hunk);
            if has_both && seen.get(&(&file.path, new)).is_some_and(|earlier| earlier.contains(&old)) {
                return Err(contradiction(file, "one of its edits undoes another one"));
            }
            if apart {
                held_back.push((old, new));
                continue;
            }
            let others = seen.entry((&file.path, old)).or_default();
            // Other formats tell twins apart by numbers or anchors.
            let is_text_only = matches!(format, PatchFormat::SearchReplace | PatchFormat::StrReplace);
            if is_text_only && hunk.old_start.is_none() && others.iter().any(|earlier| *earlier != new) {
                return Err(contradiction(
                    file,
                    "two of its edits search for the same text and replace it differently",
                ));
            }
            remember(others, new);
        }
        for (old, new) in held_back {
            remember(seen.entry((&file.path, old)).or_default(), new);
        }
    }
    Ok(())
}

/// Edits of the same lines that are remembered.
const MOST: usize = 8;

fn remember(others: &mut Vec<u64>, new: u64) {
    if others.last() != Some(&new) && others.len() < MOST {
        others.push(new);
    }
}

/// Whether every hunk has a number, and begins below the old lines of the one before.
fn are_apart(hunks: &[Hunk]) -> bool {
    let mut next = 0;
    hunks.iter().all(|hunk| {
        let Some(start) = hunk.old_start.filter(|start| *start >= next) else { return false };
        let old = hunk.lines.iter().filter(|line| line.is_old()).count();
        next = start.saturating_add(u32::try_from(old).unwrap_or(u32::MAX)).max(start.saturating_add(1));
        true
    })
}

fn sides(hunk: &Hunk) -> Sides {
    let hash = |is_side: fn(&Line) -> bool| {
        let mut hasher = DefaultHasher::new();
        hunk.lines.iter().filter(|line| is_side(line)).for_each(|line| line.bytes().hash(&mut hasher));
        hasher.finish()
    };
    let has_change = hunk.lines.iter().any(|line| !matches!(line, Line::Context(_)));
    let has_both = has_change && hunk.lines.iter().any(Line::is_old) && hunk.lines.iter().any(Line::is_new);
    Sides { old: hash(Line::is_old), new: hash(Line::is_new), has_both }
}

fn contradiction(file: &FilePatch, what: &str) -> NoPatch {
    let message = format!("The reply contradicts itself about {}: {what}. Send only the final patch.", file.path);
    NoPatch::new(NoPatchKind::Malformed, message)
}
