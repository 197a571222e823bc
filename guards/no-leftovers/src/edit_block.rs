//! Single markers of edit blocks and of merges. A whole conflict is what `syntax-holds` rejects.

use guard_sdk::Finding;
use guard_sdk::files::{self, kind_of};

use crate::added::Added;
use crate::place::{self, Kind};

const WORDS: [&str; 7] = ["SEARCH", "REPLACE", "ORIGINAL", "UPDATED", "HEAD", "ours", "theirs"];

pub fn judge(added: &Added) -> Vec<Finding> {
    if added.kind == Kind::Open || place::is_about_diffs(added.path()) {
        return Vec::new();
    }
    let marked: Vec<(usize, char)> = added.new_lines().filter_map(|(at, line)| Some((at, marker(line)?))).collect();
    if marked.is_empty() {
        return Vec::new();
    }
    // A whole conflict inside of a string is as little meant as one in code, which `syntax-holds` rejects; tests may show one.
    if is_whole(added, &marked) {
        let open = marked.iter().find(|(at, sign)| *sign == '<' && !added.is_in_code(*at)).map(|(at, _)| *at);
        let is_shown = added.kind == Kind::Document || kind_of(added.path()) == files::Kind::Test;
        return open
            .filter(|at| !is_shown && !added.before().contains(added.lines[*at]))
            .map(|at| finding(added, at))
            .into_iter()
            .collect();
    }
    let certain =
        marked.into_iter().filter(|(at, _)| added.is_in_code(*at) && !added.before().contains(added.lines[*at]));
    certain.map(|(at, _)| finding(added, at)).collect()
}

fn finding(added: &Added, at: usize) -> Finding {
    let marker: String = added.lines[at].trim_end().chars().take(40).collect();
    let message = format!("the marker `{marker}` was left in the file");
    let help = "Remove the marker, and every line that only the other side of the edit has.";
    Finding::error("edit-block-left", message).at(added.path(), at as u32 + 1).help(help)
}

/// The sign of a marker that has a label; without one, seven signs may be a heading or a ruler.
fn marker(line: &str) -> Option<char> {
    let sign = line.chars().next().filter(|sign| "<>|-+".contains(*sign))?;
    let rest = line.trim_start_matches(sign);
    let count = line.len() - rest.len();
    let label = rest.strip_prefix(' ')?.trim_end();
    let is_block = matches!(sign, '<' | '>' | '|') && (5..=9).contains(&count) || count == 7;
    let is_label = WORDS.contains(&label) && (matches!(sign, '<' | '>' | '|') || matches!(label, "SEARCH" | "REPLACE"))
        || (matches!(sign, '<' | '>') && count == 7 && is_revision(label));
    (is_block && is_label).then_some(sign)
}

/// The name of a commit, and perhaps its subject.
fn is_revision(label: &str) -> bool {
    let id = label.split([' ', ':']).next().unwrap_or_default();
    (7..=40).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether `syntax-holds` finds the markers: seven signs, and the three of them in order.
fn is_whole(added: &Added, marked: &[(usize, char)]) -> bool {
    let seven = |line: &str, sign: char| line.len() - line.trim_start_matches(sign).len() == 7;
    let open = marked.iter().find(|(at, sign)| *sign == '<' && seven(added.lines[*at], '<'));
    let Some((open, _)) = open else { return false };
    let mut rest = added.lines[*open..].iter();
    rest.any(|line| line.trim_end() == "=======") && rest.any(|line| seven(line, '>'))
}
