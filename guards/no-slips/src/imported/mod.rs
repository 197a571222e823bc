//! Imports that the file does not speak of again.

mod fixed;

use guard_sdk::files::Language;
use guard_sdk::language::ImportStatement;
use guard_sdk::{Finding, Severity};
use lexing::Line;

use crate::blocks::{Block, Read};
use crate::subject::Subject;
use crate::words::{Statement, begins_with, mentions};

/// Names that are used without being written: what JSX is compiled to.
const UNWRITTEN: [&str; 6] = ["React", "h", "Fragment", "jsx", "preact", "createElement"];
/// Files whose imports are for others.
const FOR_OTHERS: [&str; 4] = ["__init__.py", "conftest.py", "__main__.py", "setupTests.ts"];
/// Modules of Python that do something by being imported.
const ACTIVE: [&str; 5] = ["readline", "rlcompleter", "antigravity", "this", "__future__"];

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    use Language::{Go, Java, JavaScript, Php, Python, TypeScript};
    let name = subject.file.name();
    let judged = matches!(subject.language, Python | JavaScript | TypeScript | Go | Java | Php);
    if !judged || FOR_OTHERS.contains(&name) || name.ends_with(".pyi") || name.ends_with(".d.ts") {
        return Vec::new();
    }
    let is_import = |one: &Statement| is_import(one, subject.language);
    let new = read.statements().filter(|(_, one)| subject.has_new(one.first, one.last) && is_import(one));
    let new: Vec<(&Block, &Statement)> = new.collect();
    if new.is_empty() {
        return Vec::new();
    }
    let Some(outline) = subject.outline() else { return Vec::new() };
    let is_spoken = |name: &str| {
        let mut lines = (1..).zip(subject.after.get().lines()).filter(|(_, line)| mentions(line, name));
        lines.any(|(number, _)| {
            let block = read.block_of(number);
            let own = block.statements.iter().find(|one| (one.first..=one.last).contains(&number));
            !own.is_some_and(is_import)
        })
    };
    let mut unused: Vec<Unused> = Vec::new();
    for import in &outline.imports {
        let Some((block, statement)) = new.iter().find(|(_, one)| (one.first..=one.last).contains(&import.line)) else {
            continue;
        };
        let lines = block.lines_of(statement);
        let is_new = lines.iter().any(|line| subject.is_new(line.number) && mentions(line.text, &import.local));
        // `import a.b` binds `a`.
        let bound = import.local.split('.').next().unwrap_or_default();
        // The line is new, and the name was there for nothing before it.
        let was_unused = || {
            let is_same = |old: &ImportStatement| old.local == import.local;
            subject.old_outline().is_some_and(|old| old.imports.iter().any(is_same))
                && !uses(subject.before.get(), bound)
        };
        if is_new
            && is_meant_to_be_used(import, statement, (read, lines), subject.language)
            && !is_spoken(bound)
            && !was_unused()
        {
            unused.push(Unused { local: &import.local, line: import.line, statement, lines });
        }
    }
    finding(subject, &unused).into_iter().collect()
}

/// Whether a text speaks of a name more often than where it imports it.
fn uses(text: &str, name: &str) -> bool {
    let imports = |line: &str| ["import ", "from ", "use "].iter().any(|word| line.trim_start().starts_with(word));
    text.lines().filter(|line| !imports(line)).any(|line| mentions(line, name))
}

struct Unused<'s> {
    local: &'s str,
    /// From 1.
    line: u32,
    statement: &'s Statement,
    /// Those of the statement.
    lines: &'s [Line<'s>],
}

/// A statement that only imports. Of Go, the lines of a block.
fn is_import(one: &Statement, language: Language) -> bool {
    let code = one.code.as_str();
    let is_from = language == Language::Python && begins_with(code, "from") && code.contains(" import");
    // A call of `import()` or of React's `use()` imports no name.
    let is_call = |word: &str| code[word.len()..].trim_start().starts_with('(');
    let is_use = language == Language::Php && begins_with(code, "use") && !is_call("use");
    let is_call_of_import = language != Language::Go && begins_with(code, "import") && is_call("import");
    (begins_with(code, "import") && !is_call_of_import) || is_use || is_from
}

fn is_meant_to_be_used(
    import: &ImportStatement,
    one: &Statement,
    (read, lines): (&Read, &[Line]),
    language: Language,
) -> bool {
    let local = import.local.as_str();
    let says_why = [
        "noqa",
        "pylint",
        "eslint-disable",
        "ts-ignore",
        "ts-expect",
        "type: ignore",
        "nolint",
        "F401",
        "side",
        "regist",
        "unused",
        "export",
    ];
    let says_why = |line: &Line| says_why.iter().any(|word| line.comment.contains(word));
    let is_excused = lines.iter().any(says_why) || read.masked(one.first - 1..=one.first - 1).iter().any(says_why);
    if local.is_empty() || local.starts_with('_') || local == "*" || import.is_optional || is_excused {
        return false;
    }
    match language {
        Language::Python => {
            let is_reexport = mentions(&one.code, &format!("{local} as {local}"));
            // A module of one's own, or of a package, may be imported for what it does.
            let top = import.module.split('.').next().unwrap_or_default();
            let is_plain = import.name.is_none() && (local == import.module || local == top);
            !is_reexport && !ACTIVE.contains(&top) && (!is_plain || resolution::is_standard_python(top))
        }
        Language::JavaScript | Language::TypeScript => !UNWRITTEN.contains(&local),
        // Only there is the name of a package certain: the last part of its path.
        Language::Go => {
            let is_version = local.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            resolution::is_standard_go(&import.module) && import.module.rsplit('/').next() == Some(local) && !is_version
        }
        _ => true,
    }
}

/// One finding a file, whatever number of names it is about.
fn finding(subject: &Subject, unused: &[Unused]) -> Option<Finding> {
    let (first, more) = unused.split_first()?;
    let is_refused = subject.language == Language::Go;
    let why = if is_refused { ", which the compiler refuses" } else { "" };
    let message = match more {
        [] => format!("`{}` is imported, and nothing in the file uses it{why}", first.local),
        [second] => {
            format!("`{}` and `{}` are imported, and nothing in the file uses them{why}", first.local, second.local)
        }
        more => format!(
            "`{}` and {} other names are imported, and nothing in the file uses them{why}",
            first.local,
            more.len()
        ),
    };
    let finding = Finding::error("import-unused", message)
        .at(subject.path(), first.line)
        .help("Remove the import; if it is for what it does, say so in a comment.");
    let finding = more
        .iter()
        .take(9)
        .fold(finding, |finding, one| finding.related(subject.path(), one.line..=one.line, format!("`{}`", one.local)));
    let finding = match fixed::without(subject, unused) {
        Some(edits) => finding.fix("Remove what is imported for nothing", edits),
        None => finding,
    };
    // Of 60 such imports in agents' pull requests that were merged none did harm, and few linters of those repositories objected to one.
    let severity = if is_refused { Severity::Error } else { Severity::Warning };
    Some(Finding { severity, ..finding })
}
