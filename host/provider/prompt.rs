//! The question as a provider reads it. The words stand in `prompt.md`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Ask, FailureClass, ProviderFailure, ReplyForm};
use guardhost_core::change::{FileMode, RepoPath, TaskMode, Tree, TreeEntry};
use guardhost_core::error::Result;

/// Sections, each begun by a `%%` line. One that names a value is left out when the value is empty; a line `{name}` is
/// replaced by the value.
const TEMPLATE: &str = include_str!("prompt.md");

/// The question as it is sent.
pub(super) struct Prompt {
    pub(super) bytes: Vec<u8>,
    /// The form of reply that it asks for, and the version of the template.
    pub(super) version: &'static str,
}

/// About how many tokens so many bytes are: three bytes each, which is on the safe side for English and code. The true number is the
/// secret of each model.
pub fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(3)
}

/// When the task names no file, a tree up to this size is shown whole: nobody can change what they cannot see.
const SMALL_TREE: u64 = 96 << 10;

/// The most bytes of the list of paths; and where the files to be changed are named and shown, so that the list is a mere map.
const LISTING: usize = 48 << 10;
const MAP: usize = 8 << 10;

/// Task, files, scope and feedback in one text.
///
/// Files are shown whole or not at all: those that are hinted (a folder means all in it); without hints every file of a small
/// tree, or else those whose path stands in the task. All others are listed.
///
/// A prompt of more than `most` tokens is a failure that says what did not fit: cut, it would ask for files that it does not show.
pub(super) fn prompt(ask: &Ask, form: ReplyForm, most: usize) -> Result<Result<Prompt, ProviderFailure>> {
    let choice = choose(ask)?;
    let mut files = String::new();
    let mut sizes = Vec::new();
    for (path, entry) in &choice.shown {
        let file = show(ask.tree, path, *entry)?;
        sizes.push((path, file.len()));
        files.push_str(&file);
        if tokens(files.len()) > most {
            return Ok(Err(too_long(most, files.len(), sizes)));
        }
    }
    let hints = ask.task.hints.iter().map(|path| format!("- {path}")).collect::<Vec<_>>().join("\n");
    let text = render(&[
        ("task", ask.task.text.trim()),
        ("context", ask.task.context.trim_end()),
        ("hints", &hints),
        ("compile-fix", if ask.task.mode == TaskMode::CompileFix { "yes" } else { "" }),
        ("files", files.trim_end()),
        ("listing", &choice.listing),
        ("feedback", ask.feedback.text.trim_end()),
        ("diff", if form == ReplyForm::Diff { "yes" } else { "" }),
        ("whole-files", if form == ReplyForm::WholeFiles { "yes" } else { "" }),
    ]);
    if tokens(text.len()) > most {
        return Ok(Err(too_long(most, text.len(), sizes)));
    }
    let version = match form {
        ReplyForm::Diff => "unified-diff/3",
        ReplyForm::WholeFiles => "whole-files/3",
    };
    Ok(Ok(Prompt { bytes: text.into_bytes(), version }))
}

fn too_long(most: usize, bytes: usize, mut files: Vec<(&RepoPath, usize)>) -> ProviderFailure {
    files.sort_by_key(|(_, size)| Reverse(*size));
    let biggest: Vec<_> = files.iter().take(3).map(|(path, size)| format!("{path} ({size} bytes)")).collect();
    let what = match biggest.is_empty() {
        true => "the task and its feedback alone are too long".to_owned(),
        false => format!("the biggest files are {}", biggest.join(", ")),
    };
    let why = format!("the prompt needs at least {} tokens or so and may have {most}: {what}", tokens(bytes));
    ProviderFailure::new(FailureClass::ContextTooLong, why).hint(
        "name fewer or smaller files with --file-hint, for a file is never shown in part; or raise max_prompt_tokens in the provider's settings",
    )
}

struct Choice {
    /// None: nothing stands there yet.
    shown: Vec<(RepoPath, Option<TreeEntry>)>,
    listing: String,
}

fn choose(ask: &Ask) -> Result<Choice> {
    let hints = &ask.task.hints;
    let Some(tree) = ask.tree else { return Ok(Choice { shown: Vec::new(), listing: String::new() }) };
    let mut all = Vec::new();
    tree.objects.walk(tree.oid, &mut |path, entry| {
        all.push((path.clone(), entry));
        true
    })?;
    if !hints.is_empty() {
        let mut shown = Vec::new();
        for hint in hints.iter().collect::<BTreeSet<_>>() {
            let below: Vec<_> = all.iter().filter(|(path, _)| is_at_or_below(path, hint)).collect();
            match below.is_empty() {
                true => shown.push((hint.clone(), None)),
                false => shown.extend(below.into_iter().map(|(path, entry)| (path.clone(), Some(*entry)))),
            }
        }
        shown.sort_by(|(a, _), (b, _)| a.cmp(b));
        shown.dedup_by(|(a, _), (b, _)| a == b);
        let rest = all.iter().filter(|(path, _)| shown.binary_search_by(|(known, _)| known.cmp(path)).is_err());
        let listing = listing(&rest.map(|(path, _)| path.to_string()).collect::<Vec<_>>(), MAP);
        return Ok(Choice { shown, listing });
    }
    let mut total = 0;
    for (_, entry) in &all {
        total += size(tree, *entry)?;
        if total > SMALL_TREE {
            break;
        }
    }
    let named = words(&ask.task.text);
    let (shown, rest): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(path, _)| total <= SMALL_TREE || named.contains(path.as_bytes()));
    let listing = listing(&rest.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), LISTING);
    Ok(Choice { shown: shown.into_iter().map(|(path, entry)| (path, Some(entry))).collect(), listing })
}

/// Bytes; the commit of a submodule has none here.
fn size(tree: &Tree, entry: TreeEntry) -> Result<u64> {
    if entry.mode == FileMode::Submodule { Ok(0) } else { tree.objects.blob_size(entry.oid) }
}

fn is_at_or_below(path: &RepoPath, place: &RepoPath) -> bool {
    let place = place.as_bytes().strip_suffix(b"/").unwrap_or(place.as_bytes());
    path.as_bytes().strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// The task's words without the punctuation around them, and the same with a leading dot: `.gitignore`.
fn words(task: &str) -> BTreeSet<&[u8]> {
    let quotes = |c: char| "`'\"([{<*_".contains(c);
    let around = |c: char| quotes(c) || ".,;:!?)]}>".contains(c);
    let words = task.split_whitespace().map(|word| word.trim_end_matches(around));
    words
        .flat_map(|word| [word.trim_start_matches(around), word.trim_start_matches(quotes)])
        .map(str::as_bytes)
        .collect()
}

/// One file with its name, in a fence that is longer than any in it.
fn show(tree: Option<&Tree>, path: &RepoPath, entry: Option<TreeEntry>) -> Result<String> {
    let note = |what: &str| Ok(format!("### {path}\n\n({what})\n\n"));
    let (Some(entry), Some(tree)) = (entry, tree) else { return note("does not exist yet") };
    if entry.mode == FileMode::Submodule {
        return note("a submodule: cannot be changed here");
    }
    let bytes = tree.objects.blob(entry.oid)?;
    let text = match std::str::from_utf8(&bytes) {
        _ if bytes.is_empty() => return note("an empty file"),
        Ok(text) if entry.mode == FileMode::Symlink => return note(&format!("a symbolic link to `{text}`")),
        Ok(text) if !text.contains('\0') => text,
        _ => return note(&format!("{} bytes that are not UTF-8 text, not shown", bytes.len())),
    };
    let fence = "`".repeat(3.max(1 + text.split(|c| c != '`').map(str::len).max().unwrap_or_default()));
    let executable = if entry.mode == FileMode::Executable { " (executable)" } else { "" };
    let crlf = if text.contains("\r\n") { " (lines end in CR LF)" } else { "" };
    let (open, end) = if text.ends_with('\n') { ("", "") } else { (" (no newline at end of file)", "\n") };
    Ok(format!("### {path}{executable}{crlf}{open}\n\n{fence}\n{text}{end}{fence}\n\n"))
}

/// Paths, one a line; folders stand for their files where the list would be too long, deep ones first.
fn listing(paths: &[String], most: usize) -> String {
    let depth = paths.iter().map(|path| path.matches('/').count()).max().unwrap_or_default();
    let fits = (0..=depth).rev().map(|depth| folded(paths, depth)).find(|list| list.len() <= most);
    fits.unwrap_or_else(|| format!("({} files, too many to be listed)", paths.len()))
}

/// The list with every folder deeper than `depth` as one line.
fn folded(paths: &[String], depth: usize) -> String {
    let mut list = String::new();
    let mut paths = paths.iter().peekable();
    while let Some(path) = paths.next() {
        let Some((cut, _)) = path.match_indices('/').nth(depth) else {
            let _ = writeln!(list, "{path}");
            continue;
        };
        let folder = &path[..=cut];
        let mut count = 1;
        while paths.next_if(|next| next.starts_with(folder)).is_some() {
            count += 1;
        }
        let _ = writeln!(list, "{folder} ({count} files)");
    }
    list.truncate(list.trim_end().len());
    list
}

/// One pass, so that nothing in a value is taken for a name.
fn render(values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| *value);
    let mut text = String::new();
    let mut shown = true;
    for line in TEMPLATE.lines() {
        if let Some(name) = line.strip_prefix("%%") {
            let name = name.trim();
            shown = name.is_empty() || !value(name).is_empty();
            if shown {
                text.push('\n');
            }
        } else if shown {
            let name = line.strip_prefix('{').and_then(|line| line.strip_suffix('}'));
            text.push_str(name.map_or(line, value));
            text.push('\n');
        }
    }
    text
}
