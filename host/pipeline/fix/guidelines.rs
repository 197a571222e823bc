//! What the repository tells agents: files of the base commit, never of what an agent changed since.

use std::collections::BTreeSet;

use guardhost_core::change::{FileMode, RepoPath, Tree};
use guardhost_core::error::Result;
use guardhost_core::sensitive::hidden;

/// Names that agents look for, in the root and in the folders of the files at hand.
const NAMES: [&str; 4] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];

/// Bytes of all of them: about 8,000 tokens.
const MOST: usize = 24_000;

/// The guidelines for files at `paths`, the most general first; empty when there are none. `named` are more files, of the settings.
///
/// # Errors
/// Of the repository.
pub fn guidelines(tree: &Tree, paths: &[RepoPath], named: &[RepoPath]) -> Result<String> {
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut text = String::new();
    for path in candidates(paths, named) {
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

/// The root first, then each folder on the way to a file.
fn candidates(paths: &[RepoPath], named: &[RepoPath]) -> Vec<RepoPath> {
    let mut folders: BTreeSet<String> = [String::new()].into();
    for path in paths.iter().filter_map(RepoPath::as_str) {
        folders.extend(path.match_indices('/').map(|(at, _)| path[..=at].to_owned()));
    }
    let mut all: Vec<RepoPath> = folders
        .iter()
        .flat_map(|folder| NAMES.iter().map(move |name| RepoPath::from(format!("{folder}{name}").as_str())))
        .collect();
    all.extend(named.iter().cloned());
    all
}
