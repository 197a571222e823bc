//! Tests that passed on the base and are gone.

use guard_sdk::{Finding, Severity, Test, TestOutcome};

use crate::names;

/// Names in a message; the others are counted.
const NAMED: usize = 5;

/// How a test that is gone stands to the new code: put back as the base has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutBack {
    Passes,
    /// What the change breaks is hidden with it.
    Fails,
    /// Most often what it calls is gone, too.
    DoesNotRun,
}

impl PutBack {
    pub fn new(held: Option<TestOutcome>) -> Self {
        match held {
            Some(TestOutcome::Passed) => PutBack::Passes,
            Some(TestOutcome::Failed | TestOutcome::Errored) => PutBack::Fails,
            Some(TestOutcome::Skipped) | None => PutBack::DoesNotRun,
        }
    }
}

/// One test that is gone, and how much that weighs.
#[derive(Clone, Copy)]
pub struct Deleted<'r> {
    pub test: &'r Test,
    pub put_back: PutBack,
    pub severity: Severity,
}

/// Of one cause there is one finding: those that went from one place in the same way.
pub fn findings(deleted: &[Deleted]) -> Vec<Finding> {
    let mut groups: Vec<Vec<Deleted>> = Vec::new();
    for one in deleted {
        let is_alike = |other: &Deleted| {
            let place = |each: &Deleted| names::place(&each.test.id).to_owned();
            (other.put_back, other.severity, place(other)) == (one.put_back, one.severity, place(one))
        };
        match groups.iter_mut().find(|group| is_alike(&group[0])) {
            Some(group) => group.push(*one),
            None => groups.push(vec![*one]),
        }
    }
    groups.iter().filter_map(|group| finding(group)).collect()
}

fn finding(group: &[Deleted]) -> Option<Finding> {
    let first = group.first()?;
    let what = match group.len() {
        1 => first.test.id.clone(),
        count => {
            let mut names: Vec<&str> = group.iter().take(NAMED).map(|each| names::bare(&each.test.id)).collect();
            let more = format!("{} more", count.saturating_sub(NAMED));
            if count > NAMED {
                names.push(&more);
            }
            format!("{count} tests of {} ({})", names::place(&first.test.id), names.join(", "))
        }
    };
    let (is, it, test) = if group.len() == 1 { ("is", "it", "the test") } else { ("are", "them", "the tests") };
    let (message, help) = match first.put_back {
        PutBack::Fails => (
            format!(
                "{what} passed on the base; the change deletes {it}, and put back {}",
                if is == "is" { "it fails" } else { "they fail" }
            ),
            format!(
                "Put {test} back as before and fix the code so that {}.",
                if is == "is" { "it passes" } else { "they pass" }
            ),
        ),
        PutBack::Passes | PutBack::DoesNotRun => (
            format!("{what} passed on the base and {is} gone"),
            format!(
                "Put {test} back as before. Only a task or a person's message that asks for it may take a test away."
            ),
        ),
    };
    let finding = Finding { severity: first.severity, ..Finding::error("test-lost", message) }.help(help);
    Some(match &first.test.path {
        Some(path) => finding.file(path),
        None => finding,
    })
}
