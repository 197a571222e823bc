//! Formats that want another number of values than they get.

use guard_sdk::Finding;
use guard_sdk::files::Language;
use guard_sdk::text::lines_in;
use lexing::Line;

use crate::blocks::Read;
use crate::formatted::{self, Misfit};
use crate::subject::Subject;
use crate::words::{aligned, raw_parts};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    let finding = |(line, last, found): (u32, u32, Misfit)| {
        let Misfit { wants, gets } = found;
        let values = if gets == 1 { "value" } else { "values" };
        let message = format!("the format wants {wants}, and gets {gets} {values}");
        let finding = Finding::error("format-misfits", message).at(subject.path(), line);
        let stood =
            || lines_in(subject.after.get(), [(line, 1)]).iter().all(|(_, shown)| subject.before.get().contains(shown));
        let is_old = line == last && stood();
        (!is_old).then(|| finding.help("Give a value for each placeholder, and a placeholder for each value."))
    };
    if subject.language == Language::Php {
        let found = subject.new_lines().into_iter().filter_map(|(line, text)| {
            Some((line, line, formatted::misfit(Language::Php, &without_strings(text), text)?))
        });
        return found.filter_map(finding).collect();
    }
    let new = read.statements().filter(|(_, one)| subject.has_new(one.first, one.last));
    let found =
        new.filter_map(|(block, one)| Some((one.first, one.last, misfit(subject.language, block.lines_of(one))?)));
    found.filter_map(finding).collect()
}

/// A line with blanks for its strings. Those of PHP may cross lines, which [`lexing`] does not read; few of them hold a call with a format.
fn without_strings(line: &str) -> String {
    let (mut open, mut is_escaped) = (None, false);
    let blank = |c: char| {
        let is_inside = open.is_some();
        match open {
            _ if is_escaped => is_escaped = false,
            Some(_) if c == '\\' => is_escaped = true,
            Some(quote) if quote == c => open = None,
            None if matches!(c, '"' | '\'') => open = Some(c),
            _ => return if is_inside { ' ' } else { c },
        }
        ' '
    };
    // A byte for a byte, so that places in one are places in the other.
    match line.is_ascii() {
        true => line.chars().map(blank).collect(),
        false => String::new(),
    }
}

fn misfit(language: Language, lines: &[Line]) -> Option<Misfit> {
    let (code, text) = aligned(lines)?;
    let by_operator = || by_percent(&code, &text).or_else(|| by_format(&code, &text));
    let by_operator = if language == Language::Python { by_operator() } else { None };
    by_operator.or_else(|| formatted::misfit(language, &code, &text))
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
    let parts = raw_parts(code);
    // The call goes on behind the statement, as one with a dictionary over several lines does.
    if parts.is_empty() {
        return None;
    }
    for part in parts {
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
