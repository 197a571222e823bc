//! One key, two values: the second takes the place of the first.

use std::collections::BTreeMap;

use guard_sdk::Finding;
use guard_sdk::files::Language;
use lexing::Line;

use crate::blocks::Read;
use crate::subject::Subject;

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if !matches!(subject.language, Language::Python | Language::JavaScript | Language::TypeScript) {
        return Vec::new();
    }
    let is_python = subject.language == Language::Python;
    let twice =
        |read: &Read| -> Vec<Twice> { read.blocks.iter().flat_map(|block| twice(&block.lines, is_python)).collect() };
    let mut found = twice(read);
    found.retain(|one| subject.is_new(one.first) || subject.is_new(one.second));
    if found.is_empty() {
        return Vec::new();
    }
    let old = twice(&subject.read_before());
    let is_new = |one: &&Twice| !old.iter().any(|other| other.key == one.key);
    let finding = |one: &Twice| {
        Finding::error(
            "key-twice",
            format!("the key {} is written twice; the value of line {} is lost", one.key, one.first),
        )
        .at(subject.path(), one.second)
        .related(subject.path(), one.first..=one.first, "the first value")
        .help("Keep one of them, or give the other its own key.")
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct Twice {
    key: String,
    /// From 1.
    first: u32,
    second: u32,
}

/// Literals with one entry a line: what stands in one line with others is not looked at.
fn twice(lines: &[Line], is_python: bool) -> Vec<Twice> {
    let mut all = Vec::new();
    // What is open, with the keys of a curly bracket that ended its line.
    let mut open: Vec<Option<BTreeMap<String, u32>>> = Vec::new();
    let mut may_begin = false;
    for line in lines {
        let code = line.code.trim();
        if !line.begins_in_code
            || (code.is_empty() && line.text.trim().is_empty())
            || !line.comment.trim().is_empty() && code.is_empty()
        {
            continue;
        }
        if may_begin && let Some(Some(keys)) = open.last_mut() {
            let text = line.text.trim_start();
            if text.starts_with("...") || text.starts_with("**") || text.starts_with('[') {
                // What is spread in between may be meant to stand over what was there before.
                keys.clear();
            } else if let Some(key) = key(text, code, is_python) {
                match keys.get(&key) {
                    Some(first) => all.push(Twice { key, first: *first, second: line.number }),
                    None => drop(keys.insert(key, line.number)),
                }
            }
        }
        for (at, bracket) in line.code.char_indices() {
            match bracket {
                '{' => {
                    let ends = line.code[at + 1..].trim().is_empty()
                        && line.text[at + 1..].trim().len() == line.comment[at + 1..].trim().len();
                    open.push(ends.then(BTreeMap::new));
                }
                '(' | '[' => open.push(None),
                '}' | ')' | ']' => drop(open.pop()),
                _ => {}
            }
        }
        may_begin = code.ends_with(['{', ',']);
    }
    all
}

/// The key that a line begins with, as it is written.
fn key(text: &str, code: &str, is_python: bool) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (key, behind) = match quote {
        Some(quote) => {
            let end = text[1..].find(quote)? + 1;
            (&text[1..end], &text[end + 1..])
        }
        None if is_python => return None,
        None => text.split_at(text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')?),
    };
    let value = behind.strip_prefix(':')?;
    // `a ? b : c` goes on, and types have another sign behind their members.
    let is_entry = !key.is_empty()
        && !key.contains('\\')
        && !value.starts_with(':')
        && (code.ends_with([',', '{', '[', '(']) || !value.trim().is_empty());
    (is_entry && !matches!(key, "default" | "case")).then(|| format!("`{key}`"))
}
