//! Comparisons whose answer nobody takes.

use guard_sdk::Finding;
use guard_sdk::files::{Kind, Language, kind_of};

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::Statement;

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    let is_python = subject.language == Language::Python;
    // A test may ask for the error of a comparison, or for its side effects.
    if kind_of(subject.path()) == Kind::Test
        || !(is_python || matches!(subject.language, Language::JavaScript | Language::TypeScript))
    {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let statements =
        read.blocks.iter().flat_map(|block| block.statements.iter().enumerate().map(move |one| (block, one)));
    for (block, (at, one)) in statements {
        let line = one.first;
        if !subject.is_new(line) || !is_dropped(one, is_python) {
            continue;
        }
        // What stands above the block may end in a sign that goes on.
        let above = match at.checked_sub(1).and_then(|at| block.statements.get(at)) {
            Some(above) => above.text.clone(),
            None => read.text_above(line),
        };
        let is_awaited = above.starts_with("with ")
            || above.ends_with(['=', ',', '(', '[', '&', '|', '+', '?', '\\'])
            || above.ends_with("=>")
            || (!is_python && above.ends_with("return"));
        let stood = subject.before.get().lines().any(|old| old.trim() == one.text);
        if is_awaited || stood {
            continue;
        }
        let shown: String = one.text.chars().take(80).collect();
        findings.push(
            Finding::error(
                "comparison-dropped",
                format!("`{shown}` compares two values, and nothing takes the answer"),
            )
            .at(subject.path(), line)
            .help("Assign with `=`, assert it, or use the answer."),
        );
    }
    findings
}

/// `name.member == value`, as a whole statement.
fn is_dropped(one: &Statement, is_python: bool) -> bool {
    let code = match is_python {
        true => one.code.as_str(),
        // Without the sign it may be the end of an expression.
        false => match one.code.trim_end().strip_suffix(';') {
            Some(code) => code,
            None => return false,
        },
    };
    let Some((left, right)) = code.split_once(" ===").or_else(|| code.split_once(" ==")) else { return false };
    let is_place = !left.is_empty() && left.chars().all(|c| c.is_alphanumeric() || "_.[]$".contains(c));
    let starts = left.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let is_value = !right.trim().is_empty() || one.text.trim_end_matches(';').ends_with(['"', '\'', '`']);
    one.depth == 0
        && is_place
        && starts
        && is_value
        && !right.contains(" ? ")
        && !code.contains('{')
        && !code.contains(" else ")
}
