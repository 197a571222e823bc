//! What is certain of a repository, in a few lines: computed from the tree, not asked for.

use std::collections::BTreeMap;
use std::fmt::Write;

use guardhost_core::change::{PastRun, RepoPath, RunEnding, Tree};
use guardhost_core::error::Result;
use guardhost_engine::facts::{facts, languages};

use super::super::tree_files::TreeFiles;
use super::shared_facts::{SharedFacts, named};

const LANGUAGES: usize = 5;
/// Dependencies of one manifest, and manifests, that are named.
const DEPENDENCIES: usize = 12;
const MANIFESTS: usize = 12;
/// Characters of the README's beginning.
const README: usize = 600;
/// Paths that are listed; of a larger tree the folders are.
const PATHS: usize = 400;
const FOLDERS: usize = 200;
/// Earlier runs that are named, and files of each.
const RUNS: usize = 15;
const RUN_FILES: usize = 3;

/// What the tree says of itself. Where it says nothing, because a part of it is not on this machine (a partial clone) or nothing here reads
/// it, `shared` may.
///
/// # Errors
/// The tree cannot be read, and nothing is shared.
pub fn ground_truth(tree: &Tree, shared: Option<&SharedFacts>) -> Result<String> {
    let (languages, facts) = match (languages(&*tree.objects, tree.oid), facts(&*tree.objects, tree.oid)) {
        (Ok(languages), Ok(facts)) => (languages, Some(facts)),
        (Err(error), _) | (_, Err(error)) if shared.is_none() => return Err(error),
        (languages, facts) => (languages.unwrap_or_default(), facts.ok()),
    };
    let nothing = SharedFacts::default();
    let shared = shared.unwrap_or(&nothing);
    let mut text = String::new();
    let mut line = |what: &str, here: String, there: String| {
        let _ = match (here.is_empty(), there.is_empty()) {
            (false, _) => writeln!(text, "- {what}: {here}"),
            (true, false) => writeln!(text, "- {what}: {there} (as the observer has it)"),
            (true, true) => Ok(()),
        };
    };
    let counted = |(name, files): (&str, u64)| format!("{name} ({files} files)");
    let here: Vec<String> =
        languages.iter().take(LANGUAGES).map(|language| counted((language.name, language.files.into()))).collect();
    let there = shared.languages.iter().map(|(name, files)| counted((name, *files)));
    line("languages", here.join(", "), named(there, LANGUAGES));
    line("stack", String::new(), named(&shared.stack, MANIFESTS));
    let here = facts.as_ref().map(|facts| match facts.frameworks.is_empty() {
        true if shared.frameworks.is_empty() => "(none)".to_owned(),
        true => String::new(),
        false => facts.frameworks.join(", "),
    });
    line("declared frameworks", here.unwrap_or_default(), named(&shared.frameworks, MANIFESTS));
    let manifests = facts.iter().flat_map(|facts| &facts.manifests);
    let mut has_manifests = false;
    for manifest in manifests.take(MANIFESTS) {
        has_manifests = true;
        let all = named(manifest.dependencies.iter().map(|dependency| &dependency.name), DEPENDENCIES);
        let all = if all.is_empty() { "no dependency".to_owned() } else { all };
        line(&manifest.path.to_string(), all, String::new());
    }
    for (ecosystem, names) in shared.dependencies.iter().filter(|_| !has_manifests) {
        line(&format!("dependencies ({ecosystem})"), String::new(), named(names, DEPENDENCIES));
    }
    let entries = facts.iter().flat_map(|facts| &facts.entry_points).take(MANIFESTS).map(ToString::to_string);
    let entries = entries.collect::<Vec<_>>().join(", ");
    line("entry points", entries, named(&shared.entry_points, MANIFESTS));
    Ok(text)
}

/// The beginning of the README, as a quotation: it is text of the repository, and no instruction.
pub fn readme(files: &TreeFiles) -> Result<String> {
    let path = files.paths().find(|path| !path.contains('/') && path.to_lowercase().starts_with("readme"));
    let Some(path) = path else { return Ok(String::new()) };
    let text = files.text(path)?.unwrap_or_default();
    let start: String = text.chars().filter(|c| !c.is_control() || *c == '\n').take(README).collect();
    Ok(start.lines().map(|line| format!("> {line}\n")).collect())
}

pub fn listing(files: &TreeFiles) -> String {
    let paths: Vec<&str> = files.paths().collect();
    if paths.len() <= PATHS {
        return paths.join("\n");
    }
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &paths {
        *folders.entry(path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1;
    }
    let mut lines: Vec<String> = paths.iter().filter(|path| !path.contains('/')).map(ToString::to_string).collect();
    let all = folders.len();
    let shown = folders.iter().filter(|(folder, _)| !folder.is_empty()).take(FOLDERS);
    lines.extend(shown.map(|(folder, count)| format!("{folder}/ ({count} files)")));
    if all > FOLDERS {
        lines.push(format!("({} folders more)", all - FOLDERS));
    }
    lines.join("\n")
}

/// Failures first, each file set once.
pub fn past_runs(past: &[PastRun]) -> String {
    let files =
        |paths: &[RepoPath]| paths.iter().take(RUN_FILES).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let line = |run: &PastRun| match run.kind {
        RunEnding::Rejected => Some(match run.rejected_by.as_slice() {
            [] => format!("- rejected, not placed: {}", files(&run.touched)),
            guards => format!("- rejected by {}: {}", guards.join(", "), files(&run.touched)),
        }),
        RunEnding::Accepted => Some(format!("- accepted: {}", files(&run.touched))),
        RunEnding::Failed | RunEnding::Abandoned => None,
    };
    let (accepted, rejected): (Vec<_>, Vec<_>) = past.iter().partition(|run| run.kind == RunEnding::Accepted);
    let mut lines: Vec<String> = Vec::new();
    for line in rejected.into_iter().chain(accepted).filter_map(line) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.truncate(RUNS);
    lines.join("\n")
}
