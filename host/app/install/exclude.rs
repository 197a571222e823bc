//! `.git/info/exclude`: settings that hold a path of this machine are not offered to whoever says `git add --all`.
//!
//! Git reads the file for files that it does not track, so settings that a team shares stay as they are.

use super::marked;
use crate::hook::HookAgent;

/// The file with the settings of this agent beside those that are there.
pub(super) fn install(agent: HookAgent, before: Option<&str>) -> String {
    let before = before.unwrap_or_default();
    let line = line(agent);
    let lines: Vec<&str> = match marked::lines(before) {
        Some(lines) => lines.chain([line.as_str()]).collect(),
        None => vec![&line],
    };
    with(before, &lines)
}

/// The file without them; None when nothing else was in it.
pub(super) fn remove(agent: HookAgent, text: &str) -> Option<String> {
    let line = line(agent);
    let Some(lines) = marked::lines(text) else { return Some(text.to_owned()) };
    let rest: Vec<&str> = lines.filter(|other| *other != line).collect();
    Some(with(text, &rest)).filter(|text| !text.is_empty())
}

fn line(agent: HookAgent) -> String {
    format!("/{}", agent.repo_settings())
}

/// The text with exactly these lines in the block, each once and in their order, and without a block where there are none.
fn with(text: &str, lines: &[&str]) -> String {
    let rest = marked::remove(text).unwrap_or_else(|| text.to_owned());
    let lines: std::collections::BTreeSet<&str> = lines.iter().copied().collect();
    if lines.is_empty() {
        return rest;
    }
    let block: String = lines.iter().map(|line| format!("{line}\n")).collect();
    marked::insert(&rest, rest.len(), &marked::block(&block))
}
