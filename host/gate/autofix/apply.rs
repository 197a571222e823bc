//! Edits become a candidate.

use std::collections::BTreeMap;
use std::ops::Range;

use guardhost_core::change::{
    Blob, Candidate, Edit, FileChange, FileMode, FileOp, FilePatch, Patch, PatchFormat, RepoPath, Tree, TreeEntry,
};
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;
use guardhost_git::{Repo, diff_text};
use guardhost_patch::sanitize::{Rules, sanitize};

/// The candidate with these edits in it, all of them or none; Err says why none. Edits may come from different guards, and from hostile
/// ones: only regular files that the change touches are edited, no byte is edited in two ways, and what comes of them is held to the same
/// `rules` as any patch.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn apply(
    candidate: &Candidate,
    edits: &[&Edit],
    rules: &Rules,
    stop: &StopToken,
) -> Result<Result<Candidate, String>> {
    let patch = match whole_files(candidate, edits)? {
        Ok(patch) => patch,
        Err(why) => return Ok(Err(why)),
    };
    let tree = Tree { objects: candidate.objects.clone(), oid: candidate.tree };
    let sanitized = sanitize(patch, rules, &tree, stop);
    match sanitized.map_err(|stopped| stopped.into_error("checking the fixes"))? {
        Ok(clean) => lay(candidate, clean.into_patch()),
        Err(refused) => Ok(Err(refused.message)),
    }
}

/// What one fix would change in the candidate, as a git diff; None for a fix that does not fit. It is shown and never placed, so no rule
/// is asked.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn preview(repo: &Repo, candidate: &Candidate, edits: &[Edit]) -> Result<Option<Vec<u8>>> {
    let Ok(patch) = whole_files(candidate, &edits.iter().collect::<Vec<_>>())? else { return Ok(None) };
    // A fix that undoes the whole change leaves no candidate, and nothing to show.
    let Ok(fixed) = lay(candidate, patch)? else { return Ok(None) };
    diff_text(repo, candidate.tree, fixed.tree).map(Some)
}

/// The edited files, whole; Err says which edit fits no file, or not the others.
fn whole_files(candidate: &Candidate, edits: &[&Edit]) -> Result<Result<Patch, String>> {
    let mut files: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        match touched(candidate, &edit.path) {
            Some(file) => files.entry(file).or_default().push(edit),
            None => return Ok(Err(format!("{:?} is no file that this change touches", edit.path))),
        }
    }
    let mut patch = Patch::new(PatchFormat::WholeFile, Vec::new());
    for (file, edits) in files {
        let FileChange { path, after: Some(after), .. } = &candidate.files[file] else { continue };
        match rewritten(&candidate.objects.blob(after.oid)?, edits) {
            Ok(bytes) => patch.files.push(whole(path, bytes)),
            Err(why) => return Ok(Err(format!("{path}: {why}"))),
        }
    }
    Ok(Ok(patch))
}

/// The regular file that a guard means by `path`, in the form in which guards see paths.
fn touched(candidate: &Candidate, path: &str) -> Option<usize> {
    let regular =
        |file: &FileChange| file.after.is_some_and(|after| matches!(after.mode, FileMode::File | FileMode::Executable));
    let named = RepoPath::from_form(path);
    candidate.files.iter().position(|file| regular(file) && file.path == named)
}

fn whole(path: &RepoPath, bytes: Vec<u8>) -> FilePatch {
    FilePatch::new(path.clone(), FileOp::Write(bytes))
}

/// The same edit twice is one edit: two guards may give the same fix.
fn rewritten(bytes: &[u8], mut edits: Vec<&Edit>) -> Result<Vec<u8>, &'static str> {
    edits.sort_by(|a, b| (a.start, a.end, &a.replacement).cmp(&(b.start, b.end, &b.replacement)));
    edits.dedup();
    let mut new = Vec::with_capacity(bytes.len());
    let mut last: Range<usize> = 0..0;
    for (count, edit) in edits.into_iter().enumerate() {
        let range = usize::try_from(edit.start).ok().zip(usize::try_from(edit.end).ok());
        let range = range.map(|(start, end)| start..end).filter(|range| bytes.get(range.clone()).is_some());
        let Some(range) = range else { return Err("a fix edits bytes that the file does not have") };
        if range.start < last.end || (count > 0 && range == last) {
            return Err("two fixes edit the same bytes in different ways");
        }
        new.extend_from_slice(&bytes[last.end..range.start]);
        new.extend_from_slice(&edit.replacement);
        last = range;
    }
    new.extend_from_slice(&bytes[last.end..]);
    Ok(new)
}

/// Puts the files in their place. The change stays the change that it was (a rename stays that rename, whatever became similar).
fn lay(candidate: &Candidate, patch: Patch) -> Result<Result<Candidate, String>> {
    let objects = &candidate.objects;
    let mut fixed = candidate.clone();
    let mut entries = Vec::new();
    for FilePatch { path, op, .. } in patch.files {
        let FileOp::Write(bytes) = op else { continue };
        let Some(file) = fixed.files.iter_mut().find(|file| file.path == path) else { continue };
        let Some(after) = &mut file.after else { continue };
        let oid = objects.put_blob(&bytes)?;
        *after = Blob { oid, size: bytes.len() as u64, ..*after };
        entries.push((path, Some(TreeEntry { oid, mode: after.mode })));
    }
    fixed.tree = objects.edit_tree(candidate.tree, &entries)?;
    fixed.files.retain(|file| file.old_path.is_some() || file.before != file.after);
    Ok(match fixed.files.is_empty() {
        true => Err("with the fixes the change would change nothing".to_owned()),
        false => Ok(fixed),
    })
}
