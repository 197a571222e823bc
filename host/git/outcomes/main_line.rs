//! The commits of HEAD.

use std::collections::HashMap;

use git2::{Commit, Repository};

use super::branch::own_commits;
use super::facts::PastFacts;
use super::failed;
use guard_files::makers::{ChangeMaker, CommitTraces, agent_of_branch, maker_of_all};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;

/// All commits that HEAD reaches, as far as they say something of others.
pub struct MainLine {
    pub head: Oid,
    /// Newest first.
    pub first_parents: Vec<Oid>,
    /// The place in `first_parents` of the commit by which each came.
    came_by: HashMap<Oid, usize>,
    /// Numbers of pull requests that messages name as theirs, with the commits, newest first.
    of_pull: HashMap<u64, Vec<Oid>>,
    /// The merges of a commit, as their second parent.
    merged_by: HashMap<Oid, Oid>,
    pub reverts: Vec<Revert>,
}

/// A commit that says that it takes something back.
pub struct Revert {
    pub by: Oid,
    pub what: Reverted,
}

/// What it says that it takes back.
pub enum Reverted {
    Commit(Oid),
    Pull(u64),
    /// A commit of this first line.
    Subject(String),
}

impl MainLine {
    pub fn new(repo: &Repository, head: Oid, facts: &PastFacts, stop: &StopToken) -> Result<Self> {
        let mut line = MainLine {
            head,
            first_parents: Vec::new(),
            came_by: HashMap::new(),
            of_pull: HashMap::new(),
            merged_by: HashMap::new(),
            reverts: Vec::new(),
        };
        let mut next = Some(head);
        while let Some(oid) = next {
            line.first_parents.push(oid);
            next = find(repo, oid)?.parent_ids().next();
        }
        // Oldest first: what an older commit brought is not brought again by a newer one.
        for place in (0..line.first_parents.len()).rev() {
            facts.stopped(stop)?;
            let mut open = vec![line.first_parents[place]];
            while let Some(oid) = open.pop() {
                if line.came_by.contains_key(&oid) {
                    continue;
                }
                line.came_by.insert(oid, place);
                // Missing in a shallow clone.
                let Ok(commit) = repo.find_commit(oid) else { continue };
                line.note(repo, &commit);
                open.extend(commit.parent_ids());
            }
        }
        line.of_pull.values_mut().for_each(|commits| commits.reverse());
        Ok(line)
    }

    fn note(&mut self, repo: &Repository, commit: &Commit<'_>) {
        let message = String::from_utf8_lossy(commit.message_bytes());
        if let Some(merged) = commit.parent_ids().nth(1) {
            self.merged_by.insert(merged, commit.id());
        }
        if let Some(number) = pull_of(&message) {
            self.of_pull.entry(number).or_default().push(commit.id());
        }
        self.reverts.extend(reverted(repo, &message).into_iter().map(|what| Revert { by: commit.id(), what }));
    }

    /// The place in the first-parent line of the commit by which this one came; None: it is not in HEAD.
    pub fn position(&self, oid: Oid) -> Option<usize> {
        self.came_by.get(&oid).copied()
    }

    /// The place of a commit of the first-parent line itself.
    pub fn on_line(&self, oid: Oid) -> Option<usize> {
        self.position(oid).filter(|place| self.first_parents[*place] == oid)
    }

    /// Whether the commit at this place of the line is this one or has it among its ancestors.
    pub fn reaches(&self, place: usize, oid: Oid) -> bool {
        self.position(oid).is_some_and(|came_by| came_by >= place)
    }

    /// The commits that say that they are this pull request, oldest last.
    pub fn landed_pull(&self, number: u64) -> &[Oid] {
        self.of_pull.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The merge whose second parent is this commit.
    pub fn merge_of(&self, oid: Oid) -> Option<Oid> {
        self.merged_by.get(&oid).copied()
    }
}

pub fn find(repo: &Repository, oid: Oid) -> Result<Commit<'_>> {
    repo.find_commit(oid).map_err(|cause| failed(format!("cannot read commit {oid}"), cause))
}

pub fn subject(commit: &Commit<'_>) -> String {
    let message = String::from_utf8_lossy(commit.message_bytes());
    message.lines().next().unwrap_or_default().to_owned()
}

/// Whether a commit has a parent that may be missing from a shallow clone.
pub fn names_parent(commit: &Commit<'_>) -> bool {
    commit.raw_header_bytes().split(|byte| *byte == b'\n').any(|line| line.starts_with(b"parent "))
}

/// Who made the commits that `tip` reaches and `base` does not: the newest of them.
pub fn maker(repo: &Repository, line: &MainLine, base: Option<Oid>, tip: Oid) -> Result<ChangeMaker> {
    let last = find(repo, tip)?;
    let message = String::from_utf8_lossy(last.message_bytes()).into_owned();
    if let Some(agent) = branch_of(&message).and_then(agent_of_branch) {
        return Ok(ChangeMaker::Agent(agent));
    }
    if last.parent_count() == 1 && last.parent_ids().next() == base {
        return Ok(maker_of(&last));
    }
    let mut makers = Vec::new();
    for oid in own_commits(repo, Some(line), base, tip)? {
        let commit = find(repo, oid)?;
        if commit.parent_count() < 2 {
            makers.push(maker_of(&commit));
        }
    }
    Ok(maker_of_all(&makers))
}

pub fn maker_of(commit: &Commit<'_>) -> ChangeMaker {
    let person = |signature: git2::Signature<'_>| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!("{} <{}>", text(signature.name_bytes()), text(signature.email_bytes()))
    };
    let message = String::from_utf8_lossy(commit.message_bytes());
    CommitTraces { people: [person(commit.author()), person(commit.committer())], message: &message }.maker()
}

/// The branch that the message of a merge names: `Merge pull request #7 from OWNER/BRANCH`, `Merge branch 'BRANCH'`.
fn branch_of(message: &str) -> Option<&str> {
    let first = message.lines().next()?;
    if let Some(rest) = first.strip_prefix("Merge pull request #") {
        return rest.split_once(" from ")?.1.split_once('/').map(|(_, branch)| branch);
    }
    first.strip_prefix("Merge branch '")?.split('\'').next()
}

/// The pull request that a message says it is: at the end of its first line `(#7)`, or in a merge's.
pub fn pull_of(message: &str) -> Option<u64> {
    let first = message.lines().next().unwrap_or_default().trim_end();
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    if let Some(rest) = first.strip_prefix("Merge pull request #") {
        return digits(rest);
    }
    if let Some((_, number)) =
        first.strip_suffix(')').and_then(|rest| rest.rsplit_once("(#").or(rest.rsplit_once("(!")))
    {
        return number.parse().ok();
    }
    let request = message.lines().find_map(|line| line.trim().strip_prefix("See merge request "))?;
    digits(request.rsplit_once('!')?.1)
}

/// What a message says that its commit takes back.
fn reverted(repo: &Repository, message: &str) -> Vec<Reverted> {
    let mut found = Vec::new();
    for line in message.lines().map(str::trim) {
        if let Some(hex) = super::super::past::reverted_commit(line)
            && let Some(commit) = repo.revparse_single(&hex).ok().and_then(|object| object.peel_to_commit().ok())
        {
            found.push(Reverted::Commit(commit.id()));
        }
        let said = ["Reverts ", "This reverts pull request ", "This reverts merge request "];
        let number = said.iter().find_map(|start| line.strip_prefix(start)).and_then(|rest| {
            let rest = rest.split_whitespace().next()?.trim_end_matches(['.', ',']);
            rest.rsplit_once(['#', '!'])?.1.parse().ok()
        });
        found.extend(number.map(Reverted::Pull));
    }
    if found.is_empty() {
        let first = message.lines().next().unwrap_or_default();
        let quoted = first.strip_prefix("Revert \"").and_then(|rest| rest.rsplit_once('"'));
        found.extend(quoted.map(|(subject, _)| Reverted::Subject(subject.to_owned())));
    }
    found
}
