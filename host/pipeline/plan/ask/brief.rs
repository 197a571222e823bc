//! What is certain of a repository, in a few lines: computed from the tree, not asked for.

use std::collections::BTreeMap;
use std::fmt::Write;

use guardhost_core::change::{PastRun, RepoPath, RunEnding, Tree};
use guardhost_core::error::Result;
use guardhost_engine::facts::{facts, languages};

use super::super::tree_files::TreeFiles;

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

pub fn ground_truth(tree: &Tree) -> Result<String> {
    let mut text = String::new();
    let languages = languages(&*tree.objects, tree.oid)?;
    let names: Vec<String> = languages
        .iter()
        .take(LANGUAGES)
        .map(|language| format!("{} ({} files)", language.name, language.files))
        .collect();
    if !names.is_empty() {
        let _ = writeln!(text, "- languages: {}", names.join(", "));
    }
    let facts = facts(&*tree.objects, tree.oid)?;
    let frameworks = if facts.frameworks.is_empty() { "(none)".to_owned() } else { facts.frameworks.join(", ") };
    let _ = writeln!(text, "- declared frameworks: {frameworks}");
    for manifest in facts.manifests.iter().take(MANIFESTS) {
        let all = manifest.dependencies.len();
        let named: Vec<&str> = manifest.dependencies.iter().take(DEPENDENCIES).map(|d| d.name.as_str()).collect();
        let more = if all > named.len() { format!(" (and {} more)", all - named.len()) } else { String::new() };
        let named = if named.is_empty() { "no dependency".to_owned() } else { named.join(", ") };
        let _ = writeln!(text, "- {}: {named}{more}", manifest.path);
    }
    let entries: Vec<String> = facts.entry_points.iter().take(MANIFESTS).map(ToString::to_string).collect();
    if !entries.is_empty() {
        let _ = writeln!(text, "- entry points: {}", entries.join(", "));
    }
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
