//! Calls that only somebody who looks for a mistake wants: they stop the program, or print a value with its place in the source.

use guard_sdk::Finding;
use guard_sdk::files::{self, Kind, Language, kind_of};

use crate::added::Added;

/// What a statement is, or calls. What only prints is none: programs print.
fn calls(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &["dbg!("],
        Language::JavaScript | Language::TypeScript => &["debugger"],
        Language::Python => &[
            "breakpoint()",
            "pdb.set_trace()",
            "ipdb.set_trace()",
            "import pdb; pdb.set_trace()",
            "import ipdb; ipdb.set_trace()",
            "__import__(\"pdb\").set_trace()",
        ],
        Language::Php => &["var_dump(", "dd("],
        Language::Ruby => &["binding.pry", "binding.irb", "byebug"],
        _ => &[],
    }
}

pub fn judge(added: &Added) -> Option<Finding> {
    let language = files::Language::from_path(added.path())?;
    let calls = calls(language);
    // The strings of PHP are not told apart; few texts have such a statement for a line.
    let is_code = |at: usize| language == Language::Php || added.is_in_code(at);
    // Whoever writes a debugger, or a tool that dumps, calls them on purpose; so does a file that did before.
    let lower = added.path().to_ascii_lowercase();
    let is_about_it = ["debug", "dump", "repl", "pdb", "console", "trace"].iter().any(|word| lower.contains(word));
    if calls.is_empty() || is_about_it || kind_of(added.path()) != Kind::Code {
        return None;
    }
    let left = |line: &str| calls.iter().find(|call| is_call(line, call)).copied();
    let is_shown = |at: usize| language == Language::Rust && is_in_ignored_test(&added.lines, at);
    let (at, call) =
        added.new_lines().find_map(|(at, line)| Some((at, left(line).filter(|_| is_code(at) && !is_shown(at))?)))?;
    if added.before().lines().any(|line| left(line) == Some(call)) {
        return None;
    }
    let shown = call.trim_end_matches(['(', ')', ';']);
    let message = format!("`{shown}` is left from looking for a mistake");
    Some(Finding::error("debugger-left", message).at(added.path(), at as u32 + 1).help("Remove the call."))
}

/// Whether a line stands in a test that is run by hand alone, and shows its values to whoever runs it: `#[ignore]`.
fn is_in_ignored_test(lines: &[&str], at: usize) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let is_function = |line: &str| line.trim_start().split(' ').take(4).any(|word| word == "fn");
    let own = lines.get(at).map_or(0, |line| depth(line));
    let function = (0..at).rev().find(|above| is_function(lines[*above]) && depth(lines[*above]) < own);
    let marks = function.map_or(&[][..], |function| &lines[..function]);
    marks.iter().rev().take_while(|line| line.trim_start().starts_with("#[")).any(|line| line.contains("#[ignore"))
}

/// As the whole statement; a macro of Rust, which gives its value back, anywhere in the code of the line.
fn is_call(line: &str, call: &str) -> bool {
    let code = line.trim();
    match call {
        "dbg!(" => {
            let before = code.split(call).next().unwrap_or_default();
            code.contains(call)
                && !before.contains("//")
                && !before.contains('"')
                && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        }
        // A statement of its own, whatever it shows.
        "var_dump(" | "dd(" => code.starts_with(call) && code.ends_with(");"),
        _ => code.strip_suffix(';').unwrap_or(code) == call,
    }
}
