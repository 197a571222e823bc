//! What an edit would change without any test noticing: the text tells.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::tokens::{Token, closing, tokens};

/// Names of an interpreter's version or of the system. Of a line that asks for them one answer alone can be had on a machine.
const MACHINE: [&str; 12] = [
    "version_info",
    "TYPE_CHECKING",
    "RUBY_VERSION",
    "RUBY_ENGINE",
    "RUBY_PLATFORM",
    "PHP_VERSION",
    "PHP_VERSION_ID",
    "PHP_OS",
    "PHP_OS_FAMILY",
    "GOOS",
    "GOARCH",
    "target_os",
];
/// The same of a member.
const MEMBERS: [(&str, &str); 4] =
    [("sys", "platform"), ("os", "name"), ("process", "platform"), ("process", "version")];

const CONDITIONS: [&str; 4] = ["if", "elif", "elsif", "unless"];

/// Named arguments for how much is read at once, or whose line a warning names.
const TUNING: [&str; 7] =
    ["stacklevel", "bufsize", "buffering", "buffer_size", "chunk_size", "chunksize", "highWaterMark"];

/// Calls that only make room.
const ROOM: [&str; 7] =
    ["with_capacity", "reserve", "reserve_exact", "shrink_to_fit", "Grow", "ensureCapacity", "EnsureCapacity"];

pub fn asks_the_machine(tokens: &[Token]) -> bool {
    let is_member = |three: &[Token]| three[1].text == "." && MEMBERS.contains(&(three[0].text, three[2].text));
    tokens.iter().any(|token| MACHINE.contains(&token.text)) || tokens.windows(3).any(is_member)
}

/// Numbers of the lines that are run if the answer is one alone: those that stand deeper below the condition. An `else` is as deep as it.
pub fn for_other_machines(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut depth = None;
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let here = line.len() - line.trim_start().len();
        depth = depth.filter(|depth| here > *depth);
        if depth.is_some() {
            found.insert(number);
            continue;
        }
        let tokens = tokens(line);
        let is_condition = tokens.first().is_some_and(|first| CONDITIONS.contains(&first.text));
        depth = (is_condition && asks_the_machine(&tokens)).then_some(here);
    }
    found
}

/// Bytes of the line in which no edit would be noticed.
pub fn ranges(tokens: &[Token]) -> Vec<Range<usize>> {
    (0..tokens.len()).filter_map(|at| tuning(tokens, at).or_else(|| room(tokens, at))).collect()
}

/// `stacklevel=2`, `highWaterMark: 1`.
fn tuning(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let [name, sign, value, ..] = &tokens[at..] else { return None };
    let is_tuning = TUNING.contains(&name.text) && matches!(sign.text, "=" | ":");
    is_tuning.then(|| name.start..value.end())
}

/// `Vec::with_capacity(n + 1)` as a whole, and what stands behind the length in Go's `make([]T, 0, n + 1)`.
fn room(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let open = at + 1;
    if tokens.get(open)?.text != "(" {
        return None;
    }
    let close = closing(tokens, open)?;
    if ROOM.contains(&tokens[at].text) {
        let is_path = |token: &&Token| token.is_word() || matches!(token.text, "." | "::" | "->");
        let path = tokens[..at].iter().rev().take_while(is_path).last();
        return Some(path.unwrap_or(&tokens[at]).start..tokens[close].end());
    }
    if tokens[at].text != "make" {
        return None;
    }
    let is_outer = |comma: &usize| tokens[*comma].text == "," && depth(&tokens[open..*comma]) == 1;
    let capacity = (open..close).filter(is_outer).nth(1)?;
    Some(tokens[capacity].start..tokens[close].start)
}

fn depth(tokens: &[Token]) -> usize {
    let count = |signs: [&str; 3]| tokens.iter().filter(|token| signs.contains(&token.text)).count();
    count(["(", "[", "{"]).saturating_sub(count([")", "]", "}"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_system_runs() {
        let text = "def f():\n    if sys.platform == 'win32':\n        a()\n\n        if b:\n            c()\n    else:\n        d()\n    e()\n";
        assert_eq!(for_other_machines(text).into_iter().collect::<Vec<_>>(), [3, 5, 6]);
        let text =
            "func f() {\n\tif runtime.GOOS == \"windows\" {\n\t\ta()\n\t}\n\tx := sys\n\tif y {\n\t\tb()\n\t}\n}\n";
        assert_eq!(for_other_machines(text).into_iter().collect::<Vec<_>>(), [3]);
    }
}
