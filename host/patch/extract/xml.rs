//! Edits in tags: `<search>…</search><replace>…</replace>`, also as `old_str` and `new_str`; and whole files in
//! `<file path="…">…</file>` or in Cline's `<path>…</path><content>…</content>`.

use super::lines::{Lines, blank, joined, malformed, skip_blank, truncated};
use super::{Notes, names, search_replace};
use crate::fence::Fence;
use guardhost_core::change::{Author, Existence, FileOp, FilePatch, Hunk, NoPatch, PatchFormat, RepoPath};

/// The tags of the two halves of an edit.
const PAIRS: [(&str, &str); 11] = [
    ("search", "replace"),
    ("search", "replacement"),
    ("old_str", "new_str"),
    ("old_string", "new_string"),
    ("old_text", "new_text"),
    ("old_code", "new_code"),
    ("find", "replace"),
    ("find", "replacement"),
    ("old", "new"),
    ("original", "updated"),
    ("original", "modified"),
];

/// Tags around a whole file whose name is an attribute: the common one, and those of programs that make applications.
const FILES: [&str; 4] = ["file", "boltAction", "lov-write", "dyad-write"];

/// What begins at a line.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// The first tag of an edit.
    Edit(&'static str, &'static str),
    /// The tag around a whole file.
    File(&'static str),
    /// The text of a file that a tool creates, in a parameter with this name.
    Text(&'static str),
}

pub(super) fn starts(lines: &[&[u8]], at: usize) -> Option<Start> {
    let line = lines.get(at)?.trim_ascii_start();
    if !line.starts_with(b"<") {
        return None;
    }
    let above = (0..at).rev().map(|at| lines[at]).find(|line| !blank(line));
    let is_name = |line: &[u8]| names::in_tag(line).or_else(|| names::in_element(line)).is_some();
    let has = |tag: &str| lines[at..].iter().take(REACH).any(|line| opens(line, tag));
    let mut pairs = PAIRS.iter().filter(|(old, _)| opened(line, old).is_some());
    let pair = pairs.clone().find(|(_, new)| has(new)).or_else(|| pairs.next());
    if let Some((old, new)) = pair {
        // Without its other half it is a tag of another document.
        let rest = &lines[at + 1..];
        let next = rest.iter().position(|line| opened(line, old).is_some() || opened(line, new).is_some());
        let is_whole = find(line, &format!("</{old}>")).is_some() && find(line, &format!("<{new}>")).is_some();
        let has_half = is_whole || next.is_some_and(|next| opened(rest[next], new).is_some());
        // Other documents have `<search>` too, but not below a file's name or another edit.
        let close = format!("</{new}>");
        let is_edit = || above.is_some_and(|above| is_name(above) || find(above, &close).is_some());
        // These words are tags of other documents too.
        let is_ours = match *old {
            "original" => has_half && is_in_edit(lines, at),
            "old" => has_half && is_edit(),
            _ => has_half || old.contains('_') || is_edit(),
        };
        return is_ours.then_some(Start::Edit(old, new));
    }
    if opened(line, "file_text").is_some() {
        return above.and_then(names::in_element).map(|_| Start::Text("file_text"));
    }
    // The parameter of a call ends where it says, not where the file may have such a tag.
    if opened(line, "content").is_some() && line.starts_with(b"<parameter") {
        return above.and_then(names::in_element).map(|_| Start::Text("content"));
    }
    if opened(line, "content").is_some() {
        return above.and_then(names::in_element).map(|_| Start::File("content"));
    }
    let tag =
        FILES.iter().find(|tag| line[1..].strip_prefix(tag.as_bytes()).is_some_and(|rest| rest.starts_with(b" ")));
    let tag = tag.filter(|_| names::in_tag(line).is_some());
    // A file that holds edits is only a name for them.
    let holds_edits = |line: &&&[u8]| {
        PAIRS.iter().any(|(old, _)| opened(line, old).is_some()) || search_replace::starts(&[**line], 0)
    };
    let tag = tag?;
    let close = format!("</{tag}>");
    let mut inside = lines[at + 1..].iter().take_while(|line| line.trim_ascii() != close.as_bytes());
    (!inside.any(|line| holds_edits(&line))).then_some(Start::File(tag))
}

/// Whether the element begins in the line, and not one whose name begins alike.
fn opens(line: &[u8], tag: &str) -> bool {
    let behind = find(line, &format!("<{tag}")).and_then(|at| line.get(at + 1 + tag.len()));
    behind.is_some_and(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

/// Whether the tag right around the line, or around the name above it, is that of an edit.
fn is_in_edit(lines: &[&[u8]], at: usize) -> bool {
    const TAGS: [&[u8]; 5] = [b"<edit", b"<change", b"<patch", b"<replace", b"<update"];
    let mut above = lines[..at].iter().rev().filter(|line| !blank(line)).map(|line| line.trim_ascii_start());
    above.by_ref().take(2).any(|line| TAGS.iter().any(|tag| line.starts_with(tag)))
}

/// Lines between an edit and the tag of its file, other edits among them.
const REACH: usize = 400;

/// The name of the file whose tag is open around the line.
pub(super) fn enclosing(lines: &[&[u8]], at: usize) -> Option<RepoPath> {
    for line in lines[at.saturating_sub(REACH)..at].iter().rev().map(|line| line.trim_ascii()) {
        if line.starts_with(b"</file>") {
            return None;
        }
        if line.starts_with(b"<file ") {
            return names::in_tag(line);
        }
    }
    None
}

/// What follows the opening tag, at any indentation and in any case of letters; in the call of a tool it is a parameter.
fn opened<'l>(line: &'l [u8], tag: &str) -> Option<&'l [u8]> {
    let line = line.trim_ascii_start().strip_prefix(b"<")?;
    let (name, end) = match (line.strip_prefix(b"parameter name=\""), line.strip_prefix(b"parameter=")) {
        (Some(name), _) => (name, &b"\">"[..]),
        (None, Some(name)) => (name, &b">"[..]),
        (None, None) => (line, &b">"[..]),
    };
    let is_tag = name.get(..tag.len())?.eq_ignore_ascii_case(tag.as_bytes());
    let rest = is_tag.then(|| &name[tag.len()..])?;
    rest.strip_prefix(end).or_else(|| Some(numbered(rest)?.1))
}

/// The number in ` line=12>`, with which Zed says where the text of the tag begins, and what follows it.
fn numbered(rest: &[u8]) -> Option<(u32, &[u8])> {
    let value = rest.strip_prefix(b" line=")?;
    let end = value.iter().position(|byte| *byte == b'>')?;
    let number = std::str::from_utf8(&value[..end]).ok()?.trim_matches('"').parse().ok()?;
    Some((number, &value[end + 1..]))
}

fn find(line: &[u8], what: &str) -> Option<usize> {
    line.windows(what.len()).position(|text| text.eq_ignore_ascii_case(what.as_bytes()))
}

/// Reads what begins at `at`, and gives the line after it. `path`: the file of an edit.
pub(super) fn parse(
    lines: &Lines,
    at: usize,
    start: Start,
    path: RepoPath,
    notes: &mut Notes,
) -> Result<(PatchFormat, FilePatch, usize), NoPatch> {
    match start {
        Start::File(tag) => {
            let (content, next) = file(lines, at, tag)?;
            let written_by = Author::Model { says_whole: false };
            let file =
                FilePatch { written_by, existence: Existence::Unsaid, ..FilePatch::new(path, FileOp::Write(content)) };
            Ok((PatchFormat::WholeFile, file, next))
        }
        Start::Text(tag) => {
            let (content, (line, _)) = element(lines, at, 0, tag)?;
            let written_by = Author::Model { says_whole: true };
            let file = FilePatch { written_by, ..FilePatch::new(path, FileOp::Write(joined(&content))) };
            Ok((PatchFormat::WholeFile, file, line + 1))
        }
        Start::Edit(old, new) => {
            let (search, after) = element(lines, at, 0, old)?;
            let (line, column) = after_blanks(lines, after);
            if lines.get(line).and_then(|text| opened(&text[column..], new)).is_none() {
                return Err(malformed(at, format_args!("after </{old}> there is no <{new}>")));
            }
            let (replace, (line, column)) = element(lines, line, column, new)?;
            let next = if lines.get(line).is_some_and(|text| blank(&text[column..])) { line + 1 } else { line };
            let next = next.max(at + 1);
            let op = if search.iter().all(|line| blank(line)) {
                FileOp::Create(joined(&replace))
            } else {
                let hunk = search_replace::unnumbered(&search, &replace, &path, notes);
                let line = lines[at].trim_ascii_start().get(old.len() + 1..).and_then(numbered).map(|(line, _)| line);
                FileOp::Modify(vec![Hunk { old_start: line.or(hunk.old_start), ..hunk }])
            };
            let written_by = Author::Model { says_whole: false };
            Ok((PatchFormat::SearchReplace, FilePatch { written_by, ..FilePatch::new(path, op) }, next))
        }
    }
}

fn after_blanks(lines: &Lines, (line, column): (usize, usize)) -> (usize, usize) {
    match lines.get(line) {
        Some(text) if !blank(&text[column..]) => (line, column),
        _ => (skip_blank(lines, line + 1), 0),
    }
}

/// The content of an element, and the position after it: a line and a column.
type Element<'a> = (Vec<&'a [u8]>, (usize, usize));

/// The lines between `<tag>`, which is at `column` of the line `at`, and `</tag>`; and the position after that.
fn element<'a>(lines: &Lines<'a>, at: usize, column: usize, tag: &str) -> Result<Element<'a>, NoPatch> {
    let is_parameter = lines[at][column..].trim_ascii_start().starts_with(b"<parameter");
    let close = if is_parameter { "</parameter>".to_owned() } else { format!("</{tag}>") };
    let first = opened(&lines[at][column..], tag).unwrap_or_default();
    let offset = lines[at].len() - first.len();
    if let Some(end) = find(first, &close) {
        return Ok((without_cdata(vec![&first[..end]]), (at, offset + end + close.len())));
    }
    let end = (at + 1..lines.len()).find_map(|line| Some((line, find(lines[line], &close)?)));
    let (end, cut) = end.ok_or_else(|| truncated(at, format_args!("<{tag}> is never closed")))?;
    let last = &lines[end][..cut];
    let head = (!blank(first)).then_some(first);
    let tail = (!blank(last)).then_some(last);
    let content: Vec<&[u8]> = head.into_iter().chain(lines[at + 1..end].iter().copied()).chain(tail).collect();
    Ok((without_cdata(content), (end, cut + close.len())))
}

fn without_cdata(mut content: Vec<&[u8]>) -> Vec<&[u8]> {
    let (Some(first), Some(last)) = (content.first(), content.last()) else { return content };
    let (Some(first), Some(last)) =
        (first.trim_ascii_start().strip_prefix(b"<![CDATA["), last.trim_ascii_end().strip_suffix(b"]]>"))
    else {
        return content;
    };
    if content.len() == 1 {
        return vec![first.strip_suffix(b"]]>").unwrap_or(first)];
    }
    let end = content.len() - 1;
    (content[0], content[end]) = (first, last);
    let from = usize::from(blank(first));
    let to = if blank(last) { end } else { end + 1 };
    content[from..to].to_vec()
}

/// How many lines the element says that the file has.
fn line_count(line: &[u8]) -> Option<usize> {
    let count = opened(line, "line_count")?;
    let count = count.strip_suffix(b"</line_count>").or(count.strip_suffix(b"</parameter>"))?;
    std::str::from_utf8(count.trim_ascii()).ok()?.parse().ok()
}

/// The content of a whole file, without a fence around it. Its own tags of the same name are inside: the last one that closes it
/// before the next file counts.
fn file(lines: &Lines, at: usize, tag: &str) -> Result<(Vec<u8>, usize), NoPatch> {
    let close = format!("</{tag}>");
    let next_file = (at + 1..lines.len()).find(|&at| matches!(starts(lines, at), Some(Start::File(_))));
    let mut ends = (at + 1..next_file.unwrap_or(lines.len())).filter(|&at| lines[at].trim_ascii() == close.as_bytes());
    // An action of another kind that follows has the same tag.
    let end = if matches!(tag, "file" | "content") { ends.next_back() } else { ends.next() };
    let end = end.ok_or_else(|| truncated(at, format_args!("<{tag}> is never closed by a line {close}")))?;
    // The text may begin right behind the tag.
    let head = opened(lines[at], tag).filter(|head| !blank(head));
    let mut content = without_cdata(head.into_iter().chain(lines[at + 1..end].iter().copied()).collect());
    let texts = || content.iter().enumerate().filter(|(_, line)| !blank(line)).map(|(at, _)| at);
    if let (Some(first), Some(last)) = (texts().next(), texts().next_back())
        && let Some(fence) = Fence::open(content[first], first)
        && first < last
        && fence.closed_by(content[last])
    {
        content = content[first + 1..last].to_vec();
    }
    let told = lines.get(skip_blank(lines, end + 1)).and_then(|line| line_count(line));
    // Models count a line more or less.
    if let Some(told) = told.filter(|told| *told > content.len() + content.len() / 10 + 1) {
        return Err(malformed(end, format_args!("the file is said to have {told} lines, and has {}", content.len())));
    }
    Ok((joined(&content), end + 1))
}
