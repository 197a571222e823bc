//! The flow: attempts, each of batches, detectors and reviews, until every issue is resolved or another attempt would bring nothing.

use std::collections::BTreeMap;

use guardhost_core::change::{
    Event, Observer, Oid, PlanStep, RepoPath, RunEnd, RunOutcome, StepOutcome, TaskMode, Tree,
};
use guardhost_core::error::{FaultKind, Result};
use guardhost_core::issue::{IssueEnd, IssueFact, IssueStatus, Side};
use guardhost_core::vote::Vote;
use guardhost_gate::ReadyGate;
use guardhost_git::{Repo, candidate, commit_change};
use guardhost_pipeline::fix::batch::{Batch, Workload, batches};
use guardhost_pipeline::fix::brief::{context, step as step_of};
use guardhost_pipeline::fix::detect::DetectorResult;
use guardhost_pipeline::fix::guidelines::{Audience, guidelines};
use guardhost_pipeline::fix::is_frontend;
use guardhost_pipeline::fix::issue::Issue;
use guardhost_pipeline::fix::iteration::{FixAttempt, NoCommit, Tried, attempt};
use guardhost_provider::Cancel;
use guardhost_report::journal::Artifact;
use guardhost_report::{BatchReport, FixReview, IssueReport, IssuesReport, StepReport, escape};

use super::detectors::Detectors;
use super::list::{ListedIssue, record};
use super::resume::Begun;
use super::reviewers::{ReviewLog, ReviewResult, Reviewers};
use super::terms::FixTerms;
use crate::cli::FixArgs;
use crate::command::run::budget::PlanBudget;
use crate::command::run::plan::{PlanIdentity, PlanRunner};
use crate::command::start_run::RunStarter;
use crate::context::CommandContext;

pub struct Fixing<'a> {
    pub repo: &'a Repo,
    pub gate: ReadyGate<'a>,
    pub args: &'a FixArgs,
    pub terms: &'a FixTerms,
    pub ctx: &'a CommandContext<'a>,
    pub cancel: Cancel,
    pub identity: PlanIdentity<'a>,
}

/// What is to be done, and who is asked.
pub struct FixWork<'a> {
    pub listed: Vec<ListedIssue>,
    pub begun: Begun,
    pub reviewers: Reviewers<'a>,
    pub log: &'a mut ReviewLog,
    pub budget: &'a mut PlanBudget,
}

/// What is known of an issue so far.
#[derive(Default)]
struct IssueState {
    attempts: u32,
    batch: Option<String>,
    /// The newest of its commits.
    commit: Option<Oid>,
    /// A batch with it was committed, or needed no change.
    has_answer: bool,
    /// Why the newest attempt brought none.
    none: Option<NoCommit>,
    is_touched: bool,
    end: Option<(IssueEnd, Option<String>)>,
    feedback: String,
}

/// A flow on its way.
struct Flow<'a> {
    fixing: &'a Fixing<'a>,
    listed: &'a [ListedIssue],
    begun: &'a Begun,
    detectors: Detectors<'a>,
    reviewers: Reviewers<'a>,
    log: &'a mut ReviewLog,
    runner: PlanRunner<'a, 'a>,
    known: BTreeMap<String, IssueState>,
    /// The files that the commits of the run changed, each with the last of them.
    touched: BTreeMap<RepoPath, Oid>,
    report: IssuesReport,
    is_approved: bool,
}

impl Fixing<'_> {
    /// # Errors
    /// Of the repository, the records and the sandbox; an interruption while a detector or a reviewer works.
    pub fn run(&self, work: FixWork) -> Result<IssuesReport> {
        let FixWork { listed, begun, reviewers, log, budget } = work;
        let (repo, gate, ask, ctx) = (self.repo, self.gate, &self.args.ask, self.ctx);
        let flow = Flow {
            fixing: self,
            listed: &listed,
            begun: &begun,
            detectors: Detectors::new(repo, ctx, self.args, gate.policy(), (&begun.base, begun.rules)),
            reviewers,
            log,
            runner: PlanRunner {
                starter: RunStarter { repo, gate, ask, ctx, cancel: self.cancel.clone(), debug: None },
                plan: self.identity.id.clone(),
                branch: self.identity.branch.clone(),
                base: begun.tip.clone(),
                rules: begun.rules,
                mode: TaskMode::Normal,
                budget,
            },
            known: BTreeMap::new(),
            touched: BTreeMap::new(),
            report: IssuesReport {
                run: self.identity.id.clone(),
                base: begun.base.commit,
                branch: self.identity.branch.clone(),
                accepts_touched: self.terms.accepts_touched,
                ..IssuesReport::default()
            },
            is_approved: false,
        };
        flow.run()
    }
}

impl<'a> Flow<'a> {
    fn run(mut self) -> Result<IssuesReport> {
        let open = self.listed.iter().filter(|listed| listed.left.is_none());
        let mut todo: Vec<&'a Issue> = open.map(|listed| &listed.issue).collect();
        for number in 1..=self.fixing.terms.iterations {
            if todo.is_empty() || self.report.ended_by.is_some() {
                break;
            }
            let has_moved = self.batches(number, &todo)?;
            if self.report.ended_by.is_some() {
                break;
            }
            todo = self.conclude(number, &todo)?;
            // Nothing was committed, so that the next attempt would be this one again.
            if !has_moved {
                break;
            }
        }
        self.finish()
    }

    fn workload(&self, issue: &Issue) -> Workload {
        issue.workload(&|path: &RepoPath| is_frontend(path, &self.fixing.gate.policy().config.rules.fix))
    }

    /// Tries what is left to do, batch by batch. Whether anything was committed.
    fn batches(&mut self, number: u32, todo: &[&'a Issue]) -> Result<bool> {
        let works: Vec<Workload> = todo.iter().map(|issue| self.workload(issue)).collect();
        let is_reviewed = self.begun.attempts.len() >= number as usize;
        let mut has_moved = false;
        for (at, batch) in batches(&works).into_iter().enumerate() {
            let issues: Vec<&Issue> = batch.issues.iter().map(|at| todo[*at]).collect();
            let id = format!("{number}.{}", at + 1);
            let step = match self.begun.steps.get(&id) {
                Some(step) => StepReport { title: step_of(&id, &issues).title, ..step.clone() },
                None if self.report.ended_by.is_some() || is_reviewed => {
                    StepReport { id: id.clone(), ..StepReport::default() }
                }
                None => self.attempt(number, &batch, &issues, &step_of(&id, &issues))?,
            };
            has_moved |= step.commit.is_some();
            self.learn(&step, &issues)?;
            self.report.batches.push(from_batch(number, &batch, &issues, step));
        }
        Ok(has_moved)
    }

    /// Runs one batch as a step of the run. Sets what ended the run, if something did.
    fn attempt(&mut self, number: u32, batch: &Batch, issues: &[&Issue], step: &PlanStep) -> Result<StepReport> {
        let Fixing { repo, gate, ctx, identity, .. } = self.fixing;
        for issue in issues {
            let tried = IssueFact::Tried { attempt: number, batch: step.id.clone() };
            record(identity.records, &identity.id, issue, tried)?;
        }
        let settings = &gate.policy().config.rules.fix;
        let base = Tree { objects: repo.store(), oid: self.begun.base.tree };
        let guidelines = guidelines(&base, Audience::Fixers(batch.side), &step.hints, settings)?;
        let feedback: String =
            issues.iter().filter_map(|issue| Some(self.known.get(&issue.id)?.feedback.as_str())).collect();
        let blocking = self.report.reviews.last().map(|review| review.blocking.as_slice()).unwrap_or_default();
        let blocking: String = blocking.iter().map(|what| format!("- {what}\n")).collect();
        ctx.see(&Event::Notice { text: format!("batch {}: {}", step.id, step.title) });
        let (report, ends) = self.runner.run_step(step, context(&guidelines, &format!("{feedback}{blocking}")));
        if ends {
            self.report.ended_by = match report.outcome {
                StepOutcome::Ran(end) if !end.is_accepted() => Some(end),
                // It was interrupted behind its commit.
                StepOutcome::Ran(_)
                | StepOutcome::Done
                | StepOutcome::Dropped
                | StepOutcome::Skipped
                | StepOutcome::NotReached => Some(RunEnd::Failed(FaultKind::Interrupted)),
            };
        }
        Ok(report)
    }

    fn learn(&mut self, step: &StepReport, issues: &[&Issue]) -> Result<()> {
        if let Some(commit) = step.commit {
            for file in commit_change(self.fixing.repo, commit)?.files {
                self.touched.extend([Some(file.path), file.old_path].into_iter().flatten().map(|path| (path, commit)));
            }
        }
        if step.outcome == StepOutcome::NotReached {
            return Ok(());
        }
        let says_nothing_to_do = step.outcome == StepOutcome::Ran(RunEnd::Result(RunOutcome::NoChange));
        for issue in issues {
            let known = self.known.entry(issue.id.clone()).or_default();
            known.attempts += 1;
            known.batch = Some(step.id.clone());
            known.commit = step.commit.or(known.commit);
            known.has_answer |= step.commit.is_some() || says_nothing_to_do;
            known.none = Some(match says_nothing_to_do {
                true => NoCommit::Unneeded,
                false => NoCommit::Failed(step.why.clone().unwrap_or_else(|| step.outcome.as_str().to_owned())),
            });
        }
        Ok(())
    }

    /// Another batch may have changed the file of an issue, and its own provider then finds nothing left to do.
    fn find_commits(&mut self) {
        for issue in self.listed.iter().map(|listed| &listed.issue) {
            let Some(known) = self.known.get_mut(&issue.id).filter(|known| known.has_answer) else { continue };
            let of_file = issue.path.as_ref().and_then(|path| self.touched.get(path));
            known.is_touched = of_file.is_some() || (issue.path.is_none() && known.commit.is_some());
            known.commit = of_file.copied().or(known.commit);
        }
    }

    /// What detectors and reviewers say of all that is committed. The issues that are tried again.
    fn conclude(&mut self, number: u32, todo: &[&'a Issue]) -> Result<Vec<&'a Issue>> {
        self.find_commits();
        let (made, votes) = match self.begun.attempts.get(number as usize - 1) {
            Some(attempt) => (attempt.clone(), Vec::new()),
            None => match self.review(number, todo)? {
                Some(reviewed) => reviewed,
                // Nothing of this attempt is kept but its commits, so that a resumed run asks the reviewers.
                None => return Ok(Vec::new()),
            },
        };
        let kept = escape::json(&serde_json::to_value(&made)?);
        self.fixing.identity.records.keep(number, Artifact::Attempt, &kept)?;
        self.is_approved = made.is_approved;
        self.report.reviews.push(FixReview {
            attempt: number,
            is_approved: made.is_approved,
            mean: made.mean,
            threshold: self.fixing.terms.threshold,
            why: made.why.clone(),
            votes,
            blocking: made.blocking.clone(),
        });
        let mut again = Vec::new();
        for outcome in made.issues {
            let known = self.known.entry(outcome.id.clone()).or_default();
            known.end = Some((outcome.end, outcome.why));
            known.feedback = outcome.feedback;
            let listed = self.listed.iter().find(|listed| listed.issue.id == outcome.id);
            again.extend(listed.filter(|_| outcome.again).map(|listed| &listed.issue));
        }
        Ok(again)
    }

    /// None when the budget was used up before the reviewers had answered.
    fn review(&mut self, number: u32, todo: &[&'a Issue]) -> Result<Option<(FixAttempt, Vec<Vote>)>> {
        let Fixing { repo, .. } = self.fixing;
        let (base, tip) = (&self.begun.base, &self.runner.base);
        let change = candidate(repo, base.commit, base.tree, tip.tree)?;
        let is_at_hand = |issue: &&Issue, known: &IssueState| {
            known.commit.is_some() || todo.iter().any(|other| other.id == issue.id)
        };
        let mut tried = Vec::new();
        for issue in self.listed.iter().map(|listed| &listed.issue) {
            let Some(known) = self.known.get(&issue.id).filter(|known| is_at_hand(&issue, known)) else { continue };
            let why = || known.none.clone().unwrap_or_else(|| NoCommit::Failed("it was not reached".to_owned()));
            tried.push(Tried {
                issue,
                batch: known.batch.clone().unwrap_or_default(),
                commit: known.commit.map(|oid| oid.to_string()).ok_or_else(why),
                is_touched: known.is_touched,
            });
        }
        let mut seen: BTreeMap<String, DetectorResult> = BTreeMap::new();
        let mut asked = Vec::new();
        for tried in &tried {
            let is_fixed = match &tried.commit {
                Ok(_) if tried.is_touched => true,
                Err(NoCommit::Unneeded) => false,
                Ok(_) | Err(NoCommit::Failed(_)) => continue,
            };
            seen.insert(tried.issue.id.clone(), self.detectors.seen(tried.issue, tip.tree)?);
            asked.extend(is_fixed.then_some(tried.issue));
        }
        let limits = (&mut *self.log, &mut *self.runner.budget);
        match self.reviewers.ask(&asked, &seen, &change, repo, limits)? {
            ReviewResult::Done(review, votes) => Ok(Some((attempt(number, &tried, &seen, &review), votes))),
            ReviewResult::OverBudget(why) => {
                self.report.ended_by = Some(RunEnd::Result(RunOutcome::OverBudget));
                self.report.notices.push(format!("the reviewers were not all asked: {why}"));
                Ok(None)
            }
        }
    }

    fn finish(mut self) -> Result<IssuesReport> {
        let Fixing { identity, .. } = self.fixing;
        let is_whole = self.is_approved && self.report.ended_by.is_none();
        self.report.commit = self.runner.base.commit.filter(|tip| is_whole && Some(*tip) != self.begun.base.commit);
        for listed in self.listed {
            let side = self.workload(&listed.issue).side;
            let known = self.known.get(&listed.issue.id);
            self.report.issues.push(from_issue(listed, side, known));
            // What did not come to its end has none.
            let end = known.filter(|_| self.report.ended_by.is_none()).and_then(|known| known.end.clone());
            let commit = known.and_then(|known| known.commit).map(|oid| oid.to_string());
            if let (Some((end, why)), None) = (end, &listed.left) {
                record(identity.records, &identity.id, &listed.issue, IssueFact::Ended { end, commit, why })?;
            }
        }
        Ok(self.report)
    }
}

fn from_batch(number: u32, batch: &Batch, issues: &[&Issue], step: StepReport) -> BatchReport {
    BatchReport {
        side: batch.side,
        points: batch.points,
        is_too_large: batch.is_too_large,
        attempt: number,
        issues: issues.iter().map(|issue| issue.id.clone()).collect(),
        step,
    }
}

fn from_issue(ListedIssue { issue, left }: &ListedIssue, side: Side, known: Option<&IssueState>) -> IssueReport {
    let (status, commit, why) = match (left, known.and_then(|known| known.end.as_ref())) {
        (Some(left), _) => (left.status, left.commit.clone(), left.why.clone()),
        (None, Some((end, why))) => (IssueStatus::from(*end), None, why.clone()),
        (None, None) => match known.and_then(|known| known.none.clone()) {
            Some(NoCommit::Failed(why)) => (IssueStatus::Open, None, Some(why)),
            Some(NoCommit::Unneeded) | None => (IssueStatus::Open, None, None),
        },
    };
    IssueReport {
        id: issue.id.clone(),
        fingerprint: issue.fingerprint.clone(),
        title: issue.title.clone(),
        rule: issue.rule.clone(),
        path: issue.path.as_ref().map(ToString::to_string),
        line: issue.line,
        side,
        status,
        batch: known.and_then(|known| known.batch.clone()),
        commit: commit.or_else(|| Some(known?.commit?.to_string())),
        why,
        attempts: known.map_or(0, |known| known.attempts),
    }
}
