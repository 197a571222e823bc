//! The shape of a line that may stand for lines that are left out: `# ... existing code ...`, `...`, `// (other methods stay)`.

use super::words::{KEPT, Meaning, meaning, says_as_before};

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
    /// A body that does nothing: an elision of a whole file, where lines are missing.
    Stub,
    /// A comment that promises code: an elision if it stands in place of lines.
    Promise,
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
    if line == KEPT.as_bytes() {
        return Some(Shape::CommentDots);
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
        // Dots on both sides of words say that more of the kind belongs there.
        (PlaceholderFrame::None | PlaceholderFrame::Comment, true, true) if inner.split_whitespace().count() > 1 => {
            Some(Shape::Phrase)
        }
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
    if is_clipped(line) || has_open_value(line) || has_open_part(line) || is_bracketed(line) && is_promise(line) {
        return Some(Shape::Phrase);
    }
    let promised = || is_promise(line).then_some(Shape::Promise);
    let shape = shape(line).filter(|shape| *shape != Shape::Words || !is_promise(line));
    let known = shape.or_else(|| is_stub(line).then_some(Shape::Stub)).or_else(promised);
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
    let is_told = frame != PlaceholderFrame::None && says_as_before(&inner.to_lowercase());
    (is_marked || is_foreign || is_told || is_capital).then_some(Shape::Remark)
}

/// Whether a program cut the line off and says so: dots beside brackets with a number of what is missing, `… [+1565 chars]`.
fn is_clipped(line: &[u8]) -> bool {
    const UNITS: [&str; 6] = ["char", "byte", "line", "truncat", "omitted", "more"];
    let text = String::from_utf8_lossy(line).to_lowercase();
    let says_cut =
        |inner: &str| ["truncat", "omitted"].iter().any(|word| inner.contains(word)) && inner.contains("char");
    let is_bare = text
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .any(|(inner, _)| says_cut(inner) && inner.chars().any(|c| c.is_ascii_digit()));
    if is_bare {
        return true;
    }
    let is_note = |inner: &str| {
        inner.chars().any(|c| c.is_ascii_digit()) && inner.len() < 40 && UNITS.iter().any(|unit| inner.contains(unit))
    };
    ["...", "…"].iter().flat_map(|dots| text.match_indices(dots)).any(|(at, dots)| {
        let behind = text[at + dots.len()..].trim_start();
        let close = match behind.chars().next() {
            Some('[') => ']',
            Some('<') => '>',
            Some('(') => ')',
            _ => return false,
        };
        behind[1..].split_once(close).is_some_and(|(inner, _)| is_note(inner))
    })
}

/// Whether the line is all of a body that is still to be written.
fn is_stub(line: &[u8]) -> bool {
    const STUBS: [&str; 10] = [
        "pass",
        "raise NotImplementedError",
        "raise NotImplementedError()",
        "todo!()",
        "todo!();",
        "unimplemented!()",
        "unimplemented!();",
        "# TODO",
        "// TODO",
        "/* TODO */",
    ];
    const ERRORS: [&str; 4] =
        ["throw new Error(", "panic(", "raise NotImplementedError(", "throw new UnsupportedOperationException("];
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let says = || {
        ["not implemented", "unimplemented", "notimplemented", "todo"]
            .iter()
            .any(|word| text.to_lowercase().contains(word))
    };
    STUBS.contains(&text) || ERRORS.iter().any(|error| text.starts_with(error)) && says()
}

/// Whether a value is left to whoever reads the reply: `timeout = <YOUR_VALUE>`. In a string it may be text.
fn has_open_value(line: &[u8]) -> bool {
    const WORDS: [&str; 8] = ["YOUR", "INSERT", "PLACEHOLDER", "TODO", "HERE", "FILL", "REPLACE", "VALUE"];
    let text = String::from_utf8_lossy(line);
    text.match_indices('<').any(|(at, _)| {
        let before = text[..at].trim_end();
        let is_value = before.ends_with([':', '=', '(', ',', '[']) || before.starts_with("#define ");
        let is_open = !before.trim_start_matches("#define").contains(['"', '\'', '`', '#']) && !before.contains("//");
        let name = text[at + 1..].split('>').next().unwrap_or_default();
        let is_name = name.len() > 3 && name.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '-' | ' '));
        let is_evident = ["INSERT_", "YOUR_", "PLACEHOLDER"].iter().any(|word| name.starts_with(word));
        (is_value || is_evident) && is_open && is_name && name.split(['_', '-', ' ']).any(|word| WORDS.contains(&word))
    })
}

/// Whether words in capitals between brackets, at the end of a line, leave a part of it to whoever reads the reply: `x = 1 [YOUR CODE]`.
fn has_open_part(line: &[u8]) -> bool {
    const PAIRS: [(&str, &str); 3] = [("<", ">"), ("[", "]"), ("{{", "}}")];
    const WORDS: [&str; 7] = ["YOUR", "INSERT", "TODO", "HERE", "FILL", "REPLACE", "PLACEHOLDER"];
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    PAIRS.iter().any(|(open, close)| {
        let Some((before, inner)) = text.strip_suffix(close).and_then(|text| text.rsplit_once(open)) else {
            return false;
        };
        let words: Vec<&str> = inner.split([' ', '_']).filter(|word| !word.is_empty()).collect();
        let is_open = before.is_empty() || before.ends_with([' ', '\t']);
        let is_capital = words.iter().all(|word| word.chars().all(|c| c.is_ascii_uppercase()));
        is_open && is_capital && words.len() > 1 && words.iter().any(|word| WORDS.contains(word))
    })
}

/// Whether the text of a comment is all between brackets.
fn is_bracketed(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let (inner, frame) = unframed(&text);
    let pairs = [('[', ']'), ('<', '>'), ('{', '}')];
    frame == PlaceholderFrame::Comment
        && pairs.iter().any(|(open, close)| inner.starts_with(*open) && inner.ends_with(*close))
}

/// Whether the line is a comment that says that code is to be written there: `// <your implementation>`, `# TODO: insert …`.
fn is_promise(line: &[u8]) -> bool {
    const FIRST: [&str; 12] = [
        "todo",
        "fixme",
        "your",
        "insert",
        "implement",
        "implementation",
        "fill",
        "replace",
        "put",
        "add",
        "write",
        "code",
    ];
    const LATER: [&str; 14] = [
        "here",
        "above",
        "below",
        "implementation",
        "code",
        "logic",
        "handling",
        "implement",
        "insert",
        "fill",
        "rest",
        "same",
        "real",
        "actual",
    ];
    let text = String::from_utf8_lossy(line);
    let (inner, frame) = unframed(&text);
    let lower = inner.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    frame == PlaceholderFrame::Comment
        && (words.first().is_some_and(|word| FIRST.contains(word))
            && words[1..].iter().any(|word| LATER.contains(word))
            || words.windows(2).any(|two| two == ["goes", "here"]))
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
