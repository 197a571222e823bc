//! Files that a patch wants to change and that do not exist. A wrong path is not a new file.

use super::section::Section;
use super::similar_names::{did_you_mean, holder, nearest, same_end};
use crate::formats;
use guardhost_core::change::{Hunk, Line, Oid, RepoPath};
use guardhost_core::error::Result;

impl Section<'_, '_> {
    /// The content of the new file that an edit of a file which does not exist can only mean: its one hunk only adds lines, from
    /// the first on, in a format whose headers say so, and no file has that name.
    pub(super) fn implied_content(&self, hunks: &[Hunk]) -> Result<Option<Vec<u8>>> {
        let [hunk] = hunks else { return Ok(None) };
        let begins_file = hunk.old_start.is_none_or(|line| line <= 1) && hunk.anchors.is_empty();
        let only_adds = hunk.lines.iter().all(|line| matches!(line, Line::Add(_)));
        let is_new = begins_file
            && only_adds
            && formats::row(self.patch.format_of(self.file)).is_numbered
            && self.file.claimed_blob.is_none()
            && self.tree.may_walk()
            && same_end(self.tree.base(), &RepoPath::new(self.file.path.file_name()))?.is_empty();
        Ok(is_new.then(|| added_text(hunk)))
    }

    pub(super) fn no_such_file(&mut self, missing: &RepoPath) -> Result<()> {
        let hint = match self.moved_to(missing)? {
            Some(path) => format!(" It was renamed to {path}."),
            None if self.tree.may_walk() => did_you_mean(&nearest(self.tree.base(), missing)?),
            None => String::new(),
        };
        self.misfit("no-such-file", format!("there is no file {missing}.{hint}"));
        Ok(())
    }

    /// For the whole content of a file that does not exist, in a reply that does not say whether it does: true after a misfit,
    /// when another file's path begins with more folders, or with fewer, or when blanks in the path leave open where it begins.
    pub(super) fn is_wrong_path(&mut self) -> Result<bool> {
        let path = &self.file.path;
        let has_blanks = path.as_bytes().contains(&b' ');
        let mut similar = if self.tree.may_walk() { same_end(self.tree.base(), path)? } else { Vec::new() };
        if similar.is_empty() && !has_blanks {
            return Ok(false);
        }
        if similar.is_empty() && self.tree.may_walk() {
            similar = nearest(self.tree.base(), path)?;
        }
        let question = did_you_mean(&similar);
        let message = format!(
            "there is no file {path}.{question} If it is to be a new file, send it as one: a diff from /dev/null, `*** Add File:`, \
             or the action `create` in JSON."
        );
        self.misfit("no-such-file", message);
        Ok(true)
    }

    /// The only file that has the content which the provider saw at `missing`, or which the patch claims to be made from.
    fn moved_to(&self, missing: &RepoPath) -> Result<Option<RepoPath>> {
        let base = self.tree.base();
        let claimed = self.file.claimed_blob.as_deref();
        let oid: Option<Oid> = match base.seen_oid(missing)? {
            Some(seen) => Some(seen),
            None => claimed.map(|blob| base.tree.objects.blob_named(blob)).transpose()?.flatten(),
        };
        match oid.filter(|_| self.tree.may_walk()) {
            Some(oid) => holder(base, oid),
            None => Ok(None),
        }
    }
}

fn added_text(hunk: &Hunk) -> Vec<u8> {
    let mut text: Vec<u8> = hunk.lines.iter().flat_map(|line| [line.bytes(), b"\n"].concat()).collect();
    if hunk.new_no_newline {
        text.pop();
    }
    text
}
