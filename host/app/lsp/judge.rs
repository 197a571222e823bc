//! Judges the text of an open document, as it would be committed now.
//!
//! The change is that of the one file: from HEAD to the text in the editor. All other files stand on both sides as they are now, in the editor
//! or on the disk, so that what a guard looks up elsewhere is what the person sees. Nothing is written: neither objects nor verdicts.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use guardhost_core::change::{FileMode, Objects, RepoPath, TreeEntry};
use guardhost_core::error::Result;
use guardhost_gate::{Case, Door, Gate, Judged, Proposal, RulesAt, Ruling};
use guardhost_git::{Head, Repo, candidate, is_converted, is_ignored, worktree};
use guardhost_policy::PolicySource;
use guardhost_report::{CheckReport, FailureReport, Report};

use super::diagnostics::{ShownFinding, shown};
use super::documents::OpenDocuments;
use super::gates::CachedGates;
use crate::command::with_approvable_ruling;
use crate::context::CommandContext;
use crate::hook::{EditedFile, place, real_path};

/// What was said of one text.
pub struct JudgedText {
    pub findings: Vec<ShownFinding>,
    /// As findings have it.
    pub path: String,
    /// The text that was judged: with the line endings that git keeps.
    pub text: String,
    /// The work tree.
    pub root: PathBuf,
    /// HEAD, as it was then.
    pub head: Head,
    /// The gate and its verdict; None if no guard was called.
    pub ruled: Option<(Rc<Gate>, Box<Judged>)>,
}

/// None for what git does not keep as the editor shows it: files outside of repositories, ignored ones, those of git itself, binary ones, and
/// those that a program converts.
pub fn judge(
    path: &Path,
    text: &str,
    documents: &OpenDocuments,
    gates: &mut CachedGates,
    ctx: &CommandContext,
) -> Result<Option<JudgedText>> {
    let Some(EditedFile { repo, head, path: file }) = place(path)? else { return Ok(None) };
    let Some(root) = repo.workdir().map(Path::to_path_buf) else { return Ok(None) };
    let is_of_git = file.parts().any(|part| part.eq_ignore_ascii_case(b".git"));
    if is_of_git || text.contains('\0') || is_ignored(&repo, &file)? || is_converted(&repo, &file)? {
        return Ok(None);
    }
    let text = as_git_keeps_it(text, &repo, &head, &file)?;
    let others = unsaved(&repo, path, documents);
    let ruled = match rule(&repo, &head, &file, &text, &others, gates, ctx) {
        Ok(Some(ruled)) => Ok(ruled),
        Ok(None) => return Ok(None),
        Err(error) => Err(error),
    };
    let (report, ruled) = match ruled {
        Ok((ruling, gate)) => {
            let report = Report::Check(with_approvable_ruling(CheckReport::default(), &ruling, ctx.author()));
            match ruling {
                Ruling::Judged(judged) => (report, Some((gate, judged))),
                Ruling::Empty(_) | Ruling::Refused(_) => (report, None),
            }
        }
        // Rules that cannot be used are shown where the person looks: silence would be taken for consent.
        Err(error) => (Report::Failure { error: FailureReport::from(&error) }, None),
    };
    let path = file.to_string();
    Ok(Some(JudgedText { findings: shown(&report), path, text, root, head, ruled }))
}

/// None for a link.
fn rule(
    repo: &Repo,
    head: &Head,
    file: &RepoPath,
    text: &str,
    unsaved: &[(RepoPath, &str)],
    gates: &mut CachedGates,
    ctx: &CommandContext,
) -> Result<Option<(Ruling, Rc<Gate>)>> {
    let store = repo.store();
    let mut now = worktree(repo)?.tree;
    for (other, text) in unsaved {
        if let Some(entry) = store.entry(now, other)? {
            let text = as_git_keeps_it(text, repo, head, other)?;
            let entry = TreeEntry { oid: store.put_blob(text.as_bytes())?, mode: entry.mode };
            now = store.edit_tree(now, &[(other.clone(), Some(entry))])?;
        }
    }
    let before = store.entry(head.tree, file)?;
    let mode = store.entry(now, file)?.or(before).map_or(FileMode::File, |entry| entry.mode);
    if mode == FileMode::Symlink {
        return Ok(None);
    }
    let after = TreeEntry { oid: store.put_blob(text.as_bytes())?, mode };
    let base = store.edit_tree(now, &[(file.clone(), before)])?;
    let tree = store.edit_tree(base, &[(file.clone(), Some(after))])?;
    let change = candidate(repo, head.commit, base, tree)?;
    let proposal = Proposal { candidate: change, rules: RulesAt { commit: head.commit, tree: head.tree } };
    // Kept verdicts are files, and a question to the network for each keystroke helps nobody.
    let source = PolicySource { fresh: true, offline: true, ..ctx.policies() };
    let terms = ctx.terms(Door::Editor);
    let root = repo.workdir().unwrap_or_else(|| repo.common_dir());
    let gate = match gates.of(root, proposal.rules, || Gate::open(&source, repo, proposal.rules, &terms)) {
        Ok(gate) => gate,
        // Who may change the rules fixes them by those of the text, which are others with each key.
        Err(_) => Rc::new(Gate::for_change(&source, repo, &proposal, &terms)?),
    };
    let ruling = gate.rule(Case::report(proposal.candidate, None), ctx)?;
    Ok(Some((ruling, gate)))
}

/// The texts of the other open documents of the repository.
fn unsaved<'d>(repo: &Repo, path: &Path, documents: &'d OpenDocuments) -> Vec<(RepoPath, &'d str)> {
    let Some(root) = repo.workdir().map(real_path) else { return Vec::new() };
    let others = documents.values().filter(|document| document.judged.is_some());
    let others = others.filter_map(|document| {
        let other = document.path.as_deref().filter(|other| *other != path)?;
        Some((RepoPath::new(guardhost_os::slashed(other.strip_prefix(&root).ok()?)), document.text.as_str()))
    });
    others.collect()
}

/// Where git keeps line feeds and the editor shows CRLF, git converts when the file is added.
fn as_git_keeps_it(text: &str, repo: &Repo, head: &Head, file: &RepoPath) -> Result<String> {
    if !text.contains("\r\n") {
        return Ok(text.to_owned());
    }
    let store = repo.store();
    let kept = store.entry(head.tree, file)?.map(|entry| store.blob(entry.oid)).transpose()?;
    Ok(match kept.is_some_and(|kept| !kept.contains(&b'\r')) {
        true => text.replace("\r\n", "\n"),
        false => text.to_owned(),
    })
}
