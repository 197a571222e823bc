//! Collections that shrink while a loop goes over them: Python stops with an error for a dictionary or a set, and leaves elements of a list out.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::{Statement, begins_with, is_word};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if subject.language != Language::Python {
        return Vec::new();
    }
    let shrinking =
        |read: &Read| -> Vec<Shrinking> { read.blocks.iter().flat_map(|block| shrinking(&block.statements)).collect() };
    let mut found = shrinking(read);
    found.retain(|one| subject.is_new(one.line) || subject.is_new(one.head));
    if found.is_empty() {
        return Vec::new();
    }
    let old = shrinking(&subject.read_before());
    let is_new = |one: &&Shrinking| !old.iter().any(|other| other.text == one.text);
    let finding = |one: &Shrinking| {
        let message = format!("`{}` changes `{}` while the loop goes over it", one.text, one.name);
        Finding::error("changed-in-loop", message)
            .at(subject.path(), one.line)
            .related(subject.path(), one.head..=one.head, "the loop")
            .help(format!("Go over a copy, such as `list({})`, or build a new collection of what stays.", one.name))
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct Shrinking {
    /// From 1, as that of the loop.
    line: u32,
    head: u32,
    name: String,
    text: String,
}

fn shrinking(statements: &[Statement]) -> Vec<Shrinking> {
    let mut found = Vec::new();
    for (at, head) in statements.iter().enumerate() {
        let Some(name) = collection(&head.code) else { continue };
        let body = &statements[at + 1..];
        let length = body.iter().take_while(|one| one.indent > head.indent || one.depth > 0).count();
        let body = &body[..length];
        // Another value takes its place.
        if body.iter().any(|one| one.code.starts_with(&format!("{name} = "))) {
            continue;
        }
        for (place, one) in body.iter().enumerate() {
            if shrinks(&one.code, name) && !is_left_at_once(body, place) {
                let text = one.text.chars().take(60).collect();
                let (line, head) = (one.first, head.first);
                found.push(Shrinking { line, head, name: name.to_owned(), text });
            }
        }
    }
    found
}

/// What a loop goes over, where it is a place and no copy: `for key in self.rows.items():`.
fn collection(code: &str) -> Option<&str> {
    let head = code.strip_prefix("async for ").or_else(|| code.strip_prefix("for "))?;
    let (_, over) = head.strip_suffix(':')?.split_once(" in ")?;
    let over = over.trim();
    let over = [".items()", ".keys()", ".values()"].iter().find_map(|view| over.strip_suffix(view)).unwrap_or(over);
    let is_place = !over.is_empty() && over.chars().all(|c| is_word(c) || c == '.') && !over.ends_with('.');
    is_place.then_some(over)
}

/// `del rows[key]`, `rows.pop(…)`, `rows.remove(…)`, as a statement or the value of one.
fn shrinks(code: &str, name: &str) -> bool {
    if code.strip_prefix("del ").and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('[')) {
        return true;
    }
    let call = code.split_once(" = ").map_or(code, |(_, value)| value);
    let method = call.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    method.is_some_and(|method| {
        ["pop(", "remove(", "popitem(", "discard(", "clear("].iter().any(|end| method.starts_with(end))
    })
}

/// Whether the loop is left behind the statement, before it goes on: by the statement behind it, or by that behind its block.
fn is_left_at_once(body: &[Statement], place: usize) -> bool {
    let mut indent = body[place].indent;
    let mut rest = body[place + 1..].iter().filter(|one| one.depth == 0);
    let leaves = |one: &Statement| {
        ["break", "return", "raise", "yield"].iter().any(|word| begins_with(&one.code, word))
            || one.code.starts_with("sys.exit(")
    };
    rest.by_ref().any(|one| {
        let is_behind =
            one.indent <= indent && !["else", "elif", "except"].iter().any(|word| begins_with(&one.code, word));
        indent = indent.min(one.indent);
        is_behind && leaves(one)
    })
}
