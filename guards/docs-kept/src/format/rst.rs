//! reStructuredText, as far as code goes: literal blocks after `::`, the code directives, doctest blocks.

use std::ops::Range;

use super::{indent, lines};

const DIRECTIVES: [&str; 8] =
    ["code-block", "code", "sourcecode", "parsed-literal", "prompt", "ipython", "testcode", "console"];

pub fn code(text: &str) -> Vec<(Range<usize>, String)> {
    let lines: Vec<(usize, &str)> = lines(text).collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].1;
        let end = if line.trim_start().starts_with(">>>") {
            until(&lines, at + 1, |line| line.trim().is_empty())
        } else if opens(line) {
            let column = indent(line);
            until(&lines, at + 1, |line| !line.trim().is_empty() && indent(line) <= column)
        } else {
            at += 1;
            continue;
        };
        let body = if opens(line) { at + 1 } else { at };
        let code = content(&lines[body..end]);
        if !code.is_empty() {
            let last = lines[end - 1];
            blocks.push((lines[body].0..last.0 + last.1.len(), code));
        }
        at = end;
    }
    blocks
}

/// Whether an indented block after this line is code.
fn opens(line: &str) -> bool {
    let line = line.trim();
    match line.strip_prefix(".. ") {
        Some(directive) => directive.split_once("::").is_some_and(|(name, _)| DIRECTIVES.contains(&name)),
        None => line.ends_with("::"),
    }
}

fn until(lines: &[(usize, &str)], from: usize, stop: impl Fn(&str) -> bool) -> usize {
    lines[from..].iter().position(|(_, line)| stop(line)).map_or(lines.len(), |offset| from + offset)
}

/// Without a directive's options, and without blank lines around.
fn content(lines: &[(usize, &str)]) -> String {
    let is_option = |line: &str| line.trim_start().starts_with(':') && line.trim_start()[1..].contains(':');
    let code: String = lines.iter().map(|(_, line)| *line).skip_while(|line| is_option(line)).collect();
    code.trim_matches(['\r', '\n']).trim_end().to_string()
}
