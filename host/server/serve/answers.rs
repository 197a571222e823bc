//! What the server asks about repositories of this machine, answered with the parsers of the guards.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use guardhost_core::change::{FileMode, Objects, Oid, RepoPath};
use guardhost_core::error::{Error, FaultKind, kind};
use guardhost_core::stop::StopToken;
use guardhost_engine::EmbeddedGuards;
use guardhost_engine::facts::languages;
use guardhost_engine::outlines::{Function, Outline, Outlines};
use guardhost_git::{PastCommit, Repo};
use guardhost_observer::wire::{
    Blame, BlameLine, Churn, ChurnEntry, Definitions, Diff, DiffFile, FileChurn, FileExports, FileFingerprint,
    FileImports, ImportedName, LanguageCount, RepositoryContext, Symbol, SymbolCaller, SymbolParameter, TreeFacts,
};
use guardhost_service::answers::{Answer, AnswerService, NoAnswer};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

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

    /// Names that the file defines or offers at its top level; None where nothing is read.
    fn definitions(&self, repo: &Repo, path: &RepoPath, blob: Option<Oid>) -> Option<BTreeSet<String>> {
        let Some(oid) = blob else { return Some(BTreeSet::new()) };
        let bytes = repo.store().blob(oid).ok()?.to_vec();
        let outline = self.outline(&path.to_string(), &HeadFile { oid, bytes }).ok()?;
        let mut names = BTreeSet::new();
        let mut is_read = false;
        if let Ok(offers) = outline.offers {
            is_read = true;
            names.extend(offers.names);
        }
        if let Ok(functions) = outline.functions {
            is_read = true;
            names.extend(functions.into_iter().map(|function| function.name).filter(|name| !name.contains('.')));
        }
        is_read.then_some(names)
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

fn signature(function: &Function) -> String {
    let mut parts: Vec<String> = Vec::new();
    let written = |(name, is_required): &(String, bool)| match is_required {
        true => name.clone(),
        false => format!("{name}=…"),
    };
    parts.extend(function.positional.iter().map(written));
    if function.takes_more {
        parts.push("*".to_owned());
    }
    parts.extend(function.keyword_only.iter().map(written));
    if function.takes_keywords {
        parts.push("**".to_owned());
    }
    format!("{}({})", function.name, parts.join(", "))
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
            churn: churn.iter().take(LISTED).cloned().collect(),
            stable_files,
            commits_examined: commits.len() as u64,
        })
    }

    fn blame(&self, target: &Path, path: &str) -> Answer<Blame> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        if file(&repo, path)?.bytes.len() as u64 > BLAMED {
            return Err(NoAnswer::Unknown(format!("{path} has more than {BLAMED} bytes")));
        }
        let head = repo.head().map_err(no_answer)?;
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
                summary: commit.summary.clone(),
                reverted_by: reverted_by(commit.oid),
            })
        };
        let commit_sha = head.commit.map(|oid| oid.to_string()).unwrap_or_default();
        Ok(Blame { path: path.to_owned(), commit_sha, lines: lines.iter().filter_map(line).collect() })
    }

    fn churn(&self, target: &Path, path: &str, since: Option<&str>) -> Answer<Churn> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let seconds = since.and_then(|since| Some(since.parse::<Timestamp>().ok()?.as_second()));
        let (commits, is_cut) = repo.past(Some(&RepoPath::from(path)), seconds, COMMITS, WALK).map_err(no_answer)?;
        let is_revert = |commit: &PastCommit| commit.reverts.is_some() || commit.summary.starts_with("Revert ");
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
        let file = |file: guardhost_git::TreeChange| {
            let names = |blob| self.definitions(&repo, &file.path, blob);
            let delta = names(file.old).zip(names(file.new)).map(|(old, new)| Definitions {
                added: new.difference(&old).cloned().collect(),
                removed: old.difference(&new).cloned().collect(),
            });
            DiffFile {
                path: file.path.to_string(),
                status: file.status.to_owned(),
                added: file.added,
                removed: file.removed,
                ast_top_level_delta: delta,
            }
        };
        Ok(Diff {
            base: from.to_string(),
            branch: to.to_string(),
            merge_base: merge_base.to_string(),
            files: files.into_iter().map(file).collect(),
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
            let functions: Vec<String> = outline.functions.iter().flatten().map(signature).collect();
            let text = format!("{imports:?}\n{:?}\n{functions:?}", outline.offers.as_ref().ok());
            Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
        });
        let bytes = file.bytes.len() as u64;
        Ok(FileFingerprint { path: path.to_owned(), content_hash: file.oid.to_string(), ast_hash, bytes })
    }

    fn imports(&self, target: &Path, path: &str) -> Answer<FileImports> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let outline = self.outline(path, &file(&repo, path)?)?;
        let imports = outline.imports.map_err(NoAnswer::Unknown)?;
        let imports =
            imports.into_iter().map(|each| ImportedName { module: each.module, name: each.name, line: each.line });
        Ok(FileImports { path: path.to_owned(), imports: imports.collect() })
    }

    fn exports(&self, target: &Path, path: &str) -> Answer<FileExports> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let offers = self.outline(path, &file(&repo, path)?)?.offers.map_err(NoAnswer::Unknown)?;
        let (exports, all_of, is_open) = (offers.names, offers.all_of, offers.is_open);
        Ok(FileExports { path: path.to_owned(), exports, all_of, is_open })
    }

    fn symbol(&self, target: &Path, path: &str, name: &str) -> Answer<Symbol> {
        let (repo, path) = (open(target)?, relative(target, path)?);
        let functions = self.outline(path, &file(&repo, path)?)?.functions.map_err(NoAnswer::Unknown)?;
        let found = functions.into_iter().find(|function| function.name == name);
        let found =
            found.ok_or_else(|| NoAnswer::Unknown(format!("{path} has no function {name} with certain parameters")))?;
        let parameters = found.positional.iter().chain(&found.keyword_only);
        let caller = |line: &u32| SymbolCaller { path: path.to_owned(), line: *line };
        Ok(Symbol {
            path: path.to_owned(),
            name: name.to_owned(),
            line: found.line,
            signature: signature(&found),
            parameters: parameters
                .map(|(name, is_required)| SymbolParameter { name: name.clone(), is_required: *is_required })
                .collect(),
            callers: found.callers.iter().map(caller).collect(),
        })
    }
}
