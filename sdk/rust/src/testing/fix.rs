//! Whether a guard's own remedies fix what it found.

use super::{Case, check, expect};
use crate::{Edit, Guard, Verdict};

/// Applies every fix, as a host would, and asks again: what was fixed must not be found any more.
pub(super) fn mends<G: Guard>(case: &Case, said: &Result<Verdict, String>) -> Result<(), String> {
    let fixed: Vec<_> = expect::findings(said).iter().filter(|finding| finding.fix.is_some()).collect();
    if fixed.is_empty() {
        return Ok(());
    }
    let mut mended = case.clone();
    let mut edits: Vec<&Edit> = fixed.iter().flat_map(|finding| &finding.fix).flat_map(|fix| &fix.edits).collect();
    // From the end, so that an edit does not move what comes after it.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.start));
    for edit in edits {
        let (_, content) =
            mended.after.get_mut(&edit.path).ok_or(format!("a fix edits {}, which is not there", edit.path))?;
        let range = edit.start as usize..edit.end as usize;
        if content.get(range.clone()).is_none() {
            return Err(format!("a fix edits bytes {range:?} of {}, which has {}", edit.path, content.len()));
        }
        content.splice(range, edit.replacement.iter().copied());
    }
    let again = check::<G>(&mended);
    let same = expect::findings(&again)
        .iter()
        .find(|other| fixed.iter().any(|one| one.rule == other.rule && one.path == other.path));
    same.map_or(Ok(()), |finding| Err(format!("its fix does not remove `{}`: {}", finding.rule, finding.message)))
}
