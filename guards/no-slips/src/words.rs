//! Words, blanks and statements of code, by lines.

use lexing::Line;

/// A statement that begins its line, with its further lines.
pub struct Statement {
    /// Numbers of its first and last line, from 1.
    pub first: u32,
    pub last: u32,
    /// Blanks before it; a tab counts as one.
    pub indent: usize,
    /// Its code without strings and comments, on one line.
    pub code: String,
    /// As it is written, strings included and comments not, on one line.
    pub text: String,
    /// Brackets that are open before it, since the last curly one: it is part of a call or a list that crosses lines.
    pub depth: usize,
}

/// Statements in the order of the text. One goes on while a round or square bracket is open behind the last curly one, or its line ends in a
/// backslash: a curly bracket holds statements of its own, also in the arguments of a call.
pub fn statements(lines: &[Line]) -> Vec<Statement> {
    let mut all: Vec<Statement> = Vec::new();
    let mut open: Vec<char> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        let code = line.code.trim_end();
        let depth = open.iter().rev().take_while(|bracket| **bracket != '{').count();
        let written = without_comment(line);
        match all.last_mut().filter(|_| goes_on || depth > 0 || !line.begins_in_code) {
            Some(last) => {
                last.last = if written.trim().is_empty() { last.last } else { line.number };
                last.code.push(' ');
                last.code.push_str(code.trim());
                last.text.push(' ');
                last.text.push_str(written.trim());
            }
            None if written.trim().is_empty() => continue,
            None => all.push(Statement {
                first: line.number,
                last: line.number,
                indent: line.text.len() - line.text.trim_start().len(),
                code: code.trim().to_owned(),
                text: written.trim().to_owned(),
                depth,
            }),
        }
        for bracket in code.chars() {
            match bracket {
                '(' | '[' | '{' => open.push(bracket),
                ')' | ']' | '}' => drop(open.pop()),
                _ => {}
            }
        }
        goes_on = code.ends_with('\\');
    }
    all
}

/// The code and the text of lines, each on one line: where the one has a character, the other has the same one, and strings are blank in the
/// code. None where a line of the two has another length.
pub fn aligned(lines: &[Line]) -> Option<(String, String)> {
    let (mut code, mut text) = (String::new(), String::new());
    for line in lines {
        let written = without_comment(line);
        if line.code.len() != written.len() || !written.is_ascii() {
            return None;
        }
        code.push_str(&line.code);
        text.push_str(&written);
        code.push(' ');
        text.push(' ');
    }
    Some((code, text))
}

pub fn without_comment(line: &Line) -> String {
    let (text, comment) = (line.text.as_bytes(), line.comment.as_bytes());
    let kept = text.iter().zip(comment).map(|(byte, comment)| if *comment == b' ' { *byte } else { b' ' });
    String::from_utf8(kept.collect()).unwrap_or_else(|_| line.text.to_owned())
}

pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether a text has a name as a whole word.
pub fn mentions(text: &str, name: &str) -> bool {
    places(text, name).next().is_some()
}

/// Where a name stands as a whole word.
pub fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        !text[..*at].chars().next_back().is_some_and(is_word)
            && !text[at + name.len()..].chars().next().is_some_and(is_word)
    })
}

/// What a statement begins with, as a whole word.
pub fn begins_with(code: &str, word: &str) -> bool {
    code.strip_prefix(word).is_some_and(|rest| !rest.chars().next().is_some_and(is_word))
}

/// The parts of a text between commas that stand in no bracket, up to the bracket that closes it.
pub fn parts(code: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => {
                parts.push(code[from..at].trim());
                return parts;
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(code[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(code[from..].trim());
    parts
}

/// The lengths of the parts between commas that stand in no bracket, up to the bracket that closes.
pub fn raw_parts(code: &str) -> Vec<usize> {
    let (mut lengths, mut from, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => {
                lengths.push(at - from);
                return lengths;
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                lengths.push(at - from);
                from = at + 1;
            }
            _ => {}
        }
    }
    Vec::new()
}
