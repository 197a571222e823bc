//! Workflows, and the steps of them that check something.

use guard_yaml::{Kind, Node};

use crate::commands::{Check, from_action, from_line};

/// A step, or in other systems than GitHub's a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its lines that check something, and what.
    pub lines: Vec<(String, Check)>,
    /// By an action.
    pub action: Option<Check>,
    pub line: u32,
    /// It may fail: `continue-on-error: true`, `allow_failure: true`, of it or of its job.
    pub may_fail: bool,
}

/// Where workflows stand, by the system that runs them.
pub const GLOBS: [&str; 7] = [
    "/.github/workflows/*.yml",
    "/.github/workflows/*.yaml",
    "/.gitlab-ci.yml",
    "/.circleci/config.yml",
    "/azure-pipelines.yml",
    "/.travis.yml",
    "/bitbucket-pipelines.yml",
];

pub fn is_workflow(path: &str) -> bool {
    let of_github = path.strip_prefix(".github/workflows/").is_some_and(|name| !name.contains('/'));
    (of_github && (path.ends_with(".yml") || path.ends_with(".yaml"))) || GLOBS.iter().any(|glob| glob[1..] == *path)
}

/// None when the text does not parse.
pub fn steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    walk(&guard_yaml::read(text)?, false, &mut steps);
    Some(steps)
}

fn walk(node: &Node, may_fail: bool, steps: &mut Vec<Step>) {
    match &node.kind {
        Kind::Text(_) => {}
        Kind::List(items) => items.iter().for_each(|item| walk(item, may_fail, steps)),
        Kind::Map(members) => {
            let is_true = |key: &str| node.text_at(key).is_some_and(|text| text == "true");
            let may_fail = may_fail || is_true("continue-on-error") || is_true("allow_failure");
            let mut texts = Vec::new();
            for key in ["run", "script", "before_script", "command", "bash"] {
                if let Some(value) = node.get(key) {
                    value.texts(&mut texts);
                }
            }
            let lines: Vec<(String, Check)> = texts
                .iter()
                .flat_map(|(text, _)| text.lines())
                .map(str::trim)
                .filter(|line| !line.starts_with('#'))
                .filter_map(|line| Some((line.to_owned(), from_line(line)?)))
                .collect();
            let action = node.text_at("uses").and_then(from_action);
            if !lines.is_empty() || action.is_some() {
                steps.push(Step { lines, action, line: node.line, may_fail });
            }
            // The inputs of an action that runs scripts of another language are no commands.
            let is_script = node.text_at("uses").is_some_and(|uses| uses.contains("github-script"));
            let inner = members.iter().filter(|(key, _, _)| !(is_script && key == "with"));
            inner.for_each(|(_, _, value)| walk(value, may_fail, steps));
        }
    }
}

/// What steps check.
pub fn checks(steps: &[Step]) -> Vec<Check> {
    let mut found: Vec<Check> =
        steps.iter().flat_map(|step| step.lines.iter().map(|(_, check)| *check).chain(step.action)).collect();
    found.sort_unstable();
    found.dedup();
    found
}
