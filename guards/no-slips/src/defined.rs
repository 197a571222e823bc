//! One name, two functions: the second takes the place of the first, which nothing can reach any more.

use std::collections::BTreeMap;

use guard_sdk::Finding;
use guard_sdk::files::Language;
use guard_sdk::language::{Body, Definition, DefinitionKind, Outline};
use lexing::Line;

use crate::subject::{Read, Subject};
use crate::words::{is_word, mentions};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if !matches!(subject.language, Language::Python | Language::JavaScript | Language::TypeScript | Language::Ruby)
        || subject.path().ends_with(".pyi")
    {
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
            && replaces(&read.lines, first, second)
        {
            findings.push(finding(subject, first, second));
        }
    }
    findings
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
fn replaces(lines: &[Line], first: &Definition, second: &Definition) -> bool {
    let Some((head, other)) = head(lines, first).zip(head(lines, second)) else { return false };
    let is_private = |line: &Line| line.text.contains(&format!("#{}", first.name));
    if indent(head) != indent(other)
        || is_private(head) != is_private(other)
        || kind_of_head(head.text) != kind_of_head(other.text)
    {
        return false;
    }
    if [first, second].iter().any(|one| is_decorated(lines, one)) {
        return false;
    }
    let between = lines.iter().filter(|line| line.number > first.lines.last && line.number < second.lines.first);
    let mut between = between.filter(|line| line.begins_in_code && !line.code.trim().is_empty());
    between.all(|line| indent(line) >= indent(head) && !mentions(line.text, &first.name))
}

/// A decorator may make anything of a function, and give its name to something else.
fn is_decorated(lines: &[Line], one: &Definition) -> bool {
    let own = lines.iter().filter(|line| line.number >= one.lines.first && line.number <= one.lines.last);
    let above = own.take_while(|line| !mentions(&line.code, &one.name) || line.code.trim_start().starts_with('@'));
    let mut decorators = above.filter_map(|line| line.code.trim().strip_prefix('@'));
    decorators.any(|name| !matches!(name, "staticmethod" | "classmethod"))
}

fn indent(line: &Line) -> usize {
    line.text.len() - line.text.trim_start().len()
}

/// The line that names it: decorators stand above.
fn head<'l, 't>(lines: &'l [Line<'t>], one: &Definition) -> Option<&'l Line<'t>> {
    let own = lines.iter().filter(|line| line.number >= one.lines.first && line.number <= one.lines.last);
    let mut own = own.filter(|line| line.begins_in_code && !line.code.trim_start().starts_with('@'));
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
