//! Patterns of paths and names of branches by which a workflow starts, where they no longer fit the repository.

use guard_sdk::{Change, Side, Status};
use guard_yaml::{Kind, Node};

use crate::problem::Problem;
use crate::tree::Tree;
use crate::workflow::Workflow;

/// A pattern of paths, and its line.
type Pattern = (String, u32);

/// Positive patterns of every `paths:` of a trigger, and of the filters that `dorny/paths-filter` reads.
pub fn patterns(workflow: &Workflow) -> Vec<Pattern> {
    let triggers = workflow.on().map_or(&[][..], Node::members).iter();
    let mut found: Vec<Pattern> = triggers.filter_map(|(_, _, trigger)| trigger.get("paths")).flat_map(texts).collect();
    for step in workflow.jobs.iter().flat_map(|job| &job.steps) {
        let is_filter = step.text_at("uses").is_some_and(|uses| uses.starts_with("dorny/paths-filter@"));
        let filters = step.get("with").and_then(|with| with.get("filters")).filter(|_| is_filter);
        let Some(inner) = filters.and_then(|filters| guard_yaml::read(filters.text()?)) else { continue };
        let line = filters.map_or(0, |filters| filters.line.saturating_sub(1));
        let lists = inner.members().iter().map(|(_, _, list)| list);
        found.extend(lists.flat_map(texts).map(|(text, at)| (text, line + at)));
    }
    found.retain(|(pattern, _)| !pattern.starts_with('!') && !pattern.contains("${{"));
    found
}

fn texts(node: &Node) -> Vec<Pattern> {
    match &node.kind {
        Kind::Text(text) => vec![(text.clone(), node.line)],
        Kind::List(items) => items.iter().flat_map(texts).collect(),
        Kind::Map(_) => Vec::new(),
    }
}

/// Patterns that the change writes and that name nothing of the tree.
pub fn new(old: &[Pattern], new: &[Pattern], tree: &Tree) -> Vec<Problem> {
    let is_old = |pattern: &str| old.iter().any(|(old, _)| old == pattern);
    let fresh: Vec<&Pattern> = new.iter().filter(|(pattern, _)| !is_old(pattern)).collect();
    // What was there under another pattern is no longer watched; a pattern beside others may be for files to come.
    let is_gone = |(old, _): &Pattern| !new.iter().any(|(new, _)| new == old) && tree.is_named(old);
    let replaces = fresh.iter().all(|(pattern, _)| !tree.is_named(pattern)) && old.iter().any(is_gone);
    let stale = fresh.into_iter().filter(|(pattern, _)| !tree.is_named(pattern));
    stale
        .map(|(pattern, line)| {
            let message = format!("the pattern `{pattern}` starts the workflow for no file of the repository");
            let help = "Name paths that exist; `*` takes no slash, `**` takes any.";
            match replaces {
                true => Problem::error("pattern-stale", pattern.clone(), *line, message, help),
                false => Problem::warning("pattern-stale", pattern.clone(), *line, message, help),
            }
        })
        .collect()
}

/// Patterns of a workflow that stays as it is, whose files the change moves to where no pattern of the workflow sees them.
pub fn moved(change: &Change, patterns: &[Pattern], tree: &Tree) -> Vec<Problem> {
    let moves: Vec<(&str, &str)> = change
        .files()
        .filter(|file| file.status() == Status::Renamed)
        .filter_map(|file| Some((file.old_path()?, file.path())))
        .collect();
    let sees = |pattern: &str, path: &str| {
        guard_sdk::files::Globs::new(&[anchored(pattern)]).is_ok_and(|globs| globs.matches(path))
    };
    let mut problems = Vec::new();
    for (pattern, line) in patterns {
        let old =
            moves.iter().find(|(old, new)| sees(pattern, old) && !patterns.iter().any(|(other, _)| sees(other, new)));
        let Some((old, new)) = old.filter(|_| !tree.is_named(pattern)) else { continue };
        let message = format!(
            "the change moves {old} to {new}, and the pattern `{pattern}` starts the workflow for no file any more"
        );
        problems.push(Problem::error("pattern-stale", pattern.clone(), *line, message, "Change the pattern as well."));
    }
    problems
}

/// Patterns of workflows begin at the root.
pub fn anchored(pattern: &str) -> String {
    format!("/{}", pattern.trim_start_matches('/'))
}

/// Names of the branch that a repository's work goes to, of which it has one.
const DEFAULTS: [&str; 2] = ["main", "master"];

/// Branches of every trigger.
fn branches(workflow: &Workflow) -> Vec<(String, Pattern)> {
    let triggers = workflow.on().map_or(&[][..], Node::members).iter();
    let lists = triggers.filter_map(|(name, _, trigger)| Some((name, trigger.get("branches")?)));
    lists.flat_map(|(name, list)| texts(list).into_iter().map(|text| (name.clone(), text))).collect()
}

/// A trigger that goes from one name of the default branch to the other, while other triggers of the candidate keep the old one.
pub fn renamed_branch(change: &Change, path: &str, before: &Workflow, after: &Workflow) -> Option<Problem> {
    let (old, new) = (branches(before), branches(after));
    let has = |all: &[(String, Pattern)], trigger: &str, name: &str| {
        all.iter().any(|(of, (one, _))| of == trigger && one == name)
    };
    let (trigger, (name, line)) = new.iter().find(|(trigger, (name, _))| {
        let other = DEFAULTS.iter().find(|other| *other != name);
        DEFAULTS.contains(&name.as_str())
            && other.is_some_and(|other| has(&old, trigger, other) && !has(&new, trigger, other))
            && !has(&old, trigger, name)
    })?;
    let other = DEFAULTS.iter().find(|other| *other != name)?;
    let elsewhere = |text: &str| guard_yaml::read(text).and_then(|node| Some(branches(&Workflow::new(&node, false)?)));
    let repo = change.repo(Side::After);
    let mut all = new.clone();
    for path in repo.find(&crate::WORKFLOWS, 50).iter().filter(|one| *one != path) {
        all.extend(repo.text(path).ok().and_then(|text| elsewhere(&text)).unwrap_or_default());
    }
    let count = |wanted: &str| all.iter().filter(|(_, (name, _))| name == wanted).count();
    if count(other) == 0 || count(name) > 1 {
        return None;
    }
    let message = format!("`{trigger}` now waits for the branch {name}, and other triggers still for {other}");
    let help = format!("Name the branch that the repository has; with a rename, move every trigger to {name}.");
    Some(Problem::error("branch-differs", format!("{trigger}:{name}"), *line, message, help))
}
