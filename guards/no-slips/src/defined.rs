//! One name, two functions: the second takes the place of the first, which nothing can reach any more.

use std::collections::BTreeMap;

use guard_sdk::Finding;
use guard_sdk::files::Language;
use guard_sdk::language::{Body, Definition, DefinitionKind, Outline};
use lexing::Line;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::{is_word, mentions};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if !matches!(subject.language, Language::Python | Language::JavaScript | Language::TypeScript | Language::Ruby)
        || subject.path().ends_with(".pyi")
    {
        return Vec::new();
    }
    if !may_define(subject) {
        return Vec::new();
    }
    let Some(outline) = subject.outline() else { return Vec::new() };
    // By its owner and name, the one that stands last so far.
    let mut last: BTreeMap<(Option<&str>, &str), &Definition> = BTreeMap::new();
    let mut findings = Vec::new();
    for second in outline.definitions.iter().filter(|one| may_be(one, subject.language)) {
        let Some(first) = last.insert((second.owner.as_deref(), second.name.as_str()), second) else { continue };
        let is_new = subject.has_new(first.lines.first, first.lines.last)
            || subject.has_new(second.lines.first, second.lines.last);
        if is_new
            && count(subject.old_outline(), second) < count(Some(outline), second)
            && replaces(read, first, second)
        {
            findings.push(finding(subject, first, second));
        }
    }
    findings
}

/// Whether the change may write a definition, or give one another owner. Only the languages in which every one has its word can tell.
fn may_define(subject: &Subject) -> bool {
    let words: &[&str] = match subject.language {
        Language::Python => &["def ", "class ", "\"\"\"", "'''"],
        Language::Ruby => &["def", "class ", "module ", "=begin", "=end", "<<", "end"],
        _ => return true,
    };
    let has = |line: &str| words.iter().any(|word| line.contains(word));
    let removed = || subject.file.removed_lines().unwrap_or_default();
    subject.new_lines().iter().any(|(_, line)| has(line)) || removed().iter().any(|line| has(&line.text))
}

fn may_be(one: &Definition, language: Language) -> bool {
    let kind = match one.kind {
        DefinitionKind::Function | DefinitionKind::Method => true,
        // A test of other languages is a call with a title.
        DefinitionKind::Test | DefinitionKind::Fixture => language == Language::Python,
        DefinitionKind::Class | DefinitionKind::Module | DefinitionKind::Value => false,
    };
    kind && matches!(one.body, Body::Real | Body::Empty) && one.name != "_"
}

fn count(outline: Option<&Outline>, one: &Definition) -> usize {
    outline.map_or(0, |outline| outline.definitions.iter().filter(|other| other.is_named_as(one)).count())
}

/// Both stand in one block, whatever comes about, and nothing between them takes the first.
fn replaces(read: &Read, first: &Definition, second: &Definition) -> bool {
    let lines = [first, second].map(|one| read.masked(one.lines.first..=one.lines.last));
    let [Some(head), Some(other)] = [head(&lines[0], first), head(&lines[1], second)] else { return false };
    let is_private = |line: &Line| line.text.contains(&format!("#{}", first.name));
    if indent(head) != indent(other)
        || is_private(head) != is_private(other)
        || kind_of_head(head.text) != kind_of_head(other.text)
    {
        return false;
    }
    if is_decorated(&lines[0], first) || is_decorated(&lines[1], second) {
        return false;
    }
    let has_code = |number: u32| read.masked(number..=number).iter().any(|line| !line.code.trim().is_empty());
    (first.lines.last + 1..second.lines.first).all(|number| match read.line(number) {
        Some((text, true)) => indent_of(text) >= indent(head) && !mentions(text, &first.name) || !has_code(number),
        Some((_, false)) | None => true,
    })
}

/// A decorator may make anything of a function, and give its name to something else.
fn is_decorated(lines: &[Line], one: &Definition) -> bool {
    let above =
        lines.iter().take_while(|line| !mentions(&line.code, &one.name) || line.code.trim_start().starts_with('@'));
    let mut decorators = above.filter_map(|line| line.code.trim().strip_prefix('@'));
    decorators.any(|name| !matches!(name, "staticmethod" | "classmethod"))
}

fn indent(line: &Line) -> usize {
    indent_of(line.text)
}

fn indent_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The line that names it: decorators stand above.
fn head<'l, 't>(lines: &'l [Line<'t>], one: &Definition) -> Option<&'l Line<'t>> {
    let mut own = lines.iter().filter(|line| line.begins_in_code && !line.code.trim_start().starts_with('@'));
    own.find(|line| mentions(&line.code, &one.name))
}

/// What stands before the name: a getter and a setter share theirs, and so do a method and one of the class.
fn kind_of_head(text: &str) -> Vec<&str> {
    let words = text.trim_start().split(|c: char| !is_word(c) && c != '.' && c != '#');
    let kinds = ["get", "set", "static", "self."];
    let ends = text.find(['(', '=']).unwrap_or(text.len());
    let before = text.len() - text.trim_start().len();
    let mut at = before;
    let mut found = Vec::new();
    for word in words {
        if at >= ends {
            break;
        }
        found.extend(kinds.iter().filter(|kind| word == **kind || (kind.ends_with('.') && word.starts_with(**kind))));
        at += word.len() + 1;
    }
    found
}

fn finding(subject: &Subject, first: &Definition, second: &Definition) -> Finding {
    let (path, name) = (subject.path(), second.full_name());
    let what = if second.kind == DefinitionKind::Test { "test" } else { "function" };
    let (at, of) = (second.lines.first, first.lines.first);
    Finding::error("defined-twice", format!("`{name}` is defined twice: the {what} of line {of} is never run"))
        .at(path, at)
        .related(path, first.lines.first..=first.lines.last.min(first.lines.first + 9), "the first definition")
        .help("Give one of them another name, or keep only one.")
}
