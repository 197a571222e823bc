//! Whether a change of a file can have lost anything, told from its lines: most need no parser.

use std::collections::BTreeSet;

use crate::touched::Lines;
use crate::weakened;
use guard_sdk::files::Language;
use outline::is_test;

/// What the lines that came and went give reason to look for.
pub fn worth_reading(language: Option<Language>, path: &str, lines: &Lines) -> bool {
    // By what words it defines something, only its component knows.
    if language.is_none() {
        return true;
    }
    let came: BTreeSet<&str> = lines.added().filter_map(|(_, line)| defined(language, line)).collect();
    let gone = lines.removed().filter_map(|(_, line)| defined(language, line)).any(|name| !came.contains(name));
    gone || weakened::is_likely(language, path, lines)
        || lines.added().any(|(_, line)| {
            is_suspect(line) || ((is_test(path) || language == Some(Language::Rust)) && is_wrapping(line))
        })
        || lines.emptied()
        || is_commented_out(lines)
}

/// A line that may take code around it out: quotes of three, the sign of a comment.
fn is_wrapping(line: &str) -> bool {
    let line = line.trim();
    matches!(line, "\"\"\"" | "'''" | "r\"\"\"" | "`" | "*/") || (line.starts_with("/*") && !line.starts_with("/**"))
}

/// Whether code went and only comments came in its place.
fn is_commented_out(lines: &Lines) -> bool {
    let is_comment = |line: &str| line.trim_start().starts_with(['#', '/']);
    let comments: BTreeSet<u32> = lines.added().filter(|(_, line)| is_comment(line)).map(|(at, _)| at).collect();
    !comments.is_empty()
        && lines.hunks.iter().filter(|hunk| hunk.old_lines > 1).any(|hunk| {
            let came = comments.range(hunk.new_start..hunk.new_start + hunk.new_lines).count();
            came > 1 && came + 2 >= hunk.new_lines as usize
        })
}

/// The name that a line seems to define; the whole line when it is not clear which.
fn defined(language: Option<Language>, line: &str) -> Option<&str> {
    let at_margin = !line.starts_with([' ', '\t']);
    let line = line.trim_start();
    if line.starts_with(['#', '*']) || line.starts_with("//") {
        // An attribute or a decorator takes its time until the name comes; a comment defines nothing.
        return None;
    }
    let starts: &[&str] = match language {
        Some(Language::Python) => &["def", "class", "type"],
        Some(Language::JavaScript) => {
            &["function", "class", "const", "let", "var", "interface", "type", "enum", "function*"]
        }
        Some(Language::Rust) => {
            &["fn", "struct", "enum", "trait", "const", "static", "type", "mod", "macro_rules!", "union"]
        }
        _ => &[],
    };
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if starts.contains(&word) {
            let name = words.next().unwrap_or(line);
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(name.len());
            // With `export` in front it is another thing than without.
            let from = if line.starts_with("export") { 0 } else { name.as_ptr() as usize - line.as_ptr() as usize };
            let to = name.as_ptr() as usize - line.as_ptr() as usize + end;
            return Some(if end == 0 { line } else { &line[from..to] });
        }
        if !MODIFIERS.contains(&word) && !word.starts_with("pub(") {
            break;
        }
    }
    if language == Some(Language::Python)
        && at_margin
        && let Some((name, _)) = line.split_once(" = ")
        && is_name(name)
    {
        return Some(name);
    }
    let looks_like = match language {
        // An assignment of another form, of the module; an import.
        Some(Language::Python) => {
            at_margin && (line.contains('=') || line.starts_with("from ") || line.starts_with("import "))
        }
        // A method, a test, an export.
        Some(Language::JavaScript) => {
            let block = line.ends_with('{') && !BLOCKS.iter().any(|word| line.starts_with(word));
            block || line.contains("export") || TESTS.iter().any(|call| line.starts_with(call))
        }
        Some(Language::Rust) => line.starts_with("pub use"),
        _ => true,
    };
    looks_like.then_some(line)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Words with which a line begins that opens a block and defines nothing.
const BLOCKS: [&str; 10] = ["if", "}", "for", "while", "switch", "else", "return", "do ", "try", "{"];
const TESTS: [&str; 6] = ["it(", "it.", "test(", "test.", "describe(", "describe."];

const MODIFIERS: [&str; 10] =
    ["async", "pub", "export", "default", "declare", "abstract", "unsafe", "extern", "static", "function"];

/// A body that is left out, or a comment by which the rest is.
fn is_suspect(line: &str) -> bool {
    const ENDS: [&str; 3] = ["pass", "...", "{}"];
    const STUBS: [&str; 3] = ["mplement", "todo!", "TODO"];
    const MARKS: [&str; 10] =
        ["...", "…", "nchanged", "xisting", "emain", "mitted", "est of", "same as", "revious", "runcated"];
    let line = line.trim();
    let ends = line.trim_end_matches([';', ',']);
    let stub = ENDS.iter().any(|stub| ends.ends_with(stub)) || STUBS.iter().any(|stub| line.contains(stub));
    let comment = line.find('#').or_else(|| line.find("//")).or_else(|| line.find("/*"));
    let comment = comment.map_or("", |at| &line[at..]);
    stub || MARKS.iter().any(|mark| comment.contains(mark))
}
