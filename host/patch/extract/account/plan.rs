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

/// The line that counts the changes of the list below it, where the list has as many items and the edits are fewer, though several:
/// `Three changes, all needed:`. `text`: the lines above the first edit, in ascending order, without blank ones.
pub(super) fn fewer_than_counted(lines: &Lines, text: impl Iterator<Item = usize>, edits: usize) -> Option<usize> {
    const COUNTS: [&str; 7] = ["two", "three", "four", "five", "six", "seven", "eight"];
    const CHANGES: [&str; 4] = ["changes", "edits", "fixes", "modifications"];
    let mut counted: Option<(usize, usize)> = None;
    let mut items = 0;
    for at in text {
        let line = lines[at].to_str_lossy().to_lowercase();
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let count =
            |word: &str| COUNTS.iter().position(|count| *count == word).map(|at| at + 2).or_else(|| word.parse().ok());
        let told = words.windows(2).filter(|two| CHANGES.contains(&two[1])).find_map(|two| count(two[0]));
        match (told, number(lines[at])) {
            (_, Some((item, true))) if counted.is_some() && item == items + 1 => items = item,
            (Some(told), _) if items == 0 => counted = Some((at, told)),
            _ => {}
        }
    }
    let is_several = (2..items).contains(&edits);
    counted.filter(|(_, told)| *told == items && is_several).map(|(at, _)| at)
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
