//! Functions and their calls that no longer fit one another.

use super::block::joined;
use super::code::grow;
use super::verify::Format;
use super::{Files, Planted, Random, one};

/// A function at the margin whose head is one line, and one of its calls in the same file.
struct Called<'t> {
    name: &'t str,
    head: usize,
    parameters: Vec<&'t str>,
    /// The line of the call, where its arguments begin, and what they are.
    call: usize,
    arguments: (usize, Vec<&'t str>),
}

/// What stands between brackets, by its commas. `text` begins behind the opening one. None: the line does not close it.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut parts, mut quote) = (0, 0, Vec::new(), None);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), '\\') => return None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')') if depth == 0 => {
                let last = text[start..at].trim();
                parts.extend((!last.is_empty()).then_some(last));
                return Some(parts);
            }
            // `=>` and `->` are no brackets.
            (None, '>') if matches!(before, '=' | '-') => {}
            (None, ')' | ']' | '}' | '>') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    None
}

fn head(format: Format, line: &str) -> Option<(&str, usize)> {
    let starts: &[&str] = match format {
        Format::Python => &["def ", "async def "],
        Format::Rust => &["fn ", "pub fn ", "pub(crate) fn ", "async fn ", "pub async fn "],
        Format::TypeScript | Format::Tsx => {
            &["function ", "export function ", "async function ", "export async function "]
        }
        _ => return None,
    };
    let start = starts.iter().find(|start| line.starts_with(**start))?.len();
    let open = start + line[start..].find('(')?;
    let name = &line[start..open];
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some((name, open + 1))
}

fn boundary(c: Option<char>) -> bool {
    c.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '.' | ':' | '$' | '@' | '"' | '\'' | '`'))
}

fn called<'t>(format: Format, all: &[&'t str], random: &mut Random) -> Option<Called<'t>> {
    let mut found = Vec::new();
    for (at, line) in all.iter().enumerate() {
        let Some((name, open)) = head(format, line) else { continue };
        let decorated = at > 0 && all[at - 1].starts_with(['@', '#']);
        let ends = line.ends_with([':', '{']);
        let Some(parameters) = split(&line[open..]).filter(|_| ends && !decorated && name.len() > 3) else { continue };
        if parameters.iter().any(|part| part.starts_with(['*', '/', '.', '{', '[']) || part.contains(['=', '?'])) {
            continue;
        }
        // No other thing of that name.
        let mentions: Vec<(usize, usize)> = all
            .iter()
            .enumerate()
            .flat_map(|(at, line)| line.match_indices(name).map(move |(column, _)| (at, column)))
            .collect();
        let call = |(row, column): &(usize, usize)| {
            let line = all[*row];
            let rest = &line[column + name.len()..];
            let code = !line.trim_start().starts_with(['#', '/', '*']) && !line.contains("\"\"\"");
            (*row != at && code && boundary(line[..*column].chars().next_back()) && rest.starts_with('('))
                .then(|| split(&rest[1..]).map(|arguments| (*row, column + name.len() + 1, arguments)))?
        };
        let known = mentions.iter().all(|mention| mention.0 == at || call(mention).is_some());
        for (row, from, arguments) in mentions.iter().filter_map(call).filter(|_| known) {
            let open = arguments.iter().any(|argument| argument.starts_with(['*', '.']));
            if !open && arguments.len() == parameters.len() {
                let arguments = (from, arguments);
                found.push(Called { name, head: at, parameters: parameters.clone(), call: row, arguments });
            }
        }
    }
    (!found.is_empty()).then(|| found.swap_remove(random.below(found.len())))
}

fn with(all: &[&str], at: usize, line: &str) -> String {
    joined(&[&all[..at], &[line], &all[at + 1..]].concat())
}

/// Production code: a test may call something wrongly on purpose.
fn grown(
    files: &Files,
    random: &mut Random,
    plant: impl Fn(Format, &[&str], &Called, &mut Random) -> Option<(String, String)>,
) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let tests = ["assert", "raises", "expect(", "#[test]", "type: ignore", "@ts-"];
        (!all.iter().any(|line| tests.iter().any(|word| line.contains(word)))).then_some(())?;
        let called = called(format, all, random)?;
        plant(format, all, &called, random)
    })
}

fn parameter(format: Format, name: &str) -> String {
    match format {
        Format::Python => name.to_owned(),
        Format::Rust => format!("{name}: usize"),
        _ => format!("{name}: number"),
    }
}

pub fn parameter_added(files: &Files, random: &mut Random) -> Option<Planted> {
    grown(files, random, |format, all, called, random| {
        let line = all[called.head];
        let open = head(format, line)?.1;
        let more = parameter(format, one(&["depth", "limit_of_all", "retries_left"], random)?);
        let comma = if called.parameters.is_empty() { "" } else { ", " };
        let line = format!("{}{more}{comma}{}", &line[..open], &line[open..]);
        Some((with(all, called.head, &line), format!("{} takes {more} now", called.name)))
    })
}

pub fn parameter_removed(files: &Files, random: &mut Random) -> Option<Planted> {
    grown(files, random, |format, all, called, _| {
        let line = all[called.head];
        let first = called.parameters.first()?;
        let open = head(format, line)?.1;
        let at = open + line[open..].find(first)?;
        let rest = line[at + first.len()..].trim_start_matches([',', ' ']);
        let line = format!("{}{rest}", &line[..at]);
        Some((with(all, called.head, &line), format!("{} takes no {first} any more", called.name)))
    })
}

pub fn argument_added(files: &Files, random: &mut Random) -> Option<Planted> {
    grown(files, random, |format, all, called, _| {
        let (from, arguments) = &called.arguments;
        let line = all[called.call];
        let more = match format {
            Format::Python | Format::Rust => "None",
            _ => "undefined",
        };
        let comma = if arguments.is_empty() { "" } else { ", " };
        let line = format!("{}{more}{comma}{}", &line[..*from], &line[*from..]);
        Some((with(all, called.call, &line), format!("a call gives {} one argument more", called.name)))
    })
}

/// A parameter takes another name, and a call still gives it by the old one.
pub fn keyword_renamed(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        (format == Format::Python).then_some(())?;
        let called = called(format, all, random)?;
        let (_, arguments) = &called.arguments;
        let given = arguments.iter().find_map(|argument| argument.split_once('=').map(|(name, _)| name.trim()))?;
        let parameter = called.parameters.iter().find(|part| part.split(':').next() == Some(given))?;
        let line = all[called.head].replacen(parameter, &parameter.replacen(given, &format!("{given}_value"), 1), 1);
        Some((with(all, called.head, &line), format!("{given} of {} is {given}_value now", called.name)))
    })
}
