//! Statements without the names that they import for nothing.

use std::ops::Range;

use guard_sdk::Edit;
use guard_sdk::files::Language;
use lexing::Line;

use super::Unused;
use crate::subject::Subject;
use crate::words::Statement;

/// Of Python, at the top of the file, without comments. None where one of them cannot be fixed.
pub fn without(subject: &Subject, unused: &[Unused]) -> Option<Vec<Edit>> {
    // A byte order mark is not part of the text, but of the file.
    let has_mark = || subject.file.after().bytes().is_ok_and(|bytes| bytes.starts_with(&[0xEF, 0xBB, 0xBF]));
    if subject.language != Language::Python || has_mark() {
        return None;
    }
    let mut edits = Vec::new();
    for (at, one) in unused.iter().enumerate() {
        let is_first = unused[..at].iter().all(|other| other.statement.first != one.statement.first);
        if is_first {
            let names = unused.iter().filter(|other| other.statement.first == one.statement.first);
            let names: Vec<&str> = names.map(|one| one.local).collect();
            edits.extend(without_names(subject, (one.statement, one.lines), &names)?);
        }
    }
    Some(edits)
}

fn without_names(subject: &Subject, (one, own): (&Statement, &[Line]), names: &[&str]) -> Option<Vec<Edit>> {
    if one.indent > 0 || own.iter().any(|line| !line.comment.trim().is_empty() || line.code.contains([';', '\\'])) {
        return None;
    }
    let text = subject.after.get();
    let remove = |range: Range<usize>| Edit::replace(subject.path(), range, "");
    let (head, list) = one.code.split_once("import ")?;
    let list = list.trim().trim_start_matches('(').trim_end_matches(')');
    let all: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let kept: Vec<&str> = all.iter().copied().filter(|name| !names.contains(&bound(name))).collect();
    if kept.len() + names.len() != all.len() {
        return None;
    }
    let whole = bytes(text, own.first()?).start..bytes(text, own.last()?).end;
    if kept.is_empty() {
        return Some(vec![remove(whole)]);
    }
    if own.len() == 1 {
        let ending = &text[whole.start + own[0].text.len()..whole.end];
        let is_in_brackets = one.code.ends_with(')');
        let new = match is_in_brackets {
            true => format!("{head}import ({}){ending}", kept.join(", ")),
            false => format!("{head}import {}{ending}", kept.join(", ")),
        };
        return Some(vec![Edit::replace(subject.path(), whole, new)]);
    }
    // One name a line.
    let of_name = |name: &&str| {
        own.iter().find(|line| line.code.trim().strip_suffix(',').is_some_and(|code| bound(code) == *name))
    };
    names.iter().map(|name| of_name(name).map(|line| remove(bytes(text, line)))).collect()
}

/// What `a`, `a as b` or `a.b` is called in the file.
fn bound(name: &str) -> &str {
    name.rsplit(" as ").next().unwrap_or_default().trim()
}

/// A line with its ending.
fn bytes(text: &str, line: &Line) -> Range<usize> {
    let start = line.text.as_ptr() as usize - text.as_ptr() as usize;
    start..text[start..].find('\n').map_or(text.len(), |at| start + at + 1)
}
