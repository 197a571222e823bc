//! What the gate let into branches, so that a push, and the next branch, need not ask again.
//!
//! It lies in the user's cache folder, sealed with a key: what somebody else writes counts for nothing, and what works in the repository does
//! not come across it. Where it is gone, what it held is judged again.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::SealedText;
use guardhost_git::Repo;

use super::tip_rules::RulesDigest;

/// Commits that the gate let in that are kept, newest last. Each is the tip of a branch at some time, so that nearly all commits of a
/// repository are behind one of them.
const KEPT: usize = 4096;

const WHAT: &str = "let-in";

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

/// What is known of one repository.
pub struct Ledger {
    /// None where the user has no folder of their own: then nothing is remembered.
    text: Option<Arc<SealedText>>,
    content: LedgerContent,
}

/// What the text says.
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
    /// `cache` is the user's cache folder.
    pub fn open(repo: &Repo, cache: Option<&Path>) -> Self {
        let text = cache.and_then(|cache| SealedText::open(cache, WHAT, repo.common_dir()).ok()).map(Arc::new);
        let content = text.as_ref().and_then(|text| text.read()).and_then(|text| parse(&text)).unwrap_or_default();
        Ledger { text, content }
    }

    pub fn entries(&self) -> &[KnownCommit] {
        &self.content.entries
    }

    /// Whether this user installed the hooks.
    pub fn is_installed(&self) -> bool {
        self.content.entries.iter().any(|known| known.how == LetIn::Installed)
    }

    /// Commits that changed the rules with permission.
    pub fn with_allowed_rules(&self) -> impl Iterator<Item = Oid> {
        with_allowed_rules(&self.content.entries)
    }

    /// Branches by full name, and where the gate last saw each.
    pub fn seen(&self) -> &[(String, Oid)] {
        &self.content.stood
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
    /// The refs cannot be read, or the disk fails.
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
        self.write()
    }

    /// What was there before the hooks is not known any more, for when they are installed again.
    ///
    /// # Errors
    /// The disk fails.
    pub fn forget(&mut self) -> Result<()> {
        self.content = LedgerContent::default();
        let removed = self.text.as_ref().map_or(Ok(()), |text| text.remove());
        removed.context(Fault::new(FaultKind::Git, "cannot remove what the gate knows of this repository"))
    }

    /// `let_in` are tips that branches get, `stood` is where they stand from now on, and where those stood that go.
    ///
    /// # Errors
    /// The disk fails.
    pub fn add(&mut self, let_in: &[KnownCommit], stood: Vec<(String, Oid)>) -> Result<()> {
        let Some(text) = self.text.clone() else { return Ok(()) };
        // Another process may have added to it since it was read.
        text.alone(|| {
            if let Some(content) = text.read().and_then(|text| parse(&text)) {
                self.content = content;
            }
            self.content.add(let_in, stood);
            self.write()
        })
    }

    /// All that it knows, for [`Ledger::take_back`].
    pub fn text(&self) -> String {
        self.content.to_string()
    }

    /// Goes back to an earlier text, if meanwhile somebody did what people alone do: allowed a change of the rules, or said that what is there is
    /// old. What the gate let in since is judged again. Whether it did.
    ///
    /// # Errors
    /// The disk fails.
    pub fn take_back(&mut self, earlier: &str) -> Result<bool> {
        let Some(earlier) = parse(earlier) else { return Ok(false) };
        let installed = |content: &LedgerContent| -> Vec<Oid> {
            let known = content.entries.iter().filter(|known| known.how == LetIn::Installed);
            known.map(|known| known.commit).collect()
        };
        let allowed: Vec<Oid> = with_allowed_rules(&earlier.entries).collect();
        let is_as_it_was = installed(&earlier) == installed(&self.content)
            && self.with_allowed_rules().all(|commit| allowed.contains(&commit));
        // Whoever installs the hooks for the first time, installs them.
        if is_as_it_was || installed(&earlier).is_empty() {
            return Ok(false);
        }
        self.content = earlier;
        self.write().map(|()| true)
    }

    fn write(&self) -> Result<()> {
        let Some(text) = &self.text else { return Ok(()) };
        let written = text.write(&self.text());
        written.context(Fault::new(FaultKind::Git, "cannot write what the gate let into this repository"))
    }
}

impl LedgerContent {
    fn add(&mut self, let_in: &[KnownCommit], stood: Vec<(String, Oid)>) {
        let new: Vec<_> = let_in.iter().filter(|entry| !self.entries.contains(entry)).cloned().collect();
        self.entries.extend(new);
        let installed = self.entries.iter().filter(|known| known.how == LetIn::Installed).count();
        let surplus = self.entries.len().saturating_sub(installed + KEPT);
        self.entries.drain(installed..installed + surplus);
        self.stood.retain(|(name, _)| !stood.iter().any(|(new, _)| new == name));
        self.stood.extend(stood);
        self.stood.drain(..self.stood.len().saturating_sub(KEPT));
    }
}

impl fmt::Display for LedgerContent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for KnownCommit { how, commit, rules } in &self.entries {
            let rules: String = rules.iter().map(|rules| format!(" {rules}")).collect();
            writeln!(out, "{} {commit}{rules}", how.as_str())?;
        }
        self.stood.iter().try_for_each(|(name, oid)| writeln!(out, "{STOOD} {oid} {name}"))?;
        self.remotes.iter().try_for_each(|address| writeln!(out, "{REMOTE} {address}"))
    }
}

pub fn with_allowed_rules(entries: &[KnownCommit]) -> impl Iterator<Item = Oid> {
    entries.iter().filter(|known| known.how == LetIn::RulesAllowed).map(|known| known.commit)
}

/// None where it is not as this host writes it.
fn parse(text: &str) -> Option<LedgerContent> {
    let mut content = LedgerContent::default();
    for line in text.lines() {
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
