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
    use guardhost_core::syntax::SyntaxPart;

    use super::*;

    fn syntax() -> Syntax {
        Syntax {
            line_comments: vec!["//".into()],
            block_comments: vec![("/*".into(), "*/".into())],
            strings: vec!["\"".into(), "'".into(), "`".into(), "\"\"\"".into()],
        }
    }

    /// Strings in «», comments in ().
    fn shown(text: &str, parts: &Colours) -> String {
        let (mut shown, mut at) = (String::new(), 0);
        for (range, token) in parts {
            let [open, close] = if *token == SyntaxPart::Comment { ['(', ')'] } else { ['«', '»'] };
            shown += &format!("{}{open}{}{close}", &text[at..range.start], &text[range.clone()]);
            at = range.end;
        }
        shown + &text[at..]
    }

    #[test]
    fn each_side_is_read_apart() {
        let line = |side, old, new, text: &str| DiffLine { side, old, new, text: text.to_owned() };
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
        let lines: Vec<String> = first
            .iter()
            .zip(&found[0])
            .chain(second.iter().zip(&found[1]))
            .map(|(line, parts)| shown(&line.text, parts))
            .collect();
        assert_eq!(lines, ["a «`b»", "«c`» d", "«e»", "«f`»", "«'g'»", "'more than is shown'  "]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_parts_in_order(text in "[a'\"`/*\\\\\né ]{0,80}") {
            let mut at = 0;
            for (range, _) in syntax().parts(&text) {
                assert!(at <= range.start && range.start < range.end && text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                at = range.end;
            }
            assert!(at <= text.len());
        }
    }
}
