//! A comment that is edited in place: there is one of a kind on a pull request.

use crate::error::Result;
use crate::forge::Forge;
use crate::model::{Comment, WriteOutcome};

/// One comment with this marker, which `text` holds.
pub(crate) fn one_comment<F: Forge + ?Sized>(forge: &F, number: u64, text: &str, marker: &str) -> Result<WriteOutcome> {
    let is_ours = |comment: &Comment| comment.is_own && comment.body.contains(marker);
    match forge.comments(number)?.into_iter().find(is_ours) {
        Some(known) if same(&known.body, text) => Ok(WriteOutcome::Unchanged),
        Some(known) => forge.edit_comment(number, known.id, text).map(|()| WriteOutcome::Changed),
        None => forge.comment(number, text, marker).map(|_| WriteOutcome::Made),
    }
}

/// Forges change line ends, and take white space off the ends.
pub(crate) fn same(known: &str, text: &str) -> bool {
    known.replace("\r\n", "\n").trim() == text.replace("\r\n", "\n").trim()
}
