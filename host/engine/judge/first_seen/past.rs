//! What a file was when it could be read last. Whatever stands in it was judged, or a person brought it in: it is no news when a change mends what
//! broke the file since. What came in while it was broken is.

use std::collections::BTreeMap;

use guardhost_core::change::{Blob, Candidate, CommitLog, Oid, TreeEntry};

use super::Mended;
use crate::judge::change_view::{ChangeView, TreeSide};

/// Commits before the base that are looked at, and contents of one file among them. People leave a file broken for a commit or two.
const COMMITS: usize = 500;
const CONTENTS: usize = 8;

/// Files of one change whose past is looked at: each takes a walk. The others are judged as if they were added.
const FILES: usize = 32;

pub(super) struct Past<'a> {
    pub change: &'a ChangeView,
    /// None where this host reads no commits.
    pub log: Option<&'a dyn CommitLog>,
    pub mended: Option<&'a Mended<'a>>,
}

/// Files as they could be read last, by their index in the change, and the base's tree with them in it.
pub(super) struct LastRead {
    pub contents: BTreeMap<usize, Blob>,
    pub base_tree: Oid,
}

impl Past<'_> {
    /// A file that is not in it was never read under its name, as far as is known.
    pub(super) fn of(&self, files: &[usize]) -> LastRead {
        let Candidate { objects, base_tree, .. } = &self.change.candidate;
        let last_read = |file: &usize| Some((*file, self.last_read(*file)?));
        let contents: BTreeMap<usize, Blob> = files.iter().take(FILES).filter_map(last_read).collect();
        let entry = |(file, Blob { oid, mode, .. }): (&usize, &Blob)| {
            (self.change.candidate.files[*file].path.clone(), Some(TreeEntry { oid: *oid, mode: *mode }))
        };
        let edits: Vec<_> = contents.iter().map(entry).collect();
        match objects.edit_tree(*base_tree, &edits) {
            Ok(base_tree) => LastRead { contents, base_tree },
            Err(_) => LastRead { contents: BTreeMap::new(), base_tree: *base_tree },
        }
    }

    fn last_read(&self, file: usize) -> Option<Blob> {
        let candidate = &self.change.candidate;
        let path = self.change.path_of(file, TreeSide::After)?;
        let (log, mended, base) = (self.log?, self.mended?, candidate.base?);
        if self.change.path_of(file, TreeSide::Before) != Some(path) {
            return None;
        }
        let contents = log.versions(base, path, CONTENTS, COMMITS).ok()?;
        let blob = |TreeEntry { oid, mode }| Some(Blob { oid, mode, size: candidate.objects.blob_size(oid).ok()? });
        let is_text = |content: &Blob| {
            let Blob { oid, mode, .. } = *content;
            matches!(self.change.text_of_object(TreeEntry { oid, mode }), Ok(Ok(_)))
        };
        let mut contents = contents.into_iter().map_while(blob);
        contents.find(|content| is_text(content) && mended.could_read(file, *content))
    }
}
