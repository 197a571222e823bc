//! Rules and guards of one commit, ready to rule on changes.

use std::time::{Duration, Instant};

use guardhost_core::change::{Candidate, Evidence, HostRule, Judgement, Objects, Observer, RepoPath};
use guardhost_core::error::{FaultKind, Result, kind};
use guardhost_engine::exceptions::baseline_of;
use guardhost_engine::exceptions::comment::CommentTrust;
use guardhost_engine::{GuardSet, JudgeContext};
use guardhost_git::Repo;
use guardhost_patch::sanitize;
use guardhost_policy::config::{FILE, LOCK};
use guardhost_policy::{Policy, PolicySource, check_candidate_lock};

use crate::baseline::{BaselineFile, WrittenBaseline};
use crate::case::{Case, ChangeAuthor, Purpose, RuleChanges, Terms};
use crate::change::{Proposal, RulesAt};
use crate::door::Door;
use crate::judged::judge;
use crate::remembered::{Remembrance, RuledBy, remembrance};
use crate::rule_changes::{RuleChange, rule_change};
use crate::ruling::{RefusedChange, Ruling};
use crate::unjudged::guard_all;

/// See the module. One gate rules on any number of changes that the same rules judge.
pub struct Gate {
    policy: Policy,
    rules: RulesAt,
    door: Door,
    author: ChangeAuthor,
    rule_changes: RuleChanges,
    /// Whether it is held against a change that its rules and their lock do not fit together.
    demands_fitting_lock: bool,
    /// What was left out by name, for the record.
    skipped: Vec<String>,
}

impl Gate {
    /// Reads the rules of `rules`, and the baseline that lies beside them.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: the rules are wrong or do not match their lock; [`FaultKind::GuardLoad`]: a component is not the locked one.
    pub fn open(source: &PolicySource<'_>, repo: &Repo, rules: RulesAt, terms: &Terms<'_>) -> Result<Self> {
        let policy = source.resolve(repo, rules.commit, rules.tree, terms.only, terms.skip)?;
        let mut gate = Gate::new(policy, rules, terms);
        gate.policy.guards.exceptions.baseline = BaselineFile::beside_rules(&*repo.store(), rules.tree)?;
        Ok(gate)
    }

    /// The gate of a policy that was put together elsewhere, without a baseline.
    pub fn new(mut policy: Policy, rules: RulesAt, terms: &Terms<'_>) -> Self {
        if policy.config.rules.policy.allow_comments.is_none() && terms.author == ChangeAuthor::Person {
            policy.guards.exceptions.comments = CommentTrust::Any;
        }
        match terms.door {
            // A build for each edit, or for each change of the past, would take longer than anybody waits.
            Door::AgentEdit | Door::Past => policy.guards.leave_out_toolchain(),
            // Nor does anybody pay for an answer to each keystroke.
            Door::Editor => {
                policy.guards.leave_out_toolchain();
                policy.guards.leave_out_models();
            }
            Door::Check
            | Door::CheckPatch
            | Door::Apply
            | Door::Run
            | Door::Patch
            | Door::Accept
            | Door::Review
            | Door::PullRequest
            | Door::MergeQueue
            | Door::Job
            | Door::Session
            | Door::AgentStop
            | Door::PreCommit
            | Door::PrePush
            | Door::BranchMove
            | Door::Library => {}
        }
        // Only git's own hooks see commits that were made a moment ago, and so know in whose shell.
        let is_making = matches!(terms.door, Door::BranchMove | Door::PrePush);
        policy.disclosure.of_every_commit = is_making && terms.author == ChangeAuthor::Model;
        if !terms.door.is_remembered() {
            policy.memory = None;
        }
        Gate {
            policy,
            rules,
            door: terms.door,
            author: terms.author,
            rule_changes: match skips(terms, HostRule::RulesKept) {
                true => RuleChanges::Allowed,
                false => terms.rule_changes,
            },
            demands_fitting_lock: !skips(terms, HostRule::LockFits),
            skipped: terms.skip.to_vec(),
        }
    }

    /// The gate for one change. Where the rules of its base do not fit together, nothing can be judged by them: a change that fixes them is
    /// judged by its own, if whoever keeps the rules allows that.
    ///
    /// # Errors
    /// As of [`Gate::open`].
    pub fn for_change(source: &PolicySource<'_>, repo: &Repo, proposal: &Proposal, terms: &Terms<'_>) -> Result<Self> {
        let Proposal { candidate, rules } = proposal;
        let mut gate = match Gate::open(source, repo, *rules, terms) {
            Err(error)
                if kind(&error) == FaultKind::Config
                    && terms.rule_changes == RuleChanges::Allowed
                    && repairs_rules(candidate, *rules)? =>
            {
                let own = RulesAt { commit: rules.commit, tree: candidate.tree };
                let mut gate = Gate::open(source, repo, own, terms)?;
                gate.policy
                    .notices
                    .push(format!("judged by its own rules, since those of the base cannot be used: {error:#}"));
                gate
            }
            opened => opened?,
        };
        gate.policy.notices.extend(other_rules(candidate, *rules)?);
        Ok(gate)
    }

    /// The rules by which patches are placed, and what else `guards.toml` says.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The set that judges.
    pub fn guards(&self) -> &GuardSet {
        &self.policy.guards
    }

    /// About the origin of the rules, for the report.
    pub fn notices(&self) -> &[String] {
        &self.policy.notices
    }

    /// Whether a comment that the change itself brings in allows a finding.
    pub fn counts_new_comments(&self) -> bool {
        self.policy.guards.exceptions.comments == CommentTrust::Any
    }

    /// From now on patches may touch this file alone.
    #[must_use]
    pub fn confined_to(mut self, path: RepoPath) -> Self {
        self.policy.rules.only = vec![path];
        self
    }

    /// The guards were chosen by the host: that one has nothing to say of a change is no failure.
    #[must_use]
    pub(crate) fn chosen_by_host(mut self) -> Self {
        self.policy.asked.clear();
        self
    }

    /// Counts the findings of `file` as known, instead of those of the baseline beside the rules.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: the file cannot be read; [`FaultKind::Config`]: it is no baseline.
    pub fn use_baseline(&mut self, file: &BaselineFile<'_>, repo: &Repo, candidate: &Candidate) -> Result<()> {
        let (baseline, notice) = file.read(repo, candidate, self.rules.tree)?;
        self.policy.guards.exceptions.baseline = baseline;
        self.policy.notices.extend(notice);
        Ok(())
    }

    /// From now on no finding that counts in `judgement` counts any more.
    pub fn count_as_known(&mut self, candidate: &Candidate, judgement: &Judgement) -> WrittenBaseline {
        let baseline = baseline_of(candidate, judgement);
        let written = WrittenBaseline { json: baseline.to_json(), findings: baseline.len() };
        self.policy.guards.exceptions.baseline = baseline;
        written
    }

    /// Rules on one change: whether its rules stay as they are, then the guards. The repository remembers the ruling, if the case says so.
    ///
    /// # Errors
    /// When the repository's objects cannot be read, or the guards were stopped.
    pub fn rule(&self, case: Case<'_>, observer: &dyn Observer) -> Result<Ruling> {
        let is_remembered = case.is_remembered;
        let (ruling, remembrance) = self.rule_on_record(case, observer)?;
        if is_remembered && let Some(remembrance) = remembrance {
            remembrance.keep(observer);
        }
        Ok(ruling)
    }

    /// Rules on one change, with what there is to remember of it, which the caller keeps or drops.
    ///
    /// # Errors
    /// As of [`Gate::rule`].
    pub(crate) fn rule_on_record(
        &self,
        case: Case<'_>,
        observer: &dyn Observer,
    ) -> Result<(Ruling, Option<Remembrance>)> {
        let (begun, agent) = (Instant::now(), case.agent.map(str::to_owned));
        let (ruling, rule_change_allowed) = self.decide(case, observer)?;
        let remembrance =
            remembrance(&ruling, self.ruled_by(agent, rule_change_allowed), &self.policy, begun.elapsed());
        Ok((ruling, remembrance))
    }

    fn ruled_by(&self, agent: Option<String>, rule_change_allowed: bool) -> RuledBy<'_> {
        RuledBy { door: self.door, author: self.author, agent, skipped: &self.skipped, rule_change_allowed }
    }

    /// What there is to remember of a change that is refused, since it alters the rules, by whoever looked at more than this one change.
    pub(crate) fn refusal_on_record(&self, refused: RefusedChange) -> Option<Remembrance> {
        let ruling = Ruling::Refused(Box::new(refused));
        remembrance(&ruling, self.ruled_by(None, false), &self.policy, Duration::ZERO)
    }

    /// The ruling, and whether a person allowed the change to alter the rules.
    fn decide(&self, case: Case<'_>, observer: &dyn Observer) -> Result<(Ruling, bool)> {
        if case.candidate.files.is_empty() {
            return Ok((Ruling::Empty(case.candidate), false));
        }
        let terms =
            Terms { door: self.door, author: self.author, rule_changes: self.rule_changes, only: &[], skip: &[] };
        let (misfits, is_allowed) = match rule_change(&case.candidate, &self.policy.rules, self.rules.tree, &terms)? {
            RuleChange::Refused { refused, misfits } => {
                let candidate = case.candidate;
                return Ok((Ruling::Refused(Box::new(RefusedChange { candidate, refused, misfits })), false));
            }
            RuleChange::Allowed { misfits } => (misfits, self.rule_changes == RuleChanges::Allowed),
            RuleChange::None => (Vec::new(), false),
        };
        let lock_evidence = if self.demands_fitting_lock { rejection_of_lock(misfits) } else { None };
        let context = JudgeContext { task: case.task, observer };
        Ok((Ruling::Judged(Box::new(judge(case, &self.policy, lock_evidence, &context)?)), is_allowed))
    }
}

fn skips(terms: &Terms<'_>, rule: HostRule) -> bool {
    terms.skip.iter().any(|id| id == rule.id())
}

/// What a recorded policy says of a recorded candidate, for replays: nothing is decided by it.
pub fn judge_again(candidate: &Candidate, policy: &Policy, context: &JudgeContext) -> Judgement {
    guard_all(candidate, policy, Purpose::Commit, context)
}

fn rejection_of_lock(misfits: Vec<guardhost_core::change::Finding>) -> Option<Evidence> {
    (!misfits.is_empty()).then(|| HostRule::LockFits.rejection(misfits))
}

/// Whether a change of the rules leaves rules that fit together.
fn repairs_rules(candidate: &Candidate, rules: RulesAt) -> Result<bool> {
    let touched: Vec<RepoPath> = candidate.files.iter().map(|file| file.path.clone()).collect();
    let touches_rules = sanitize::check_rule_files(&touched, &sanitize::Rules::default()).is_err();
    Ok(touches_rules && rules.tree != candidate.tree && check_candidate_lock(candidate)?.is_empty())
}

/// A notice where the rules that judge are not those that a reader of the change's base expects.
fn other_rules(candidate: &Candidate, rules: RulesAt) -> Result<Option<String>> {
    let objects: &dyn Objects = &*candidate.objects;
    let differs = |file: &str| -> Result<bool> {
        let entry = |tree| objects.entry(tree, &RepoPath::from(file));
        Ok(rules.tree != candidate.base_tree && entry(rules.tree)? != entry(candidate.base_tree)?)
    };
    if !differs(FILE)? && !differs(LOCK)? {
        return Ok(None);
    }
    let of = rules.commit.map_or_else(String::new, |oid| format!(" {}", &oid.to_string()[..12]));
    Ok(Some(format!("judged by the rules of the commit{of}, not by those of the merge base, which are others")))
}
