//! A write: lock, read the file, apply, judge, read it again, replace it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::answer::{Encoding, LineRange, WriteAnswer};
use super::error::{SessionError, SessionResult};
use super::file::{self, NewFile, SessionDiskState};
use super::lock::SessionLock;
use super::single_file_patch::parse_single_file_patch;
use super::{Session, sha256};
use guardhost_core::change::{
    Candidate, FileMode, FileOp, FilePatch, Objects, Patch, PatchFormat, Quotes, Refused, RefusedKind, RepoPath, Tree,
    TreeEntry,
};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::stop::StopToken;
use guardhost_gate::{Case, Gate, RuleChanges, Ruling};
use guardhost_git::{Head, Repo, WorkTreeLock, candidate, diff_text_at, recover, worktree};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::propose_patch;
use guardhost_patch::sanitize::{Rules, check_paths, sanitize};

/// The new content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewFileContent {
    Text(String),
    /// To be written byte for byte.
    Base64(String),
}

impl NewFileContent {
    pub fn new(content: String, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Utf8 => NewFileContent::Text(content),
            Encoding::Base64 => NewFileContent::Base64(content),
        }
    }
}

/// How a write changes the file.
enum WriteRequest {
    Patch(Patch),
    /// The whole file, byte for byte.
    Bytes(Vec<u8>),
}

impl Session<'_> {
    pub(super) fn patch(&mut self, path: &RepoPath, diff: &str, base: &str) -> SessionResult<WriteAnswer> {
        let workdir = self.workdir.clone();
        self.change(path, Some(base), "Patch applied successfully.", |before| {
            parse_single_file_patch(diff, path, before, &workdir).map(WriteRequest::Patch)
        })
    }

    pub(super) fn overwrite(
        &mut self,
        path: &RepoPath,
        content: NewFileContent,
        base: Option<&str>,
    ) -> SessionResult<WriteAnswer> {
        self.change(path, base, "File written successfully.", |_| {
            Ok(match content {
                NewFileContent::Text(text) => WriteRequest::Patch(whole_file(path, text.into_bytes())),
                NewFileContent::Base64(text) => {
                    WriteRequest::Bytes(BASE64_STANDARD.decode(text.trim()).map_err(WriteAnswer::invalid_content)?)
                }
            })
        })
    }

    /// `request` makes the change from the current state of the file; `done` is the message of success.
    fn change(
        &mut self,
        path: &RepoPath,
        base: Option<&str>,
        done: &str,
        request: impl FnOnce(&SessionDiskState) -> SessionResult<WriteRequest>,
    ) -> SessionResult<WriteAnswer> {
        let repo = Repo::open(&self.workdir)?;
        let head = repo.head()?;
        let gate = self.host.gate(&repo, &head, self.rule_changes)?;
        let allow_rule_files = match self.rule_changes {
            RuleChanges::Kept => false,
            RuleChanges::Allowed => true,
        };
        let rules = Rules { allow_rule_files, ..gate.policy().rules.clone() };
        let refused = check_paths(std::slice::from_ref(path), &rules).err();
        let opened = Rules { allow_rule_files: true, ..rules.clone() };
        // A person may lift that it holds the rules, and no other reason.
        if let Some(refused) = refused.as_ref().filter(|_| check_paths(std::slice::from_ref(path), &opened).is_err()) {
            return Err(WriteAnswer::refused(refused).into());
        }
        let _lock = SessionLock::take(&repo)?;
        recover(&repo, self.host)?;
        let before = file::read(&self.workdir, path)?;
        if let Some(refused) = refused {
            // A person can decide on what fits the file as it is now, and on nothing else.
            let is_current = base.map_or(!before.exists(), |base| sha256::matches(base, before.bytes()));
            let diff = match is_current.then(|| request(&before)) {
                Some(Ok(request)) => diff_of(&repo, &head, &opened, &gate, request, path, &before).ok(),
                Some(Err(_)) | None => None,
            };
            return Err(WriteAnswer::for_a_person(&refused, diff).into());
        }
        match (base, &before) {
            (None, SessionDiskState::File { .. }) => return Err(WriteAnswer::hash_required(path).into()),
            (Some(base), _) if !sha256::matches(base, before.bytes()) => return Err(self.mismatch(path, &before)),
            (_, SessionDiskState::File { permissions, .. }) if permissions & 0o222 == 0 => {
                return Err(read_only(path).into());
            }
            _ => {}
        }
        let request = request(&before)?;
        let base = apply_base(&repo, &head, path, &before)?;
        let candidate = candidate_of(&repo, &rules, gate.guards().stop(), request, base, path)?;
        // An agent's hash lock stands on its own bytes, so no fixes are applied.
        let judged = match gate.rule(Case::report(candidate, None), self.host)? {
            Ruling::Empty(candidate) => {
                let state = self.state(path, before.bytes(), LineRange::default()).bounded();
                return Ok(WriteAnswer::done(
                    "The file already has this content; nothing was written.",
                    state,
                    &candidate.notes,
                ));
            }
            Ruling::Refused(refused) => return Err(refused.refused.into()),
            Ruling::Judged(judged) => judged,
        };
        if !judged.is_accepted() {
            let quotes = Quotes::take(judged.candidate(), judged.judgement());
            return Err(WriteAnswer::rejected(judged.judgement(), &quotes).into());
        }
        let candidate = judged.candidate();
        let after = entry_after(candidate, path)?;
        let bytes = candidate.objects.blob(after.oid)?;
        let mut files = WorkTreeLock::take(&repo, self.host)?;
        let staging = files.staging_dir(path)?;
        let new = NewFile { bytes: &bytes, executable: after.mode == FileMode::Executable, staging };
        match file::replace(&self.workdir, path, &before, &new)? {
            None => {
                let state = self.state(path, &bytes, LineRange::default()).bounded();
                Ok(WriteAnswer::done(done, state, &candidate.notes))
            }
            Some(now) => Err(self.mismatch(path, &now)),
        }
    }

    fn mismatch(&mut self, path: &RepoPath, now: &SessionDiskState) -> SessionError {
        WriteAnswer::mismatch(self.state(path, now.bytes(), LineRange::default()).bounded()).into()
    }
}

/// The current work tree, with the file byte for byte as on disk: line endings are not converted, because the result is written
/// back to the disk.
fn apply_base(repo: &Repo, head: &Head, path: &RepoPath, before: &SessionDiskState) -> SessionResult<ApplyBase> {
    let store = repo.store();
    let now = worktree(repo)?.tree;
    let entry = match before {
        SessionDiskState::Missing => None,
        SessionDiskState::File { bytes, permissions } => {
            let mode = if permissions & 0o100 == 0 { FileMode::File } else { FileMode::Executable };
            Some(TreeEntry { oid: store.put_blob(bytes)?, mode })
        }
    };
    let oid = store.edit_tree(now, &[(path.clone(), entry)])?;
    Ok(ApplyBase { base: head.commit, tree: Tree { objects: store, oid }, seen_by_provider: None })
}

/// What a person is shown of an edit of the rules.
fn diff_of(
    repo: &Repo,
    head: &Head,
    rules: &Rules,
    gate: &Gate,
    request: WriteRequest,
    path: &RepoPath,
    before: &SessionDiskState,
) -> SessionResult<String> {
    let base = apply_base(repo, head, path, before)?;
    let old = base.tree.oid;
    let candidate = candidate_of(repo, rules, gate.guards().stop(), request, base, path)?;
    Ok(String::from_utf8_lossy(&diff_text_at(repo, old, candidate.tree, path)?).into_owned())
}

fn candidate_of(
    repo: &Repo,
    rules: &Rules,
    stop: &StopToken,
    request: WriteRequest,
    base: ApplyBase,
    path: &RepoPath,
) -> SessionResult<Candidate> {
    match request {
        WriteRequest::Patch(patch) => Ok(propose_patch(patch, &base, rules, &mut (), stop)?),
        WriteRequest::Bytes(bytes) => {
            let Tree { objects, oid } = &base.tree;
            let new = TreeEntry {
                oid: objects.put_blob(&bytes)?,
                mode: objects.entry(*oid, path)?.map_or(FileMode::File, |old| old.mode),
            };
            let clean = sanitize(whole_file(path, bytes), rules, &base.tree, stop);
            clean.map_err(|stopped| stopped.into_error("checking the new content"))??;
            Ok(candidate(repo, base.base, *oid, objects.edit_tree(*oid, &[(path.clone(), Some(new))])?)?)
        }
    }
}

fn whole_file(path: &RepoPath, bytes: Vec<u8>) -> Patch {
    Patch::new(PatchFormat::WholeFile, vec![FilePatch::new(path.clone(), FileOp::Write(bytes))])
}

fn entry_after(candidate: &Candidate, path: &RepoPath) -> Result<TreeEntry> {
    let entry = candidate.objects.entry(candidate.tree, path)?;
    entry.ok_or_else(|| Fault::new(FaultKind::Git, format!("the change left no file at {path}")).into())
}

fn read_only(path: &RepoPath) -> Refused {
    let message = format!("{path}: it is read-only; only people change that");
    Refused { kind: RefusedKind::Mode, path: Some(path.clone()), message }
}
