//! Lines that come to life without being changed: what stood in a comment or a literal is code, since the sign is gone that opened it. Guards judge
//! what is new to a file, and such a line is.

use std::ops::Range;

use guardhost_core::syntax::{Syntax, SyntaxParts};

use crate::bindings::guardhost::guard::change::Hunk;

/// A run of lines that differ: those of the base, and what the candidate has in their place. From 0.
#[derive(Clone)]
struct Run {
    old: Range<usize>,
    new: Range<usize>,
}

/// The hunks between two texts, with the lines that come to life.
pub fn with_revived(before: &str, after: &str, hunks: Vec<Hunk>, syntax: &Syntax) -> Vec<Hunk> {
    let (old, new) = (lines(before), lines(after));
    let runs: Vec<Run> = hunks.iter().map(Run::from).collect();
    // Only signs that are changed open or close something.
    let has_sign =
        |line: &Range<usize>, text: &str| text.get(line.clone()).is_some_and(|line| syntax.may_cross_at(line));
    let is_changed = |run: &Run| {
        old[run.old.clone()].iter().any(|line| has_sign(line, before))
            || new[run.new.clone()].iter().any(|line| has_sign(line, after))
    };
    if !runs.iter().any(is_changed) {
        return hunks;
    }
    let (was, is) = (inside(before, &old, &syntax.parts(before)), inside(after, &new, &syntax.parts(after)));
    let mut found: Vec<Run> = Vec::new();
    let mut at = Run { old: 0..0, new: 0..0 };
    for run in runs.into_iter().chain([Run { old: old.len()..old.len(), new: new.len()..new.len() }]) {
        // The lines between two runs are the same.
        for (old, new) in (at.old.end..run.old.start).zip(at.new.end..run.new.start) {
            if was[old] && !is[new] {
                push(&mut found, Run { old: old..old + 1, new: new..new + 1 });
            }
        }
        push(&mut found, run.clone());
        at = run;
    }
    found.into_iter().filter(|run| !run.old.is_empty() || !run.new.is_empty()).map(Hunk::from).collect()
}

/// Runs that touch are one.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.old.end == run.old.start && last.new.end == run.new.start => {
            (last.old.end, last.new.end) = (run.old.end, run.new.end);
        }
        Some(_) | None => runs.push(run),
    }
}

/// The lines of a text, without their ends.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let range = |line: &str| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    };
    text.split_inclusive('\n').map(range).collect()
}

/// Whether everything of each line that is no blank stands in one comment or literal. A blank line says nothing anywhere.
fn inside(text: &str, lines: &[Range<usize>], parts: &SyntaxParts) -> Vec<bool> {
    let mut next = 0;
    let is_inside = |line: &Range<usize>| {
        let shown = &text[line.clone()];
        let start = line.start + shown.len() - shown.trim_start().len();
        let end = line.start + shown.trim_end().len();
        next += parts[next..].iter().take_while(|(part, _)| part.end <= start).count();
        start >= end || parts.get(next).is_some_and(|(part, _)| part.start <= start && end <= part.end)
    };
    lines.iter().map(is_inside).collect()
}

impl From<&Hunk> for Run {
    /// A side without lines is named by the line before it.
    fn from(hunk: &Hunk) -> Self {
        let range = |start: u32, count: u32| {
            let from = if count == 0 { start } else { start - 1 } as usize;
            from..from + count as usize
        };
        Run { old: range(hunk.old_start, hunk.old_lines), new: range(hunk.new_start, hunk.new_lines) }
    }
}

impl From<Run> for Hunk {
    fn from(Run { old, new }: Run) -> Self {
        let start = |range: &Range<usize>| if range.is_empty() { range.start } else { range.start + 1 } as u32;
        Hunk {
            old_start: start(&old),
            old_lines: old.len() as u32,
            new_start: start(&new),
            new_lines: new.len() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::hunks::hunks;
    use super::*;
    use guard_files::syntax::{Literal, LiteralForm};

    fn syntax() -> Syntax {
        let long = |sign: &'static str| Literal {
            open: sign.into(),
            close: sign.into(),
            escape: "\\".into(),
            crosses_lines: true,
            form: LiteralForm::Plain,
        };
        Syntax {
            line_comments: Cow::Owned(vec!["#".into()]),
            block_comments: Cow::Owned(vec![("/*".into(), "*/".into())]),
            literals: Cow::Owned(vec![long("\"\"\""), Literal { crosses_lines: false, ..long("\"") }, long("`")]),
            ..Syntax::default()
        }
    }

    fn found(before: &str, after: &str) -> Vec<[u32; 4]> {
        let hunks = with_revived(before, after, hunks(before, after).unwrap(), &syntax());
        hunks.iter().map(|hunk| [hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines]).collect()
    }

    #[test]
    fn what_comes_to_life_is_changed() {
        let cases: &[(&str, &str, &[[u32; 4]])] = &[
            // The signs go.
            ("a\n/*\nb\nc\n*/\nd\n", "a\nb\nc\nd\n", &[[2, 4, 2, 2]]),
            ("x = \"\"\"\nb\n\"\"\"\n", "b\n", &[[1, 3, 1, 1]]),
            ("x = `\nb\n`\ny\n", "x = 1\nb\ny\n", &[[1, 3, 1, 2]]),
            // A sign that comes ends one earlier.
            ("/*\na\nb\nc\n*/\n", "/*\na\n*/\nb\nc\n", &[[3, 3, 3, 3]]),
            // Lines apart from the changed ones.
            ("/*\na\n\nb\nc */ d\n", "\na\n\nb\nc d\n", &[[1, 2, 1, 2], [4, 2, 4, 2]]),
            // Nothing comes to life.
            ("/*\na\n*/\n", "/**\na\n*/\n", &[[1, 1, 1, 1]]),
            ("\"\"\"\na\n\"\"\"\n", "x = \"\"\"\na\n\"\"\"\n", &[[1, 1, 1, 1]]),
            ("b\nc\n", "/*\nb\nc\n*/\n", &[[0, 0, 1, 1], [2, 0, 4, 1]]),
            ("# a\nb\n", "# c\nb\n", &[[1, 1, 1, 1]]),
            ("/*\na\n", "a\n", &[[1, 1, 0, 0]]),
        ];
        for (before, after, expected) in cases {
            assert_eq!(found(before, after), *expected, "{before:?} to {after:?}");
        }
    }

    /// Of what no component reads, the table of languages tells.
    #[test]
    fn a_here_document_of_a_shell_comes_to_life() {
        let shell = Syntax::of(guard_files::Language::Shell).unwrap();
        let after = "cat\nrm -r /\nchmod 777 x\n";
        for before in ["cat <<EOF\nrm -r /\nchmod 777 x\nEOF\n", "cat '\nrm -r /\nchmod 777 x\n'\n"] {
            let hunks = with_revived(before, after, hunks(before, after).unwrap(), shell);
            assert_eq!(hunks.iter().map(|hunk| (hunk.new_start, hunk.new_lines)).collect::<Vec<_>>(), [(1, 3)]);
        }
    }

    proptest::proptest! {
        /// What is between the hunks is the same on both sides, and nothing of a hunk without such lines is lost.
        #[test]
        fn hunks_stay_a_difference(before in "([ab`]|/\\*|\\*/|\"\"\"|\n){0,30}", after in "([ab`]|/\\*|\\*/|\"\"\"|\n){0,30}") {
            let (old, new) = (lines(&before), lines(&after));
            let plain = hunks(&before, &after).unwrap();
            let all = with_revived(&before, &after, plain.clone(), &syntax());
            let (mut from_old, mut from_new) = (0, 0);
            for run in all.iter().map(Run::from).chain([Run { old: old.len()..old.len(), new: new.len()..new.len() }]) {
                let same = |text: &str, lines: &[Range<usize>]| lines.iter().map(|line| text[line.clone()].to_owned()).collect::<Vec<_>>();
                proptest::prop_assert!(from_old <= run.old.start && from_new <= run.new.start);
                proptest::prop_assert_eq!(same(&before, &old[from_old..run.old.start]), same(&after, &new[from_new..run.new.start]));
                (from_old, from_new) = (run.old.end, run.new.end);
            }
            let covered = |hunk: &Hunk| {
                let run = Run::from(hunk);
                all.iter().map(Run::from).any(|one| one.old.start <= run.old.start && run.old.end <= one.old.end && one.new.start <= run.new.start && run.new.end <= one.new.end)
            };
            proptest::prop_assert!(plain.iter().all(covered));
        }
    }
}
