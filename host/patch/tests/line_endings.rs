//! Line endings: whatever the reply has, a line that stays keeps its own, and an added one takes that of a line beside it.

use guardhost_core::change::{FileOp, Hunk, Line};
use proptest::prelude::{Strategy as Values, *};

use crate::apply::{check, git_diff, place};
use crate::support::text::read;

/// How a reply gives the change.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// A diff as models write it, without a carriage return.
    Diff,
    /// The same reply, of which every line ends in CR LF.
    SentWithCrLf,
    /// Git's own diff, which has the file's carriage returns at the lines that it quotes.
    Quoting,
    Search,
    SearchSentWithCrLf,
}

/// A line before and after the change. Its words are unlike those of every other line.
#[derive(Debug, Clone, Copy)]
enum Part {
    Kept { is_crlf: bool },
    Removed { is_crlf: bool },
    Added,
}

fn parts() -> impl Values<Value = Vec<Part>> {
    let part = prop_oneof![
        4 => any::<bool>().prop_map(|is_crlf| Part::Kept { is_crlf }),
        1 => any::<bool>().prop_map(|is_crlf| Part::Removed { is_crlf }),
        2 => Just(Part::Added),
    ];
    // Without lines that stay a reply cannot say where the others are.
    (any::<bool>(), prop::collection::vec(part, 1..24), any::<bool>()).prop_map(|(first, mut parts, last)| {
        parts.insert(0, Part::Kept { is_crlf: first });
        parts.push(Part::Kept { is_crlf: last });
        parts
    })
}

fn form() -> impl Values<Value = Form> {
    prop::sample::select(vec![Form::Diff, Form::SentWithCrLf, Form::Quoting, Form::Search, Form::SearchSentWithCrLf])
}

fn ending(is_crlf: bool) -> &'static str {
    if is_crlf { "\r\n" } else { "\n" }
}

fn before(parts: &[Part], has_endings: bool) -> String {
    let line = |(nth, part): (usize, &Part)| match part {
        Part::Kept { is_crlf } | Part::Removed { is_crlf } => {
            Some(format!("line {nth}{}", ending(*is_crlf && has_endings)))
        }
        Part::Added => None,
    };
    parts.iter().enumerate().filter_map(line).collect()
}

/// The file as an editor writes it, in which a new line ends as the one above it.
fn after(parts: &[Part], has_endings: bool) -> String {
    let mut text = String::new();
    let mut above = false;
    for (nth, part) in parts.iter().enumerate() {
        match part {
            Part::Removed { .. } => continue,
            Part::Kept { is_crlf } => above = *is_crlf,
            Part::Added => {}
        }
        text += &format!("line {nth}{}", ending(above && has_endings));
    }
    text
}

fn search_blocks(hunks: &[Hunk]) -> String {
    let side = |hunk: &Hunk, is_of: fn(&Line) -> bool| -> String {
        let lines = hunk.lines.iter().filter(|line| is_of(line));
        lines.map(|line| format!("{}\n", String::from_utf8_lossy(line.bytes()))).collect()
    };
    let block = |hunk: &Hunk| {
        let (old, new) = (side(hunk, Line::is_old), side(hunk, Line::is_new));
        format!("a.txt\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n")
    };
    hunks.iter().map(block).collect()
}

fn reply(parts: &[Part], form: Form) -> Option<Vec<u8>> {
    let diff = git_diff(before(parts, false).as_bytes(), after(parts, false).as_bytes(), 1);
    let blocks = || match &read(diff.clone(), &[]).ok()?.files.first()?.op {
        FileOp::Modify(hunks) => Some(search_blocks(hunks)),
        _ => None,
    };
    let sent = |text: String| text.replace('\n', "\r\n").into_bytes();
    match form {
        Form::Diff => Some(diff),
        Form::SentWithCrLf => Some(sent(String::from_utf8_lossy(&diff).into_owned())),
        Form::Quoting => Some(git_diff(before(parts, true).as_bytes(), after(parts, true).as_bytes(), 1)),
        Form::Search => blocks().map(String::into_bytes),
        Form::SearchSentWithCrLf => blocks().map(sent),
    }
}

/// The endings that an added line may have: those of the lines that go in its place, of the next that stays above, and of the one below.
fn beside(parts: &[Part], at: usize) -> Vec<bool> {
    let is_kept = |part: &Part| matches!(part, Part::Kept { .. });
    let from = parts[..at].iter().rposition(is_kept).unwrap_or(0);
    let to = at + parts[at..].iter().position(is_kept).map_or(parts.len() - 1 - at, |below| below);
    let own = |part: &Part| match part {
        Part::Kept { is_crlf } | Part::Removed { is_crlf } => Some(*is_crlf),
        Part::Added => None,
    };
    parts[from..=to].iter().filter_map(own).collect()
}

#[test]
fn a_line_ends_as_those_beside_it() {
    check((parts(), form()), |lab, (parts, form)| {
        let changes = parts.iter().any(|part| !matches!(part, Part::Kept { .. }));
        let Some(reply) = reply(&parts, form).filter(|_| changes) else { return Ok(()) };
        let shown = String::from_utf8_lossy(&reply).into_owned();
        let patch = read(reply, &[]).map_err(|none| TestCaseError::fail(format!("{none}\n{shown}")))?;
        let placed = place(patch, &lab.single(before(&parts, true).as_bytes()));
        let placed = placed.map_err(|misfit| TestCaseError::fail(format!("{misfit}\n{shown}")))?;
        let text = lab.read(&placed, "a.txt").unwrap_or_default();
        let new = parts.iter().enumerate().filter(|(_, part)| !matches!(part, Part::Removed { .. }));
        let written: Vec<&str> = text.split_inclusive('\n').collect();
        prop_assert_eq!(written.len(), new.clone().count(), "{}\n{:?}", shown, text);
        for ((nth, part), line) in new.zip(written) {
            let words = format!("line {nth}");
            let is_crlf = line == format!("{words}\r\n");
            prop_assert!(is_crlf || line == format!("{words}\n"), "{:?} is not {}", line, words);
            match part {
                Part::Kept { is_crlf: own } => prop_assert_eq!(is_crlf, *own, "{}\n{:?}", shown, text),
                _ => prop_assert!(beside(&parts, nth).contains(&is_crlf), "{}: {}\n{:?}", words, shown, text),
            }
        }
        Ok(())
    });
}
