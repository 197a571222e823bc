//! Guards that lie: each field of what a guard says, with each text and place that could do harm. What a report, a terminal, a forge and a fix get
//! of it holds only what the contract allows, or the guard failed.

use guardhost_core::change::{Edit, Evidence, Finding, GuardVerdict, Judgement};
use guardhost_report::{CheckReport, Report};

use super::{beside, spec};
use crate::integration::display::hostile_text::is_harmless;
use crate::support::guest::{ANSWER, ID};
use crate::support::guest::{Found, Guest, NOT_APPLICABLE, REJECT, verdict, verdict_bytes};

const TEXTS: [&str; 16] = [
    "\x1b[2J\x1b]0;title\x07",
    "\u{9b}31mred",
    "\u{202e}txt.exe\u{2066}",
    "a\u{200b}\u{feff}\u{e0041}b",
    "x\n::error file=a.md::y\r\n##[add-mask]z",
    "::set-output name=a::b",
    "a\0b",
    "\u{7f}\r\u{8}",
    "../../etc/passwd",
    "/etc/passwd",
    "a.md/../../x",
    ".git/config",
    "C:\\Windows\\x",
    "\\x2e\\x2e/\\x00",
    "</failure>]]><img src=x onerror=alert(1)> [a](javascript:b) @everyone",
    "error",
];

/// What says a text: a finding's fields, and the words of a verdict.
type Liar = fn(&'static str) -> Guest;

fn finding(found: Found) -> Guest {
    Guest::answering(verdict(REJECT, &[found]))
}

fn liars() -> Vec<(&'static str, Liar)> {
    vec![
        ("rule", |text| finding(Found { rule: text, ..Found::default() })),
        ("message", |text| finding(Found { message: text.into(), ..Found::default() })),
        ("path", |text| finding(Found { path: Some(text), lines: Some((1, 1)), ..Found::default() })),
        ("related path", |text| finding(Found { related: vec![(text, 1, 1, "here")], ..Found::default() })),
        ("related message", |text| finding(Found { related: vec![("b.py", 1, 1, text)], ..Found::default() })),
        ("edited path", |text| finding(Found { fix: vec![(text, 0, 1, "x")], ..Found::default() })),
        ("replacement", |text| finding(Found { fix: vec![("a.md", 0, 1, text)], ..Found::default() })),
        ("name of an attribute", |text| finding(Found { attributes: vec![(text, "x")], ..Found::default() })),
        ("attribute", |text| finding(Found { attributes: vec![("secret", text)], ..Found::default() })),
        ("version", |text| Guest { version: text, ..finding(Found::default()) }),
        ("id", |text| Guest { id: text, ..finding(Found::default()) }),
        ("reason", |text| {
            let word = verdict_bytes(NOT_APPLICABLE, ANSWER + 16, text.len());
            Guest::answering([&word[..], text.as_bytes()].concat())
        }),
        ("failure", |text| {
            let word = [1, ANSWER + 16, text.len() as u32, 0].map(u32::to_le_bytes).concat();
            Guest::answering([&word[..], text.as_bytes()].concat())
        }),
    ]
}

/// Places that a file of two lines and eight bytes has, and that it has not.
const PLACES: [(u32, u32); 10] = [
    (1, 1),
    (2, 3),
    (0, 1),
    (1, 0),
    (3, 2),
    (4, 4),
    (1, u32::MAX),
    (u32::MAX, u32::MAX),
    (u32::MAX, 1),
    (1 << 31, 1 << 31),
];

/// A guest whose answer has two numbers that a caller chooses.
type Misplaced = fn((u32, u32)) -> Guest;

fn misplaced() -> Vec<(&'static str, Misplaced)> {
    vec![
        ("lines", |lines| finding(Found { path: Some("a.md"), lines: Some(lines), ..Found::default() })),
        ("lines of another file", |lines| {
            finding(Found { path: Some("b.py"), lines: Some(lines), ..Found::default() })
        }),
        ("columns", |columns| {
            finding(Found { path: Some("a.md"), lines: Some((1, 1)), columns: Some(columns), ..Found::default() })
        }),
        ("related lines", |(first, last)| {
            finding(Found { related: vec![("a.md", first, last, "here")], ..Found::default() })
        }),
        ("an edit", |(start, end)| {
            finding(Found { fix: vec![("a.md", start.into(), end.into(), "x")], ..Found::default() })
        }),
        ("edits of one file under two names", |(start, end)| {
            let edits = vec![("a.md", 0, 3, "x"), ("\\x61.md", start.into(), end.into(), "y")];
            finding(Found { fix: edits, ..Found::default() })
        }),
    ]
}

/// Whether a failure was told, and not a verdict. Panics where more of a lie is told than the contract allows.
fn fails(what: &str, evidence: Evidence) -> bool {
    let shown = |text: &str| {
        let attacks = |c: char| {
            c.is_control() && c != '\n' && c != '\t' || "\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}".contains(c)
        };
        assert!(!text.chars().any(attacks), "{what}: {text:?}");
    };
    let place = |path: &str, line: u32, end: u32| {
        let lines = [("a.md", 3), ("b.py", 2)].into_iter().find(|(known, _)| *known == path);
        assert!(
            lines.is_some_and(|(_, lines)| (1..=lines).contains(&line) && (line..=lines).contains(&end)),
            "{what}: {path}:{line}-{end}"
        );
    };
    for Finding { rule, path, line, end_line, column, message, related, fix, .. } in evidence.verdict.findings() {
        [rule, message].into_iter().chain(path).for_each(|text| shown(text));
        assert!(line.is_some() || column.is_none(), "{what}: a column of no line");
        if let Some(line) = line {
            place(path.as_deref().unwrap(), *line, end_line.unwrap_or(*line));
        }
        for other in related {
            shown(&other.message);
            place(&other.path, other.line, other.end_line);
        }
        let mut edits: Vec<&Edit> = fix.iter().flat_map(|fix| &fix.edits).collect();
        edits.sort_by_key(|edit| (&edit.path, edit.start, edit.end));
        for edit in &edits {
            assert!(edit.path == "a.md" && edit.start <= edit.end && edit.end <= 8, "{what}: {edit:?}");
        }
        assert!(edits.windows(2).all(|pair| pair[0].end <= pair[1].start), "{what}: {edits:?}");
    }
    let failed = match &evidence.verdict {
        GuardVerdict::Error { message, .. } => {
            shown(message);
            true
        }
        GuardVerdict::NotApplicable(_) | GuardVerdict::Pass(_) | GuardVerdict::Reject(_) => false,
    };
    let check = CheckReport { judgement: Judgement { evidence: vec![evidence] }, ..CheckReport::default() };
    is_harmless(&Report::Check(check));
    failed
}

#[test]
fn what_a_guard_says_does_no_harm_wherever_it_goes() {
    let texts =
        liars().into_iter().flat_map(|(field, liar)| TEXTS.map(|text| (format!("{field} {text:?}"), liar(text))));
    let places =
        misplaced().into_iter().flat_map(|(field, liar)| PLACES.map(|at| (format!("{field} {at:?}"), liar(at))));
    let lies: Vec<(String, Guest)> = texts.chain(places).collect();
    assert!(lies.len() > 250 && lies.iter().filter(|(_, guest)| guest.id != ID).count() == TEXTS.len());
    let failed: Vec<bool> = lies.iter().map(|(what, guest)| fails(what, beside(spec(guest)))).collect();
    let failed = failed.into_iter().filter(|failed| *failed).count();
    assert!(failed > 100 && failed < lies.len() - 50, "{failed} of {} fail", lies.len());
}
