//! The bracket that was never closed. A parser stops where it can no longer go on, often hundreds of lines below; indentation tells
//! which bracket is meant, in a file that is indented.

/// A bracket that is code: not one in a string, a comment or a template's text.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    /// Its byte in the text.
    pub at: usize,
    /// One of `(`, `[`, `{`, `)`, `]`, `}`.
    pub sign: u8,
}

impl Bracket {
    fn opened_by(self) -> Option<u8> {
        match self.sign {
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            _ => None,
        }
    }

    /// What closes it.
    pub fn closer(self) -> char {
        match self.sign {
            b'(' => ')',
            b'[' => ']',
            _ => '}',
        }
    }
}

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
    let mut line = 0;
    for bracket in brackets {
        line = text[line..bracket.at].rfind('\n').map_or(line, |newline| line + newline + 1);
        let before = &text[line..bracket.at];
        let is_first = before.trim_start().is_empty();
        let indent = text[line..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
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
