//! git diff and plain unified diff (one parser: a git diff is a unified diff with more headers).
//!
//! Format: git-scm.com/docs/diff-format ("Generating patch text with -p") and the POSIX `diff -u` output.

mod hunk;
mod names;

pub(super) use hunk::{Body, Header, body, header, is_no_newline, mark_no_newline};

use super::Notes;
use super::lines::{Fence, Lines, blank, indent, malformed, quote, skip_blank};
use crate::change::{FileMode, FileOp, FilePatch, Hunk, Line, NoPatch, RepoPath};
use names::Name;

/// One file's part of a diff.
pub(super) struct Section {
    pub file: FilePatch,
    pub next: usize,
    /// It has a `diff --git` line.
    pub git: bool,
    /// How many of its hunks have wrong counts.
    pub wrong_counts: usize,
    /// Its last hunk has fewer lines than promised and ends in a change: what a cut-off reply looks like.
    pub cut: bool,
    /// Its last hunk has fewer lines than promised.
    pub short: bool,
}

/// Whether a file's section begins at this line, at any indentation.
pub(super) fn starts(lines: &Lines, at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    match indent(line) {
        b"" => section_starts(lines, at),
        indent => {
            let three = lines[at..].iter().take(3).filter_map(|line| line.strip_prefix(indent)).collect::<Vec<_>>();
            section_starts(&three, 0)
        }
    }
}

fn section_starts(lines: &Lines, at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    let next = lines.get(at + 1).copied().unwrap_or_default();
    line.starts_with(b"diff --git ")
        || line.starts_with(b"diff --cc ")
        || line.starts_with(b"diff --combined ")
        || (line.starts_with(b"--- ") && (next.starts_with(b"+++ ") || next.starts_with(b"@@ ") || next == b"@@"))
}

/// Reads the section that begins at `at`.
pub(super) fn parse(
    lines: &Lines,
    at: usize,
    fence: Option<&Fence>,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<Section, NoPatch> {
    let indent = indent(lines[at]);
    if indent.is_empty() {
        return section(lines, at, 0, fence, hints, notes);
    }
    notes.add("indented-diff", "the diff was indented as a whole");
    let outdented: Vec<&[u8]> = lines[at..]
        .iter()
        .map_while(|line| line.strip_prefix(indent).or_else(|| blank(line).then_some(&b""[..])))
        .collect();
    let mut section = section(&outdented, 0, at, fence, hints, notes)?;
    section.next += at;
    Ok(section)
}

/// What stands before the hunks.
#[derive(Default)]
struct Head {
    git: Option<(Vec<u8>, Vec<u8>)>,
    is_git: bool,
    old: Option<Name>,
    new: Option<Name>,
    created: bool,
    deleted: bool,
    mode: Option<FileMode>,
    renamed: (Option<Vec<u8>>, Option<Vec<u8>>),
    copied: (Option<Vec<u8>>, Option<Vec<u8>>),
    claims: Option<String>,
}

/// `base` is added to line numbers in messages.
fn section(
    lines: &Lines,
    start: usize,
    base: usize,
    fence: Option<&Fence>,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<Section, NoPatch> {
    let fail = |at: usize, why: &dyn std::fmt::Display| malformed(base + at, why);
    let (head, mut at) = read_head(lines, start, base, notes)?;
    let mut section_hunks = Hunks::default();
    if let Some(line) = lines.get(at)
        && header(line).is_none()
        && head.new.is_some()
        && matches!(line.first(), Some(b'+' | b'-' | b' '))
        && !section_starts(lines, at)
    {
        notes.add("no-hunk-header", format_args!("{}: the hunk has no @@ line", quote(lines[start])));
        at = section_hunks.read(lines, at, base, Header::default(), fence, notes);
    }
    loop {
        let next = skip_blank(lines, at);
        let Some(line) = lines.get(next) else { break };
        if line.starts_with(b"@@@") {
            return Err(fail(next, &"combined diffs of merges are not accepted; send a diff against one version"));
        }
        let Some(header) = header(line) else { break };
        at = section_hunks.read(lines, next + 1, base, header, fence, notes);
    }
    let (path, op) = operation(&head, section_hunks.hunks, hints, notes).map_err(|why| fail(start, &why))?;
    Ok(Section {
        file: FilePatch { path: RepoPath::new(path), op, mode: head.mode, claims: head.claims },
        next: at,
        git: head.is_git,
        wrong_counts: section_hunks.wrong_counts,
        cut: section_hunks.cut,
        short: section_hunks.short,
    })
}

#[derive(Default)]
struct Hunks {
    hunks: Vec<Hunk>,
    wrong_counts: usize,
    short: bool,
    cut: bool,
}

impl Hunks {
    fn read(
        &mut self,
        lines: &Lines,
        at: usize,
        base: usize,
        header: Header,
        fence: Option<&Fence>,
        notes: &mut Notes,
    ) -> usize {
        let body: Body = body(lines, at, header, fence);
        self.short = body.short;
        self.cut = body.short && !matches!(body.hunk.lines.last(), Some(Line::Context(_)) | None);
        if !body.exact {
            self.wrong_counts += 1;
            notes.add("recount", format_args!("the counts in the @@ line before line {} are wrong", base + at + 1));
        }
        if let Some(lost) = body.lost_blank {
            notes.add("lost-blank", format_args!("line {} has no blank before a context line", base + lost + 1));
        }
        if body.hunk.lines.is_empty() {
            notes.add("empty-hunk", format_args!("the @@ line {} has nothing below it", base + at));
        } else {
            self.hunks.push(body.hunk);
        }
        body.next
    }
}

fn read_head(lines: &Lines, start: usize, base: usize, notes: &mut Notes) -> Result<(Head, usize), NoPatch> {
    let mut head = Head::default();
    let mut at = start;
    if let Some(pair) = lines[at].strip_prefix(b"diff --git ") {
        head.is_git = true;
        head.git = names::pair(pair);
        at += 1;
        while let Some(line) = lines.get(at) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !extended(&mut head, line).map_err(|why| malformed(base + at, why))? {
                break;
            }
            at += 1;
        }
    } else if lines[at].starts_with(b"diff --c") {
        return Err(malformed(base + at, "combined diffs of merges are not accepted; send a diff against one version"));
    }
    let mut side = |mark: &[u8]| -> Option<Name> {
        let line = lines.get(at)?;
        let (name, odd) = names::side(line.strip_prefix(mark)?);
        at += 1;
        if odd {
            notes.add("file-name", format_args!("{} has more than a file name behind it", quote(line)));
        }
        Some(name)
    };
    head.old = side(b"--- ");
    head.new = side(b"+++ ");
    if head.old.is_some() != head.new.is_some() {
        notes.add("half-header", format_args!("{}: one of --- and +++ is missing", quote(lines[start])));
        let other = head.old.clone().or(head.new.clone());
        (head.old, head.new) = (other.clone(), other);
    }
    Ok((head, at))
}

/// One line between `diff --git` and `---`; false when it is none.
fn extended(head: &mut Head, line: &[u8]) -> Result<bool, String> {
    let mode = |text: &[u8]| {
        let raw = std::str::from_utf8(text.trim_ascii()).ok().and_then(|text| u32::from_str_radix(text, 8).ok());
        raw.and_then(FileMode::from_raw)
            .ok_or_else(|| format!("{} is not a mode that git stores; use 100644 or 100755", quote(text)))
    };
    let text = |key: &[u8]| line.strip_prefix(key);
    if let Some(text) = text(b"new file mode ") {
        (head.created, head.mode) = (true, Some(mode(text)?));
    } else if let Some(text) = text(b"deleted file mode ") {
        head.deleted = true;
        // Only a gitlink matters any more: `sanitize` refuses it.
        head.mode = Some(mode(text)?).filter(|mode| *mode == FileMode::Submodule);
    } else if let Some(text) = text(b"new mode ") {
        head.mode = Some(mode(text)?);
    } else if let Some(text) = text(b"rename from ").or(text(b"rename old ")) {
        head.renamed.0 = Some(names::bare(text));
    } else if let Some(text) = text(b"rename to ").or(text(b"rename new ")) {
        head.renamed.1 = Some(names::bare(text));
    } else if let Some(text) = text(b"copy from ") {
        head.copied.0 = Some(names::bare(text));
    } else if let Some(text) = text(b"copy to ") {
        head.copied.1 = Some(names::bare(text));
    } else if let Some(text) = text(b"index ") {
        index(head, text);
    } else if line.starts_with(b"GIT binary patch") || line.starts_with(b"Binary files ") {
        return Err("binary patches are not accepted; leave binary files alone".into());
    } else {
        return Ok([&b"old mode "[..], b"similarity index ", b"dissimilarity index "]
            .iter()
            .any(|key| line.starts_with(key)));
    }
    Ok(true)
}

/// `index 3f1a2b..9c8d7e 100644`
fn index(head: &mut Head, text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (ids, mode) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let old = ids.split("..").next().unwrap_or_default();
    let real =
        (4..=64).contains(&old.len()) && old.bytes().all(|b| b.is_ascii_hexdigit()) && old.bytes().any(|b| b != b'0');
    head.claims = real.then(|| old.to_ascii_lowercase());
    if mode.trim() == "160000" {
        head.mode = Some(FileMode::Submodule);
    }
}

/// What the section wants, and of which path.
fn operation(
    head: &Head,
    hunks: Vec<Hunk>,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<(Vec<u8>, FileOp), String> {
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
    // `-0,0` says that the old file is empty. Git writes that of a file that is there and empty (e69de29 is the empty
    // blob), models write it of new files.
    let from_nothing = |hunk: &Hunk| hunk.old_start == Some(0) && hunk.lines.iter().all(|line| !line.is_old());
    if hunks.len() == 1 && hunks.iter().all(from_nothing) && head.claims.is_none() {
        notes.add("implied-new-file", format_args!("{}: -0,0 without /dev/null, taken as a new file", quote(&path)));
        return Ok((path.clone(), FileOp::Create(created(&path, &hunks)?)));
    }
    if hunks.is_empty() && head.mode.is_none() {
        return Err(format!("the section for {} has no hunk", quote(&path)));
    }
    Ok((path, FileOp::Modify(hunks)))
}

fn path(head: &Head, hints: &[RepoPath], notes: &mut Notes) -> Result<Vec<u8>, String> {
    let from_git = head.git.clone().map(|(old, new)| names::unprefixed(old, new, hints));
    let path = match (&head.old, &head.new) {
        (Some(Name::Nothing), Some(Name::Nothing)) => return Err("both names are /dev/null".into()),
        (Some(Name::Path(old)), Some(Name::Path(new))) => {
            let (old, new, mended) = names::unprefixed(old.clone(), new.clone(), hints);
            if let Some(mended) = mended {
                notes.add("prefix", format_args!("{}: {mended}", quote(&new)));
            }
            one_name(old, new, hints)?
        }
        (Some(Name::Path(name)), _) | (_, Some(Name::Path(name))) => match &from_git {
            // The other header tells what the prefix is.
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

/// Two names of one file: `x.orig` and `x`, or the one that the task names.
fn one_name(old: Vec<u8>, new: Vec<u8>, hints: &[RepoPath]) -> Result<Vec<u8>, String> {
    let backup =
        |name: &[u8]| [&b".orig"[..], b".old", b".bak", b"~"].iter().any(|end| old.strip_suffix(*end) == Some(name));
    if old == new || backup(&new) {
        return Ok(new);
    }
    let hinted = |name: &[u8]| hints.iter().any(|hint| hint.as_bytes() == name);
    match (hinted(&old), hinted(&new)) {
        (true, false) => Ok(old),
        (false, true) => Ok(new),
        _ => Err(format!(
            "the old name {} and the new name {} differ; use `rename from` and `rename to` to rename",
            quote(&old),
            quote(&new)
        )),
    }
}

/// The content of a new file: everything in it is added.
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
