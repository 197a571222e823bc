//! A code fence between lines of code. One around the whole file is what `syntax-holds` rejects.

use guard_sdk::Finding;

use crate::added::Added;
use crate::place::{Kind, Language};
use lexing::is_fence;

pub fn judge(added: &Added) -> Vec<Finding> {
    // YAML and the like hold prose; in JSON a fence does not parse.
    let Kind::Code(language) = added.kind else { return Vec::new() };
    if language == Language::Yaml {
        return Vec::new();
    }
    let is_said = |line: &&str| !line.trim().is_empty();
    let first = added.lines.iter().position(is_said);
    let last = added.lines.iter().rposition(is_said);
    let inner = added.new_lines().filter(|(at, line)| is_fence(line) && Some(*at) != first && Some(*at) != last);
    let certain = inner.filter(|(at, _)| added.is_in_code(*at) && !added.before().lines().any(is_fence));
    let finding = |(at, _): (usize, &str)| {
        Finding::error("fence-left", "a code fence stands between lines of code")
            .at(added.path(), at as u32 + 1)
            .help("Remove the fence line; what it encloses is already code of this file.")
    };
    certain.map(finding).collect()
}
