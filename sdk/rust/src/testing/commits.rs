//! `commits.json`: the commits that make the change, and those behind it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::source::{hunks, oid};
use crate::{Commit, EditedFile, Edits, Person, ReplacedLines, Trailer};

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CaseCommits {
    /// Oldest first.
    commits: Vec<CaseCommit>,
    /// Newest first.
    log: Vec<CaseCommit>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseCommit {
    oid: Option<String>,
    message: String,
    #[serde(default)]
    author: CasePerson,
    /// Paths that it changed; only of what stands in `log`.
    #[serde(default)]
    paths: Vec<String>,
    /// What it made of files, by path; only of what stands in `log`.
    #[serde(default)]
    edits: BTreeMap<String, CaseEdit>,
    #[serde(default)]
    days_before: u32,
}

/// A file before and after a commit.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseEdit {
    before: String,
    after: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CasePerson {
    name: String,
    email: String,
}

impl CaseCommits {
    pub fn for_change(&self) -> Vec<Commit> {
        self.commits.iter().map(Commit::from).collect()
    }

    pub fn touching(&self, path: &str, limit: u32) -> Vec<Commit> {
        let below = |changed: &str| changed.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let touches = |commit: &&CaseCommit| {
            path.is_empty() || commit.paths.iter().any(|changed| changed == path || below(changed))
        };
        self.log.iter().filter(touches).take(limit as usize).map(Commit::from).collect()
    }

    pub fn recent_edits(&self, paths: &[String], days: u32) -> Vec<Edits> {
        let recent = self.log.iter().filter(|commit| commit.days_before <= days);
        let edits = recent.map(|commit| Edits {
            commit: commit.into(),
            days_before: commit.days_before,
            files: commit.edits.iter().filter(|(path, _)| paths.contains(path)).map(edited).collect(),
        });
        edits.filter(|edits| !edits.files.is_empty()).collect()
    }
}

fn edited((path, edit): (&String, &CaseEdit)) -> EditedFile {
    let taken = |text: &str, start: u32, lines: u32| -> Vec<String> {
        text.lines().skip((start as usize).saturating_sub(1)).take(lines as usize).map(str::to_owned).collect()
    };
    let replaced = hunks(&edit.before, &edit.after).into_iter().map(|hunk| ReplacedLines {
        old: taken(&edit.before, hunk.old_start, hunk.old_lines),
        new: taken(&edit.after, hunk.new_start, hunk.new_lines),
    });
    EditedFile { path: path.clone(), before: oid(edit.before.as_bytes()), lines: Some(replaced.collect()) }
}

impl From<&CaseCommit> for Commit {
    fn from(commit: &CaseCommit) -> Self {
        let author = Person { name: commit.author.name.clone(), email: commit.author.email.clone() };
        Commit { oid: commit.oid.clone(), message: commit.message.clone(), author, trailers: trailers(&commit.message) }
    }
}

/// What `git interpret-trailers --parse` finds, without its settings: the last of several paragraphs, when each of its lines is a
/// trailer, or when one is git's own and a quarter of them are trailers. An indented line goes on with the one above.
fn trailers(message: &str) -> Vec<Trailer> {
    let text = message.trim_end();
    let lines: Vec<&str> = text.lines().collect();
    let Some(blank) = lines.iter().rposition(|line| line.trim().is_empty()) else { return Vec::new() };
    let mut trailers: Vec<Trailer> = Vec::new();
    let (mut others, mut is_gits) = (0, false);
    for line in &lines[blank + 1..] {
        if line.starts_with([' ', '\t'])
            && let Some(last) = trailers.last_mut()
        {
            last.value = format!("{} {}", last.value, line.trim()).trim().into();
            continue;
        }
        is_gits |= line.starts_with("Signed-off-by: ") || line.starts_with("(cherry picked from commit ");
        match line.split_once(':') {
            Some((key, value)) if is_key(key) => {
                trailers.push(Trailer { key: key.trim_end().into(), value: value.trim().into() });
            }
            _ if line.starts_with("(cherry picked from commit ") => {}
            _ => others += 1,
        }
    }
    let is_block = others == 0 || (is_gits && trailers.len() * 3 >= others);
    if is_block { trailers } else { Vec::new() }
}

fn is_key(key: &str) -> bool {
    let key = key.trim_end();
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::trailers;

    #[test]
    fn trailers_as_git_finds_them() {
        for (message, expected) in [
            ("Subject: no trailer", ""),
            (
                "Subject\n\nBody: no trailer\nmore\n\nSigned-off-by: A <a@b>\nFixes: #3\n",
                "Signed-off-by=A <a@b>;Fixes=#3",
            ),
            ("Subject\n\nFixes: #3 and\n  more\n", "Fixes=#3 and more"),
            ("Subject\n\nFixes: #3\nwords\n", ""),
            ("Subject\n\nwords\nSigned-off-by: A\n", "Signed-off-by=A"),
            ("Subject\n\nSee https: //x\nNot a key: x\n", ""),
        ] {
            let found: Vec<String> =
                trailers(message).iter().map(|found| format!("{}={}", found.key, found.value)).collect();
            assert_eq!(found.join(";"), expected, "{message:?}");
        }
    }
}
