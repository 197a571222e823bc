//! Work that nobody waits for, so that its errors go nowhere.

use std::collections::BTreeSet;

use guard_sdk::files::Language;
use lexing::Line;

use crate::depth;

/// A line whose work nobody waits for, as a programmer would name it.
pub struct Unawaited {
    pub line: u32,
    pub shown: String,
}

/// Whether a text may have one.
pub fn may_have(text: &str, language: Language) -> bool {
    match language {
        Language::Python => text.contains("async def "),
        Language::JavaScript | Language::TypeScript => {
            text.contains("async") && TAKING.iter().any(|call| text.contains(call))
        }
        _ => false,
    }
}

pub fn find(lines: &[Line], language: Language) -> Vec<Unawaited> {
    match language {
        Language::Python => coroutines(lines),
        Language::JavaScript | Language::TypeScript => (0..lines.len()).filter_map(|at| each(lines, at)).collect(),
        _ => Vec::new(),
    }
}

/// Methods of lists that take a function and know nothing of promises: `forEach` throws one away, and to the others each is true.
const TAKING: [&str; 7] = [".forEach(", ".filter(", ".every(", ".some(", ".find(", ".findIndex(", ".findLast("];

fn each(lines: &[Line], at: usize) -> Option<Unawaited> {
    let dense = |line: &Line| line.code.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let compact = dense(&lines[at]);
    let (call, place) = TAKING.iter().find_map(|call| Some((call, compact.find(call)?)))?;
    // The function may stand in the next line.
    let behind = match &compact[place + call.len()..] {
        "" => dense(lines.get(at + 1)?),
        behind => behind.to_owned(),
    };
    let behind = behind.strip_prefix("async")?;
    let is_function = behind.starts_with('(') || behind.starts_with("function") || behind.contains("=>");
    // A stream's method of that name gives a promise itself, and waits.
    let awaited = compact[..place].rsplit_once("await").map(|(_, receiver)| receiver);
    let is_stream = *call != ".forEach("
        && awaited.is_some_and(|receiver| !receiver.contains(')') && !receiver.contains("Promise"));
    let shown = format!("{}async …)", call.trim_start_matches('.'));
    (is_function && !is_stream).then(|| Unawaited { line: lines[at].number, shown })
}

/// A statement that only calls a coroutine of the same module creates it and drops it: it never runs.
fn coroutines(lines: &[Line]) -> Vec<Unawaited> {
    let defined = |prefix: &str| -> Vec<(&str, bool)> {
        let name = |line: &Line| {
            let code = line.text.trim_start();
            let name = code.strip_prefix(prefix).filter(|_| line.begins_in_code)?;
            let end = name.find('(')?;
            Some((line.text.len() - code.len() + prefix.len(), end, line.text.starts_with(prefix)))
        };
        lines.iter().filter_map(|line| name(line).map(|(at, end, top)| (&line.text[at..at + end], top))).collect()
    };
    let waiting = defined("async def ");
    let plain: BTreeSet<&str> = defined("def ").into_iter().map(|(name, _)| name).collect();
    // A generator is no coroutine, and a decorator may make anything of one.
    let is_certain = |name: &str| {
        let at = lines.iter().position(|line| line.text.trim_start().starts_with(&format!("async def {name}(")));
        let decorated = at.and_then(|at| at.checked_sub(1)).is_some_and(|at| {
            let above = lines[at].text.trim();
            let is_harmless =
                ["abstractmethod", "abc.abstractmethod", "override", "typing.override", "staticmethod", "classmethod"]
                    .iter()
                    .any(|name| above.strip_prefix('@') == Some(name));
            (above.starts_with('@') && !is_harmless) || above == ")"
        });
        let yields = at.is_some_and(|at| {
            let body = lines[at + 1..].iter().take_while(|line| {
                line.text.trim().is_empty() || depth(line) > depth(&lines[at]) || line.text.trim().starts_with(')')
            });
            body.clone().any(|line| line.code.trim_start().starts_with("yield"))
        });
        !decorated && !yields && !plain.contains(name)
    };
    let top: BTreeSet<&str> =
        waiting.iter().filter(|(name, top)| *top && is_certain(name)).map(|(name, _)| *name).collect();
    // A method that is a coroutine wherever the file defines one of its name.
    let methods: BTreeSet<&str> =
        waiting.iter().filter(|(name, top)| !*top && is_certain(name)).map(|(name, _)| *name).collect();
    let called = |(at, line): (usize, &Line)| {
        let code = line.code.trim();
        let (name, rest) = code.split_once('(')?;
        let is_coroutine = match name.strip_prefix("self.").or_else(|| name.strip_prefix("cls.")) {
            Some(method) => methods.contains(method),
            None => top.contains(name),
        };
        // The end of a statement in brackets, or what an `await` above waits for.
        let goes_on = at.checked_sub(1).is_some_and(|above| {
            let above = lines[above].code.trim_end();
            above.ends_with(['(', ',', '[', '{', '=', '\\']) || above.ends_with("await")
        });
        let is_statement = line.begins_in_code
            && !goes_on
            && rest.ends_with(')')
            && rest.matches('(').count() + 1 == rest.matches(')').count();
        (is_statement && is_coroutine && !rest.contains(") "))
            .then(|| Unawaited { line: line.number, shown: format!("{name}()") })
    };
    lines.iter().enumerate().filter_map(called).collect()
}
