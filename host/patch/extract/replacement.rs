//! An edit in words: a sentence that says what is replaced above a fenced text, and `with` between that and the next one.
//!
//! Every word of the sentence has to be known: `every`, `not` and `perhaps` say something else, and so does a word that is in no list.

use super::account::Surroundings;
use super::labels::{TextSide, half};
use super::lines::{Lines, blank, malformed, skip_blank};
use super::notes::Notes;
use super::{names, search_replace, seen, whole_file};
use crate::fence::Fence;
use crate::formats;
use bstr::ByteSlice;
use guardhost_core::change::{Author, FileOp, FilePatch, NoPatch, RepoPath};
use guardhost_core::error::Error;

/// What the words between the two texts may be, for each verb.
pub(super) const VERBS: [(&str, &[&str]); 3] = [
    ("replace", &["with", "by", "with this", "by this", "with the following"]),
    ("substitute", &["with", "by"]),
    ("change", &["to", "into", "to this"]),
];

/// Lines above a label in which its heading stands, other edits below that heading among them.
const REACH: usize = 400;

/// Words that a sentence may have besides the verb and the file. None of them says how often, whether, or what else.
pub(super) const KNOWN: [&str; 33] = [
    "in",
    "inside",
    "within",
    "of",
    "at",
    "from",
    "the",
    "this",
    "these",
    "that",
    "following",
    "line",
    "lines",
    "block",
    "code",
    "text",
    "function",
    "method",
    "class",
    "section",
    "part",
    "snippet",
    "statement",
    "file",
    "please",
    "now",
    "then",
    "next",
    "first",
    "second",
    "finally",
    "also",
    "and",
];

/// The edit whose old text the fence opens, and the line below its new text.
///
/// # Errors
/// What is wrong with one that cannot be read: it would be lost beside other edits.
pub(super) fn at(
    lines: &Lines,
    fence: &Fence,
    files: &Surroundings,
    notes: &mut Notes,
) -> Result<Option<(FilePatch, usize)>, NoPatch> {
    let refused = |why: &str| Err(malformed(fence.at, why));
    let Some((words, end, new, new_end)) = pair(lines, fence) else { return Ok(None) };
    let Some(sentence) = sentence(lines, fence.at) else { return Ok(None) };
    let unreadable = |error| malformed(fence.at, format_args!("a file that the words name cannot be read: {error}"));
    let labelled = match half(&words) == Some(TextSide::New) {
        true => labelled(lines, sentence, files).map_err(unreadable)?,
        false => None,
    };
    let is_between = VERBS.iter().any(|(_, known)| known.contains(&words.as_str()));
    let path = match labelled {
        Some(path) => path,
        None if !is_between || !has_verb(lines[sentence]) => return Ok(None),
        None => match asked(lines, sentence, files).map_err(unreadable)? {
            Some((verb, path)) if VERBS[verb].1.contains(&words.as_str()) => path,
            Some(_) | None => return refused(UNCLEAR),
        },
    };
    let (search, replace) = (&lines[fence.at + 1..end], &lines[new.at + 1..new_end]);
    let is_form = |fence: &Fence, text: &[&[u8]]| seen::in_block(text, &whole_file::language(fence)).is_some();
    if search.iter().all(|line| blank(line)) || is_form(fence, search) || is_form(&new, replace) {
        return refused(UNCLEAR);
    }
    if has_other_way(lines, new_end + 1, files).map_err(unreadable)? {
        return refused("another text below this replacement may be meant in its place; send one patch");
    }
    let hunk = search_replace::unnumbered(search, replace, &path, notes);
    let written_by = Author::Model { says_whole: false };
    let file = FilePatch { written_by, ..FilePatch::new(path, FileOp::Modify(vec![hunk])) };
    Ok(Some((file, new_end + 1)))
}

const UNCLEAR: &str = "this replacement in words is not clear: say `In path/to/file, replace:` with the old lines in the fence below, and \
                       `with:` above the new ones; or send a unified diff";

/// The words between the fence and the next one, where they are all that stands between them; the end of the first, and the other with
/// its end.
fn pair<'l>(lines: &Lines<'l>, fence: &Fence) -> Option<(String, usize, Fence<'l>, usize)> {
    let end = whole_file::close(lines, fence)?;
    let between = skip_blank(lines, end + 1);
    let words = label(lines.get(between)?);
    let is_known =
        VERBS.iter().any(|(_, known)| known.contains(&words.as_str())) || half(&words) == Some(TextSide::New);
    is_known.then_some(())?;
    let below = skip_blank(lines, between + 1);
    let new = Fence::open(lines.get(below)?, below)?;
    let new_end = whole_file::close(lines, &new)?;
    Some((words, end, new, new_end))
}

fn label(line: &[u8]) -> String {
    line.to_str_lossy().to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// The file whose name heads the label that is the line `at`, with other labels between them. Beside a patch, what stands below such
/// labels recalls what the patch does.
fn labelled(lines: &Lines, at: usize, files: &Surroundings) -> Result<Option<RepoPath>, Error> {
    let is_header = |line: &[u8]| formats::begins_with(line, |row| row.headers);
    if half(&label(lines[at])) != Some(TextSide::Old)
        || !lines.spend(lines.len())
        || lines.iter().any(|line| is_header(line))
    {
        return Ok(None);
    }
    // A picture or a mark may stand before the name.
    let heads = |line: &[u8]| {
        line.starts_with(b"#")
            || line.starts_with(b"**")
            || line.starts_with(b"`")
            || line.first().is_some_and(|byte| !byte.is_ascii())
    };
    for above in lines[..at].iter().rev().take(REACH).map(|line| line.trim_ascii()).filter(|line| heads(line)) {
        let Some(path) = names::alone(above, &[]) else { continue };
        return Ok(files.exists(&path)?.then_some(path));
    }
    Ok(None)
}

/// The line right above the fence.
fn sentence(lines: &Lines, at: usize) -> Option<usize> {
    (0..at).rev().take(2).find(|at| !blank(lines[*at]))
}

fn has_verb(line: &[u8]) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| VERBS.iter().any(|(verb, _)| word.starts_with(verb)))
}

/// Whether a fenced text below, up to the next edit, is about no file that is named, and is neither output nor a command.
fn has_other_way(lines: &Lines, from: usize, files: &Surroundings) -> Result<bool, Error> {
    let mut at = from;
    while let Some(next) = (at..lines.len()).find_map(|at| Fence::open(lines[at], at)) {
        if is_patch(lines, &next) || pair(lines, &next).is_some() {
            return Ok(false);
        }
        let Some((block, end)) = whole_file::block(lines, &next, &[]) else { return Ok(false) };
        let above = sentence(lines, next.at).map_or(&b""[..], |at| lines[at]);
        let is_named = !files.mentioned(above)?.is_empty() || !files.mentioned(next.info)?.is_empty();
        if !block.is_shown_only() && !is_named {
            return Ok(true);
        }
        at = end;
    }
    Ok(false)
}

fn is_patch(lines: &Lines, fence: &Fence) -> bool {
    let first = lines.get(skip_blank(lines, fence.at + 1));
    matches!(whole_file::language(fence).as_slice(), b"diff" | b"patch" | b"udiff")
        || first.is_some_and(|line| formats::begins_with(line, |row| row.headers))
}

/// The verb of the sentence that is the line, by its number, and the file: one that exists, named in it or alone above it.
fn asked(lines: &Lines, at: usize, files: &Surroundings) -> Result<Option<(usize, RepoPath)>, Error> {
    let line = lines[at].trim_ascii();
    let (mut verb, mut path) = (None, None);
    for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let bare = word.trim_with(|c| "`*_\"',:.()#".contains(c));
        if let Some(named) = names::plausible(bare, &[]).filter(|named| path.as_ref() != Some(named)) {
            if path.is_some() || !files.exists(&named)? {
                return Ok(None);
            }
            path = Some(named);
            continue;
        }
        let text = bare.to_str_lossy().to_lowercase();
        match VERBS.iter().position(|(verb, _)| *verb == text) {
            Some(number) if verb.is_none() => verb = Some(number),
            Some(_) => return Ok(None),
            None if text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) => {}
            None if KNOWN.contains(&text.as_str()) => {}
            None => return Ok(None),
        }
    }
    let Some(verb) = verb else { return Ok(None) };
    if path.is_none() {
        let above = (0..at).rev().take(2).find(|at| !blank(lines[*at]));
        path = above.and_then(|above| names::alone(lines[above].trim_ascii(), &[]));
    }
    let path = match path {
        Some(path) if files.exists(&path)? => path,
        Some(_) | None => return Ok(None),
    };
    Ok(Some((verb, path)))
}
