//! Strings that lose what made their placeholders values: the `f` of Python, the backticks of JavaScript, the double quotes of Ruby and PHP.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::subject::Subject;

pub fn judge(subject: &Subject) -> Vec<Finding> {
    if subject.before.get().is_empty() {
        return Vec::new();
    }
    let Ok(removed) = subject.file.removed_lines() else { return Vec::new() };
    let plain: Vec<_> = removed.iter().flat_map(|old| plain(old.text.trim(), subject.language)).collect();
    let is_lost = |line: &str| plain.iter().find(|(text, _)| text == line).map(|(_, placeholder)| *placeholder);
    let finding = |(number, line): (u32, &str)| {
        let placeholder = is_lost(line.trim())?;
        let message = format!("the string is no template any more, so that `{placeholder}…` is text and not a value");
        let help = match subject.language {
            Language::Python => "Write the `f` before the quotes again.",
            Language::JavaScript | Language::TypeScript => "Write the string in backticks again.",
            _ => "Write the string in double quotes again.",
        };
        Some(Finding::error("interpolation-lost", message).at(subject.path(), number).help(help))
    };
    subject.new_lines().into_iter().filter_map(finding).collect()
}

/// What a line becomes when nothing of it changes but that one of its templates is a plain string, each with the sign of its placeholders.
/// Nothing where it has no template.
fn plain(line: &str, language: Language) -> Vec<(String, &'static str)> {
    match language {
        Language::Python => {
            let is_prefix = |at: usize, c: char| {
                let before = line[..at].chars().next_back();
                matches!(c, 'f' | 'F')
                    && line[at + 1..].starts_with(['"', '\''])
                    && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                    && line[at + 2..].contains('{')
            };
            let prefixes = line.char_indices().filter(|(at, c)| is_prefix(*at, *c));
            prefixes.map(|(at, _)| (format!("{}{}", &line[..at], &line[at + 1..]), "{")).collect()
        }
        Language::JavaScript | Language::TypeScript if line.contains("${") => {
            requoted(line, '`', '"', "${").chain(requoted(line, '`', '\'', "${")).collect()
        }
        Language::Ruby if line.contains("#{") => requoted(line, '"', '\'', "#{").collect(),
        Language::Php => requoted(line, '"', '\'', "$").collect(),
        _ => Vec::new(),
    }
}

/// The line with one of its strings in other quotes, for each string that has the sign of a placeholder.
fn requoted<'l>(
    line: &'l str,
    old: char,
    new: char,
    sign: &'static str,
) -> impl Iterator<Item = (String, &'static str)> + 'l {
    let quotes: Vec<usize> = line.match_indices(old).map(|(at, _)| at).collect();
    let pairs: Vec<(usize, usize)> = quotes.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    pairs
        .into_iter()
        .filter(move |(from, to)| line[*from..*to].contains(sign))
        .map(move |(from, to)| (format!("{}{new}{}{new}{}", &line[..from], &line[from + 1..to], &line[to + 1..]), sign))
}
