//! What the server asks about repositories of this machine, answered with the parsers of the guards.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use guardhost_core::change::{FileMode, Objects, Oid, RepoPath};
use guardhost_core::error::{Error, FaultKind, kind};
use guardhost_core::stop::StopToken;
use guardhost_engine::EmbeddedGuards;
use guardhost_engine::facts::languages;
use guardhost_engine::outlines::{Outline, Outlines};
use guardhost_git::{PastCommit, Repo};
use guardhost_observer::wire::{
    BlameLine, Churn, ChurnEntry, DefinitionDelta, Diff, DiffFile, FileChurn, FileExports, FileFingerprint,
    ImportedName, LanguageCount, RepositoryContext, Symbol, TreeFacts,
};
use guardhost_service::answers::{Answer, AnswerService, NoAnswer};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::modules::{self, Defined};
use host::observing::{fingerprint, identity};

/// Commits whose changes are looked at.
const COMMITS: usize = 500;
/// Commits that a file's history is looked for in.
const WALK: usize = 5_000;
const LISTED: usize = 200;
/// Bytes of a file whose lines are blamed.
const BLAMED: u64 = 1 << 20;

pub struct RepositoryAnswers {
    embedded: &'static EmbeddedGuards,
    stop: StopToken,
}

/// A file of HEAD.
struct HeadFile {
    oid: Oid,
    bytes: Vec<u8>,
}

impl RepositoryAnswers {
    pub fn new(embedded: &'static EmbeddedGuards, stop: StopToken) -> Self {
        RepositoryAnswers { embedded, stop }
    }

    fn outline(&self, path: &str, file: &HeadFile) -> Answer<Outline> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let outlines = Outlines::new(self.embedded, self.stop.clone());
        outlines.read(name, file.oid, &file.bytes).map_err(NoAnswer::Failed)
    }

    /// Top-level definitions by name; None where nothing is read.
    fn definitions(&self, repo: &Repo, path: &RepoPath, blob: Option<Oid>) -> Option<Defined> {
        let Some(oid) = blob else { return Some(Defined::new()) };
        let bytes = repo.store().blob(oid).ok()?.to_vec();
        let outline = self.outline(&path.to_string(), &HeadFile { oid, bytes: bytes.clone() }).ok()?;
        Some(modules::defined(&outline.text.ok()?, &bytes))
    }
}

fn open(target: &Path) -> Answer<Repo> {
    Repo::open(target).map_err(|error| NoAnswer::Wrong(format!("{error:#}")))
}

fn no_answer(error: Error) -> NoAnswer {
    match kind(&error) {
        FaultKind::Usage => NoAnswer::Wrong(format!("{error:#}")),
        _ => NoAnswer::Failed(format!("{error:#}")),
    }
}

/// `path` is relative to the root of the tree, or absolute below the target.
fn relative<'p>(target: &Path, path: &'p str) -> Answer<&'p str> {
    let Some(rest) = Path::new(path).strip_prefix(target).ok().and_then(Path::to_str) else {
        return match path.starts_with('/') {
            true => Err(NoAnswer::Wrong(format!("{path} is not below the repository"))),
            false => Ok(path),
        };
    };
    Ok(rest)
}

fn file(repo: &Repo, path: &str) -> Answer<HeadFile> {
    let tree = repo.head().map_err(no_answer)?.tree;
    let store = repo.store();
    let entry = store.entry(tree, &RepoPath::from(path)).map_err(no_answer)?;
    let entry = entry.filter(|entry| matches!(entry.mode, FileMode::File | FileMode::Executable));
    let entry = entry.ok_or_else(|| NoAnswer::Unknown(format!("HEAD has no file {path}")))?;
    let bytes = store.blob(entry.oid).map_err(no_answer)?.to_vec();
    Ok(HeadFile { oid: entry.oid, bytes })
}

fn time(seconds: i64) -> String {
    Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

fn churn_of(commits: &[PastCommit]) -> Vec<FileChurn> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for path in commits.iter().flat_map(|commit| &commit.touched) {
        *counts.entry(path.to_string()).or_default() += 1;
    }
    let mut churn: Vec<FileChurn> = counts.into_iter().map(|(path, mods)| FileChurn { path, mods }).collect();
    churn.sort_by(|a, b| (b.mods, &a.path).cmp(&(a.mods, &b.path)));
    churn
}

/// `python/poetry` says more than `python`.
fn stack(repo: &Repo, facts: &TreeFacts) -> Vec<String> {
    let manifest = file(repo, "pyproject.toml").map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
    let tool = match manifest {
        Ok(text) if text.contains("[tool.poetry") => Some("python/poetry"),
        Ok(text) if text.contains("[tool.hatch") => Some("python/hatch"),
        Ok(_) | Err(_) => None,
    };
    let named = |name: &String| tool.filter(|_| name == "python").map_or_else(|| name.clone(), str::to_owned);
    facts.stack.iter().map(named).collect()
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    format!("sha256:{}", digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

impl AnswerService for RepositoryAnswers {
    fn fingerprint(&self, target: &Path) -> Answer<TreeFacts> {
        let repo = open(target)?;
        let head = repo.head().map_err(no_answer)?;
        let id = identity(&repo).unwrap_or_default();
        let facts = fingerprint(&repo, &id, &head).map_err(no_answer)?;
        Ok(TreeFacts { target: target.display().to_string(), ..facts })
    }

    fn context(&self, target: &Path) -> Answer<RepositoryContext> {
        let repo = open(target)?;
        let head = repo.head().map_err(no_answer)?;
        let (commits, _) = repo.past(None, None, COMMITS, COMMITS).map_err(no_answer)?;
        let churn = churn_of(&commits);
        let changed: BTreeSet<&str> = churn.iter().map(|file| file.path.as_str()).collect();
        let mut stable_files = Vec::new();
        let store = repo.store();
        let walked = store.walk(head.tree, &mut |path, _| {
            let path = path.to_string();
            if !changed.contains(path.as_str()) {
                stable_files.push(path);
            }
            stable_files.len() < LISTED
        });
        walked.map_err(no_answer)?;
        let counted = languages(&*store, head.tree).map_err(no_answer)?;
        let count = |language: &guardhost_engine::facts::LanguageFiles| LanguageCount {
            name: language.name.to_owned(),
            files: language.files.into(),
        };
        Ok(RepositoryContext {
            repo: identity(&repo).unwrap_or_default(),
            tree: head.tree.to_string(),
            commit_sha: head.commit.map(|oid| oid.to_string()).unwrap_or_default(),
            languages: counted.iter().map(count).collect(),
            stack: stack(&repo, &self.fingerprint(target)?),
            churn: churn.iter().take(LISTED).cloned().collect(),
            stable_files,
            commits_examined: commits.len() as u64,
        })
    }

    fn blame(&self, target: &Path, path: &str) -> Answer<Vec<BlameLine>> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        if file(&repo, path)?.bytes.len() as u64 > BLAMED {
            return Err(NoAnswer::Unknown(format!("{path} has more than {BLAMED} bytes")));
        }
        let lines = repo.blame(&RepoPath::from(path)).map_err(no_answer)?;
        let (recent, _) = repo.past(None, None, COMMITS, COMMITS).map_err(no_answer)?;
        let mut commits: BTreeMap<Oid, PastCommit> = BTreeMap::new();
        for line in &lines {
            if let Entry::Vacant(unknown) = commits.entry(line.commit) {
                unknown.insert(repo.past_commit(line.commit).map_err(no_answer)?);
            }
        }
        let reverted_by = |oid: Oid| {
            let oid = oid.to_string();
            let reverts = |commit: &&PastCommit| commit.reverts.as_ref().is_some_and(|hex| oid.starts_with(hex));
            recent.iter().find(reverts).map(|commit| commit.oid.to_string())
        };
        let line = |line: &guardhost_git::BlamedLine| {
            let commit = commits.get(&line.commit)?;
            Some(BlameLine {
                line: line.line,
                commit: commit.oid.to_string(),
                author: commit.author.clone(),
                ts: time(commit.seconds),
                when: time(commit.seconds),
                summary: commit.summary.clone(),
                agent: None,
                run_id: None,
                reverted_by: reverted_by(commit.oid),
            })
        };
        Ok(lines.iter().filter_map(line).collect())
    }

    fn churn(&self, target: &Path, path: &str, since: Option<&str>) -> Answer<Churn> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let seconds = since.and_then(|since| Some(since.parse::<Timestamp>().ok()?.as_second()));
        let (commits, is_cut) = repo.past(Some(&RepoPath::from(path)), seconds, COMMITS, WALK).map_err(no_answer)?;
        let is_revert = |commit: &PastCommit| commit.reverts.is_some() || commit.summary.starts_with("Revert ");
        let contributors: BTreeSet<String> = commits.iter().map(|commit| commit.author.clone()).collect();
        let entry = |commit: &PastCommit| ChurnEntry {
            commit: commit.oid.to_string(),
            ts: time(commit.seconds),
            summary: commit.summary.clone(),
            is_revert: is_revert(commit),
        };
        Ok(Churn {
            path: path.to_owned(),
            since: since.map(str::to_owned),
            mods: commits.len() as u64,
            modifications: commits.len() as u64,
            contributors: contributors.into_iter().collect(),
            reverts: commits.iter().filter(|commit| is_revert(commit)).count() as u64,
            commits: commits.iter().take(100).map(entry).collect(),
            is_cut,
        })
    }

    fn diff(&self, target: &Path, base: &str, branch: &str) -> Answer<Diff> {
        let repo = open(target)?;
        let (from, to) = (repo.resolve(base).map_err(no_answer)?, repo.resolve(branch).map_err(no_answer)?);
        let unrelated = || NoAnswer::Unknown(format!("{base} and {branch} have no common ancestor"));
        let merge_base = repo.merge_base(from, to).map_err(no_answer)?.ok_or_else(unrelated)?;
        let tree = |commit| repo.tree_of(commit).map_err(no_answer);
        let (files, is_cut) = repo.changed_files(tree(merge_base)?, tree(to)?, LISTED).map_err(no_answer)?;
        let mut all = DefinitionDelta::default();
        let mut file = |file: guardhost_git::TreeChange| {
            let names = |blob| self.definitions(&repo, &file.path, blob);
            let path = file.path.to_string();
            let delta =
                names(file.old).zip(names(file.new)).map(|(old, new)| modules::delta(&path, &old, &new, &mut all));
            DiffFile {
                path,
                status: file.status.to_owned(),
                added: file.added,
                removed: file.removed,
                ast_top_level_delta: delta,
            }
        };
        let files: Vec<DiffFile> = files.into_iter().map(&mut file).collect();
        Ok(Diff {
            base: from.to_string(),
            branch: to.to_string(),
            merge_base: merge_base.to_string(),
            touched_files: files.iter().map(|file| file.path.clone()).collect(),
            ast_top_level_delta: all,
            files,
            is_cut,
        })
    }

    fn file_fingerprint(&self, target: &Path, path: &str) -> Answer<FileFingerprint> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let file = file(&repo, path)?;
        let outline = self.outline(path, &file)?;
        let is_read = outline.offers.is_ok() || outline.functions.is_ok();
        let ast_hash = is_read.then(|| {
            // Without lines: a comment more changes nothing.
            let imports: Vec<_> = outline.imports.iter().flatten().map(|each| (&each.module, &each.name)).collect();
            let functions: Vec<String> = outline.functions.iter().flatten().map(modules::parameters_of).collect();
            let text = format!("{imports:?}\n{:?}\n{functions:?}", outline.offers.as_ref().ok());
            sha256(text.as_bytes())
        });
        let bytes = file.bytes.len() as u64;
        let (sha, content_hash) = (file.oid.to_string(), sha256(&file.bytes));
        Ok(FileFingerprint { path: path.to_owned(), sha, content_hash, ast_hash, bytes })
    }

    fn imports(&self, target: &Path, path: &str) -> Answer<Vec<ImportedName>> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let imports = self.outline(path, &file(&repo, path)?)?.imports.map_err(NoAnswer::Unknown)?;
        Ok(imports.into_iter().map(modules::imported).collect())
    }

    fn exports(&self, target: &Path, path: &str) -> Answer<FileExports> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        modules::exports(path, self.outline(path, &file(&repo, path)?)?)
    }

    fn symbol(&self, target: &Path, path: &str, name: &str) -> Answer<Symbol> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let file = file(&repo, path)?;
        modules::symbol(path, name, &self.outline(path, &file)?, &String::from_utf8_lossy(&file.bytes))
    }
}
