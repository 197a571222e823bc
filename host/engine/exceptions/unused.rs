//! Comments that allow nothing. Said only where it is known: the guard judged the file, and the line is one that the change brings in, since
//! guards say nothing of what was there before.

use std::collections::HashSet;
use std::sync::Arc;

use guard_files::Globs;
use guardhost_core::change::{Allowance, Candidate, GuardVerdict, Judgement, RepoPath};
use guardhost_core::renamed_guards::means;

use super::comment::{self, AllowComment, CommentTrust};
use super::is_trusted;
use super::marks::CommentMarks;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::set::GuardSet;

/// A rule that a comment names, and that finds nothing on its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedComment {
    /// As findings have it.
    pub path: String,
    /// Of the comment, from 1.
    pub line: u32,
    /// As the comment has it.
    pub rule: String,
}

/// In the order of files and lines.
pub fn unused_comments(set: &GuardSet, candidate: &Candidate, judgement: &Judgement) -> Vec<UnusedComment> {
    let trust = set.exceptions.comments;
    let change = ChangeView::new(candidate.clone(), None, &Arc::default());
    let mut unused = Vec::new();
    if trust == CommentTrust::None {
        return unused;
    }
    let mut moved: Option<HashSet<String>> = None;
    for (index, file) in candidate.files.iter().enumerate() {
        let Ok(text) = change.text(index, TreeSide::After) else { continue };
        if !comment::mentions(&text) {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        let Ok(hunks) = change.hunks(index) else { continue };
        let is_new = |line: u32| {
            hunks.iter().any(|hunk| (hunk.new_start..hunk.new_start.saturating_add(hunk.new_lines)).contains(&line))
        };
        for (at, found) in comment::all(&text) {
            let target = at + u32::from(comment::is_alone(lines[at as usize - 1]));
            let Some(judged) = lines.get(target as usize - 1) else { continue };
            let mut was_there = || moved.get_or_insert_with(|| lines_before(&change)).contains(without(judged));
            if !is_trusted(trust, &change, index, at) || !is_new(target) || was_there() {
                continue;
            }
            let path = file.path.to_string();
            // A string that shows such a comment is none.
            if matches!(CommentMarks { set, path: &path }.is_comment(&text, at), Ok(Some(false))) {
                continue;
            }
            let idle =
                |rule: &&str| is_judged(set, judgement, rule, &file.path) && !is_used(set, judgement, rule, &path, at);
            let rules = found.rules().filter(idle);
            unused.extend(rules.map(|rule| UnusedComment { path: path.clone(), line: at, rule: rule.to_owned() }));
        }
    }
    unused
}

/// What was in the change's files before. A line that only moved is not new to guards that compare both sides.
fn lines_before(change: &ChangeView) -> HashSet<String> {
    let texts = (0..change.candidate.files.len()).filter_map(|file| change.text(file, TreeSide::Before).ok());
    texts.flat_map(|text| text.lines().map(|line| without(line).to_owned()).collect::<Vec<_>>()).collect()
}

/// A line without a comment behind it, and without blanks around it.
fn without(line: &str) -> &str {
    let end = comment::mark(line).unwrap_or(line.len());
    line[..end].trim_end_matches(|c: char| !c.is_alphanumeric() && !"})];\"'".contains(c)).trim_start()
}

fn is_used(set: &GuardSet, judgement: &Judgement, rule: &str, path: &str, at: u32) -> bool {
    let comment = AllowComment { rule, reason: "" };
    judgement.evidence.iter().any(|evidence| {
        evidence.allowed.iter().any(|allowed| {
            let by_it = matches!(allowed.by, Allowance::Comment { line, .. } if line == at);
            let here = allowed.finding.path.as_deref() == Some(path);
            let mut names = set.exceptions.names.all(&evidence.id);
            by_it && here && names.any(|name| comment.names(name, &allowed.finding.rule))
        })
    })
}

/// Every guard that has the rule ran, and looked at the file.
fn is_judged(set: &GuardSet, judgement: &Judgement, rule: &str, path: &RepoPath) -> bool {
    let (of, rule) = rule.split_once('/').map_or((None, rule), |(of, rule)| (Some(of), rule));
    let has_it = |guard: &&crate::set::Guard| {
        let description = || guard.description(set).ok();
        of.is_none_or(|of| means(of, &guard.spec.id) || means(of, guard.spec.component_id()))
            && description().is_some_and(|said| said.rules.iter().any(|known| known.rule == rule))
    };
    // Where a folder has rules of its own, one pin of a guard judges the file, and the others do not look at it.
    let is_for = |guard: &&crate::set::Guard| guard.spec.folders.has(path);
    let mut guards = set.guards.iter().filter(is_for).filter(has_it).peekable();
    guards.peek().is_some()
        && guards.all(|guard| {
            let ran = judgement.evidence.iter().find(|evidence| evidence.id == guard.spec.id);
            let ran = ran.is_some_and(|evidence| match evidence.verdict {
                GuardVerdict::Pass(_) | GuardVerdict::Reject(_) => true,
                GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => false,
            });
            let globs = guard.description(set).ok().and_then(|said| Globs::new(&said.globs).ok());
            ran && guard.sees(path) && globs.is_some_and(|globs| globs.is_empty() || globs.matches(path))
        })
}
