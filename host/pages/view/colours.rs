//! Which parts of a diff's lines are comments and strings.

use std::ops::Range;

use guardhost_core::syntax::Syntax;

use super::change::{DiffLine, SideView};

/// What a part of a line is. The rest of a line has no colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxColour {
    Comment,
    Quoted,
}

/// Parts of a line in bytes, in order.
pub type Colours = Vec<(Range<usize>, SyntaxColour)>;

/// For each line of each part. The old and the new text are read apart, each as far as its lines follow one another. A line of more than
/// `longest` bytes is not shown whole and has none: each string looks for the end of its line, which takes time by the product.
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
            let tokens = tokens(&text, syntax);
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

/// How something that begins with a sign ends.
enum MarkEnd<'a> {
    WithLine,
    With(&'a str),
    /// A sign without a backslash before it.
    Quote(&'a str),
}

/// In order. What does not end is none: a part of a file may begin within a string, whose end then looks like a beginning.
fn tokens(text: &str, syntax: &Syntax) -> Colours {
    let comments = syntax.line_comments.iter().map(|sign| (sign.as_str(), SyntaxColour::Comment, MarkEnd::WithLine));
    let blocks =
        syntax.block_comments.iter().map(|(open, close)| (open.as_str(), SyntaxColour::Comment, MarkEnd::With(close)));
    let strings = syntax.strings.iter().map(|sign| (sign.as_str(), SyntaxColour::Quoted, MarkEnd::Quote(sign)));
    let mut kinds: Vec<_> = comments.chain(blocks).chain(strings).filter(|(sign, ..)| !sign.is_empty()).collect();
    // Of two signs that fit, the longer one counts.
    kinds.sort_by_key(|(sign, ..)| std::cmp::Reverse(sign.len()));
    // Where one has no end, none that begins later has: they need not be looked for again.
    let mut endless = vec![false; kinds.len()];
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let kind = kinds.iter().enumerate().find(|(no, (sign, ..))| !endless[*no] && rest.starts_with(sign));
        let Some((no, (sign, token, ends))) = kind else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let inner = &rest[sign.len()..];
        let line = inner.find('\n').unwrap_or(inner.len());
        // A string of one quotation mark ends in its line; a backtick, and a mark of several signs, may go on.
        let is_of_line = matches!(ends, MarkEnd::Quote("\"" | "'"));
        let end = match ends {
            MarkEnd::WithLine => Some(line),
            MarkEnd::With(close) => inner.find(close).map(|end| end + close.len()),
            MarkEnd::Quote(close) if is_of_line => quoted(&inner[..line], close),
            MarkEnd::Quote(close) => quoted(inner, close),
        };
        match end {
            Some(end) => {
                found.push((at..at + sign.len() + end, *token));
                at += sign.len() + end;
            }
            None => {
                endless[no] = !is_of_line;
                at += sign.len();
            }
        }
    }
    found
}

/// Where the string ends, behind its sign.
fn quoted(text: &str, close: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = at + text[at..].find(|c| c == '\\' || close.starts_with(c))?;
        let rest = &text[next..];
        if rest.starts_with(close) {
            return Some(next + close.len());
        }
        let mut chars = rest.chars();
        let first = chars.next()?;
        let escaped = if first == '\\' { chars.next().map_or(0, char::len_utf8) } else { 0 };
        at = next + first.len_utf8() + escaped;
    }
}

#[cfg(test)]
mod tests {
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
            let [open, close] = if *token == SyntaxColour::Comment { ['(', ')'] } else { ['«', '»'] };
            shown += &format!("{}{open}{}{close}", &text[at..range.start], &text[range.clone()]);
            at = range.end;
        }
        shown + &text[at..]
    }

    #[test]
    fn comments_and_strings_are_found() {
        for (text, expected) in [
            ("a = \"x // y\" // z", "a = «\"x // y\"» (// z)"),
            (r#"a("\"", 'b\\')"#, r#"a(«"\""», «'b\\'»)"#),
            ("don't\nwon't 'x'", "don't\nwon«'t '»x'"),
            ("a /* b\nc */ d", "a (/* b\nc */) d"),
            ("a */ b /* c", "a */ b /* c"),
            ("`a\nb` `", "«`a\nb`» `"),
            ("\"\"\"a \" b\n\"\"\" + \"é\\é\"", "«\"\"\"a \" b\n\"\"\"» + «\"é\\é\"»"),
            ("end of one\"\"\"\nx = 1", "end of one\"\"\"\nx = 1"),
        ] {
            assert_eq!(shown(text, &tokens(text, &syntax())), expected);
        }
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
            for (range, _) in tokens(&text, &syntax()) {
                assert!(at <= range.start && range.start < range.end && text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                at = range.end;
            }
            assert!(at <= text.len());
        }
    }
}
