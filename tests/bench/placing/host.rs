//! Our own placing, in this process: from a reply to a tree, without guards.

use std::sync::Arc;

use guardhost_core::change::{FileMode, Objects, Reply, RepoPath, RoundFailure, Tree, TreeEntry};
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, propose};
use guardhost_patch::sanitize::Rules;

use super::rivals::Outcome;
use super::stored::Stored;
use super::trial::{File, Files, Trial};

/// A repository in memory, for the trials of one commit.
pub struct Host {
    objects: Arc<Stored>,
    _scratch: tempfile::TempDir,
}

impl Host {
    pub fn new() -> Self {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        git2::Repository::init_bare(scratch.path()).expect("a repository");
        Host { objects: Stored::over(scratch.path()).expect("a repository"), _scratch: scratch }
    }

    pub fn place(&self, trial: &Trial) -> Outcome {
        let tree = |files: &Files| Tree { objects: self.objects.clone(), oid: written(&self.objects, files) };
        let base = ApplyBase { base: None, tree: tree(&trial.tree), seen_by_provider: trial.shown.as_ref().map(tree) };
        let reply = Reply { bytes: trial.reply.clone(), ..Reply::default() };
        let hints: Vec<RepoPath> = trial.hints.iter().map(|path| RepoPath::from(path.as_str())).collect();
        // Which files the corpus touches is not the question here.
        let rules = Rules { protect: Vec::new(), ..Rules::default() };
        match propose(&reply, &hints, &base, &rules, &mut (), &StopToken::default()) {
            Ok(candidate) => Ok(read(&self.objects, candidate.tree)),
            Err(ProposalStop::Failure(failure)) => Err(said(*failure)),
            Err(ProposalStop::Ended(stopped)) => Err(format!("ended: {stopped}")),
            Err(ProposalStop::Error(error)) => Err(format!("error: {error}")),
        }
    }
}

fn said(failure: RoundFailure) -> String {
    match failure {
        RoundFailure::NoPatch(none) => format!("no patch: {none}"),
        RoundFailure::Refused(refused) => format!("refused: {refused}"),
        RoundFailure::Misfit(misfit) => format!("misfit: {misfit}"),
        RoundFailure::Rejected(_) => "rejected".to_owned(),
    }
}

fn written(objects: &Arc<Stored>, files: &Files) -> git2::Oid {
    let entry = |(path, file): (&String, &File)| {
        let mode = if file.is_executable { FileMode::Executable } else { FileMode::File };
        (RepoPath::from(path.as_str()), TreeEntry { oid: objects.put_blob(&file.bytes).expect("a blob"), mode })
    };
    objects.tree(&files.iter().map(entry).collect::<Vec<_>>()).expect("a tree")
}

fn read(objects: &Arc<Stored>, tree: git2::Oid) -> Files {
    let mut found = Vec::new();
    let mut visit = |path: &RepoPath, entry: TreeEntry| {
        found.push((path.clone(), entry));
        true
    };
    objects.walk(tree, &mut visit).expect("a tree");
    let file = |(path, entry): (RepoPath, TreeEntry)| {
        let bytes = objects.blob(entry.oid).expect("a blob").to_vec();
        let path = String::from_utf8_lossy(path.as_bytes()).into_owned();
        (path, File { bytes, is_executable: entry.mode == FileMode::Executable })
    };
    found.into_iter().map(file).collect()
}
