//! Every place where a row of ids stands in another, but for at most one id, in linear time: Gusfield's Z algorithm from both
//! ends (Algorithms on Strings, Trees and Sequences, 1997, chapter 1).

/// A place of a pattern in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub start: usize,
    /// The offset of the one element that differs.
    pub off: Option<usize>,
}

/// Compares at `start`; None when more than one element differs, or one when `one_off` is false.
pub(super) fn hit_at<T: PartialEq>(pattern: &[T], text: &[T], start: usize, one_off: bool) -> Option<Hit> {
    if start + pattern.len() > text.len() + usize::from(one_off) {
        return None;
    }
    let mut off = None;
    for (at, element) in pattern.iter().enumerate() {
        if text.get(start + at) != Some(element) {
            if off.is_some() || !one_off {
                return None;
            }
            off = Some(at);
        }
    }
    Some(Hit { start, off })
}

/// All hits, in order. With `one_off` the last element may lie beyond the text's end.
pub(super) fn hits<T: PartialEq + Copy>(pattern: &[T], text: &[T], one_off: bool) -> Vec<Hit> {
    let length = pattern.len();
    if length == 0 || length > text.len() + usize::from(one_off) {
        return Vec::new();
    }
    let ahead = matches_ahead(pattern, text);
    if !one_off {
        return (0..=text.len() - length)
            .filter(|at| ahead[*at] == length)
            .map(|start| Hit { start, off: None })
            .collect();
    }
    let reversed = |of: &[T]| -> Vec<T> { of.iter().rev().copied().collect() };
    let behind = matches_ahead(&reversed(pattern), &reversed(text));
    let hit = |start: usize| {
        let before = ahead.get(start).copied().unwrap_or(0);
        if before == length {
            return Some(Hit { start, off: None });
        }
        // How many elements match at the end of the window; beyond the text's end none do.
        let after = (text.len().checked_sub(start + length)).map_or(0, |at| behind.get(at).copied().unwrap_or(0));
        (before + after + 1 >= length).then_some(Hit { start, off: Some(before) })
    };
    (0..=text.len() + 1 - length).filter_map(hit).collect()
}

/// For each place of `text`, how many elements from there on are those that `pattern` begins with.
fn matches_ahead<T: PartialEq>(pattern: &[T], text: &[T]) -> Vec<usize> {
    let own = extend(pattern, pattern, None);
    extend(pattern, text, Some(&own))
}

/// `known`: the result for the pattern itself; None computes that.
fn extend<T: PartialEq>(pattern: &[T], text: &[T], known: Option<&[usize]>) -> Vec<usize> {
    let mut found = vec![0; text.len()];
    // The matching window that reaches furthest to the right.
    let (mut left, mut right) = (0, 0);
    let first = if known.is_some() { 0 } else { 1 };
    if known.is_none() && !text.is_empty() {
        found[0] = pattern.len();
    }
    for at in first..text.len() {
        let mut length = 0;
        if at < right {
            let seen = known.map_or(found[at - left], |known| known[at - left]);
            length = seen.min(right - at);
        }
        while length < pattern.len() && at + length < text.len() && pattern[length] == text[at + length] {
            length += 1;
        }
        found[at] = length;
        if at + length > right {
            (left, right) = (at, at + length);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{hit_at, hits};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_as_comparing_every_place(
            pattern in prop::collection::vec(0..3u8, 1..8),
            text in prop::collection::vec(0..3u8, 0..40),
            one_off: bool,
        ) {
            let compared: Vec<_> = (0..=text.len()).filter_map(|start| hit_at(&pattern, &text, start, one_off)).collect();
            prop_assert_eq!(hits(&pattern, &text, one_off), compared);
        }
    }
}
