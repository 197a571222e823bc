//! Whether the task, or a person's message, speaks of a check that is loosened.

use std::cell::OnceCell;

use guard_sdk::Change;

pub struct Purpose<'c> {
    change: &'c Change,
    sentences: OnceCell<Vec<Vec<String>>>,
}

/// What is spoken of, whatever the tool.
#[rustfmt::skip]
const SUBJECTS: [&str; 14] = [
    "lint", "linter", "linters", "linting", "lints", "coverage", "threshold", "thresholds", "strict", "strictness", "cop", "cops", "typecheck", "typechecking",
];
/// The same of workflows and hooks.
const OF_WORKFLOWS: [&str; 8] = ["ci", "workflow", "workflows", "actions", "hook", "hooks", "precommit", "pipeline"];
/// Parts of the names of files that people write for other reasons.
#[rustfmt::skip]
const COMMON: [&str; 16] = [
    "main", "test", "tests", "check", "checks", "node", "build", "package", "setup", "json", "toml", "yaml", "todo", "config", "release", "commit",
];

/// What a task has to say beside it: a model that is to make the linter pass is not to make it see less.
#[rustfmt::skip]
const LOOSENS: [&str; 22] = [
    "rais", "increas", "lower", "loosen", "relax", "reduc", "disabl", "ignor", "exclud", "allow", "suppress", "remov", "delet", "drop", "skip", "turn", "switch", "bump", "replac", "migrat", "stop", "silenc",
];

impl<'c> Purpose<'c> {
    pub fn new(change: &'c Change) -> Self {
        Purpose { change, sentences: OnceCell::new() }
    }

    /// Whether a sentence names the tool or checks; of a task it must say as well that they are to see less.
    pub fn speaks_of(&self, tool: &str, path: &str) -> bool {
        let is_by_people = self.change.is_by_people();
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let of_file: Vec<&str> = name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| part.len() > 3 && !COMMON.contains(part))
            .collect();
        let tool = tool.to_ascii_lowercase();
        let tool = tool.split('-').next().unwrap_or_default();
        let is_workflow = tool == "workflow" || tool == "hook";
        let is_subject = |word: &String| {
            SUBJECTS.contains(&word.as_str())
                || (is_workflow && OF_WORKFLOWS.contains(&word.as_str()))
                || word.starts_with(tool)
                || of_file.contains(&word.as_str())
        };
        let loosens = |word: &String| LOOSENS.iter().any(|start| word.starts_with(start));
        self.sentences().iter().any(|words| words.iter().any(is_subject) && (is_by_people || words.iter().any(loosens)))
    }

    fn sentences(&self) -> &[Vec<String>] {
        self.sentences.get_or_init(|| {
            let texts = self.change.wishes();
            let words = |sentence: &str| {
                let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
                words.map(str::to_lowercase).collect::<Vec<_>>()
            };
            texts
                .iter()
                .flat_map(|text| text.split(['\n', ';', '!', '?']).flat_map(|line| line.split(". ")))
                .map(words)
                .collect()
        })
    }
}
