//! The bracket that was never closed. A parser stops where it can no longer go on, often hundreds of lines below; indentation tells
//! which bracket is meant, in a file that is indented.

use crate::Bracket;

/// A bracket, and where its line begins.
struct Open {
    bracket: Bracket,
    indent: usize,
}

/// The one bracket that is open at the end. None when more are open (the text was cut short), or when one is closed that was not
/// open: then nothing is certain.
pub fn never_closed(text: &str, brackets: &[Bracket]) -> Option<Bracket> {
    let mut open: Vec<Open> = Vec::new();
    let mut lost: Option<Bracket> = None;
    let (mut read, mut indent, mut is_new_line) = (0, 0, true);
    for bracket in brackets {
        let before = &text[read..bracket.at];
        let start = before.rfind('\n').map(|newline| newline + 1);
        if start.is_some() || read == 0 {
            let line = &before[start.unwrap_or(0)..];
            let code = line.trim_start_matches([' ', '\t']);
            (indent, is_new_line) = (line.len() - code.len(), code.is_empty());
        }
        let is_first = std::mem::take(&mut is_new_line);
        read = bracket.at + 1;
        let Some(sign) = bracket.opened_by() else {
            open.push(Open { bracket: *bracket, indent });
            continue;
        };
        let same = |other: &Open| other.bracket.sign == sign;
        let aligned = |other: &Open| same(other) && other.indent == indent;
        let fits = open.last().is_some_and(|last| same(last) && (!is_first || last.indent == indent));
        let meant = match () {
            _ if fits => open.len() - 1,
            // The bracket of a block stands below the line that opened it: what is open in between was never closed.
            _ if is_first && open.iter().rev().take(DEEPEST).any(aligned) => open.iter().rposition(aligned)?,
            _ => open.iter().rposition(same)?,
        };
        let mut between = open.drain(meant..).skip(1);
        if let Some(first) = between.next() {
            if lost.is_some() || between.next().is_some() {
                return None;
            }
            lost = Some(first.bracket);
        }
    }
    match (lost, open.as_slice()) {
        (Some(lost), []) => Some(lost),
        (None, [one]) => Some(one.bracket),
        _ => None,
    }
}

/// Brackets that are looked through for the one that a line closes. Deeper files are not judged at all.
const DEEPEST: usize = 600;
