//! A condition that its own chain has asked already.

use guard_sdk::Finding;
use guard_sdk::files::Language;

use crate::blocks::Read;
use crate::subject::Subject;
use crate::words::Statement;

pub fn judge(subject: &Subject, read: &Read) -> Vec<Finding> {
    if subject.language == Language::Ruby {
        return Vec::new();
    }
    let repeated = |read: &Read| -> Vec<Repeated> {
        read.blocks.iter().flat_map(|block| repeated(&block.statements, subject.language)).collect()
    };
    let mut found = repeated(read);
    found.retain(|one| subject.is_new(one.first) || subject.is_new(one.second));
    if found.is_empty() {
        return Vec::new();
    }
    let old = repeated(&subject.read_before());
    let is_new = |one: &&Repeated| !old.iter().any(|other| other.condition == one.condition);
    let finding = |one: &Repeated| {
        Finding::error(
            "condition-repeated",
            format!("`{}` was asked in line {} already, so this branch never runs", one.condition, one.first),
        )
        .at(subject.path(), one.second)
        .related(subject.path(), one.first..=one.first, "asked here")
        .help("Ask what was meant, or remove the branch.")
    };
    found.iter().filter(is_new).map(finding).collect()
}

struct Repeated {
    condition: String,
    /// From 1.
    first: u32,
    second: u32,
}

fn repeated(statements: &[Statement], language: Language) -> Vec<Repeated> {
    let mut all = Vec::new();
    // Chains by their depth in the text: what each has asked.
    let mut chains: Vec<(usize, Vec<(String, u32)>)> = Vec::new();
    for one in statements {
        chains.retain(|(indent, _)| *indent <= one.indent);
        let line = one.first;
        let asked = condition(one, language);
        let chain = chains.iter_mut().find(|(indent, _)| *indent == one.indent);
        match (asked, chain) {
            (Condition::If(condition), Some((_, chain))) => *chain = vec![(condition, line)],
            (Condition::If(condition), None) => chains.push((one.indent, vec![(condition, line)])),
            (Condition::ElseIf(condition), Some((_, chain))) => {
                if let Some((condition, first)) = chain.iter().find(|(other, _)| *other == condition) {
                    all.push(Repeated { condition: condition.clone(), first: *first, second: line });
                }
                chain.push((condition, line));
            }
            (Condition::ElseIf(_), None) => {}
            (Condition::Nothing, Some(_)) if !closes(&one.code) => chains.retain(|(indent, _)| *indent < one.indent),
            (Condition::Nothing, _) => {}
        }
    }
    all
}

/// A line that only closes the block above.
fn closes(code: &str) -> bool {
    code.chars().all(|c| matches!(c, '}' | ')' | ';'))
}

enum Condition {
    If(String),
    ElseIf(String),
    Nothing,
}

fn condition(one: &Statement, language: Language) -> Condition {
    let text = one.text.trim_start_matches('}').trim_start();
    let (text, is_else) = match language {
        Language::Python => match text.strip_prefix("elif ") {
            Some(rest) => (rest, true),
            None => (text.strip_prefix("if ").unwrap_or_default(), false),
        },
        _ => match ["else if ", "else if(", "elseif ("].iter().find_map(|head| text.strip_prefix(head)) {
            Some(rest) => (rest, true),
            None => (text.strip_prefix("if").filter(|rest| rest.starts_with([' ', '('])).unwrap_or_default(), false),
        },
    };
    let end = if language == Language::Python { ':' } else { '{' };
    let condition = match text.trim_end().strip_suffix(end) {
        Some(condition) if language == Language::Python => condition.trim().to_owned(),
        Some(condition) => {
            let condition = condition.trim();
            condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(condition).trim().to_owned()
        }
        None => return Condition::Nothing,
    };
    // What is called may answer otherwise the second time, and so may what is read from an iterator or bound by the condition itself.
    if condition.is_empty() || !is_stable(&condition) {
        // It begins a chain all the same.
        return if is_else { Condition::Nothing } else { Condition::If(String::new()) };
    }
    if is_else { Condition::ElseIf(condition) } else { Condition::If(condition) }
}

/// Whether a condition has the same answer each time that it is asked in a row.
fn is_stable(condition: &str) -> bool {
    const PURE: [&str; 9] = [
        "isinstance",
        "issubclass",
        "hasattr",
        "len",
        "callable",
        ".startswith",
        ".endswith",
        ".startsWith",
        ".endsWith",
    ];
    let calls = condition.match_indices('(').all(|(at, _)| {
        let before = condition[..at].trim_end();
        let is_call = before.len() == at && before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !is_call || PURE.iter().any(|pure| before.ends_with(pure))
    });
    calls
        && !["++", "--", ":=", "await ", " = "].iter().any(|sign| condition.contains(sign))
        && !condition.contains(';')
}
