//! Rust: functions of a file's own module, and calls that name them for certain. What macros make of their tokens is not seen.

mod walk;

use std::collections::BTreeSet;

use scopes::Lines;
use scopes::rust::{StrStep, steps};

use crate::outline::{Call, Function, Outline, Target};
use crate::signature::Arguments;
use walk::Walk;

pub fn outline(text: &str) -> Option<Outline> {
    let lines = Lines::of(text);
    let see = |walk: &mut Walk, step: &StrStep| match step {
        StrStep::Enter { kind } => walk.enter(*kind),
        StrStep::Exit => walk.exit(),
        StrStep::Token { kind, text } => walk.token(*kind, text),
        StrStep::Error { .. } => {}
    };
    let walk = steps(text, Walk::default, see)?;
    let mut outline = Outline::default();
    for defined in walk.functions.iter() {
        // Another thing of that name, in any scope of the file, or one that a macro makes.
        let is_only =
            walk.names.get(&defined.name) == Some(&1) && text.matches(&format!("fn {}", defined.name)).count() == 1;
        if is_only && !defined.is_uncertain && !walk.imported.contains(&defined.name) {
            let (signature, line) = (defined.signature.clone(), lines.at(defined.at));
            outline.functions.insert(defined.name.clone(), Function { signature, line, is_open: false });
        }
    }
    let own: BTreeSet<&String> = outline.functions.keys().collect();
    let calls = walk.calls.iter().filter_map(|call| {
        let target = match (&call.path[..], call.modules) {
            ([name], 0) if own.contains(name) => Target::Own(name.clone()),
            // `use super::*` gives an inner module what stands around it.
            ([name], 1)
                if own.contains(name)
                    && walk
                        .inner
                        .iter()
                        .any(|(bytes, names)| bytes.contains(&call.lines.0) && !names.contains(name)) =>
            {
                Target::Own(name.clone())
            }
            // A local of that name would be called instead.
            ([name], 0) if walk.imported.contains(name) && !walk.names.contains_key(name) => {
                Target::Imported(name.clone())
            }
            ([module, name], 0) if module.starts_with(|c: char| c.is_ascii_lowercase()) && !is_keyword(module) => {
                Target::Member { module: module.clone(), name: name.clone() }
            }
            _ => return None,
        };
        let arguments = Arguments { positional: call.arguments, ..Arguments::default() };
        Some(Call { target, arguments, lines: (lines.at(call.lines.0), lines.at(call.lines.1)) })
    });
    outline.calls = calls.collect();
    Some(outline)
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "crate" | "self" | "super")
}
