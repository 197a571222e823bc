//! A numbered plan above edits that are headed by its numbers: a step without its edit is missing.

use super::super::lines::{Lines, blank};
use super::alternatives::COUNTED;
use bstr::ByteSlice;

/// The line of the first step of a list that has no heading below, though those before it have one. `text`: the lines outside of edits
/// that stand above the last edit, in ascending order.
pub(super) fn missing_step(
    lines: &Lines,
    text: impl Iterator<Item = usize>,
    heads_edit: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut steps: Vec<usize> = Vec::new();
    let mut done = 0;
    for at in text {
        let Some((number, has_text)) = number(lines[at]) else { continue };
        let goes_on = steps.last().is_none_or(|last| (last + 1..at).all(|at| blank(lines[at])));
        if done == 0 && has_text && goes_on && number == steps.len() + 1 {
            steps.push(at);
        } else if number == done + 1 && heads_edit(at) {
            done += 1;
        }
    }
    // One heading alone may be of something else.
    steps.get(done).copied().filter(|_| done > 1)
}

/// The number that the line begins with, alone or behind the noun that it counts, and whether a text is behind it.
fn number(line: &[u8]) -> Option<(usize, bool)> {
    let text = line.to_str_lossy().to_lowercase();
    let text = text.trim_matches(['#', '*', '_', ' ', '(', '\t']);
    let text = COUNTED.iter().find_map(|noun| text.strip_prefix(noun)?.strip_prefix(' ')).unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let rest = &text[end..];
    // `3.5` is no number of a step.
    let is_end = !rest.trim_start_matches(['.', ')', ':', '*']).starts_with(|c: char| c.is_alphanumeric());
    let has_text = rest.chars().any(char::is_alphanumeric);
    Some((text[..end].parse().ok().filter(|_| is_end && end < 3)?, has_text))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers() {
        assert_eq!(number(b"1. make it inclusive"), Some((1, true)));
        assert_eq!(number(b"**2**"), Some((2, false)));
        assert_eq!(number(b"### Step 3: the tests"), Some((3, true)));
        assert_eq!(number(b"3.5 times"), None);
        assert_eq!(number(b"Three changes"), None);
    }
}
