//! A member that nothing defines, beside one whose name differs in a letter.

use std::collections::BTreeMap;

use guard_sdk::files::Language;
use guard_sdk::language::DefinitionKind;
use guard_sdk::{Finding, Side};

use crate::subject::Subject;
use crate::words::places;

/// In letters. Of shorter names too many differ in one.
const SHORTEST: usize = 5;

pub fn judge(subject: &Subject) -> Vec<Finding> {
    if subject.language != Language::Python || !subject.new_lines().iter().any(|(_, line)| line.contains("self.")) {
        return Vec::new();
    }
    let Some(outline) = subject.outline() else { return Vec::new() };
    let text = subject.after.get();
    // Members that come about otherwise cannot be told from their absence.
    if ["__getattr__", "setattr(", "__dict__", "__getattribute__"].iter().any(|form| text.contains(form)) {
        return Vec::new();
    }
    // Classes that get their members from nowhere else, each with what it defines; of two with one name, neither.
    let mut classes: BTreeMap<&str, Option<Vec<&str>>> = BTreeMap::new();
    for one in outline.definitions.iter().filter(|one| one.kind == DefinitionKind::Class) {
        let is_plain = one.bases.is_empty() && one.annotations.is_empty();
        let is_second = classes.contains_key(one.name.as_str());
        classes.insert(&one.name, (is_plain && !is_second).then(Vec::new));
    }
    for one in &outline.definitions {
        let class = one.owner.as_deref().and_then(|owner| classes.get_mut(owner));
        if let Some(Some(members)) = class {
            members.push(&one.name);
        }
    }
    let mut findings = Vec::new();
    for read in outline.members.iter().filter(|read| subject.is_new(read.line) && read.member.len() >= SHORTEST) {
        let Some(Some(members)) = classes.get(read.object.as_str()) else { continue };
        if members.contains(&read.member.as_str()) {
            continue;
        }
        let Some(near) = members.iter().find(|name| differs_in_a_letter(name, &read.member)) else { continue };
        if !is_only_read(text, &read.member) {
            continue;
        }
        let elsewhere = subject.change.repo(Side::After).search(&[&read.member], &["**/*.py"], 50);
        if elsewhere.iter().any(|hit| hit.path != subject.path()) {
            continue;
        }
        let member = &read.member;
        findings.push(
            Finding::error("member-misspelt", format!("`{}` has no `{member}`; it has `{near}`", read.object))
                .at(subject.path(), read.line)
                .help(format!("Write `{near}`, or define `{member}`.")),
        );
    }
    findings
}

/// Every place where the name stands reads it as a member.
fn is_only_read(text: &str, member: &str) -> bool {
    places(text, member).all(|at| {
        let rest = text[at + member.len()..].trim_start_matches(' ');
        let is_set =
            (rest.starts_with('=') && !rest.starts_with("==")) || rest.starts_with(':') || rest.starts_with("+=");
        text[..at].ends_with("self.") && !is_set
    })
}

/// By one letter more, less or other, or two that changed places. A name in the plural is another name, and so is one with another number.
fn differs_in_a_letter(a: &str, b: &str) -> bool {
    let is_other = |name: &str| name.contains(|c: char| c.is_ascii_digit());
    let is_longer = a.starts_with(b) || b.starts_with(a);
    !is_longer && !is_other(a) && !is_other(b) && strsim::osa_distance(a, b) == 1
}
