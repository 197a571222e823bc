//! Files that no call can read whole: a change of a thousand files, and a file that the change puts out of sight.

use guard_generated::LONGEST;
use guard_sdk::Finding;
use guard_sdk::language::DefinitionKind;

use crate::effort::Effort;
use crate::touched::Touched;

const RULE: &str = "grown-too-large";

/// Whether each file may be parsed. The smallest come first, so that one large file does not hide the others.
pub fn worth(files: &[&Touched]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|index| files[*index].lines.before.len() + files[*index].lines.after.len());
    let mut worth = vec![false; files.len()];
    for index in order {
        worth[index] = files[index].is_worth();
    }
    worth
}

/// For a file that is not parsed. An error, if the change itself made it too large: another change of its size in the base could have
/// been judged.
pub fn finding(file: &Touched, effort: &Effort) -> Finding {
    let (path, before, after) = (file.path(), file.lines.before.len(), file.lines.after.len());
    if effort.could_read(file.language, before * 2) && !effort.could_read(file.language, before + after) {
        let message = format!("{path} grows from {before} to {after} bytes, and can no longer be judged");
        return Finding::error(RULE, message).file(path).help(help(path));
    }
    Finding::info("not-judged", format!("{path} was not judged: the change is larger than one call can read"))
        .file(path)
}

/// For a file of definitions that looks generated after the change. A table of values may become one long line.
pub fn into_generated(file: &Touched) -> Option<Finding> {
    if !file.looks_generated() || !file.is_worth() {
        return None;
    }
    let has_definitions = file.before()?.definitions.iter().any(|item| item.kind != DefinitionKind::Value);
    let path = file.path();
    let message = format!(
        "more than half of {path} is now lines of more than {LONGEST} bytes, as programs generate them, and later changes of it could not \
         be judged"
    );
    has_definitions.then(|| Finding::error(RULE, message).file(path).help(help(path)))
}

fn help(path: &str) -> String {
    format!("Keep {path} smaller: put data and generated code into a file of its own.")
}
