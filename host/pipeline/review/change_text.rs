//! A change as a voter reads it: a diff, with the number of each line of the candidate before it.

use std::collections::BTreeMap;
use std::fmt::Write;

use guardhost_core::change::{Blob, Candidate, FileChange, RepoPath};
use guardhost_core::error::Result;
use guardhost_core::sensitive::hidden;
use guardhost_git::{Repo, diff_text_at};

/// Bytes of all diffs. About 60,000 tokens.
const MOST: usize = 240_000;

/// The text of a change, and which lines its files have.
pub struct ChangeText {
    pub text: String,
    /// Files whose change is not in the text.
    pub unseen: Vec<String>,
    /// Of the files that are.
    lines: BTreeMap<String, u32>,
}

impl ChangeText {
    /// What does not fit or is not text is named instead of shown.
    ///
    /// # Errors
    /// Of the repository.
    pub fn new(repo: &Repo, candidate: &Candidate, task: Option<&str>) -> Result<Self> {
        let (mut text, mut lines, mut unseen) = (String::new(), BTreeMap::new(), Vec::new());
        if let Some(task) = task.filter(|task| !task.trim().is_empty()) {
            let quoted: Vec<String> = task.lines().map(|line| format!("> {line}")).collect();
            let _ = write!(text, "## What the change is for\n\n{}\n\n", quoted.join("\n"));
        }
        text.push_str("## The change\n\n");
        for file in &candidate.files {
            let path = file.path.to_string();
            let diff = diff_text_at(repo, candidate.base_tree, candidate.tree, &file.path)?;
            match std::str::from_utf8(&diff) {
                Ok(diff) if text.len() + diff.len() <= MOST && shows(file, diff) => {
                    let _ = write!(text, "### {path}\n{}\n", numbered(diff));
                }
                Ok(_) | Err(_) => {
                    unseen.push(path);
                    continue;
                }
            }
            if let Some(after) = file.after
                && let Ok(content) = candidate.objects.blob(after.oid)
                && let Ok(content) = std::str::from_utf8(&content)
            {
                lines.insert(path, u32::try_from(content.lines().count()).unwrap_or(u32::MAX));
            }
        }
        if !unseen.is_empty() {
            let _ = writeln!(text, "Not shown: {}", unseen.join(", "));
        }
        Ok(ChangeText { text, unseen, lines })
    }

    /// Puts an introduction for the reader before the text.
    #[must_use]
    pub fn behind(mut self, before: &str) -> Self {
        self.text.insert_str(0, before);
        self
    }

    pub fn has_line(&self, path: &str, line: u32) -> bool {
        let spellings = [Some(path), path.strip_prefix("./"), path.strip_prefix("b/"), path.strip_prefix("a/")];
        let lines = spellings.into_iter().flatten().find_map(|path| self.lines.get(path));
        lines.is_some_and(|lines| (1..=*lines).contains(&line))
    }
}

/// The first touched file that no model may see, and why.
pub fn withheld(candidate: &Candidate) -> Option<(&RepoPath, &'static str)> {
    candidate.files.iter().find_map(|file| {
        let sides = [file.before, file.after].into_iter().flatten();
        let why =
            sides.filter_map(|blob| candidate.objects.blob(blob.oid).ok()).find_map(|text| hidden(&file.path, &text));
        Some((&file.path, why?))
    })
}

/// Whether a diff shows what becomes of a file. Of bytes that are no text, and of what attributes of the repository call binary, it only says that
/// they differ.
fn shows(file: &FileChange, diff: &str) -> bool {
    let content = |side: Option<Blob>| side.filter(|blob| blob.size > 0).map(|blob| blob.oid);
    content(file.before) == content(file.after) || diff.lines().any(|line| line.starts_with("@@ "))
}

/// The hunks of a diff, the lines of the new side behind their numbers.
fn numbered(diff: &str) -> String {
    let mut text = String::with_capacity(diff.len() * 5 / 4);
    let mut next = 0u32;
    for line in diff.lines() {
        if let Some(start) = line.strip_prefix("@@ ").and_then(|rest| rest.split('+').nth(1)) {
            next = start.split([',', ' ']).next().and_then(|start| start.parse().ok()).unwrap_or(0);
            text.push_str("…\n");
            continue;
        }
        // Before the first hunk stand the names.
        match line.as_bytes().first() {
            Some(sign @ (b' ' | b'+')) if next > 0 => {
                let _ = writeln!(text, "{next:>5} {} {}", char::from(*sign), &line[1..]);
                next += 1;
            }
            Some(b'-') if next > 0 => {
                let _ = writeln!(text, "      - {}", &line[1..]);
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_new_side_have_their_numbers() {
        let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@ fn a\n one\n-two\n+TWO\n three\n@@ -9 +9,2 @@\n+ten\n nine\n";
        assert_eq!(
            numbered(diff),
            "…\n    3   one\n      - two\n    4 + TWO\n    5   three\n…\n    9 + ten\n   10   nine\n"
        );
    }
}
