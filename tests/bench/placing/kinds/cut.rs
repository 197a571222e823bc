//! Replies that end before they are complete. Half a change is never what was asked for.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, Line};
use super::super::random::Random;
use super::super::trial::Trial;
use super::search::{marked, named};
use super::{Make, v4a};

pub const KINDS: [(&str, Make); 13] = [
    ("cut diff, between lines", |source, random| {
        let (edit, hunks) = hunks(source)?;
        Some(Trial::refused(edit, edit.names() + &cut_hunks(&hunks, random)?))
    }),
    ("cut diff, in a line", |source, random| {
        let (edit, hunks) = hunks(source)?;
        let mut text = edit.names() + &cut_hunks(&hunks, random)?;
        let line = text.trim_end().rfind('\n')? + 1;
        let length = text.trim_end().len() - line;
        (length > 6 && !text[line + 1..].starts_with(char::is_whitespace))
            .then(|| text.truncate(floor(&text, line + 2 + random.below(length - 4))))?;
        Some(Trial::refused(edit, text))
    }),
    ("cut diff in an open fence", |source, random| {
        let (edit, hunks) = hunks(source)?;
        Some(Trial::refused(edit, format!("Here:\n\n```diff\n{}{}", edit.names(), cut_hunks(&hunks, random)?)))
    }),
    ("cut diff without counts, in an open fence", |source, random| {
        let (edit, hunks) = hunks(source)?;
        let bare: String = hunks.iter().map(|hunk| format!("@@\n{}", hunk.body())).collect();
        Some(Trial::refused(edit, format!("```diff\n{}{}", edit.names(), cut_text(&bare, random)?)))
    }),
    ("cut diff, said to be cut", |source, random| {
        let (edit, hunks) = hunks(source)?;
        let said = [
            "[output truncated]",
            "... (continued)",
            "[... rest of the diff omitted for brevity ...]",
            "(diff truncated)",
        ];
        let text = edit.names() + &cut_hunks(&hunks, random)?;
        Some(Trial::refused(edit, text + super::pick(random, &said)? + "\n"))
    }),
    ("cut in a hunk's header", |source, _| {
        let (edit, hunks) = hunks(source)?;
        let text: String = hunks[..hunks.len() - 1].iter().map(Hunk::text).collect();
        let last = hunks.last()?.header();
        (hunks.len() > 1).then(|| Trial::refused(edit, edit.names() + &text + &last[..last.len() / 2]))
    }),
    ("cut in the second file", |source, random| {
        let edits = source.several()?;
        let last = edits.last()?;
        let whole: String = edits[..edits.len() - 1].iter().map(|edit| edit.unified(3)).collect();
        Some(Trial::all_refused(edits, whole + &last.names() + &cut_hunks(&last.hunks(3), random)?))
    }),
    ("cut SEARCH half", |source, random| {
        let edit = source.plain()?;
        let (search, _) = edit.blocks(3)?.pop()?;
        let text = format!("{}\n```\n<<<<<<< SEARCH\n{}", edit.path, cut_text(&search, random)?);
        Some(Trial::refused(edit, text))
    }),
    ("cut REPLACE half", |source, random| {
        let edit = source.plain()?;
        let blocks = edit.blocks(3)?;
        let (last, before) = blocks.split_last()?;
        let whole: String = before.iter().map(|block| named(&edit.path, &marked(block))).collect();
        let half = format!("{}\n```\n<<<<<<< SEARCH\n{}=======\n{}", edit.path, last.0, cut_text(&last.1, random)?);
        Some(Trial::refused(edit, whole + &half))
    }),
    ("cut V4A", |source, random| {
        let edit = source.plain()?;
        let text = v4a::patch(&v4a::update(edit)?);
        Some(Trial::refused(edit, cut_text(text.strip_suffix("*** End Patch\n")?, random)?))
    }),
    ("cut JSON", |source, random| {
        let edit = source.plain()?;
        let text = serde_json::json!({"patches": [{"action": "modify", "path": edit.path, "content": edit.after}]})
            .to_string();
        let end = floor(&text, text.len() / 3 + random.below(text.len() / 2));
        Some(Trial::refused(edit, &text[..end]))
    }),
    ("cut whole file", |source, random| {
        let edit = source.plain()?;
        let half = cut_text(&edit.after, random)?;
        (edit.after.lines().count() > 12).then(|| Trial::refused(edit, format!("{}\n```\n{half}", edit.path)))
    }),
    ("cut XML file", |source, random| {
        let edit = source.plain()?;
        let half = cut_text(&edit.after, random)?;
        (edit.after.lines().count() > 12)
            .then(|| Trial::refused(edit, format!("<file path=\"{}\">\n{half}", edit.path)))
    }),
];

/// The edit and its hunks, where the last one is long enough to be cut.
fn hunks(source: &Source) -> Option<(&Edit, Vec<Hunk>)> {
    let edit = source.plain()?;
    let hunks = edit.hunks(3);
    (hunks.last()?.lines.len() > 5).then_some((edit, hunks))
}

/// The hunks without the last lines of the last one, among them a changed one, below a header that counts all.
fn cut_hunks(hunks: &[Hunk], random: &mut Random) -> Option<String> {
    let (last, before) = hunks.split_last()?;
    let changed = |line: &Line| line.sign != ' ';
    let (first, end) = (last.lines.iter().position(changed)?, last.lines.iter().rposition(changed)?);
    (end > first).then_some(())?;
    let kept = Hunk { lines: last.lines[..first + 1 + random.below(end - first)].to_vec(), ..last.clone() };
    Some(before.iter().map(Hunk::text).collect::<String>() + &last.header() + "\n" + &kept.body())
}

/// The text up to some line's end, without its last worded line.
fn cut_text(text: &str, random: &mut Random) -> Option<String> {
    let lines: Vec<&str> = text.trim_end().split_inclusive('\n').collect();
    (lines.len() > 2).then(|| lines[..1 + random.below(lines.len() - 2)].concat())
}

/// The nearest beginning of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
