//! Ω: signs that text was spilled rather than written, in what the change brings in.

use guard_sdk::Line;

#[allow(dead_code, reason = "the guard that this was written for also fixes")]
#[path = "../../syntax-holds/src/fence.rs"]
mod fence;

use crate::kind::Kind;
use crate::signs::{is_chat, is_placeholder};
use fence::Fence;

/// Characters below which a file is as good as empty, and from which on it was not.
const EMPTY: usize = 5;
const FULL: usize = 40;

/// Lines that say the same, one below the other; three of a kind stand in many an honest table.
const REPEATED: usize = 4;

/// Characters of a line of which a repetition is no accident: not a brace.
const TELLING: usize = 8;

/// Empty lines in a row that no style asks for.
const BLANK: usize = 3;

/// The signs of one file, each with what it adds.
#[derive(Debug, Default)]
pub struct Omega(Vec<Sign>);

#[derive(Debug)]
struct Sign {
    weight: f64,
    what: String,
    help: &'static str,
    /// The first place, from 1.
    line: Option<u32>,
}

impl Omega {
    pub fn new(path: &str, kind: Kind, before: &str, after: &str, added: &[Line]) -> Self {
        let mut omega = Omega::default();
        let document = kind == Kind::Document;
        if !document && Fence::around(after).is_some() && Fence::around(before).is_none() {
            omega.add(
                0.6,
                "the whole file stands in a code fence".into(),
                "Write the file without the fence.",
                Some(1),
            );
        }
        let is_empty = |text: &str| text.chars().filter(|c| !c.is_whitespace()).take(EMPTY).count() < EMPTY;
        if !document && !path.ends_with("__init__.py") && is_empty(after) && before.trim().len() >= FULL {
            omega.add(0.4, "the file is emptied".into(), "Delete the file, or keep what it held.", None);
        }
        let is = |test: fn(&str) -> bool| added.iter().filter(move |line| test(&line.text));
        omega.count(0.25, 0.6, is(is_placeholder), "line that stands for lines left out", "Write them out.");
        omega.count(0.3, 0.6, is(is_chat), "line that talks to whoever asked", "Leave out what belongs in the reply.");
        if document {
            omega.count(0.1, 0.5, is(is_collapsed), "line with a literal `\\n`", "Break the lines.");
        }
        omega.count(0.05, 0.3, blank(added), "run of three empty lines or more", "One empty line is enough.");
        omega.count(0.05, 0.3, repeated(added), "line that repeats the one above", "Say it once.");
        let written = added.iter().filter(|line| !line.text.trim().is_empty()).count().max(1);
        let trailing: Vec<&Line> = is(if document { ends_loosely } else { ends_in_space }).collect();
        // A line or two are a slip.
        if trailing.len() > 2 {
            let share = trailing.len() as f64 / written as f64;
            let what = format!("{} of {written} lines end in blanks", trailing.len());
            omega.add(share.min(0.2), what, "Trim them.", trailing.first().map(|line| line.number));
        }
        omega
    }

    /// From 0 to 1.
    pub fn value(&self) -> f64 {
        // A sum of nothing is -0.
        self.0.iter().fold(0.0, |sum, sign| sum + sign.weight).min(1.0)
    }

    pub fn descriptions(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|sign| format!("{} (Ω {:.2})", sign.what, sign.weight))
    }

    pub fn help(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|sign| sign.help)
    }

    /// Of the heaviest sign.
    pub fn line(&self) -> Option<u32> {
        self.0.iter().filter(|sign| sign.line.is_some()).max_by(|a, b| a.weight.total_cmp(&b.weight))?.line
    }

    fn add(&mut self, weight: f64, what: String, help: &'static str, line: Option<u32>) {
        self.0.push(Sign { weight, what, help, line });
    }

    fn count<'l>(
        &mut self,
        each: f64,
        most: f64,
        lines: impl Iterator<Item = &'l Line>,
        noun: &str,
        help: &'static str,
    ) {
        let lines: Vec<&Line> = lines.collect();
        let Some(first) = lines.first() else { return };
        let count = lines.len();
        let what = if count == 1 { format!("a {noun}") } else { format!("{count} times a {noun}") };
        self.add((each * count as f64).min(most), what, help, Some(first.number));
    }
}

/// The third line of every run; lines of the file that lie apart are not one run.
fn blank(added: &[Line]) -> impl Iterator<Item = &Line> {
    added.windows(BLANK).enumerate().filter_map(move |(at, run)| {
        let together = run[BLANK - 1].number - run[0].number == BLANK as u32 - 1;
        let begins = at == 0 || !added[at - 1].text.trim().is_empty() || added[at - 1].number + 1 != run[0].number;
        (together && begins && run.iter().all(|line| line.text.trim().is_empty())).then_some(&run[BLANK - 1])
    })
}

/// From the fourth of a kind on.
fn repeated(added: &[Line]) -> impl Iterator<Item = &Line> {
    added.windows(REPEATED).filter_map(|run| {
        let text = run[0].text.trim();
        let telling = text.chars().filter(|c| c.is_alphanumeric()).count() >= TELLING;
        (telling && run.iter().all(|line| line.text.trim() == text)).then_some(&run[REPEATED - 1])
    })
}

/// Words on both sides of a literal `\n`, outside of code.
fn is_collapsed(line: &str) -> bool {
    line.split('`').step_by(2).any(|prose| {
        prose.match_indices("\\n").any(|(at, _)| {
            let before = prose[..at].chars().next_back();
            let after = prose[at + 2..].chars().next();
            before.is_some_and(|c| c != '\\' && !matches!(c, '"' | '\'' | '/' | ':'))
                && after.is_some_and(|c| c.is_uppercase() || matches!(c, '#' | '-' | '*' | '\\' | ' '))
        })
    })
}

fn ends_in_space(line: &str) -> bool {
    line.ends_with([' ', '\t']) && !line.trim().is_empty()
}

/// In Markdown, two are a line break.
fn ends_loosely(line: &str) -> bool {
    ends_in_space(line) && (!line.ends_with("  ") || line.ends_with("   "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        (1..).zip(text.lines()).map(|(number, text)| Line { number, text: text.to_owned() }).collect()
    }

    fn new(path: &str, kind: Kind, before: &str, after: &str) -> (f64, Vec<String>) {
        let omega = Omega::new(path, kind, before, after, &lines(after));
        ((omega.value() * 100.0).round() / 100.0, omega.descriptions().collect())
    }

    #[test]
    fn signs_add_up_and_end_at_one() {
        let cases: [(&str, Kind, &str, f64); 12] = [
            ("a.py", Kind::Source, "x = 1\n", 0.0),
            ("a.py", Kind::Source, "```python\nx = 1\n```\n", 0.6),
            ("a.md", Kind::Document, "```\nx = 1\n```\n", 0.0),
            ("a.py", Kind::Source, "# ... rest of the code unchanged ...\n", 0.25),
            ("a.md", Kind::Document, "Certainly! Here is the updated README:\n", 0.3),
            ("a.md", Kind::Document, "# Title\\nSome text.\\n- item\n", 0.1),
            ("a.md", Kind::Document, "Lines end in `\\n`, or in \"\\n\".\n", 0.0),
            ("a.py", Kind::Source, "a\n\n\n\nb\n\n\n\n\nc\n", 0.1),
            ("a.py", Kind::Source, "call(again)\ncall(again)\ncall(again)\ncall(again)\ncall(again)\n", 0.1),
            ("a.py", Kind::Source, "a \nb \nc \nd\n", 0.2),
            ("a.md", Kind::Document, "a  \nb  \nc  \nd\n", 0.0),
            ("a.py", Kind::Source, "a \nb\n", 0.0),
        ];
        for (path, kind, after, expected) in cases {
            let (value, told) = new(path, kind, "", after);
            assert_eq!(value, expected, "{after:?}: {told:?}");
        }
        let all = "```\n# rest of the file unchanged\n# your code here\n# add your code here\nSure, here is the code:\nI hope this helps!\n```\n";
        assert_eq!(new("a.py", Kind::Source, "", all).0, 1.0);
    }

    #[test]
    fn an_emptied_file() {
        let before = "def handler(event):\n    return event.payload\n";
        assert_eq!(new("a.py", Kind::Source, before, "\n").0, 0.4);
        assert_eq!(new("pkg/__init__.py", Kind::Source, before, "").0, 0.0);
    }
}
