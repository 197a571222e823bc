//! The way of a write: lock, look, place, judge, look again, replace.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::answer::{Answer, Encoding, Span};
use super::file::{self, Standing};
use super::halt::Step;
use super::lock::Lock;
use super::{Law, Session, meant, sha256};
use guardhost_core::change::{
    Candidate, FileMode, FileOp, FilePatch, Objects, Patch, PatchFormat, Refused, RefusedKind, RepoPath, Tree,
    TreeEntry, Verdict,
};
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_engine::{Context, guard};
use guardhost_git::{Head, Repo, candidate, worktree};
use guardhost_patch::apply::{ApplyBase, apply};
use guardhost_patch::sanitize::{check_paths, sanitize};

/// What is to stand in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// To be written byte for byte.
    Base64(String),
}

impl Content {
    pub fn new(content: String, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Utf8 => Content::Text(content),
            Encoding::Base64 => Content::Base64(content),
        }
    }
}

/// What a write makes of the tree.
enum Wish {
    Patch(Patch),
    /// Of the whole file, exactly.
    Bytes(Vec<u8>),
}

impl Session<'_> {
    pub(super) fn patch(&mut self, path: &RepoPath, diff: &str, base: &str) -> Step<Answer> {
        let workdir = self.workdir.clone();
        self.change(path, Some(base), "Patch applied successfully.", |standing| {
            meant::meant(diff, path, standing, &workdir).map(Wish::Patch)
        })
    }

    pub(super) fn overwrite(&mut self, path: &RepoPath, content: Content, base: Option<&str>) -> Step<Answer> {
        self.change(path, base, "File written successfully.", |_| {
            Ok(match content {
                Content::Text(text) => Wish::Patch(whole(path, text.into_bytes())),
                Content::Base64(text) => {
                    Wish::Bytes(BASE64_STANDARD.decode(text.trim()).map_err(Answer::invalid_content)?)
                }
            })
        })
    }

    fn change(
        &mut self,
        path: &RepoPath,
        base: Option<&str>,
        done: &str,
        wish: impl FnOnce(&Standing) -> Step<Wish>,
    ) -> Step<Answer> {
        let repo = Repo::open(&self.workdir)?;
        let head = repo.head()?;
        let law = self.court.law(&repo, &head)?;
        check_paths(std::slice::from_ref(path), &law.rules)?;
        let _lock = Lock::take(&repo)?;
        let before = file::look(&self.workdir, path)?;
        match (base, &before) {
            (None, Standing::File { .. }) => return Err(Answer::hash_required(path).into()),
            (Some(base), _) if !sha256::names(base, before.bytes()) => return Err(self.mismatch(path, &before)),
            (_, Standing::File { permissions, .. }) if permissions & 0o222 == 0 => return Err(read_only(path).into()),
            _ => {}
        }
        let wish = wish(&before)?;
        let ground = ground(&repo, &head, path, &before)?;
        let candidate = place(&repo, &law, wish, ground, path)?;
        if candidate.files.is_empty() {
            let state = self.state(path, before.bytes(), Span::default()).bounded();
            return Ok(Answer::done(
                "The file already has this content; nothing was written.",
                state,
                &candidate.notes,
            ));
        }
        let judgement = guard(&candidate, &law.guards, &Context { task: None, observer: self.court });
        if judgement.verdict() != Verdict::Pass {
            return Err(Answer::rejected(&judgement).into());
        }
        let after = entry(&candidate, path)?;
        let bytes = candidate.objects.blob(after.oid)?;
        let executable = after.mode == FileMode::Executable;
        match file::replace(&self.workdir, path, &before, &bytes, executable)? {
            None => {
                let state = self.state(path, &bytes, Span::default()).bounded();
                Ok(Answer::done(done, state, &candidate.notes))
            }
            Some(now) => Err(self.mismatch(path, &now)),
        }
    }

    fn mismatch(&mut self, path: &RepoPath, now: &Standing) -> super::halt::Halt {
        Answer::mismatch(self.state(path, now.bytes(), Span::default()).bounded()).into()
    }
}

/// The work tree as it stands, with the file byte for byte as it is on disk: line endings are not converted, since what is
/// placed here goes back to the disk.
fn ground(repo: &Repo, head: &Head, path: &RepoPath, before: &Standing) -> Step<ApplyBase> {
    let store = repo.store();
    let now = worktree(repo)?.tree;
    let entry = match before {
        Standing::Nothing => None,
        Standing::File { bytes, permissions } => {
            let mode = if permissions & 0o100 == 0 { FileMode::File } else { FileMode::Executable };
            Some(TreeEntry { oid: store.put_blob(bytes)?, mode })
        }
    };
    let oid = store.edit_tree(now, &[(path.clone(), entry)])?;
    Ok(ApplyBase { base: head.commit, tree: Tree { objects: store, oid }, shown: None })
}

fn place(repo: &Repo, law: &Law, wish: Wish, ground: ApplyBase, path: &RepoPath) -> Step<Candidate> {
    match wish {
        Wish::Patch(patch) => Ok(apply(&sanitize(patch, &law.rules, &ground.tree)?, &ground)??),
        Wish::Bytes(bytes) => {
            let Tree { objects, oid } = &ground.tree;
            let new = TreeEntry {
                oid: objects.put_blob(&bytes)?,
                mode: objects.entry(*oid, path)?.map_or(FileMode::File, |old| old.mode),
            };
            sanitize(whole(path, bytes), &law.rules, &ground.tree)?;
            Ok(candidate(repo, ground.base, *oid, objects.edit_tree(*oid, &[(path.clone(), Some(new))])?)?)
        }
    }
}

fn whole(path: &RepoPath, bytes: Vec<u8>) -> Patch {
    let file = FilePatch { path: path.clone(), op: FileOp::Write(bytes), mode: None, claims: None };
    Patch { format: PatchFormat::WholeFile, files: vec![file], message: None, notes: Vec::new() }
}

fn entry(candidate: &Candidate, path: &RepoPath) -> Result<TreeEntry> {
    let entry = candidate.objects.entry(candidate.tree, path)?;
    entry.ok_or_else(|| Fault::new(Kind::Git, format!("the change left no file at {path}")).into())
}

fn read_only(path: &RepoPath) -> Refused {
    let message = format!("{path}: it is read-only; only people change that");
    Refused { kind: RefusedKind::Mode, path: Some(path.clone()), message }
}
