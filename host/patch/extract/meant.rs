//! Which file of the tree an edit means, whose name is not one of them as it is written: an absolute path, folders more or fewer,
//! backslashes, a range of lines behind it.

use std::collections::HashSet;

use super::Notes;
use super::account::Surroundings;
use super::lines::quote;
use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, NoPatch, NoPatchKind, RepoPath};
use guardhost_core::error::Result;

/// Gives each edit the file that it means: the only one whose path ends as the name does, or the other way round, if it has the
/// edit's old lines. An edit that proves nothing keeps its name. `as_written`: names that the reader has taken a prefix from.
pub(super) fn resolve(
    edits: &mut [FilePatch],
    as_written: &[(RepoPath, RepoPath)],
    files: &Surroundings,
    notes: &mut Notes,
) -> std::result::Result<(), NoPatch> {
    for edit in edits {
        let wrong = |why: String| NoPatch::new(NoPatchKind::Malformed, why);
        let found = resolve_one(edit, as_written, files).map_err(|error| wrong(format!("{}: {error}", edit.path)))?;
        match found {
            Meant::AsRead => {}
            Meant::Other(path) => {
                notes
                    .add("name", format_args!("{path} is the only file that {} can mean", quote(edit.path.as_bytes())));
                edit.path = path;
            }
            Meant::AsWritten(path) => edit.path = path,
            Meant::Either(path) => {
                return Err(wrong(format!(
                    "The names {path} and {path} of a diff may mean {path} or {}, which both exist. Write a/ and b/ before the name.",
                    edit.path
                )));
            }
        }
    }
    Ok(())
}

enum Meant {
    AsRead,
    AsWritten(RepoPath),
    Other(RepoPath),
    Either(RepoPath),
}

fn resolve_one(edit: &FilePatch, as_written: &[(RepoPath, RepoPath)], files: &Surroundings) -> Result<Meant> {
    let exists = files.exists(&edit.path)?;
    if let Some((_, written)) = as_written.iter().find(|(read, written)| *read == edit.path && read != written)
        && files.exists(written)?
    {
        return Ok(if exists { Meant::Either(written.clone()) } else { Meant::AsWritten(written.clone()) });
    }
    if exists {
        return Ok(Meant::AsRead);
    }
    let name = bare(&edit.path);
    // A name of Windows is a path of the repository if only its backslashes are others.
    if edit.path.as_bytes().contains(&b'\\') && (files.exists(&name)? || files.has_first_folder(&name)?) {
        return Ok(Meant::Other(name));
    }
    let (FileOp::Modify(hunks) | FileOp::Delete(hunks)) = &edit.op else { return Ok(Meant::AsRead) };
    let candidates: Vec<&RepoPath> =
        files.paths_named(name.file_name())?.iter().filter(|other| ends_alike(other, &name)).collect();
    // Of several the one that has most of the name is meant, if no other has the lines as well.
    let shared = |path: &RepoPath| path.parts().count().min(name.parts().count());
    let longest = candidates.iter().map(|path| shared(path)).max();
    let mut fitting = Vec::new();
    for path in candidates {
        if has_old_lines(path, hunks, files)? {
            fitting.push(path);
        }
    }
    Ok(match fitting.as_slice() {
        [only] if Some(shared(only)) == longest => Meant::Other((*only).clone()),
        _ => Meant::AsRead,
    })
}

/// The name without what is no part of a path in a repository.
fn bare(path: &RepoPath) -> RepoPath {
    let text = String::from_utf8_lossy(path.as_bytes()).replace('\\', "/");
    let cut = |text: &str, at: usize, is_range: fn(char) -> bool| text[at + 1..].chars().all(is_range);
    let end = match (text.rfind(':'), text.rfind("#L")) {
        (Some(at), _) if cut(&text, at, |c| c.is_ascii_digit() || c == '-') => at,
        (_, Some(at)) if cut(&text, at, |c| c.is_ascii_digit() || "L-".contains(c)) => at,
        _ => text.len(),
    };
    RepoPath::from(text[..end].trim_start_matches("file://").trim_start_matches('/'))
}

/// Whether one path ends with the other, part by part.
fn ends_alike(a: &RepoPath, b: &RepoPath) -> bool {
    a.parts().rev().zip(b.parts().rev()).all(|(a, b)| a == b)
}

/// Whether the file has every line that the hunks quote, and these prove something.
pub(super) fn has_old_lines(path: &RepoPath, hunks: &[Hunk], files: &Surroundings) -> Result<bool> {
    let Some(content) = files.content(path)? else { return Ok(false) };
    let known: HashSet<&[u8]> = content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    // A later step may quote what an earlier one writes.
    let written: HashSet<&[u8]> = hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| matches!(line, Line::Add(_)))
        .map(|line| line.bytes().trim_ascii())
        .collect();
    let quoted =
        |line: &&Line| line.is_old() && line.bytes().iter().filter(|byte| byte.is_ascii_alphanumeric()).count() > 2;
    let is_proven = |hunk: &Hunk| {
        // What is replaced everywhere need not be a line.
        if hunk.is_everywhere {
            let old: Vec<&[u8]> = hunk.lines.iter().filter(|line| line.is_old()).map(Line::bytes).collect();
            return hunk.lines.iter().any(|line| quoted(&line)) && content.contains_str(old.join(&b'\n'));
        }
        let mut old = hunk.lines.iter().filter(quoted).map(|line| line.bytes().trim_ascii()).peekable();
        old.peek().is_some() && old.all(|line| known.contains(line) || written.contains(line))
    };
    Ok(!hunks.is_empty() && hunks.iter().all(is_proven))
}
