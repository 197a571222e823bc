//! Formats of Python that want another number of values than they get.

use guard_sdk::Finding;
use guard_sdk::files::Language;
use lexing::Line;

use crate::subject::{Read, Subject};
use crate::words::{Statement, aligned};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if subject.language != Language::Python {
        return Vec::new();
    }
    let is_new = |one: &&Statement| subject.has_new(one.first as u32 + 1, one.last as u32 + 1);
    let stood = |one: &Statement| subject.before.get().contains(read.lines[one.first].text) && one.first == one.last;
    let finding = |one: &Statement| {
        let Misfit { wants, gets } = misfit(one, &read.lines).filter(|_| !stood(one))?;
        let values = if gets == 1 { "value" } else { "values" };
        let message = format!("the format wants {wants}, and gets {gets} {values}: the line fails when it is run");
        let finding = Finding::error("format-misfits", message).at(subject.path(), one.first as u32 + 1);
        Some(finding.help("Give a value for each placeholder, and a placeholder for each value."))
    };
    read.statements.iter().filter(is_new).filter_map(finding).collect()
}

struct Misfit {
    wants: usize,
    gets: usize,
}

fn misfit(one: &Statement, lines: &[Line]) -> Option<Misfit> {
    let (code, text) = aligned(&lines[one.first..=one.last])?;
    by_percent(&code, &text).or_else(|| by_format(&code, &text))
}

/// `"…" % (a, b)`.
fn by_percent(code: &str, text: &str) -> Option<Misfit> {
    let at = code.find(" % (")?;
    let literal = literal_before(code, text, at)?;
    let values = values(&code[at + 4..], &text[at + 4..], true)?;
    let wants = percents(literal)?;
    (wants > 0 && wants != values).then_some(Misfit { wants, gets: values })
}

/// `"…".format(a, b)`, where it has too few: what is too much it ignores.
fn by_format(code: &str, text: &str) -> Option<Misfit> {
    let at = code.find(".format(")?;
    let literal = literal_before(code, text, at)?;
    let values = values(&code[at + 8..], &text[at + 8..], false)?;
    let wants = braces(literal)?;
    (wants > values).then_some(Misfit { wants, gets: values })
}

/// The strings that end there, which are blank in the code. None for a template, and for what is no plain string.
fn literal_before<'t>(code: &str, text: &'t str, at: usize) -> Option<&'t str> {
    let start = code[..at].trim_end().len();
    let is_prefixed = !text[start..at].starts_with(' ') && code[..start].ends_with(|c: char| c.is_alphanumeric());
    let literal = text[start..at].trim();
    let is_string = literal.len() >= 2 && literal.ends_with(['"', '\'']) && literal.starts_with(['"', '\'']);
    (is_string && !is_prefixed).then_some(literal)
}

/// The number of values up to the bracket that closes; None where it is not known, or the bracket holds no tuple.
fn values(code: &str, text: &str, is_tuple: bool) -> Option<usize> {
    let mut from = 0;
    // Strings are blank in the code, and values all the same.
    let mut all: Vec<&str> = Vec::new();
    for part in raw_parts(code) {
        all.push(text[from..from + part].trim());
        from += part + 1;
    }
    let has_comma = all.len() > 1;
    if all.last().is_some_and(|last| last.is_empty()) {
        all.pop();
    }
    let is_known = |part: &&str| !part.starts_with('*') && !part.contains(" for ") && (is_tuple || !is_keyword(part));
    ((has_comma || !is_tuple) && all.iter().all(is_known)).then_some(all.len())
}

/// The lengths of the parts between commas that stand in no bracket, up to the bracket that closes.
fn raw_parts(code: &str) -> Vec<usize> {
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

fn is_keyword(part: &str) -> bool {
    part.split_once('=').is_some_and(|(name, rest)| {
        !rest.starts_with('=') && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Placeholders of `%`; None where one has a name, or takes its width from a value.
fn percents(literal: &str) -> Option<usize> {
    let mut count = 0;
    let mut rest = literal;
    while let Some((_, after)) = rest.split_once('%') {
        let end = after.find(|c: char| !"-+ #0123456789.".contains(c))?;
        match after[end..].chars().next()? {
            '%' => {}
            'd' | 'i' | 'o' | 'u' | 'x' | 'X' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'c' | 'r' | 's' | 'a' => count += 1,
            _ => return None,
        }
        rest = &after[end + 1..];
    }
    Some(count)
}

/// Placeholders `{}`; None where one has a name, a number, or another inside.
fn braces(literal: &str) -> Option<usize> {
    let plain = literal.replace("{{", "").replace("}}", "");
    let mut count = 0;
    let mut rest = plain.as_str();
    while let Some((_, after)) = rest.split_once('{') {
        let (inside, left) = after.split_once('}')?;
        if !(inside.is_empty() || inside.starts_with([':', '!'])) || inside.contains('{') {
            return None;
        }
        count += 1;
        rest = left;
    }
    Some(count)
}
