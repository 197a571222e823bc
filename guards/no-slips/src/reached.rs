//! Statements that no way leads to.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::{Statement, begins_with, is_word};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if !matches!(
        subject.language,
        Language::Python
            | Language::JavaScript
            | Language::TypeScript
            | Language::Go
            | Language::Java
            | Language::CSharp
    ) {
        return Vec::new();
    }
    let unreached = |read: &Read| -> Vec<Unreached> {
        read.blocks.iter().flat_map(|block| unreached(&block.statements, subject)).collect()
    };
    let mut found = unreached(read);
    found.retain(|one| subject.is_new(one.leaving) || subject.is_new(one.line));
    if found.is_empty() {
        return Vec::new();
    }
    let old = unreached(&subject.read_before());
    let is_new = |one: &&Unreached| !old.iter().any(|other| other.shown == one.shown);
    let finding = |one: &Unreached| {
        Finding::error(
            "never-reached",
            format!("`{}` is never reached: `{}` above it leaves the block", one.shown.1, one.shown.0),
        )
        .at(subject.path(), one.line)
        .related(subject.path(), one.leaving..=one.leaving, "leaves the block")
        .help(
            "Remove what is never reached, or move it above; if it was to run under a condition, write the condition.",
        )
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct Unreached {
    /// From 1.
    leaving: u32,
    line: u32,
    /// Both statements, cut.
    shown: (String, String),
}

fn unreached(statements: &[Statement], subject: &Subject) -> Vec<Unreached> {
    let is_python = subject.language == Language::Python;
    let mut all = Vec::new();
    for (at, pair) in statements.windows(2).enumerate() {
        let [leaving, next] = pair else { continue };
        let in_block = leaving.depth == 0 && next.depth == 0 && leaving.indent == next.indent && leaving.indent > 0;
        // No statement of C# begins with a square bracket, but the attributes of a local function do.
        let is_local_function =
            subject.language == Language::CSharp && (next.code.starts_with('[') || is_local_function(&next.code));
        if !in_block || !leaves(leaving, subject) || goes_on(next, is_python) || is_local_function {
            continue;
        }
        // The body of an `if` without brackets, or a case that a macro opens.
        let above = at.checked_sub(1).and_then(|at| statements.get(at));
        let is_bare = !is_python
            && above.is_some_and(|above| {
                above.indent <= leaving.indent && !ends_whole(&above.code) || is_label(&above.code)
            });
        if is_bare && !above.is_some_and(|above| above.code.ends_with(':')) {
            continue;
        }
        let shown = |one: &Statement| one.text.chars().take(60).collect::<String>();
        all.push(Unreached { leaving: leaving.first, line: next.first, shown: (shown(leaving), shown(next)) });
    }
    all
}

/// Whether a statement always leaves its block.
fn leaves(one: &Statement, subject: &Subject) -> bool {
    let code = one.code.as_str();
    let words: &[&str] = match subject.language {
        Language::Python => &["return", "raise", "continue", "break"],
        Language::Go => &["return", "continue", "break"],
        _ => &["return", "throw", "continue", "break"],
    };
    let Some(word) = words.iter().find(|word| begins_with(code, word)) else { return false };
    // A member of that name, as `return?: T;` in a type.
    if code[word.len()..].trim_start().starts_with(['?', ':']) {
        return false;
    }
    match subject.language {
        // One line may hold several statements.
        Language::Python => !code.contains(';') && !code.ends_with(['\\', ',']),
        Language::Go => !code.ends_with(['{', ',', '.', '+', '|', '&', '(', '=']),
        _ => code.ends_with(';') && code.matches('{').count() == code.matches('}').count(),
    }
}

/// What is no further statement of the block, or is of use without being reached.
fn goes_on(next: &Statement, is_python: bool) -> bool {
    let code = next.code.as_str();
    #[rustfmt::skip]
    const OTHER: [&str; 24] = [
        "case", "default", "else", "catch", "finally", "elif", "except", "function", "async", "class", "var", "type", "interface", "enum", "export", "declare", "break", "public",
        "private", "protected", "internal", "static", "while", "namespace",
    ];
    let is_other = OTHER.iter().any(|word| {
        begins_with(code, word) && !(is_python && matches!(*word, "class" | "type" | "while" | "default" | "break"))
    });
    // A generator that is empty says so behind its `return`.
    let is_generator = is_python && begins_with(code, "yield");
    is_other || is_generator || is_label(code) || code.starts_with(|c: char| !is_word(c) && c != '(' && c != '[')
}

/// `TYPE NAME(…)`: C# has functions in functions, which people write behind the last `return`.
fn is_local_function(code: &str) -> bool {
    let is_statement = ["await", "return", "throw", "yield", "new"].iter().any(|word| begins_with(code, word));
    let Some(head) = head(code).filter(|_| !is_statement) else { return false };
    let Some((of_type, name)) = head.trim_end().rsplit_once(' ') else { return false };
    let name = name.split('<').next().unwrap_or_default();
    !name.is_empty()
        && name.chars().all(is_word)
        && of_type.trim_end().ends_with(|c: char| is_word(c) || ">]?)*".contains(c))
}

/// What stands before the parameters. A type may have brackets of its own: `(string, int) Read(…)`, `Func<(int, int), Task> Make(…)`.
fn head(code: &str) -> Option<&str> {
    let mut depth = 0_u32;
    let mut last = ' ';
    for (at, c) in code.char_indices() {
        match c {
            '(' if depth == 0 && (is_word(last) || last == '>') => return Some(&code[..at]),
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    None
}

/// `name:`, alone.
fn is_label(code: &str) -> bool {
    code.strip_suffix(':').is_some_and(|name| !name.is_empty() && name.chars().all(is_word))
}

/// Whether the next line begins a statement of its own.
fn ends_whole(code: &str) -> bool {
    code.ends_with([';', '{', '}', ':'])
        || code.is_empty()
        || !["if", "for", "while", "else", "} else", "foreach", "#"].iter().any(|word| code.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::is_local_function;

    #[test]
    fn functions_in_functions() {
        for (code, is) in [
            ("int Read(string text)", true),
            ("static async Task<int> Read(string text) {", true),
            ("(string Name, int Count) Read(string text) => (text, 1);", true),
            ("IEnumerable<(string, SourceText)> GetClones(Compilation c) {", true),
            ("Func<(int, int), Task> Make() => null;", true),
            ("unsafe static int* Point(int a) => null;", true),
            ("T? Find<T>(int a) where T : class {", true),
            ("Read(text);", false),
            ("store.Read(text);", false),
            ("var read = Read(text);", false),
            ("await Read(text);", false),
            ("(a, b) = Read(text);", false),
        ] {
            assert_eq!(is_local_function(code), is, "{code}");
        }
    }
}
