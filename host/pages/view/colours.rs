//! Which parts of a diff's lines are comments and strings.

use std::ops::Range;

use guardhost_core::syntax::{Syntax, SyntaxParts};

use super::change::{DiffLine, SideView};

/// Parts of a line in bytes, in order. The rest of a line has no colour.
pub type Colours = SyntaxParts;

/// For each line of each part. The old and the new text are read apart, each as far as its lines follow one another. A line of more than
/// `longest` bytes is not shown whole and has none.
pub fn colours(parts: &[&[DiffLine]], syntax: &Syntax, longest: usize) -> Vec<Vec<Colours>> {
    let mut all: Vec<Vec<Colours>> = parts.iter().map(|part| vec![Vec::new(); part.len()]).collect();
    let lines = || {
        parts.iter().enumerate().flat_map(|(at, part)| part.iter().enumerate().map(move |(no, line)| (at, no, line)))
    };
    let is_read = |line: &DiffLine| line.text.len() <= longest;
    // Lines of both texts have the colours of the new one, which is read last.
    for (number, left_out) in
        [((|line| line.old) as fn(&DiffLine) -> Option<u32>, SideView::Added), (|line| line.new, SideView::Removed)]
    {
        let of_side: Vec<_> =
            lines().filter(|(.., line)| is_read(line) && line.side != left_out && number(line).is_some()).collect();
        let follows = |a: &DiffLine, b: &DiffLine| number(a).and_then(|a| a.checked_add(1)) == number(b);
        for run in of_side.chunk_by(|(.., a), (.., b)| follows(a, b)) {
            let text = run.iter().map(|(.., line)| line.text.as_str()).collect::<Vec<_>>().join("\n");
            let tokens = syntax.parts(&text);
            let (mut start, mut first) = (0, 0);
            for (part, no, line) in run {
                let end = start + line.text.len();
                first += tokens[first..].iter().take_while(|(range, _)| range.end <= start).count();
                let here = tokens[first..].iter().take_while(|(range, _)| range.start < end);
                let cut = |range: &Range<usize>| range.start.max(start) - start..range.end.min(end) - start;
                all[*part][*no] = here.map(|(range, token)| (cut(range), *token)).collect();
                start = end + 1;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use guard_files::Language;

    fn syntax() -> Syntax {
        Syntax::of(Language::JavaScript).unwrap().clone()
    }

    fn line(side: SideView, old: Option<u32>, new: Option<u32>, text: &str) -> DiffLine {
        DiffLine { side, old, new, text: text.to_owned() }
    }

    #[test]
    fn each_side_is_read_apart() {
        let (both, removed, added) = (SideView::Both, SideView::Removed, SideView::Added);
        let first = [
            line(both, Some(1), Some(1), "a `b"),
            line(removed, Some(2), None, "c` d"),
            line(added, None, Some(2), "e"),
            line(both, Some(3), Some(3), "f`"),
        ];
        // Not the line that follows: what was open is not known.
        let second = [line(both, Some(9), Some(9), "'g'"), line(both, Some(10), Some(10), "'more than is shown'  ")];
        let found = colours(&[&first, &second], &syntax(), 20);
        let quoted: Vec<Vec<&str>> = first
            .iter()
            .zip(&found[0])
            .chain(second.iter().zip(&found[1]))
            .map(|(line, parts)| parts.iter().map(|(range, _)| &line.text[range.clone()]).collect())
            .collect();
        assert_eq!(quoted, [vec!["`b"], vec!["c`"], vec!["e"], vec!["f`"], vec!["'g'"], vec![]]);
    }

    proptest::proptest! {
        /// Whatever the lines, what is coloured of each is in order and within it.
        #[test]
        fn parts_of_a_line_are_in_order(texts in proptest::collection::vec("[a'`\\\\ é]{0,20}", 1..5)) {
            let lines: Vec<DiffLine> =
                (1..).zip(&texts).map(|(number, text)| line(SideView::Both, Some(number), Some(number), text)).collect();
            for (line, parts) in lines.iter().zip(&colours(&[&lines], &syntax(), 100)[0]) {
                let mut at = 0;
                for (range, _) in parts {
                    assert!(at <= range.start && range.start <= range.end && line.text.get(range.clone()).is_some());
                    at = range.end;
                }
            }
        }
    }
}
