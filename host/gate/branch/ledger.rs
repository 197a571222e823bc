//! What the gate let into branches, so that a push, and the next branch, need not ask again.
//!
//! It lies in the git directory and is sealed with a key of the user's: an entry that somebody else writes counts for nothing. Where the key
//! is gone, or the file, what it held is judged again.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::CacheSeal;
use guardhost_git::Repo;

use super::tip_rules::RulesDigest;

/// Commits that the gate let in that are kept, newest last. Each is the tip of a branch at some time, so that nearly all commits of a
/// repository are behind one of them.
const KEPT: usize = 4096;

/// Begins the name of the file in the host's folder of the git directory.
const FILE: &str = "let-in";

/// How a commit came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetIn {
    /// The gate accepted it.
    Judged,
    /// The gate accepted it, and somebody who keeps the rules allowed it to change them.
    RulesAllowed,
    /// A ref had it when the hooks were installed.
    Installed,
}

impl LetIn {
    const ALL: [LetIn; 3] = [LetIn::Judged, LetIn::RulesAllowed, LetIn::Installed];

    fn as_str(self) -> &'static str {
        match self {
            LetIn::Judged => "judged",
            LetIn::RulesAllowed => "rules-allowed",
            LetIn::Installed => "installed",
        }
    }
}

/// A commit that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownCommit {
    pub how: LetIn,
    pub commit: Oid,
    /// For branches with which rules it counts, with all that it stands on: those that judged the first of it above what was there before the hooks
    /// or came from others, and those that were allowed since. Empty for what was there, and of a host that did not write it down.
    pub rules: Vec<RulesDigest>,
}

/// The file of one repository.
pub struct Ledger {
    path: PathBuf,
    /// None where the user has no key: then nothing is remembered.
    seal: Option<CacheSeal>,
    content: LedgerContent,
}

/// What the file says.
#[derive(Default)]
struct LedgerContent {
    /// Oldest first; those of the installation before all others.
    entries: Vec<KnownCommit>,
    /// Branches by full name, and where the gate last saw each; a deleted one where it stood then. Oldest first, a name once.
    stood: Vec<(String, Oid)>,
    /// Addresses on this machine that were remotes when the hooks were installed.
    remotes: Vec<String>,
}

/// Begins the line of a branch.
const STOOD: &str = "stood";

/// Begins the line of a remote.
const REMOTE: &str = "remote";

impl Ledger {
    /// `cache` is the user's cache folder, where the key lies.
    pub fn open(repo: &Repo, cache: Option<&std::path::Path>) -> Self {
        let name = repo.common_dir().display().to_string();
        let seal = cache.and_then(|cache| CacheSeal::open(&cache.join("verdicts"), format!("let-in {name}")).ok());
        // One file for each key: a second home of the same user, as programs in containers have, takes nothing from the first.
        let key = seal.as_ref().map_or_else(String::new, |seal| seal.tag(b"")[..8].to_owned());
        let path = repo.state_path().join(format!("{FILE}-{key}"));
        let content = seal.as_ref().and_then(|seal| read(&path, seal)).unwrap_or_default();
        Ledger { path, seal, content }
    }

    pub fn entries(&self) -> &[KnownCommit] {
        &self.content.entries
    }

    /// Whether this user installed the hooks.
    pub fn is_installed(&self) -> bool {
        self.content.entries.iter().any(|known| known.how == LetIn::Installed)
    }

    /// Where the gate last saw a branch, which may be deleted.
    pub fn stood(&self, name: &str) -> Option<Oid> {
        self.content.stood.iter().rev().find(|(known, _)| known == name).map(|(_, oid)| *oid)
    }

    /// Addresses on this machine whose fetches count as what others made.
    pub fn remotes(&self) -> &[String] {
        &self.content.remotes
    }

    /// Remembers what every ref has now: it was there before the hooks, and nobody is asked to judge a history. Once, until
    /// [`Ledger::forget`].
    ///
    /// # Errors
    /// The refs cannot be read, or the file cannot be written.
    pub fn installed(&mut self, repo: &Repo) -> Result<()> {
        if self.is_installed() {
            return Ok(());
        }
        let mut tips: Vec<Oid> = repo.refs("refs/")?.into_iter().map(|(_, oid)| oid).collect();
        tips.extend(repo.head()?.commit);
        tips.sort();
        tips.dedup();
        let known = |commit| KnownCommit { how: LetIn::Installed, commit, rules: Vec::new() };
        self.content.entries.splice(0..0, tips.into_iter().map(known));
        self.content.stood = repo.refs("refs/heads/")?;
        self.content.remotes = repo.remotes_on_this_machine()?;
        self.write(repo)
    }

    /// What was there before the hooks is not known any more, for when they are installed again.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn forget(&mut self) -> Result<()> {
        self.content = LedgerContent::default();
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).context(Fault::new(FaultKind::Git, format!("cannot remove {}", self.path.display())))
            }
            _ => Ok(()),
        }
    }

    /// `let_in` are tips that branches get, `stood` is where they stand from now on, and where those stood that go.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, repo: &Repo, let_in: &[KnownCommit], stood: Vec<(String, Oid)>) -> Result<()> {
        let LedgerContent { entries, stood: known, .. } = &mut self.content;
        let new: Vec<_> = let_in.iter().filter(|entry| !entries.contains(entry)).cloned().collect();
        if new.is_empty() && stood.iter().all(|branch| known.contains(branch)) {
            return Ok(());
        }
        entries.extend(new);
        let installed = entries.iter().filter(|known| known.how == LetIn::Installed).count();
        let surplus = entries.len().saturating_sub(installed + KEPT);
        entries.drain(installed..installed + surplus);
        known.retain(|(name, _)| !stood.iter().any(|(new, _)| new == name));
        known.extend(stood);
        known.drain(..known.len().saturating_sub(KEPT));
        self.write(repo)
    }

    /// Readers see the old file or the new one. Of two processes that write at once one wins, and what the other added is judged again.
    fn write(&self, repo: &Repo) -> Result<()> {
        let Some(seal) = &self.seal else { return Ok(()) };
        let LedgerContent { entries, stood, remotes } = &self.content;
        let entries = entries.iter().map(|KnownCommit { how, commit, rules }| {
            let rules: String = rules.iter().map(|rules| format!(" {rules}")).collect();
            format!("{} {commit}{rules}\n", how.as_str())
        });
        let stood = stood.iter().map(|(name, oid)| format!("{STOOD} {oid} {name}\n"));
        let remotes = remotes.iter().map(|address| format!("{REMOTE} {address}\n"));
        let lines: String = entries.chain(stood).chain(remotes).collect();
        let content = format!("{}\n{lines}", seal.tag(lines.as_bytes()));
        let cannot = || Fault::new(FaultKind::Git, format!("cannot write {}", self.path.display()));
        let folder = repo.state_dir()?;
        let mut file = tempfile::NamedTempFile::new_in(&folder).with_context(cannot)?;
        file.write_all(content.as_bytes()).with_context(cannot)?;
        file.persist(&self.path).map_err(|error| error.error).with_context(cannot)?;
        Ok(())
    }
}

/// None where the file is not what this user's host wrote for this repository.
fn read(path: &std::path::Path, seal: &CacheSeal) -> Option<LedgerContent> {
    let text = fs::read_to_string(path).ok()?;
    let (tag, lines) = text.split_once('\n')?;
    if !seal.is_tag(tag, lines.as_bytes()) {
        return None;
    }
    let mut content = LedgerContent::default();
    for line in lines.lines() {
        let (how, rest) = line.split_once(' ')?;
        match how {
            STOOD => {
                let (oid, name) = rest.split_once(' ')?;
                content.stood.push((name.to_owned(), Oid::from_str(oid).ok()?));
            }
            REMOTE => content.remotes.push(rest.to_owned()),
            _ => {
                let how = LetIn::ALL.into_iter().find(|known| known.as_str() == how)?;
                let mut words = rest.split(' ');
                let commit = Oid::from_str(words.next()?).ok()?;
                let rules = words.map(RulesDigest::parse).collect::<Result<_>>().ok()?;
                content.entries.push(KnownCommit { how, commit, rules });
            }
        }
    }
    Some(content)
}
