//! What a pull request changes: from where its branch left the base, to its head.

use guardhost_core::change::{Candidate, Judgement, Oid};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_forge::comments::{DiffLines, Remark};
use guardhost_gate::{ExistingChange, Proposal, RulesAt};
use guardhost_git::{Repo, diff_text};

/// The change as the forge will show it.
pub struct PullChange {
    /// Of the base branch; None in a history that begins with the run.
    base: Option<Oid>,
    pub head: Oid,
    pub candidate: Candidate,
    /// Where the rules are read from: the base branch as it is today.
    pub rules: RulesAt,
    opened: git2::Repository,
}

impl PullChange {
    /// `bases` are what is known of the base, best first: its commit at the forge, the remote's branch here, the run's own base. The first that
    /// this repository has counts.
    pub fn new(repo: &Repo, head: Oid, bases: &[String]) -> Result<Self> {
        let opened =
            git2::Repository::open(repo.git_dir()).context(Fault::new(FaultKind::Git, "cannot open the repository"))?;
        let base = bases.iter().find_map(|base| related(&opened, base, head));
        let spec = spec(base, head);
        let Proposal { candidate, rules } = ExistingChange::Range(&spec).propose(repo)?;
        Ok(PullChange { base, head, candidate, rules, opened })
    }

    /// `A...B`, as `host check --range` takes it.
    pub fn spec(&self) -> String {
        spec(self.base, self.head)
    }

    /// The first characters of the commit.
    pub fn short(&self) -> String {
        self.head.to_string().chars().take(10).collect()
    }

    pub fn lines(&self, repo: &Repo) -> Result<DiffLines> {
        Ok(DiffLines::new(&diff_text(repo, self.candidate.base_tree, self.candidate.tree)?))
    }

    /// A file of the head; None for what is not there, or no text.
    pub fn text(&self, path: &str) -> Option<String> {
        let tree = self.opened.find_commit(self.head).and_then(|commit| commit.tree()).ok()?;
        let blob = self.opened.find_blob(tree.get_path(std::path::Path::new(path)).ok()?.id()).ok()?;
        String::from_utf8(blob.content().to_vec()).ok()
    }
}

fn spec(base: Option<Oid>, head: Oid) -> String {
    match base {
        Some(base) => format!("{base}...{head}"),
        None => head.to_string(),
    }
}

/// The commit of this name, if it has an ancestor in common with the head.
fn related(repository: &git2::Repository, base: &str, head: Oid) -> Option<Oid> {
    let base = repository.revparse_single(base).ok()?.peel_to_commit().ok()?.id();
    repository.merge_base(base, head).ok().map(|_| base)
}

/// The findings of a judgement, each with its guard. Those that a person allowed are not among them.
pub fn remarks(judgement: &Judgement) -> Vec<Remark> {
    let of = |evidence: &guardhost_core::change::Evidence| {
        let by = evidence.id.clone();
        let findings = evidence.verdict.findings().to_vec();
        findings.into_iter().map(move |finding| Remark { by: by.clone(), finding })
    };
    judgement.evidence.iter().flat_map(of).collect()
}
