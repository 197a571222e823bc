//! What a change does to one file.

use std::collections::HashMap;

use guard_sdk::files;
use guard_sdk::{Finding, Severity};

use crate::kind::Kind;
use crate::problem::{Problem, Violation};
use crate::read::{Unread, read};
use crate::remedy::{self, Remedy};
use crate::sides::Sides;
use crate::table::Types;
use crate::template::is_template;
use crate::value::Value;
use crate::violations::violations;
use crate::words;

/// What this guard can say of a file.
#[derive(Debug)]
pub enum Judgement {
    Holds,
    /// It could not be judged, and why.
    LetPass(String),
    Breaks(Vec<Finding>),
    /// The guard gave up on it.
    Exhausted,
}

pub fn judge(sides: &Sides) -> Judgement {
    if is_template(sides.path, sides.after) {
        return Judgement::LetPass("it is a template".into());
    }
    let values = match read(sides.kind, sides.syntax, sides.after) {
        Ok(values) => values,
        Err(Unread::Broken) => {
            return Judgement::LetPass("it does not parse, which is not this guard's to judge".into());
        }
        Err(Unread::TooMuch(why)) => return Judgement::LetPass(why.into()),
    };
    if !is_of_its_kind(sides.kind, sides.path, &values) {
        return Judgement::LetPass("by what it holds it is something else than its name says".into());
    }
    let Some(wrong) = violations(sides.kind, &values) else { return Judgement::Exhausted };
    if wrong.is_empty() {
        return Judgement::Holds;
    }
    let Some(new) = news(sides, wrong) else { return Judgement::Exhausted };
    if new.is_empty() {
        return Judgement::Holds;
    }
    let severity =
        if files::kind_of(sides.path) == files::Kind::TestData { Severity::Warning } else { Severity::Error };
    let told = new.iter().enumerate();
    Judgement::Breaks(told.map(|(at, violation)| finding(sides, violation, severity, at < REMEDIES)).collect())
}

/// Violations of one file, at most, for which a remedy is looked for: each time, the whole file is read again.
const REMEDIES: usize = 5;

/// Some names are not one tool's alone.
fn is_of_its_kind(kind: Kind, path: &str, values: &[Value]) -> bool {
    let has = |keys: &[&str]| values.iter().any(|value| keys.iter().any(|key| value.get(key).is_some()));
    match kind {
        // Elsewhere it may be anything's action; at its own places a missing `runs` is a mistake.
        Kind::Action if path.contains('/') && !path.contains(".github/") => {
            has(&["runs"]) || has(&["inputs"]) && has(&["name"])
        }
        // The first version of the format had services at the top.
        Kind::Compose => has(&["services", "version", "include", "volumes", "networks", "name", "configs", "secrets"]),
        _ => true,
    }
}

/// What the base did not have. None when the base took too long.
fn news(sides: &Sides, mut wrong: Vec<Violation>) -> Option<Vec<Violation>> {
    let Some((syntax, before)) = (sides.before)() else { return Some(wrong) };
    let changed = (sides.changed)();
    let touched = |violation: &Violation| changed.iter().any(|lines| lines.contains(&violation.line));
    let old = match read(sides.kind, syntax, &before) {
        Ok(values) if !is_template(sides.path, &before) => violations(sides.kind, &values)?,
        // Against what cannot be read, only what stands on a new line is new.
        _ => {
            wrong.retain(touched);
            return Some(wrong);
        }
    };
    let key = |violation: &Violation| (violation.place.clone(), violation.problem.rule(), violation.problem.detail());
    let mut forgiven: HashMap<_, u32> = HashMap::new();
    old.iter().for_each(|violation| *forgiven.entry(key(violation)).or_default() += 1);
    // Of several that look the same, those on lines of old are the old ones.
    wrong.sort_by_key(|violation| touched(violation));
    wrong.retain(|violation| match forgiven.get_mut(&key(violation)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    wrong.sort_by_key(|violation| violation.line);
    Some(wrong)
}

fn finding(sides: &Sides, violation: &Violation, severity: Severity, may_mend: bool) -> Finding {
    let tool = sides.kind.tool(&violation.path);
    let violation = &as_written(sides, violation);
    let remedy = may_mend.then(|| Remedy::for_violation(sides, violation)).flatten();
    let help = match (&violation.problem, &remedy) {
        (Problem::Unknown { key, .. }, _) if sides.kind == Kind::Pyproject && violation.path.is_empty() => {
            format!("A tool's table stands below `tool`: write `[tool.{key}]`.")
        }
        (Problem::Form { .. }, _) if remedy::is_python_version(violation) => {
            "Write a version specifier, which begins with an operator: \">=3.10\".".to_owned()
        }
        (Problem::Shape { is, .. }, Some(remedy)) if is.has(Types::NUMBER) => {
            format!("Write it as a string, in quotes: {}.", remedy.text)
        }
        _ => words::help(violation, tool),
    };
    let finding = Finding::error(violation.problem.rule(), words::message(violation, tool));
    let finding = Finding { severity, ..finding.at(sides.path, violation.line).help(help) };
    match remedy {
        Some(remedy) => remedy.add_to(finding, sides),
        None => finding,
    }
}

/// With a number as the file spells it: 3.10 is read as 3.1.
fn as_written(sides: &Sides, violation: &Violation) -> Violation {
    let mut violation = violation.clone();
    let written = sides.after.get(violation.span.clone()).filter(|written| !written.is_empty());
    if let (Problem::Shape { found, is, .. }, Some(written)) = (&mut violation.problem, written)
        && is.has(Types::NUMBER)
    {
        *found = words::short(written);
    }
    violation
}
