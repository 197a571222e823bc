//! Patterns of JavaScript that remember where they stopped: with the flag `g` or `y`, the next `test` of one begins behind the last match
//! (<https://tc39.es/ecma262/#sec-regexpbuiltinexec>).

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::subject::Subject;
use crate::words::places;

pub fn judge(subject: &Subject) -> Vec<Finding> {
    if !matches!(subject.language, Language::JavaScript | Language::TypeScript) {
        return Vec::new();
    }
    if !subject.new_lines().iter().any(|(_, line)| line.contains(".test(") || pattern(line).is_some()) {
        return Vec::new();
    }
    let found = remembering(subject.after.get());
    if found.is_empty() {
        return Vec::new();
    }
    let old = remembering(subject.before.get());
    let is_new = |one: &&Remembering| {
        (subject.is_new(one.line) || subject.is_new(one.used)) && !old.iter().any(|other| other.name == one.name)
    };
    let finding = |one: &Remembering| {
        let Remembering { name, flag, .. } = one;
        let message = format!("`{name}` has the flag `{flag}`, so that each `test` begins where the last one stopped");
        Finding::error("pattern-remembers", message)
            .at(subject.path(), one.used)
            .related(subject.path(), one.line..=one.line, "the pattern")
            .help(format!("Take the flag `{flag}` away, or set `{name}.lastIndex` to 0 before each `test`."))
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct Remembering {
    name: String,
    flag: char,
    /// From 1, as that of the first `test`.
    line: u32,
    used: u32,
}

/// Patterns that a module makes once, and asks by `test` without setting them back.
fn remembering(text: &str) -> Vec<Remembering> {
    if !text.contains(".test(") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (line, code) in (1..).zip(text.lines()) {
        let Some((name, flag)) = pattern(code) else { continue };
        let calls = |(_, line): &(u32, &str)| {
            let line = line.trim_start();
            !line.starts_with("//")
                && !line.starts_with('*')
                && places(line, name).any(|at| line[at + name.len()..].starts_with(".test("))
        };
        let used = (1..).zip(text.lines()).find(calls).map(|(used, _)| used);
        if let Some(used) = used.filter(|_| !text.contains(&format!("{name}.lastIndex"))) {
            found.push(Remembering { name: name.to_owned(), flag, line, used });
        }
    }
    found
}

/// `const NAME = /…/g;` at the top of a module.
fn pattern(code: &str) -> Option<(&str, char)> {
    let code = code.strip_prefix("export ").unwrap_or(code);
    let rest = ["const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word))?;
    let (name, value) = rest.split_once(" = ")?;
    let name = name.split(':').next()?.trim();
    let value = value.trim_end().trim_end_matches(';').strip_prefix('/')?;
    let (_, flags) = value.rsplit_once('/')?;
    let are_flags = !flags.is_empty() && flags.bytes().all(|flag| b"dgimsuvy".contains(&flag));
    let flag = flags.chars().find(|flag| matches!(flag, 'g' | 'y'))?;
    are_flags.then_some((name, flag))
}
