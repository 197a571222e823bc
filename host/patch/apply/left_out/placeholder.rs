//! The shape of a line that may stand for lines that are left out: `# ... existing code ...`, `...`, `// (other methods stay)`.

use super::words::{Meaning, meaning};

/// A longer line is code or data.
const LONGEST: usize = 160;

/// What the line must be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// It can only be an elision, wherever it stands.
    Phrase,
    /// Words and dots: an elision if lines are missing where it stands.
    Hint,
    /// Words without dots: the same, in code.
    Words,
    /// Dots in a comment.
    CommentDots,
    /// Dots alone, or in brackets.
    Dots,
    /// A remark that no line of the file is like, in any language: an elision if lines are missing where it stands.
    Remark,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PlaceholderFrame {
    None,
    Brackets,
    Comment,
}

/// None for a line that says nothing of the kind.
pub(super) fn shape(line: &[u8]) -> Option<Shape> {
    let line = line.trim_ascii();
    if line.len() > LONGEST || line.is_empty() {
        return None;
    }
    let text = String::from_utf8_lossy(line);
    let (text, frame) = unframed(&text);
    let (text, leads) = without_leading(text);
    // `...rest` is a spread, and `...` before a word in brackets too.
    if leads
        && frame != PlaceholderFrame::Comment
        && text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '(' | '[' | '{'))
        && !is_phrase_start(text)
    {
        return None;
    }
    let (text, trails) = without_trailing(text.trim());
    let (inner, inner_frame) = unframed(text.trim());
    let is_double = frame == PlaceholderFrame::Comment && inner_frame == PlaceholderFrame::Brackets;
    let frame = if frame == PlaceholderFrame::None { inner_frame } else { frame };
    let inner = inner.trim();
    // Scissors: `8< ------`
    let is_scissors = ["8<", ">8", "✂"].iter().any(|scissors| inner.trim_matches(['-', '=', ' ']) == *scissors);
    if is_scissors {
        return Some(if frame == PlaceholderFrame::Comment { Shape::CommentDots } else { Shape::Dots });
    }
    if inner.is_empty() {
        return match (leads || trails, frame) {
            (false, _) => None,
            (true, PlaceholderFrame::Comment) => Some(Shape::CommentDots),
            (true, PlaceholderFrame::None | PlaceholderFrame::Brackets) => Some(Shape::Dots),
        };
    }
    let meaning = meaning(inner);
    match (frame, leads, trails) {
        // Bare words are prose or code, unless they are nothing but a phrase of this kind.
        (PlaceholderFrame::None, true, true) => (meaning >= Meaning::Possible).then_some(Shape::Phrase),
        (PlaceholderFrame::None, true, _) | (PlaceholderFrame::None, _, true) => {
            (meaning >= Meaning::Likely).then_some(Shape::Phrase)
        }
        (PlaceholderFrame::None, false, false) => None,
        (_, true, _) => Some(if meaning > Meaning::Other { Shape::Phrase } else { Shape::Hint }),
        (_, false, true) => match meaning {
            Meaning::Other | Meaning::Vocabulary => None,
            Meaning::Possible => Some(Shape::Hint),
            Meaning::Likely | Meaning::Certain => Some(Shape::Phrase),
        },
        // One word is a name.
        (PlaceholderFrame::Brackets, false, false) if inner.split_whitespace().count() < 2 => None,
        (_, false, false) if inner.split_whitespace().count() < 2 && meaning < Meaning::Likely => None,
        (_, false, false) => match meaning {
            Meaning::Other | Meaning::Vocabulary => None,
            Meaning::Likely if is_double => Some(Shape::Phrase),
            Meaning::Possible | Meaning::Likely => Some(Shape::Words),
            Meaning::Certain => Some(Shape::Phrase),
        },
    }
}

/// The shape of a line that is added to a file, `is_ascii` or not. Whatever language it is in, a comment in letters that the file has
/// nowhere, a mark that stands for lines, or one word in capitals between brackets may say that lines are left out.
pub(super) fn shape_in(line: &[u8], is_ascii: bool) -> Option<Shape> {
    const MARKS: [char; 5] = ['⋮', '⋯', '︙', '⁝', '✂'];
    let known = shape(line);
    if known.is_some() || line.trim_ascii().len() > LONGEST {
        return known;
    }
    let text = String::from_utf8_lossy(line);
    let (inner, frame) = unframed(&text);
    let bare = inner.trim().trim_matches(['@', '[', ']', '(', ')']);
    let is_marked = bare.chars().all(|c| MARKS.contains(&c) || c.is_whitespace()) && bare.contains(MARKS);
    let is_foreign =
        is_ascii && frame != PlaceholderFrame::None && inner.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
    let is_capital = (frame == PlaceholderFrame::Brackets || inner.trim().starts_with("@@"))
        && bare.len() > 3
        && bare.chars().all(|c| c.is_ascii_uppercase() || c == ' ' || c == '_')
        && meaning(&bare.to_lowercase().replace('_', " ")) > Meaning::Other;
    (is_marked || is_foreign || is_capital).then_some(Shape::Remark)
}

/// Whether the text that dots touch is a phrase and no name.
fn is_phrase_start(text: &str) -> bool {
    text.split_whitespace().count() > 1 && meaning(text) >= Meaning::Possible
}

/// The text without three dots at its beginning, and whether it had them. More dots draw a line.
fn without_leading(text: &str) -> (&str, bool) {
    let rest = text.strip_prefix("...").or(text.strip_prefix('…')).filter(|rest| !rest.starts_with('.'));
    (rest.unwrap_or(text), rest.is_some())
}

fn without_trailing(text: &str) -> (&str, bool) {
    let rest = text.strip_suffix("...").or(text.strip_suffix('…')).filter(|rest| !rest.ends_with('.'));
    (rest.unwrap_or(text), rest.is_some())
}

/// The text inside the marks of a comment and inside brackets, rules of `-`, `=` or `*` left out.
fn unframed(text: &str) -> (&str, PlaceholderFrame) {
    const OPEN: [&str; 14] = ["{/*", "{{/*", "{#", "<!--", "<%#", "//", "/*", "#", "--", ";", "%", "*", "REM ", "!"];
    const CLOSE: [&str; 7] = ["*/}", "*/}}", "#}", "-->", "%>", "*/", "*)"];
    let mut frame = PlaceholderFrame::None;
    let mut text = text.trim();
    while let Some(rest) = OPEN.iter().find_map(|open| text.strip_prefix(open)) {
        frame = PlaceholderFrame::Comment;
        text = rest;
    }
    if frame == PlaceholderFrame::Comment {
        text = CLOSE.iter().find_map(|close| text.strip_suffix(close)).unwrap_or(text);
        text = text.trim().trim_matches(['-', '=', '*', '~', '#', '/', ' ']);
    }
    for (open, close) in [('[', ']'), ('(', ')'), ('{', '}'), ('<', '>')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            // Those inside a comment are taken off when its text is looked at again.
            if frame == PlaceholderFrame::None {
                return (inner.trim(), PlaceholderFrame::Brackets);
            }
        }
    }
    (text.trim(), frame)
}
