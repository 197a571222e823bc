//! Judges what a tool is about to write, as a step from the current work tree: nothing is written here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::agent::HookAgent;
use super::patch_paths;
use super::shell::{is_hook_file, is_user_settings};
use super::tool_call::FileEdit;
use crate::context::CommandContext;
use guardhost_core::change::{
    Autofix, Candidate, ChangeType, FileMode, FileOp, FilePatch, Objects, Oid, Patch, PatchFormat, Reply, RepoPath,
    Tree, TreeEntry,
};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_gate::{Case, Door, Gate, RulesAt, Ruling, Terms};
use guardhost_git::{Head, Repo, candidate, is_ignored, worktree};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::propose;
use guardhost_patch::sanitize::{check_paths, sanitize};

use super::short;

/// Larger files are not read, in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// What the guards, or the host, say of an edit that was not made yet.
#[derive(Debug)]
pub(super) enum EditVerdict {
    /// It is no edit of a file that can be committed.
    NotConcerned,
    Accepted,
    /// Why not, for the model.
    Rejected(String),
    /// The guards reject it, and accept these files, which their fixes make of it.
    Fixed {
        files: Vec<FixedFile>,
        fixes: String,
        rejected: String,
    },
}

#[derive(Debug)]
pub(super) struct FixedFile {
    pub path: RepoPath,
    /// None for a new file.
    pub before: Option<Vec<u8>>,
    pub after: Vec<u8>,
}

/// A file in a repository.
pub(crate) struct EditedFile {
    pub repo: Repo,
    pub head: Head,
    pub path: RepoPath,
}

pub(super) fn file(edit: &FileEdit, cwd: &Path, ctx: &CommandContext) -> Result<EditVerdict> {
    files(std::slice::from_ref(edit), cwd, ctx)
}

/// The step that edits make together, in one repository.
struct Step {
    repo: Repo,
    head: Head,
    gate: Gate,
    /// The work tree, with the files as they are on the disk.
    before: Oid,
    after: Oid,
    /// What the edits so far make of a file.
    edited: HashMap<RepoPath, Vec<u8>>,
}

/// Edits that are made together are judged together.
pub(super) fn files(edits: &[FileEdit], cwd: &Path, ctx: &CommandContext) -> Result<EditVerdict> {
    let mut step: Option<Step> = None;
    for edit in edits {
        let real = real_path(&cwd.join(&edit.path));
        let Some(EditedFile { repo, head, path }) = place(&real)? else {
            match judges_elsewhere(&real, ctx) {
                true => return Ok(EditVerdict::Rejected(only_people(&real.display()))),
                false => continue,
            }
        };
        let step = match &mut step {
            Some(step) if step.repo.workdir() == repo.workdir() => step,
            Some(_) => return Ok(EditVerdict::Rejected(ONE_REPOSITORY.to_owned())),
            none => none.insert(Step::begin(repo, head, ctx)?),
        };
        if let Some(why) = step.edit(edit, &real, path, ctx)? {
            return Ok(EditVerdict::Rejected(why));
        }
    }
    match step {
        Some(Step { repo, head, gate, before, after, edited }) if !edited.is_empty() => {
            verdict(candidate(&repo, head.commit, before, after)?, &gate, ctx)
        }
        Some(_) | None => Ok(EditVerdict::NotConcerned),
    }
}

const ONE_REPOSITORY: &str = "send one patch for each repository";

impl Step {
    fn begin(repo: Repo, head: Head, ctx: &CommandContext) -> Result<Self> {
        let rules = RulesAt { commit: head.commit, tree: head.tree };
        let gate = Gate::open(&ctx.hook_policies(), &repo, rules, &Terms::at(Door::AgentEdit))?;
        let now = worktree(&repo)?.tree;
        Ok(Step { repo, head, gate, before: now, after: now, edited: HashMap::new() })
    }

    /// Why an edit cannot be made, whatever the guards say. `real` is where `path` lies.
    fn edit(&mut self, edit: &FileEdit, real: &Path, path: RepoPath, ctx: &CommandContext) -> Result<Option<String>> {
        let rules = &self.gate.policy().rules;
        if let Err(refused) = check_paths(std::slice::from_ref(&path), rules) {
            return Ok(Some(refused.to_string()));
        }
        if is_hook_file(real) || is_settings(real, ctx) {
            return Ok(Some(only_people(&path)));
        }
        if is_ignored(&self.repo, &path)? {
            return Ok(None);
        }
        let store = self.repo.store();
        let mode = store.entry(self.before, &path)?.map_or(FileMode::File, |entry| entry.mode);
        let put = |bytes: &[u8]| Ok::<_, guardhost_core::error::Error>(TreeEntry { oid: store.put_blob(bytes)?, mode });
        let before = match self.edited.get(&path) {
            Some(edited) => Some(edited.clone()),
            None => {
                let read = read(real).with_context(|| Fault::new(FaultKind::Git, format!("cannot read {path}")))?;
                let entry = read.as_deref().map(put).transpose()?;
                self.before = store.edit_tree(self.before, &[(path.clone(), entry)])?;
                self.after = store.edit_tree(self.after, &[(path.clone(), entry)])?;
                read
            }
        };
        let after = match edit.how.applied(before.as_deref()) {
            Ok(after) => after,
            Err(why) => return Ok(Some(format!("{path}: {why}"))),
        };
        let base = Tree { oid: self.before, objects: self.repo.store() };
        let whole = FilePatch::new(path.clone(), FileOp::Write(after.clone()));
        let clean = sanitize(Patch::new(PatchFormat::WholeFile, vec![whole]), rules, &base, &ctx.process.stop);
        if let Err(refused) = clean.map_err(|stopped| stopped.into_error("checking the new content"))? {
            return Ok(Some(refused.to_string()));
        }
        self.after = store.edit_tree(self.after, &[(path.clone(), Some(put(&after)?))])?;
        self.edited.insert(path, after);
        Ok(None)
    }
}

/// `text` in the form of `apply_patch`, whose paths begin at `cwd`.
pub(super) fn patch(text: &str, cwd: &Path, ctx: &CommandContext) -> Result<(EditVerdict, PathBuf)> {
    let none = || Ok((EditVerdict::NotConcerned, cwd.to_path_buf()));
    let files = patch_paths::named(text);
    let mut inside: Option<Repo> = None;
    let mut outside = 0;
    for named in &files {
        let real = real_path(&cwd.join(named));
        if judges_elsewhere(&real, ctx) {
            return Ok((EditVerdict::Rejected(only_people(&real.display())), cwd.into()));
        }
        match place(&real)? {
            Some(place) if inside.as_ref().is_none_or(|repo| repo.workdir() == place.repo.workdir()) => {
                inside = Some(place.repo);
            }
            Some(_) => return Ok((EditVerdict::Rejected("send one patch for each repository".to_owned()), cwd.into())),
            None => outside += 1,
        }
    }
    let Some(repo) = inside else { return none() };
    if outside > 0 {
        let why = "the patch also changes files outside of the repository; send two patches".to_owned();
        return Ok((EditVerdict::Rejected(why), cwd.into()));
    }
    let root = repo.workdir().map_or_else(|| cwd.to_path_buf(), real_path);
    let relative = patch_paths::rebased(text, |named| {
        let real = real_path(&cwd.join(named));
        real.strip_prefix(&root).ok().and_then(Path::to_str).map(str::to_owned)
    });
    let head = repo.head()?;
    let rules = RulesAt { commit: head.commit, tree: head.tree };
    let gate = Gate::open(&ctx.hook_policies(), &repo, rules, &Terms::at(Door::AgentEdit))?;
    let base = ApplyBase::new(head.commit, Tree { objects: repo.store(), oid: worktree(&repo)?.tree });
    let reply = Reply { bytes: relative.into_bytes(), ..Reply::default() };
    let placed = match propose(&reply, &[], &base, &gate.policy().rules, &mut (), &ctx.process.stop) {
        Ok(candidate) => candidate,
        Err(stop) => {
            let failure = stop.into_failure()?;
            return Ok((EditVerdict::Rejected(short::from_failure(&failure)), root));
        }
    };
    if let Some(file) = placed.files.iter().find(|file| is_hook_file(&file.path.to_os())) {
        return Ok((EditVerdict::Rejected(only_people(&file.path)), root));
    }
    Ok((verdict(placed, &gate, ctx)?, root))
}

fn verdict(candidate: Candidate, gate: &Gate, ctx: &CommandContext) -> Result<EditVerdict> {
    let judged = match gate.rule(Case { fixes: true, ..Case::report(candidate, None) }, ctx)? {
        Ruling::Empty(_) => return Ok(EditVerdict::Accepted),
        Ruling::Refused(refused) => return Ok(EditVerdict::Rejected(refused.refused.to_string())),
        Ruling::Judged(judged) => judged,
    };
    let (candidate, proposed) = judged.proposed();
    if proposed.is_accepted() {
        return Ok(EditVerdict::Accepted);
    }
    let rejected = short::rejection(candidate, proposed);
    match judged.autofix() {
        Some(Autofix::Accepted(fixed)) => {
            let fixes = fixed.fixes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            Ok(match fixed_files(&fixed.candidate)? {
                Some(files) => EditVerdict::Fixed { files, fixes, rejected },
                None => EditVerdict::Rejected(rejected),
            })
        }
        Some(Autofix::Rejected(_) | Autofix::Declined(_)) | None => Ok(EditVerdict::Rejected(rejected)),
    }
}

/// None when a file is removed or renamed: then the edit stays as it came.
fn fixed_files(candidate: &Candidate) -> Result<Option<Vec<FixedFile>>> {
    let bytes = |oid| Ok::<_, guardhost_core::error::Error>(candidate.objects.blob(oid)?.to_vec());
    let mut files = Vec::new();
    for file in &candidate.files {
        let (ChangeType::Add | ChangeType::Modify, Some(after)) = (file.change_type, file.after) else {
            return Ok(None);
        };
        let before = file.before.map(|blob| bytes(blob.oid)).transpose()?;
        files.push(FixedFile { path: file.path.clone(), before, after: bytes(after.oid)? });
    }
    Ok(Some(files))
}

/// Settings in no repository that say which hooks judge: those of git and of the host for all repositories, and those of an agent in which
/// the host stands.
fn judges_elsewhere(real: &Path, ctx: &CommandContext) -> bool {
    let starts = || read(real).is_ok_and(|now| now.is_some_and(|now| starts_host(&now)));
    is_settings(real, ctx) || (is_hook_file(real) && starts())
}

/// Settings of git, or of the host, that count for more than one repository. An agent that edits them chooses its judge.
fn is_settings(real: &Path, ctx: &CommandContext) -> bool {
    let own = ctx.process.settings.as_deref().map(real_path);
    let variable = |name: &str| ctx.process.var(name).map(|path| real_path(Path::new(path)));
    is_user_settings(real)
        || own.is_some_and(|own| own == *real)
        || ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"]
            .iter()
            .any(|name| variable(name).is_some_and(|path| path == *real))
        || variable("XDG_CONFIG_HOME").is_some_and(|folder| folder.join("git/config") == *real)
}

fn only_people(path: &dyn std::fmt::Display) -> String {
    format!("{path} says which hooks judge your edits; only people change it")
}

fn starts_host(settings: &[u8]) -> bool {
    let text = String::from_utf8_lossy(settings);
    // As a command line, and as the words that a plugin starts.
    let is_named =
        |agent: &str| text.contains(&format!(" hook {agent} ")) || text.contains(&format!("\"hook\", \"{agent}\""));
    HookAgent::ALL.iter().any(|agent| is_named(agent.as_str()))
}

/// The repository around a file, which need not exist; None when there is none. The path has no links in it.
pub(crate) fn place(file: &Path) -> Result<Option<EditedFile>> {
    let Some(above) = file.ancestors().skip(1).find(|folder| folder.join(".git").symlink_metadata().is_ok()) else {
        return Ok(None);
    };
    let repo = Repo::open(above)?;
    let Some(workdir) = repo.workdir().map(real_path) else { return Ok(None) };
    let Ok(rest) = file.strip_prefix(&workdir) else { return Ok(None) };
    let path = RepoPath::new(guardhost_os::slashed(rest));
    let head = repo.head()?;
    Ok(Some(EditedFile { repo, head, path }))
}

/// Without links and dots: the longest part that exists is looked up, the rest stays.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    let mut rest = PathBuf::new();
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            // What stands before is a folder, or a link to one, whose parent is meant.
            std::path::Component::ParentDir => {
                plain = plain.canonicalize().unwrap_or(plain);
                plain.pop();
            }
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    loop {
        if let Ok(real) = plain.canonicalize() {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
        match (plain.file_name(), plain.parent()) {
            (Some(name), Some(parent)) => {
                rest = if rest.as_os_str().is_empty() { PathBuf::from(name) } else { Path::new(name).join(rest) };
                plain = parent.to_path_buf();
            }
            _ => return plain.join(rest),
        }
    }
}

/// None when there is no file.
fn read(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let data = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    if !data.is_file() || data.len() > MAX_SIZE {
        return Err(std::io::Error::other(format!("it is no file of at most {} MiB", MAX_SIZE >> 20)));
    }
    std::fs::read(path).map(Some)
}
