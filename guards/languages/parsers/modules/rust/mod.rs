//! Rust: functions of a file's own module, and calls that name them for certain. What macros make of their tokens is not seen.

mod walk;

use std::collections::{BTreeSet, HashMap};

use crate::scopes::Lines;
use guard_sdk::language::Signatures;
use guard_sdk::modules::{Call, Function, Lines as Rows, Member, Target};
use ra_ap_parser::StrStep;

use crate::modules::module::sorted;
use crate::texts::rust::Tree;

use walk::{Called, Defined, Walk};

pub fn signatures(text: &str, tree: &Tree) -> Signatures {
    let lines = Lines::new(text);
    let mut walk = Walk::default();
    tree.steps(&mut |step| match step {
        StrStep::Enter { kind } => walk.enter(kind),
        StrStep::Exit => walk.exit(),
        StrStep::Token { kind, text } => walk.token(kind, text),
        StrStep::Error { .. } => {}
    });
    let written = names_after_fn(text);
    let is_certain = |defined: &&Defined| {
        // Another thing of that name may stand in any scope of the file, or a macro may make one.
        let is_only = walk.names.get(&defined.name) == Some(&1) && written.get(&*defined.name) == Some(&1);
        is_only && !defined.is_uncertain && !walk.imported.contains(&defined.name)
    };
    let functions: Vec<Function> = walk.functions.iter().filter(is_certain).map(|one| function(one, &lines)).collect();
    let own: BTreeSet<&str> = functions.iter().map(|function| function.key.as_str()).collect();
    let calls = walk.calls.iter().filter_map(|called| call(called, &walk, &own, &lines)).collect();
    sorted(functions, calls)
}

/// How often the text has `fn` before each name, in whatever macro.
fn names_after_fn(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for (at, word) in text.match_indices("fn ") {
        let name = text[at + word.len()..].trim_start_matches("r#");
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
        *counts.entry(&name[..end]).or_default() += 1;
    }
    counts
}

fn function(defined: &Defined, lines: &Lines) -> Function {
    Function {
        key: defined.name.clone(),
        line: lines.at(defined.at),
        positional: defined.parameters.clone(),
        keyword_only: Vec::new(),
        takes_more: false,
        takes_keywords: false,
        is_open: false,
        exported_as: vec![defined.name.clone()],
    }
}

/// None for a call whose function is not certain.
fn call(called: &Called, walk: &Walk, own: &BTreeSet<&str>, lines: &Lines) -> Option<Call> {
    let target = match (&called.path[..], called.modules) {
        ([name], 0) if own.contains(name.as_str()) => Target::SameFile(name.clone()),
        // `use super::*` gives an inner module what stands around it.
        ([name], 1) if own.contains(name.as_str()) && walk.reaches_out(called, name) => Target::SameFile(name.clone()),
        // A local of that name would be called instead.
        ([name], 0) if walk.imported.contains(name) && !walk.names.contains_key(name) => Target::Imported(name.clone()),
        ([module, name], 0) if module.starts_with(|c: char| c.is_ascii_lowercase()) && !is_keyword(module) => {
            Target::Member(Member { module: module.clone(), name: name.clone() })
        }
        _ => return None,
    };
    Some(Call {
        target,
        positional: called.arguments as u32,
        keywords: Vec::new(),
        spreads: false,
        spreads_keywords: false,
        lines: Rows { first: lines.at(called.bytes.0), last: lines.at(called.bytes.1) },
        excused_by: None,
    })
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "crate" | "self" | "super")
}
