//! How a section changes which file, from its headers and hunks.

use super::super::Notes;
use super::super::lines::{blank, quote};
use super::head::DiffHead;
use super::names::{self, Name};
use guardhost_core::change::{FileOp, Hunk, Line, RepoPath};

/// The path of the section, and its operation.
pub(super) fn operation(
    head: &DiffHead,
    hunks: Vec<Hunk>,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<(Vec<u8>, FileOp), String> {
    if hunks.is_empty() && head.has_content && !head.deleted {
        return Err("the section has an `index` line and no hunk; send it complete".into());
    }
    if let (Some(from), Some(to)) = (&head.renamed.0, &head.renamed.1) {
        return Ok((to.clone(), FileOp::Rename { from: RepoPath::new(from.clone()), hunks }));
    }
    if let (Some(from), Some(to)) = (&head.copied.0, &head.copied.1) {
        return Ok((to.clone(), FileOp::Copy { from: RepoPath::new(from.clone()), hunks }));
    }
    let nothing_old = head.old == Some(Name::Nothing);
    let nothing_new = head.new == Some(Name::Nothing);
    let path = path(head, hints, notes)?;
    if head.created || nothing_old {
        if nothing_new || head.deleted {
            return Err("one section cannot create and delete a file".into());
        }
        if head.is_git && !head.created {
            notes.add("no-file-mode", format_args!("{}: new file without its mode", quote(&path)));
        }
        return Ok((path.clone(), FileOp::Create(created(&path, &hunks)?)));
    }
    if head.deleted || nothing_new {
        return Ok((path, FileOp::Delete(hunks)));
    }
    // `-0,0` says that the old file is empty. Git writes it for an existing empty file, with an `index` line (e69de29 is the
    // empty blob); models write it for new files.
    let from_nothing = |hunk: &Hunk| hunk.old_start == Some(0) && hunk.lines.iter().all(|line| !line.is_old());
    if hunks.len() == 1 && hunks.iter().all(from_nothing) && head.claimed_blob.is_none() {
        notes.add("implied-new-file", format_args!("{}: -0,0 without /dev/null, taken as a new file", quote(&path)));
        return Ok((path.clone(), FileOp::Create(created(&path, &hunks)?)));
    }
    if hunks.is_empty() && head.mode.is_none() {
        return Err(format!("the section for {} has no hunk", quote(&path)));
    }
    Ok((path, FileOp::Modify(hunks)))
}

fn path(head: &DiffHead, hints: &[RepoPath], notes: &mut Notes) -> Result<Vec<u8>, String> {
    let from_git = head.git.clone().map(|(old, new)| names::unprefixed(old, new, hints));
    let path = match (&head.old, &head.new) {
        (Some(Name::Nothing), Some(Name::Nothing)) => return Err("both names are /dev/null".into()),
        (Some(Name::Path(old)), Some(Name::Path(new))) => {
            let (old, new, problem) = names::unprefixed(old.clone(), new.clone(), hints);
            if let Some(problem) = problem {
                notes.add("prefix", format_args!("{}: {problem}", quote(&new)));
            }
            one_name(old, new, hints)?
        }
        (Some(Name::Path(name)), _) | (_, Some(Name::Path(name))) => match &from_git {
            // The `diff --git` line shows the prefix.
            Some((old, new, _)) if old == new && name.ends_with(new) => new.clone(),
            _ => {
                let gone = head.new == Some(Name::Nothing);
                let (path, odd) = names::unprefixed_one(name.clone(), if gone { b'a' } else { b'b' });
                if odd {
                    notes.add("prefix", format_args!("{}: the name has no a/ or b/", quote(&path)));
                }
                path
            }
        },
        _ => match from_git.clone() {
            Some((old, new, _)) => one_name(old, new, hints)?,
            None => return Err("the file names of this diff cannot be read".into()),
        },
    };
    match from_git {
        Some((old, new, _)) if old != path && new != path => {
            Err(format!("`diff --git` names {}, but --- and +++ name {}", quote(&new), quote(&path)))
        }
        _ => Ok(path),
    }
}

/// The file that two names mean, with or without their prefixes.
pub(super) fn compared(old: Vec<u8>, new: Vec<u8>, hints: &[RepoPath]) -> Option<Vec<u8>> {
    let (old, new, _) = names::unprefixed(old, new, hints);
    one_name(old, new, hints).ok()
}

/// The file of two different names: of `x.orig` and `x`, or `x` and `x.new`, it is `x`, else the one that the task names.
fn one_name(old: Vec<u8>, new: Vec<u8>, hints: &[RepoPath]) -> Result<Vec<u8>, String> {
    let backup =
        |name: &[u8]| [&b".orig"[..], b".old", b".bak", b"~"].iter().any(|end| old.strip_suffix(*end) == Some(name));
    if old == new || backup(&new) {
        return Ok(new);
    }
    if [&b".new"[..], b".modified", b".updated", b".patched", b".fixed"]
        .iter()
        .any(|end| new.strip_suffix(*end) == Some(&old))
    {
        return Ok(old);
    }
    let hinted = |name: &[u8]| hints.iter().any(|hint| hint.as_bytes() == name);
    match (hinted(&old), hinted(&new), in_copies(&old, &new)) {
        (true, false, _) => Ok(old),
        (false, true, _) => Ok(new),
        (_, _, Some(name)) => Ok(name),
        _ => Err(format!(
            "the old name {} and the new name {} differ; use `rename from` and `rename to` to rename",
            quote(&old),
            quote(&new)
        )),
    }
}

/// The name of a file below two copies of a project, as `diff -r` writes it: `/tmp/old/src/a.py` and `/tmp/new/src/a.py`, or
/// `project.orig/src/a.py` and `project/src/a.py`. Two names with other folders may be a rename.
fn in_copies(old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let parts = |name: &'_ [u8]| name.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (old, new) = (parts(old), parts(new));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (differs, absolute) = ((old.get(same)?, new.get(same)?), old.last()?.is_empty() && new.last()?.is_empty());
    let is_copy = [&b".orig"[..], b".old", b"-orig", b"-old", b".new", b"-new"]
        .iter()
        .any(|end| differs.0.strip_suffix(*end) == Some(differs.1) || differs.1.strip_suffix(*end) == Some(differs.0));
    let is_first = old.len() == new.len() && same + 1 == old.len();
    (same > 0 && (absolute || is_first && is_copy)).then(|| {
        let name: Vec<&[u8]> = old[..same].iter().rev().map(Vec::as_slice).collect();
        name.join(&b'/')
    })
}

/// The content of a new file, of which every line is added.
fn created(path: &[u8], hunks: &[Hunk]) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
        // An empty line that lost its `+` can only be an empty line.
        if matches!(line, Line::Remove(_)) || (line.is_old() && !blank(line.bytes())) {
            return Err(format!(
                "{} is new, so every line of it must begin with `+`: {}",
                quote(path),
                quote(line.bytes())
            ));
        }
        content.extend_from_slice(line.bytes());
        content.push(b'\n');
    }
    if hunks.last().is_some_and(|hunk| hunk.new_no_newline) {
        content.pop();
    }
    Ok(content)
}
