//! Commands that checked something and may fail now.

use crate::commands::{from_line, without_silence};
use crate::workflow::Step;

/// Lines of the candidate that are silent, and stood without that in the base.
pub fn lines(before: &[(String, u32)], after: &[(String, u32)]) -> Vec<(String, u32)> {
    let stood = |line: &str| before.iter().any(|(old, _)| is_same(old, line) && without_silence(old).is_none());
    let is_silenced = |(line, _): &&(String, u32)| {
        from_line(line).is_some()
            && without_silence(line).is_some_and(|bare| stood(&bare))
            && !before.iter().any(|(old, _)| old == line)
    };
    after.iter().filter(is_silenced).cloned().collect()
}

/// Lines whose check now stands in front of a pipe: a shell takes what the last command says, unless it is told otherwise.
pub fn piped(before: &[(String, u32)], after: &[(String, u32)]) -> Vec<(String, u32)> {
    const INTO: [&str; 5] = ["tee", "tail", "cat", "head", "grep"];
    let bare = |line: &str| {
        let (check, rest) = line.split_once(" | ")?;
        let into = rest.split_whitespace().next()?;
        INTO.contains(&into).then(|| check.trim_end().trim_end_matches("2>&1").trim_end().to_owned())
    };
    let stood = |line: &str| before.iter().any(|(old, _)| is_same(old, line));
    let is_piped =
        |(line, _): &&(String, u32)| bare(line).is_some_and(|bare| from_line(&bare).is_some() && stood(&bare));
    after.iter().filter(is_piped).filter(|(line, _)| !stood(line)).cloned().collect()
}

/// Steps of the candidate that may fail, and whose lines stood in a step of the base that might not.
pub fn steps<'s>(before: &[Step], after: &'s [Step]) -> Vec<&'s Step> {
    let held = |step: &&Step| {
        let same = |old: &Step| {
            old.action == step.action
                && old.lines.iter().any(|(line, _)| step.lines.iter().any(|(new, _)| is_same(line, new)))
                || (old.lines.is_empty() && step.lines.is_empty() && old.action.is_some() && old.action == step.action)
        };
        let mut alike = before.iter().filter(|old| same(old)).peekable();
        step.may_fail && alike.peek().is_some() && alike.all(|old| !old.may_fail)
    };
    after.iter().filter(held).collect()
}

/// Whether two lines run the same, whatever blanks are between the words.
fn is_same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
