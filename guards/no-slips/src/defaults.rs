//! A default that is made once and changed by calls: every call sees what the others left.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::{Statement, mentions, parts, places};

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if subject.language != Language::Python {
        return Vec::new();
    }
    let shared =
        |read: &Read| -> Vec<Shared> { read.blocks.iter().flat_map(|block| shared(&block.statements)).collect() };
    let mut found = shared(read);
    found.retain(|one| subject.is_new(one.line) || subject.is_new(one.used));
    if found.is_empty() {
        return Vec::new();
    }
    let old = shared(&subject.read_before());
    let is_new = |one: &&Shared| !old.iter().any(|other| (&other.function, &other.name) == (&one.function, &one.name));
    let finding = |one: &Shared| {
        let (name, default) = (&one.name, &one.default);
        let does = if one.is_kept { "keeps" } else { "changes" };
        Finding::error(
            "default-shared",
            format!("`{}` {does} `{name}`, whose default `{default}` is made once for all its calls", one.function),
        )
        .at(subject.path(), one.line)
        .related(subject.path(), one.used..=one.used, format!("{does} it here"))
        .help(format!("Let the default be None, and make a new value where `{name}` is None."))
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct Shared {
    function: String,
    name: String,
    default: String,
    /// From 1, as that of the use.
    line: u32,
    used: u32,
    is_kept: bool,
}

fn shared(statements: &[Statement]) -> Vec<Shared> {
    let mut all = Vec::new();
    for (at, head) in statements.iter().enumerate() {
        let code = head.code.strip_prefix("async ").unwrap_or(&head.code);
        let Some((function, signature)) = code.strip_prefix("def ").and_then(|rest| rest.split_once('(')) else {
            continue;
        };
        let body: Vec<&Statement> =
            statements[at + 1..].iter().take_while(|one| one.indent > head.indent || one.depth > head.depth).collect();
        for parameter in parts(signature) {
            let Some((name, default)) = parameter.split_once('=') else { continue };
            let name = name.split(':').next().unwrap_or_default().trim();
            let Some(default) = mutable(default.trim()) else { continue };
            if let Some((used, is_kept)) = spoiled(&body, name) {
                let (function, name, default) = (function.trim().to_owned(), name.to_owned(), default.to_owned());
                all.push(Shared { function, name, default, line: head.first, used, is_kept });
            }
        }
    }
    all
}

/// What a default is called that can be changed.
fn mutable(default: &str) -> Option<&'static str> {
    match default {
        _ if default.starts_with('[') => Some("[]"),
        _ if default.starts_with('{') => Some("{}"),
        "list()" => Some("list()"),
        "dict()" => Some("dict()"),
        "set()" => Some("set()"),
        _ => None,
    }
}

/// The first line that changes it, or keeps it in an object. None where the name gets another value first.
fn spoiled(body: &[&Statement], name: &str) -> Option<(u32, bool)> {
    #[rustfmt::skip]
    const CHANGING: [&str; 14] = [
        "append(", "extend(", "add(", "update(", "insert(", "pop(", "remove(", "clear(", "setdefault(", "sort(", "reverse(", "discard(", "popitem(", "appendleft(",
    ];
    for one in body {
        let code = one.code.as_str();
        // A function inside of it may have a name like it.
        if code.starts_with("def ") || code.starts_with("async def ") || code.starts_with("class ") {
            return None;
        }
        let line = one.first;
        for at in places(code, name) {
            let is_member = code[..at].ends_with('.');
            let rest = code[at + name.len()..].trim_start();
            if is_member {
                continue;
            }
            if rest.strip_prefix('.').is_some_and(|rest| CHANGING.iter().any(|change| rest.starts_with(change))) {
                return Some((line, false));
            }
            if at == 0 && (rest.starts_with("+= ") || rest.starts_with("|= ")) {
                return Some((line, false));
            }
            if at == 0 && rest.starts_with('[') && is_assignment(rest) {
                return Some((line, false));
            }
            if at == 0 && rest.starts_with('=') && !rest.starts_with("==") {
                return None;
            }
        }
        if let Some((target, value)) = code.split_once(" = ")
            && target.starts_with("self.")
            && value.trim() == name
        {
            return Some((line, true));
        }
        // What is bound by a loop, a pattern or a comprehension is another value.
        if mentions(code, name) && (code.starts_with("for ") || code.starts_with("with ") || code.contains(":=")) {
            let bound = code.split(" in ").next().unwrap_or_default();
            if mentions(bound, name) {
                return None;
            }
        }
    }
    None
}

/// `[key] = value`, and not `[key] == value` or `[key].x`.
fn is_assignment(rest: &str) -> bool {
    let mut depth = 0_u32;
    for (at, c) in rest.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let behind = rest[at + c.len_utf8()..].trim_start();
            let is_sum = ["+=", "-=", "|=", "*=", "//="].iter().any(|sign| behind.starts_with(sign));
            return is_sum || (behind.starts_with('=') && !behind.starts_with("=="));
        }
    }
    false
}
