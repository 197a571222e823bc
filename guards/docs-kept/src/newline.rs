//! Real line breaks that became a backslash and an `n`.

use std::collections::BTreeMap;

use documents::front_matter;
use guard_sdk::{Edit, Finding};

use crate::document::Document;
use crate::pair::Pair;

/// Lines that stand for several lines of the base, joined by a literal `\n`; and those of new text that must be meant so.
pub fn find(pair: &Pair) -> Vec<Finding> {
    let mut candidates = candidates(pair.after).peekable();
    if candidates.peek().is_none() {
        return Vec::new();
    }
    let (before, after) = (count(pair.before), count(pair.after));
    let judge = |(line, text): (u32, &str)| {
        if !joins(text, &before, &after) {
            return in_new_line(pair.path, pair.after, pair.exact, line, text);
        }
        let found = finding(pair.path, line, text);
        Some(if holds_its_own(text, &before, &after) {
            found
        } else {
            with_fix(found, pair.path, pair.after, pair.exact, line)
        })
    };
    candidates.filter(|(_, text)| !before.contains_key(text)).filter_map(judge).collect()
}

/// How often each line stands in a document.
type Lines<'a> = BTreeMap<&'a str, usize>;

fn count(document: &Document) -> Lines<'_> {
    let mut lines = Lines::new();
    for (_, line) in document.lines() {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

/// The same for a document that was not there before. `exact` as in [`Pair`].
pub fn in_new_document(path: &str, document: &Document, exact: bool) -> Vec<Finding> {
    candidates(document).filter_map(|(line, text)| in_new_line(path, document, exact, line, text)).collect()
}

fn in_new_line(path: &str, document: &Document, exact: bool, line: u32, text: &str) -> Option<Finding> {
    if document.is_code(line) && is_element(text) {
        return None;
    }
    let (begun, all) = begun(text, document.is_code(line));
    let found = (begun >= 2).then(|| finding(path, line, text))?;
    // One that nothing tells from a `\n` of the text itself leaves them all to the author.
    Some(if begun == all { with_fix(found, path, document, exact, line) } else { found })
}

/// A whole element on one line: what it holds is a value, such as a parameter of a call.
fn is_element(text: &str) -> bool {
    let name = |text: &str| text.split(|c: char| !c.is_alphanumeric() && !"_-:".contains(c)).next().map(str::len);
    let Some(inner) = text.trim().strip_prefix('<') else { return false };
    let name = &inner[..name(inner).unwrap_or(0)];
    !name.is_empty() && text.trim_end().ends_with(&format!("</{name}>"))
}

fn candidates(document: &Document) -> impl Iterator<Item = (u32, &str)> {
    // Nearly no document has any.
    let some = document.text.contains("\\n");
    // A value of the metadata is written in one line, and whoever reads it makes line breaks of its `\n`.
    let metadata = if some { front_matter::lines(&document.text) } else { 0 };
    document.lines().skip(metadata).filter(move |(_, text)| some && text.matches("\\n").count() >= 2)
}

fn finding(path: &str, line: u32, text: &str) -> Finding {
    let count = text.matches("\\n").count();
    Finding::error(
        "newline-collapsed",
        format!("line {line} of {path} holds {count} literal `\\n` where line breaks should be"),
    )
    .at(path, line)
    .help("Write real line breaks: each `\\n` of that line begins a new line.")
}

/// Whether the parts between are lines of the base that are gone. A string with `\n` in it is none: its output stays.
fn joins(text: &str, before: &Lines, after: &Lines) -> bool {
    let gone = |part: &&str| before.get(part) > after.get(part);
    let lost: Vec<&str> = parts(text).filter(gone).collect();
    let chars = |parts: &mut dyn Iterator<Item = &str>| parts.map(str::len).sum::<usize>();
    lost.len() >= 2 && chars(&mut lost.iter().copied()) * 2 >= chars(&mut parts(text))
}

/// Whether a line of the base that is in it had a `\n` of its own: then not each of them was a line break.
fn holds_its_own(text: &str, before: &Lines, after: &Lines) -> bool {
    before.iter().any(|(line, count)| line.contains("\\n") && Some(count) > after.get(line) && text.contains(line))
}

fn with_fix(finding: Finding, path: &str, document: &Document, exact: bool, line: u32) -> Finding {
    match exact {
        true => finding.fix("Break the line at each `\\n`", vec![broken(path, document, line)]),
        false => finding,
    }
}

/// Each part on a line of its own, behind what the line began with: white space, or the mark of a quote.
fn broken(path: &str, document: &Document, line: u32) -> Edit {
    let span = document.span(line);
    let text = &document.text[span.clone()];
    let ending = if document.text[span.end..].starts_with("\r\n") { "\r\n" } else { "\n" };
    let prefix: String = text.chars().take_while(|c| " \t>".contains(*c)).collect();
    let mut replacement = String::new();
    for (index, part) in text.split("\\n").enumerate() {
        if index > 0 {
            replacement.push_str(ending);
            // The break may have been lost with what came after it.
            replacement.push_str(if part.starts_with(&prefix) { "" } else { &prefix });
        }
        replacement.push_str(part.strip_suffix("\\r").unwrap_or(part));
    }
    Edit::replace(path, span, replacement)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split("\\n")
        .map(|part| part.trim_end_matches("\\r").trim_end_matches('\\').trim())
        .filter(|part| !part.is_empty())
}

/// Without the base to compare with: how many `\n` outside of quotes are followed by what begins a line and nothing else,
/// and how many there are in all. So `\nabla`, `C:\new` and `printf 'a\nb\n'` are fine.
fn begun(text: &str, is_code: bool) -> (usize, usize) {
    let bare = without_quotes(text, is_code);
    // Before what begins a text no line ends: it is part of a value, such as a template.
    let bare = bare.trim_start().trim_start_matches("\\n");
    let begins = |rest: &str| {
        let markdown = ["\\n", "- ", "* ", "# ", "## ", "### ", "```", "1. ", "2. ", "> "];
        let code = ["  ", "\\t", "}", "]", "$ ", "# ", "// ", "import ", "from ", "def ", "return ", "const ", "let "];
        markdown.iter().any(|start| rest.starts_with(start))
            || (is_code && (code.iter().any(|start| rest.starts_with(start)) || is_command(rest)))
            // A command that goes on: `encode \\n --input a`.
            || (is_code && [" -", " |", " &&"].iter().any(|start| rest.starts_with(start)))
    };
    let begun = bare.match_indices("\\n").filter(|(at, _)| begins(&bare[at + 2..])).count();
    (begun, text.matches("\\n").count())
}

fn is_command(rest: &str) -> bool {
    #[rustfmt::skip]
    const COMMANDS: [&str; 26] = [
        "cd", "git", "npm", "npx", "pnpm", "yarn", "pip", "pip3", "python", "python3", "cargo", "rustup", "make", "docker", "kubectl", "go", "sudo", "apt",
        "brew", "curl", "export", "source", "mkdir", "bash", "uv", "poetry",
    ];
    rest.split_once(' ').is_some_and(|(word, _)| COMMANDS.contains(&word)) || rest.starts_with("./")
}

/// The text outside of strings, and outside of code spans when it is prose.
fn without_quotes(text: &str, is_code: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        let quoted = match c {
            '`' if !is_code => span(rest),
            '"' => Some(string(rest, c)),
            '\'' if !last.is_ascii_alphanumeric() => Some(string(rest, c)),
            _ => None,
        };
        let end = match quoted {
            Some(end) => end,
            None => {
                out.push(c);
                c.len_utf8()
            }
        };
        last = rest[..end].chars().next_back().unwrap_or(c);
        rest = &rest[end..];
    }
    out
}

/// Where the string ends that the text begins with; one that is not closed goes on to the end.
fn string(text: &str, quote: char) -> usize {
    text[1..].find(quote).map_or(text.len(), |at| at + 2)
}

/// Where the code span ends that the text begins with: at as many backticks as it began with. None where they are mere backticks.
fn span(text: &str) -> Option<usize> {
    let ticks = |text: &str| text.len() - text.trim_start_matches('`').len();
    let open = ticks(text);
    let mut at = open;
    loop {
        at += text[at..].find('`')?;
        match ticks(&text[at..]) {
            close if close == open => return Some(at + close),
            close => at += close,
        }
    }
}
