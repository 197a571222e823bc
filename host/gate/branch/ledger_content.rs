//! The text of a ledger: a line for each commit that is known, for each branch, and for each remote on this machine.

use std::fmt;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;

use super::tip_rules::RulesDigest;

/// Commits that the gate let in that are kept, newest last. Each is the tip of a branch at some time, so that nearly all commits of a
/// repository are behind one of them.
const KEPT: usize = 4096;

/// Begins the line of a branch.
const STOOD: &str = "stood";

/// Begins the line of a branch that git was about to move when the gate last saw it.
const MOVED: &str = "moved";

/// Begins the line of a commit that a ref of a remote got, and of which nothing tells that the remote has it.
const UNVOUCHED: &str = "unvouched";

/// Begins the line of a remote.
const REMOTE: &str = "remote";

/// Stands for a branch that was not there.
const NOWHERE: &str = "-";

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

/// What the text says.
#[derive(Default)]
pub struct LedgerContent {
    /// Oldest first; those of the installation before all others.
    pub entries: Vec<KnownCommit>,
    /// Branches by full name, and where the gate last saw each; a deleted one where it stood then. Oldest first, a name once.
    pub stood: Vec<(String, Oid)>,
    /// Branches that git was about to move when the gate last saw them: full name, and where it was seen before. A name once.
    moved: Vec<(String, Option<Oid>)>,
    /// Addresses on this machine that were remotes when the hooks were installed.
    pub remotes: Vec<String>,
    /// Commits that a command of a model put below `refs/remotes/` from elsewhere than a remote. Oldest first.
    pub unvouched: Vec<Oid>,
}

/// Where the gate sees a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenBranch {
    /// It stands there, or did until it was deleted.
    Stands(Oid),
    /// Git is about to move it there. Another hook, git itself or a signal may still stop that, and nobody tells.
    Moves(Oid),
}

impl SeenBranch {
    fn at(self) -> Oid {
        match self {
            SeenBranch::Stands(oid) | SeenBranch::Moves(oid) => oid,
        }
    }
}

impl LedgerContent {
    pub fn add(&mut self, let_in: &[KnownCommit], seen: &[(String, SeenBranch)]) {
        let new: Vec<_> = let_in.iter().filter(|entry| !self.entries.contains(entry)).cloned().collect();
        self.entries.extend(new);
        let installed = self.entries.iter().filter(|known| known.how == LetIn::Installed).count();
        let surplus = self.entries.len().saturating_sub(installed + KEPT);
        self.entries.drain(installed..installed + surplus);
        // Two commands may move two branches at once: what is noted of one says nothing of the other.
        let moves = seen.iter().filter(|(_, seen)| matches!(seen, SeenBranch::Moves(_)));
        let moves: Vec<_> = moves.map(|(name, _)| (name.clone(), self.stood(name))).collect();
        let is_seen = |name: &String| seen.iter().any(|(new, _)| new == name);
        self.moved.retain(|(name, _)| !is_seen(name));
        self.moved.extend(moves);
        self.moved.drain(..self.moved.len().saturating_sub(KEPT));
        self.stood.retain(|(name, _)| !is_seen(name));
        self.stood.extend(seen.iter().map(|(name, seen)| (name.clone(), seen.at())));
        self.stood.drain(..self.stood.len().saturating_sub(KEPT));
    }

    /// Where the gate last saw a branch.
    pub fn stood(&self, name: &str) -> Option<Oid> {
        self.stood.iter().rev().find(|(known, _)| known == name).map(|(_, oid)| *oid)
    }

    /// What refs of remotes got, and whether the remotes have it.
    pub fn fetched(&mut self, tips: &[(Oid, bool)]) {
        self.unvouched.retain(|known| !tips.iter().any(|(tip, _)| tip == known));
        self.unvouched.extend(tips.iter().filter(|(_, is_vouched)| !is_vouched).map(|(tip, _)| *tip));
        self.unvouched.drain(..self.unvouched.len().saturating_sub(KEPT));
    }

    /// Where git was about to move a branch when the gate last saw it.
    pub fn announced(&self, name: &str) -> Option<Oid> {
        self.moved.iter().find(|(moved, _)| moved == name).and_then(|_| self.stood(name))
    }

    /// Puts back what [`LedgerContent::add`] wrote for a move that was not made to a commit that no ref has.
    pub fn take_out(&mut self, name: &str) {
        let Some(at) = self.moved.iter().position(|(moved, _)| moved == name) else { return };
        let (name, before) = self.moved.swap_remove(at);
        let announced = self.stood(&name);
        self.stood.retain(|(known, _)| *known != name);
        self.stood.extend(before.map(|before| (name, before)));
        self.entries.retain(|known| known.how == LetIn::Installed || Some(known.commit) != announced);
    }

    /// None where it is not as this host writes it.
    pub fn parse(text: &str) -> Option<LedgerContent> {
        let mut content = LedgerContent::default();
        for line in text.lines() {
            let (how, rest) = line.split_once(' ')?;
            match how {
                MOVED => {
                    let (before, name) = rest.split_once(' ')?;
                    let before = (before != NOWHERE).then(|| Oid::from_str(before)).transpose().ok()?;
                    content.moved.push((name.to_owned(), before));
                }
                STOOD => {
                    let (oid, name) = rest.split_once(' ')?;
                    content.stood.push((name.to_owned(), Oid::from_str(oid).ok()?));
                }
                UNVOUCHED => content.unvouched.push(Oid::from_str(rest).ok()?),
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
}

impl fmt::Display for LedgerContent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for KnownCommit { how, commit, rules } in &self.entries {
            let rules: String = rules.iter().map(|rules| format!(" {rules}")).collect();
            writeln!(out, "{} {commit}{rules}", how.as_str())?;
        }
        self.stood.iter().try_for_each(|(name, oid)| writeln!(out, "{STOOD} {oid} {name}"))?;
        for (name, before) in &self.moved {
            let before = before.map_or_else(|| NOWHERE.to_owned(), |before| before.to_string());
            writeln!(out, "{MOVED} {before} {name}")?;
        }
        self.unvouched.iter().try_for_each(|oid| writeln!(out, "{UNVOUCHED} {oid}"))?;
        self.remotes.iter().try_for_each(|address| writeln!(out, "{REMOTE} {address}"))
    }
}

pub fn with_allowed_rules(entries: &[KnownCommit]) -> impl Iterator<Item = Oid> {
    entries.iter().filter(|known| known.how == LetIn::RulesAllowed).map(|known| known.commit)
}
