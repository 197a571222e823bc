//! What the gate let into branches, so that a push, and the next branch, need not ask again.
//!
//! It lies in the user's cache folder, sealed with a key: what somebody else writes counts for nothing, and what works in the repository does
//! not come across it. Where it is gone, what it held is judged again.

use std::path::Path;
use std::sync::Arc;

use guardhost_core::change::Oid;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::SealedText;
use guardhost_git::Repo;

pub use super::ledger_content::{KnownCommit, LetIn, SeenBranch};
use super::ledger_content::{LedgerContent, with_allowed_rules};

const WHAT: &str = "let-in";

/// What is known of one repository.
pub struct Ledger {
    /// None where the user has no folder of their own: then nothing is remembered.
    text: Option<Arc<SealedText>>,
    content: LedgerContent,
}

impl Ledger {
    /// `cache` is the user's cache folder.
    pub fn open(repo: &Repo, cache: Option<&Path>) -> Self {
        let text = cache.and_then(|cache| SealedText::open(cache, WHAT, repo.common_dir()).ok()).map(Arc::new);
        let content =
            text.as_ref().and_then(|text| text.read()).and_then(|text| LedgerContent::parse(&text)).unwrap_or_default();
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
        self.content.stood(name)
    }

    /// Addresses on this machine whose fetches count as what others made.
    pub fn remotes(&self) -> &[String] {
        &self.content.remotes
    }

    /// Commits that refs of remotes have and that count for nobody's: see [`Ledger::fetched`].
    pub fn unvouched(&self) -> &[Oid] {
        &self.content.unvouched
    }

    /// Remembers of the tips that refs of remotes got whether the remotes have them, as far as anything tells.
    ///
    /// # Errors
    /// The disk fails.
    pub fn fetched(&mut self, tips: &[(Oid, bool)]) -> Result<()> {
        let is_noted = |(tip, is_vouched): &(Oid, bool)| self.content.unvouched.contains(tip) != *is_vouched;
        if tips.iter().all(is_noted) {
            return Ok(());
        }
        self.change(|content| content.fetched(tips))
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
        let (stood, remotes) = (repo.refs("refs/heads/")?, repo.remotes_on_this_machine()?);
        self.change(|content| {
            // Of two commands that begin at once, the first says what was there.
            if !content.entries.iter().any(|known| known.how == LetIn::Installed) {
                content.entries.splice(0..0, tips.into_iter().map(known));
                content.stood = stood;
                content.remotes = remotes;
            }
        })
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

    /// `let_in` are tips that branches get, `seen` is where they stand from now on, and where those stood that go.
    ///
    /// # Errors
    /// The disk fails.
    pub fn add(&mut self, let_in: &[KnownCommit], seen: &[(String, SeenBranch)]) -> Result<()> {
        self.change(|content| content.add(let_in, seen))
    }

    /// Forgets the last move of each of these branches that git did not make after the gate had let it in: another hook stopped it, git
    /// itself, or a signal. The branches stand where they stood before, and what nothing has was not let in. Git holds the locks of
    /// these branches, so that no other move of theirs is under way.
    ///
    /// # Errors
    /// The refs or their logs cannot be read, or the disk fails.
    pub fn forget_unmade(&mut self, repo: &Repo, branches: &[&str]) -> Result<()> {
        let mut unmade = Vec::new();
        for name in branches {
            let Some(announced) = self.content.announced(name) else { continue };
            // If git has already removed the commit, the announcement stays.
            let is_there = repo.tree_of(announced).is_ok();
            if is_there && repo.ref_target(name) != Some(announced) && !repo.was_at(name, announced)? {
                unmade.push(*name);
            }
        }
        if unmade.is_empty() {
            return Ok(());
        }
        self.change(|content| unmade.iter().for_each(|name| content.take_out(name)))
    }

    fn change(&mut self, change: impl FnOnce(&mut LedgerContent)) -> Result<()> {
        let Some(text) = self.text.clone() else { return Ok(()) };
        // Another process may have added to it since it was read.
        text.alone(|| {
            if let Some(content) = text.read().and_then(|text| LedgerContent::parse(&text)) {
                self.content = content;
            }
            change(&mut self.content);
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
        let Some(earlier) = LedgerContent::parse(earlier) else { return Ok(false) };
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
        self.change(|content| *content = earlier).map(|()| true)
    }

    fn write(&self) -> Result<()> {
        let Some(text) = &self.text else { return Ok(()) };
        let written = text.write(&self.text());
        written.context(Fault::new(FaultKind::Git, "cannot write what the gate let into this repository"))
    }
}
