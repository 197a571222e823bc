//! The `+` and `-` of a diff, left in the first column.

use std::collections::HashSet;

use guard_sdk::Finding;

use crate::added::{Added, runs};
use crate::diff::handles_diffs;
use crate::place::{self, Kind, Language};

pub fn judge(added: &Added) -> Vec<Finding> {
    let signed: Vec<(usize, &str)> = added.new_lines().filter(|(_, line)| line.starts_with(['+', '-'])).collect();
    if signed.is_empty() || place::is_about_diffs(added.path()) {
        return Vec::new();
    }
    let certain = match added.kind {
        Kind::Code(language) => in_code(added, language, &signed),
        Kind::Document => in_document(added, &signed),
        Kind::Open => return Vec::new(),
    };
    if certain.is_empty() || handles_diffs(added.before()) {
        return Vec::new();
    }
    let finding = |(first, last): (usize, usize)| {
        let lines =
            if first == last { "a line begins".to_owned() } else { format!("{} lines begin", last + 1 - first) };
        let sign = added.lines[first].get(..1).unwrap_or_default();
        let message = format!("{lines} with the `{sign}` of a diff");
        let help =
            "Write the file's own lines: leave out the lines with `-`, and write those with `+` without the sign.";
        Finding::error("signs-left", message).at(added.path(), first as u32 + 1).to(last as u32 + 1).help(help)
    };
    runs(&certain).into_iter().map(finding).collect()
}

fn in_code(added: &Added, language: Language, signed: &[(usize, &str)]) -> Vec<usize> {
    let mut removed: Option<HashSet<String>> = None;
    let mut was_removed = |line: &str| {
        let known = removed.get_or_insert_with(|| {
            added.file.removed_lines().unwrap_or_default().into_iter().map(|line| line.text).collect()
        });
        known.contains(line)
    };
    let mut certain = Vec::new();
    for (at, line) in signed {
        let rest = line[1..].trim_end();
        if rest.is_empty() || rest.starts_with(&line[..1]) || (!is_indented(rest) && continues(added.above(*at))) {
            continue;
        }
        let letters = rest.bytes().filter(u8::is_ascii_alphabetic).count();
        let is_old = letters >= 3 && was_removed(rest) && !is_dash_of_list(language, line);
        // A whole line that was there and now has a sign is certain even inside of a string or a comment.
        if (is_old && letters >= 8) || ((is_old || is_code(language, line)) && added.is_in_code(*at)) {
            certain.push(*at);
        }
    }
    certain
}

fn is_dash_of_list(language: Language, line: &str) -> bool {
    let has_lists = language == Language::Yaml || place::has_entries(language) || place::is_script(language);
    has_lists && line.starts_with('-')
}

/// As a line of a block is; an operator has one blank behind it at most.
fn is_indented(rest: &str) -> bool {
    rest.starts_with("    ") || rest.starts_with('\t')
}

/// Whether an expression goes on behind the line above: an operator may then stand in the first column.
fn continues(above: Option<&str>) -> bool {
    let Some(above) = above else { return false };
    let end = above.trim_end();
    !above.starts_with(['+', '-']) && end.ends_with(['(', ',', '=', '\\', '*', '/', '|', '&', '?'])
}

/// Whether the line, without its sign, is a line of that language, and with the sign it is none.
fn is_code(language: Language, line: &str) -> bool {
    let (sign, rest) = (line.as_bytes()[0], &line[1..]);
    let is_plus = sign == b'+';
    let inner = rest.trim_start();
    let has_indent = rest.starts_with("  ") || rest.starts_with('\t');
    let is_flush = inner.len() == rest.len();
    let first = inner.chars().next().unwrap_or(' ');
    match language {
        Language::Yaml => is_plus && is_entry(inner, ':') && !inner.starts_with(['=', '+']),
        Language::Toml => (is_plus || is_flush) && (is_entry(inner, '=') || (is_flush && inner.starts_with('['))),
        Language::Json => {
            (is_flush || has_indent) && (matches!(first, '"' | '{' | '[') || matches!(inner, "}" | "]" | "}," | "],"))
        }
        language if place::has_entries(language) => {
            let command = inner.split(' ').next().unwrap_or_default();
            is_plus && is_flush && command.len() > 2 && command.bytes().all(|byte| byte.is_ascii_uppercase())
        }
        _ if is_plus && is_indented(rest) => true,
        _ if has_indent => {
            is_statement(inner) || (is_plus && (first.is_alphabetic() || matches!(first, '}' | '@' | ']' | ')')))
        }
        _ if is_flush => is_statement(inner) && !inner.starts_with("function"),
        _ => false,
    }
}

/// `key: value` or `- item`; `key = value`.
fn is_entry(inner: &str, sign: char) -> bool {
    let Some((key, value)) = inner.split_once(sign) else { return sign == ':' && inner.starts_with("- ") };
    let key = key.trim_end().trim_start_matches("- ").trim_matches(['"', '\'']);
    let is_name = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    is_name && (sign == '=' || value.is_empty() || value.starts_with(' '))
}

/// Words with which no expression goes on.
fn is_statement(inner: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 46] = [
        "import", "from", "def", "class", "return", "const", "let", "var", "export", "fn", "pub", "use", "mod", "struct", "enum",
        "impl", "trait", "func", "package", "type", "if", "for", "while", "else", "elif", "try", "except", "raise", "with", "switch",
        "case", "default", "break", "continue", "public", "private", "protected", "static", "throw", "interface", "namespace",
        "async", "function", "#include", "require", "end",
    ];
    let word = inner.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '#')).next().unwrap_or_default();
    let behind = inner[word.len()..].chars().next();
    let is_word = WORDS.contains(&word) && !matches!(behind, Some('.' | '_' | '='));
    is_word || inner.starts_with(['@', '}']) || inner.starts_with("//") || inner.starts_with("#[")
}

/// A heading or a list that has a sign in front; in a document `+ item` and `- item` are lists.
fn in_document(added: &Added, signed: &[(usize, &str)]) -> Vec<usize> {
    let is_marked =
        |line: &str| ["+#", "-#", "+- ", "+* ", "+```", "-```", "+[", "+|"].iter().any(|mark| line.starts_with(mark));
    let lines: Vec<usize> =
        signed.iter().filter(|(_, line)| !line[1..].starts_with([' ', '+', '-', '\t'])).map(|(at, _)| *at).collect();
    let runs = runs(&lines).into_iter().filter(|(first, last)| {
        let lines = &added.lines[*first..=*last];
        lines.iter().any(|line| is_marked(line)) && added.is_in_code(*first) && lines[0].len() > 2
    });
    runs.flat_map(|(first, last)| first..=last).collect()
}
