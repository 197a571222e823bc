//! Commands that only call others: a target of a Makefile, an environment of tox, a session of nox, a script of a package, a task, a hook of
//! pre-commit, a shell script, an action of the repository itself.

mod makefile;
mod nox;
mod packages;
mod python_tasks;
mod taskfile;
mod tox;

use std::collections::BTreeSet;

use guard_sdk::analysis::Tree;
use guard_yaml::Node;

use super::{commands, shell};

/// Calls within calls.
const DEPTH: usize = 5;
/// Of all calls together.
const MOST: usize = 2_000;

/// A command, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub text: String,
    /// `Makefile:27`
    pub at: String,
}

impl Step {
    fn new(text: impl Into<String>, file: &str, line: usize) -> Self {
        Step { text: text.into(), at: format!("{file}:{line}") }
    }
}

/// What commands call in this tree.
pub struct Called<'t> {
    tree: &'t Tree,
    left: usize,
}

impl<'t> Called<'t> {
    pub fn new(tree: &'t Tree) -> Self {
        Called { tree, left: MOST }
    }

    /// Everything that a command calls, at any depth, in order. `folder` is where it runs.
    pub fn by_command(&mut self, folder: &str, command: &str) -> Vec<Step> {
        self.expand(folder, command, DEPTH, &mut BTreeSet::new())
    }

    /// The commands of an action of the repository itself, and of the action that runs the hooks of pre-commit.
    pub fn by_action(&mut self, name: &str) -> Vec<Step> {
        if name.starts_with("pre-commit/action@") {
            return hooks(self.tree);
        }
        let Some(folder) = name.strip_prefix("./").map(|folder| folder.trim_end_matches('/')) else {
            return Vec::new();
        };
        let paths = [format!("{folder}/action.yml"), format!("{folder}/action.yaml")];
        let Some((path, text)) = paths.into_iter().find_map(|path| Some((path.clone(), self.tree.text(&path).ok()?)))
        else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        for command in commands::collect(&text) {
            for piece in shell::pieces(&command.text) {
                steps.push(Step::new(piece.clone(), &path, command.line as usize));
                steps.extend(self.by_command(&command.folder, &piece));
            }
        }
        steps
    }

    fn expand(&mut self, folder: &str, command: &str, depth: usize, seen: &mut BTreeSet<Step>) -> Vec<Step> {
        let mut steps = Vec::new();
        if depth == 0 {
            return steps;
        }
        for step in direct(self.tree, folder, command) {
            if self.left == 0 || !seen.insert(step.clone()) {
                continue;
            }
            self.left -= 1;
            for piece in shell::pieces(&step.text) {
                steps.push(Step { text: piece.clone(), at: step.at.clone() });
                steps.extend(self.expand(folder, &piece, depth - 1, seen));
            }
        }
        steps
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (&self.at, &self.text).cmp(&(&other.at, &other.text))
    }
}

/// What a command calls itself. Its last commands, not those that they call in turn.
fn direct(tree: &Tree, folder: &str, command: &str) -> Vec<Step> {
    let words = shell::words(command);
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let name = program.rsplit('/').next().unwrap_or(program);
    match name {
        "make" | "gmake" | "$(MAKE)" | "${MAKE}" | "mingw32-make" => makefile::make(tree, folder, arguments),
        "just" => makefile::just(tree, folder, arguments),
        "tox" => tox::environments(tree, folder, arguments),
        "nox" => nox::sessions(tree, folder, arguments),
        "npm" | "pnpm" | "yarn" | "bun" => packages::scripts(tree, folder, arguments),
        "run-s" | "run-p" | "npm-run-all" => packages::named(tree, folder, arguments),
        "hatch" | "pdm" | "poe" | "task" | "taskipy" | "pixi" => {
            let mut steps = python_tasks::tasks(tree, folder, arguments);
            if name == "task" {
                steps.extend(taskfile::tasks(tree, folder, arguments));
            }
            steps
        }
        "pre-commit" | "prek" if arguments.first() == Some(&"run") => hooks(tree),
        "bash" | "sh" | "zsh" | "source" | "." => {
            let path = arguments.iter().find(|word| !word.starts_with('-'));
            path.map_or(Vec::new(), |path| script(tree, folder, path))
        }
        _ if program.contains('/') || name.ends_with(".sh") => script(tree, folder, program),
        _ => Vec::new(),
    }
}

/// A file of the folder where a command runs, or else of the root: path and text.
fn file(tree: &Tree, folder: &str, names: &[&str]) -> Option<(String, String)> {
    let within = names.iter().filter(|_| !folder.is_empty()).map(|name| format!("{folder}/{name}"));
    let at_root = names.iter().map(|name| name.to_string());
    within.chain(at_root).find_map(|path| Some((path.clone(), tree.text(&path).ok()?)))
}

/// The lines of a script of the shell.
fn script(tree: &Tree, folder: &str, path: &str) -> Vec<Step> {
    let name = path.trim_start_matches("./");
    let is_plain = !name.is_empty() && !name.starts_with('/') && !name.contains(['$', '*']) && !name.contains("..");
    let Some((path, text)) = is_plain.then(|| file(tree, folder, &[name])).flatten() else { return Vec::new() };
    let first = text.lines().next().unwrap_or_default();
    let is_shell = [".sh", ".bash"].iter().any(|end| path.ends_with(end))
        || (first.starts_with("#!") && ["sh", "bash", "zsh"].iter().any(|shell| first.trim_end().ends_with(shell)));
    if !is_shell {
        return Vec::new();
    }
    (1..).zip(text.lines()).map(|(line, words)| Step::new(words.trim(), &path, line)).collect()
}

/// The hooks of pre-commit: their ids, and the commands of those that are written in the repository itself.
fn hooks(tree: &Tree) -> Vec<Step> {
    let Some((path, text)) = file(tree, "", &[".pre-commit-config.yaml", ".pre-commit-config.yml"]) else {
        return Vec::new();
    };
    let Some(root) = guard_yaml::read(&text) else { return Vec::new() };
    let repos = root.get("repos").map_or(&[][..], Node::items);
    let hooks = repos.iter().flat_map(|repo| repo.get("hooks").map_or(&[][..], Node::items));
    let words = hooks.flat_map(|hook| ["id", "entry"].into_iter().filter_map(|key| hook.get(key)));
    words.filter_map(|node| Some(Step::new(node.text()?, &path, node.line as usize))).collect()
}
