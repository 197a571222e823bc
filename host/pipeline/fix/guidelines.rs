//! What the repository tells agents: files of the base commit, never of what an agent changed since.

use std::collections::BTreeSet;

use guard_files::Globs;
use guardhost_core::change::{Candidate, FileMode, RepoPath, Tree};
use guardhost_core::error::Result;
use guardhost_core::issue::Side;
use guardhost_core::sensitive::hidden;
use guardhost_policy::config::FixSettings;

use super::is_frontend;

/// Names that agents look for, in the root and in the folders of the files at hand.
const NAMES: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];

/// Bytes of all of them: about 8,000 tokens.
const MOST: usize = 24_000;

/// Who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Whoever changes files of this side.
    Fixers(Side),
    /// Whoever reviews what was done about issues.
    Reviewers,
    /// Whoever votes on a change.
    Voters,
}

/// The guidelines for files at `paths`, the most general first; empty when there are none. What a repository tells those who write is not told to those who judge: they get
/// the files alone that the settings name for them.
///
/// # Errors
/// Of the repository.
pub fn guidelines(tree: &Tree, audience: Audience, paths: &[RepoPath], settings: &FixSettings) -> Result<String> {
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut text = String::new();
    for path in candidates(tree, audience, paths, settings)? {
        let Some(entry) = tree.objects.entry(tree.oid, &path)? else { continue };
        if !matches!(entry.mode, FileMode::File | FileMode::Executable) {
            continue;
        }
        let bytes = tree.objects.blob(entry.oid)?;
        // CLAUDE.md is often a copy of AGENTS.md.
        if hidden(&path, &bytes).is_some() || !seen.insert(bytes.trim_ascii().to_vec()) {
            continue;
        }
        let Ok(content) = std::str::from_utf8(&bytes) else { continue };
        if text.len() + content.len() > MOST {
            text.push_str(&format!("({path} is left out: the guidelines have more than {MOST} bytes)\n\n"));
            continue;
        }
        text.push_str(&format!("### {path}\n\n{}\n\n", content.trim()));
    }
    Ok(text)
}

/// For the question of a reviewer of fixes; empty when there are none.
///
/// # Errors
/// Of the repository.
pub fn reviewer_guidelines(base: &Tree, change: &Candidate, settings: &FixSettings) -> Result<String> {
    for_judges(base, Audience::Reviewers, change, settings)
}

/// The same for that of a voter.
///
/// # Errors
/// Of the repository.
pub fn voter_guidelines(base: &Tree, change: &Candidate, settings: &FixSettings) -> Result<String> {
    for_judges(base, Audience::Voters, change, settings)
}

fn for_judges(base: &Tree, audience: Audience, change: &Candidate, settings: &FixSettings) -> Result<String> {
    let paths: Vec<RepoPath> = change.files.iter().map(|file| file.path.clone()).collect();
    let text = guidelines(base, audience, &paths, settings)?;
    Ok(match text.is_empty() {
        true => text,
        false => format!("## Guidelines of this repository for those who review changes of it\n\n{text}"),
    })
}

/// The root first, then each folder on the way to a file; what the settings name stands at the end.
fn candidates(tree: &Tree, audience: Audience, paths: &[RepoPath], settings: &FixSettings) -> Result<Vec<RepoPath>> {
    let mut all = Vec::new();
    let named: Vec<&Vec<String>> = match audience {
        Audience::Fixers(side) => {
            all = in_folders(paths);
            match side {
                Side::Backend => vec![&settings.guidelines, &settings.backend_guidelines],
                Side::Frontend => vec![&settings.guidelines, &settings.frontend_guidelines],
            }
        }
        Audience::Reviewers => [vec![&settings.reviewer_guidelines], for_sides(paths, settings)].concat(),
        Audience::Voters => for_sides(paths, settings),
    };
    for glob in named.into_iter().flatten() {
        all.extend(matching(tree, glob)?);
    }
    Ok(all)
}

fn in_folders(paths: &[RepoPath]) -> Vec<RepoPath> {
    let mut folders: BTreeSet<String> = [String::new()].into();
    for path in paths.iter().filter_map(RepoPath::as_str) {
        folders.extend(path.match_indices('/').map(|(at, _)| path[..=at].to_owned()));
    }
    let names = folders.iter().flat_map(|folder| NAMES.iter().map(move |name| format!("{folder}{name}")));
    names.map(|path| RepoPath::from(path.as_str())).collect()
}

/// For those who review files of both sides, the files for both.
fn for_sides<'s>(paths: &[RepoPath], settings: &'s FixSettings) -> Vec<&'s Vec<String>> {
    let has = |frontend: bool| paths.iter().any(|path| is_frontend(path, settings) == frontend);
    let sides = [(false, &settings.backend_reviewer_guidelines), (true, &settings.frontend_reviewer_guidelines)];
    sides.into_iter().filter(|(frontend, _)| has(*frontend)).map(|(_, named)| named).collect()
}

/// The files that a glob names, whose pattern is in the name of a file alone; sorted.
fn matching(tree: &Tree, glob: &str) -> Result<Vec<RepoPath>> {
    let (folder, name) = glob.rsplit_once('/').unwrap_or(("", glob));
    if !name.contains(['*', '?', '[', '{']) {
        return Ok(vec![RepoPath::from(glob)]);
    }
    // The settings were checked when they were read.
    let Ok(globs) = Globs::new(&[name]) else { return Ok(Vec::new()) };
    let names = tree.objects.names(tree.oid, &RepoPath::from(folder))?;
    let mut found: Vec<String> = names.into_iter().filter_map(|name| String::from_utf8(name).ok()).collect();
    found.retain(|name| globs.matches(name));
    found.sort_unstable();
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    Ok(found.iter().map(|name| RepoPath::from(format!("{prefix}{name}").as_str())).collect())
}
