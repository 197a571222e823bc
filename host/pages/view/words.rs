//! Which words of changed lines differ: the marks within the lines of a diff.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::change::{DiffLine, SideView};

/// Tokens of one side of a block above which its words are not compared: the comparison takes time by their product.
const MAX_TOKENS: usize = 4_000;

/// The parts of each line that differ from its counterpart, in bytes. Empty for a line without one, and for a line that was written anew:
/// marks all over it would say no more than its colour does.
pub fn marks(lines: &[DiffLine]) -> Vec<Vec<Range<usize>>> {
    let mut all = vec![Vec::new(); lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let side_from = |from: usize, side| lines[from..].iter().take_while(|line| line.side == side).count();
        let removed = side_from(at, SideView::Removed);
        let remarks = side_from(at + removed, SideView::Remark);
        let first_added = at + removed + remarks;
        let added = side_from(first_added, SideView::Added);
        if removed > 0 && added > 0 {
            let (old, new) = (at..at + removed, first_added..first_added + added);
            let [in_old, in_new] = differences(&lines[old.clone()], &lines[new.clone()]);
            all[old].clone_from_slice(&in_old);
            all[new].clone_from_slice(&in_new);
        }
        at = (first_added + added).max(at + 1);
    }
    all
}

/// A word, a run of blanks, or one other character.
struct Token<'a> {
    text: &'a str,
    line: usize,
    range: Range<usize>,
}

type LineMarks = Vec<Vec<Range<usize>>>;

fn differences(removed: &[DiffLine], added: &[DiffLine]) -> [LineMarks; 2] {
    let (old, new) = (tokens(removed), tokens(added));
    let none = [vec![Vec::new(); removed.len()], vec![Vec::new(); added.len()]];
    if old.len().max(new.len()) > MAX_TOKENS {
        return none;
    }
    let [old_texts, new_texts] = [&old, &new].map(|side| side.iter().map(|token| token.text).collect::<Vec<_>>());
    let (mut in_old, mut in_new) = (vec![true; old.len()], vec![true; new.len()]);
    for op in capture_diff_slices(Algorithm::Patience, &old_texts, &new_texts) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            in_old[old_index..old_index + len].fill(false);
            in_new[new_index..new_index + len].fill(false);
        }
    }
    // Words that two texts happen to share are no counterparts.
    if [(&old, &in_old), (&new, &in_new)]
        .iter()
        .all(|(tokens, differs)| is_new(tokens.iter().zip(differs.iter().copied())))
    {
        return none;
    }
    [by_line(&old, &in_old, removed.len()), by_line(&new, &in_new, added.len())]
}

fn tokens(lines: &[DiffLine]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (line, DiffLine { text, .. }) in lines.iter().enumerate() {
        let mut start = 0;
        let chars: Vec<char> = text.chars().collect();
        for part in chars.chunk_by(|a, b| is_word(*a) && is_word(*b) || a.is_whitespace() && b.is_whitespace()) {
            let end = start + part.iter().map(|c| c.len_utf8()).sum::<usize>();
            tokens.push(Token { text: &text[start..end], line, range: start..end });
            start = end;
        }
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Less than a third was kept: it is another text.
fn is_new<'a, 't: 'a>(tokens: impl Iterator<Item = (&'a Token<'t>, bool)>) -> bool {
    let mut sizes = [0, 0];
    for (token, differs) in tokens.filter(|(token, _)| !token.text.trim().is_empty()) {
        sizes[usize::from(differs)] += token.text.len();
    }
    sizes[0] * 2 < sizes[1]
}

/// The tokens that differ, joined where only blanks lie between them.
fn by_line(tokens: &[Token<'_>], differs: &[bool], lines: usize) -> LineMarks {
    let mut marks: LineMarks = vec![Vec::new(); lines];
    let all: Vec<(&Token<'_>, bool)> = tokens.iter().zip(differs.iter().copied()).collect();
    for line in all.chunk_by(|(a, _), (b, _)| a.line == b.line) {
        if is_new(line.iter().copied()) {
            continue;
        }
        let of_line = &mut marks[line[0].0.line];
        let mut is_joined = false;
        for (token, differs) in line {
            match of_line.last_mut() {
                Some(last) if *differs && is_joined => last.end = token.range.end,
                _ if *differs => of_line.push(token.range.clone()),
                _ => {}
            }
            is_joined = *differs || is_joined && token.text.trim().is_empty();
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines with what is marked in brackets.
    fn marked(diff: &str) -> Vec<String> {
        let line = |line: &str| DiffLine {
            side: match &line[..1] {
                "-" => SideView::Removed,
                "+" => SideView::Added,
                "\\" => SideView::Remark,
                _ => SideView::Both,
            },
            old: None,
            new: None,
            text: line[1..].to_owned(),
        };
        let lines: Vec<DiffLine> = diff.lines().map(line).collect();
        let show = |(line, marks): (&DiffLine, Vec<Range<usize>>)| {
            marks.iter().rev().fold(line.text.clone(), |text, mark| {
                format!("{}[{}]{}", &text[..mark.start], &text[mark.clone()], &text[mark.end..])
            })
        };
        lines.iter().zip(marks(&lines)).map(show).collect()
    }

    #[test]
    fn words_that_differ_are_marked_and_lines_that_are_new_are_not() {
        let cases: [(&str, &[&str]); 7] = [
            // One word of each line, beside lines that both sides have.
            ("-let count = 1;\n+let total = 1;\n same", &["let [count] = 1;", "let [total] = 1;", "same"]),
            // What is only added has no counterpart, and is marked in one line.
            ("-zähle(a)\n+zähle(a, größe=2)", &["zähle(a)", "zähle(a[, größe=2])"]),
            // Words that follow one another are one mark.
            ("-say it once to me\n+say it two times to me", &["say it [once] to me", "say it [two times] to me"]),
            // A line that was written anew, and one that nothing was removed for.
            ("-alpha beta gamma\n+one two three", &["alpha beta gamma", "one two three"]),
            (" same\n+added", &["same", "added"]),
            // A text that was replaced by another, of which one line happens to share a word.
            (
                "-From Python:\n-one two three\n-four five six\n+Import it from Python, or not\n+at all",
                &["From Python:", "one two three", "four five six", "Import it from Python, or not", "at all"],
            ),
            // A line that was put between, and the remark about the end of a file.
            (
                "-return value\n\\ No newline\n+check(it)\n+return values",
                &["return [value]", " No newline", "check(it)", "return [values]"],
            ),
        ];
        for (diff, expected) in cases {
            assert_eq!(marked(diff), expected, "{diff}");
        }
    }

    #[test]
    fn a_block_that_is_too_large_has_no_marks() {
        let block = |sign: &str, word: &str| format!("{sign}{word} the same words\n").repeat(MAX_TOKENS);
        let diff = block("-", "old") + &block("+", "new");
        assert!(marked(&diff).iter().all(|line| !line.contains('[')));
    }
}
