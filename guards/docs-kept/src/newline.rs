//! Real line breaks that became a backslash and an `n`.

use guard_sdk::Finding;

use crate::document::Document;
use crate::pair::Pair;

/// Lines that stand for several lines of the base, joined by a literal `\n`; and those of new text that must be meant so.
pub fn find(pair: &Pair) -> Vec<Finding> {
    let is_old = |text: &str| pair.before.lines().any(|(_, line)| line == text);
    candidates(pair.after)
        .filter(|(_, text)| !is_old(text))
        .filter(|(line, text)| joins(text, pair) || is_meant(text, pair.after.is_code(*line)))
        .map(|(line, text)| finding(pair.path, line, text))
        .collect()
}

/// The same for a document that was not there before.
pub fn of_new(path: &str, document: &Document) -> Vec<Finding> {
    let meant = candidates(document).filter(|(line, text)| is_meant(text, document.is_code(*line)));
    meant.map(|(line, text)| finding(path, line, text)).collect()
}

fn candidates(document: &Document) -> impl Iterator<Item = (u32, &str)> {
    document.lines().filter(|(_, text)| text.matches("\\n").count() >= 2)
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
fn joins(text: &str, pair: &Pair) -> bool {
    let count = |document: &Document, part: &str| document.lines().filter(|(_, line)| *line == part).count();
    let parts: Vec<&str> = parts(text).collect();
    let gone: Vec<&&str> = parts.iter().filter(|part| count(pair.before, part) > count(pair.after, part)).collect();
    let chars = |parts: &[&&str]| parts.iter().map(|part| part.len()).sum::<usize>();
    gone.len() >= 2 && chars(&gone) * 2 >= chars(&parts.iter().collect::<Vec<_>>())
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split("\\n")
        .map(|part| part.trim_end_matches("\\r").trim_end_matches('\\').trim())
        .filter(|part| !part.is_empty())
}

/// Without the base to compare with: outside of quotes, at least twice, a `\n` must be followed by what begins a line
/// and nothing else. So `\nabla`, `C:\new` and `printf 'a\nb\n'` are fine.
fn is_meant(text: &str, is_code: bool) -> bool {
    let bare = without_quotes(text, is_code);
    let begins = |rest: &str| {
        let markdown = ["\\n", "- ", "* ", "# ", "## ", "### ", "```", "1. ", "2. ", "> "];
        let code = ["  ", "\\t", "}", "]", "$ ", "# ", "// ", "import ", "from ", "def ", "return ", "const ", "let "];
        markdown.iter().any(|start| rest.starts_with(start))
            || (is_code && (code.iter().any(|start| rest.starts_with(start)) || is_command(rest)))
    };
    bare.match_indices("\\n").filter(|(at, _)| begins(&bare[at + 2..])).count() >= 2
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
    let mut open: Option<char> = None;
    let mut last = ' ';
    for c in text.chars() {
        match open {
            Some(quote) if c == quote => open = None,
            Some(_) => {}
            None if c == '"' || (c == '`' && !is_code) || (c == '\'' && !last.is_ascii_alphanumeric()) => {
                open = Some(c)
            }
            None => out.push(c),
        }
        last = c;
    }
    out
}
