//! `host run --plan`: one guarded commit for each step, on a branch of the plan's own.

use std::collections::BTreeMap;
use std::time::Instant;

use guardhost_core::change::{
    Event, Feedback, Observer, Oid, PlanStep, RecordedEnd, RunEnd, RunOutcome, StepOutcome, Task, Verdict,
};
use guardhost_core::error::{Kind, Result, fault, kind};
use guardhost_engine::plan as judge_plan;
use guardhost_git::{Head, Repo};
use guardhost_pipeline::plan::{Plan, plan};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::settle::{CommitTarget, branch_name};
use guardhost_policy::Policy;
use guardhost_provider::Cancel;
use guardhost_report::journal::{Actor, Artifact, Body, Decision, DecisionType, Object, Origin, Records, Run, Secrets};
use guardhost_report::{PlanReport, RunReport, StepReport};

use super::policy;
use crate::cli::RunArgs;
use crate::command::CommandContext;
use crate::command::start_run::{RunStarter, create_records};
use crate::exit_code;

/// A plan, and what its first step stands on.
pub struct PlanRun {
    pub base: Head,
    /// The tree whose rules judge every step: that of the commit on which the plan first stood, whatever its steps committed since.
    pub rules: Oid,
    /// The run of the plan that this one resumes.
    pub resumes: Option<String>,
    plan: Plan,
    json: Vec<u8>,
}

impl PlanRun {
    /// # Errors
    /// Of [`plan`].
    pub fn new(json: Vec<u8>, origin: &str, base: Head) -> Result<Self> {
        Ok(PlanRun { plan: plan(&json, origin)?, json, rules: base.tree, base, resumes: None })
    }

    /// The branch of the plan's commits, named after its first step.
    fn branch(&self, run: &str) -> String {
        branch_name(self.plan.steps.first().map_or("plan", |step| &step.title), run)
    }

    /// Leaves out steps that are done, by their ids; the texts are shown as the reasons.
    pub fn without(&mut self, done: &BTreeMap<String, String>) {
        let Plan { steps, done: known } = &mut self.plan;
        steps.retain(|step| !done.contains_key(&step.id));
        known.extend(done.clone());
    }
}

/// Runs the steps in order. A step that is not accepted does not end the plan; an interruption, a repository that cannot be written and
/// wrong settings do.
///
/// # Errors
/// Before the first step: of the rules, the records and the repository. After it, an error is a step's outcome.
pub fn run_plan(
    repo: &Repo,
    plan: PlanRun,
    args: &RunArgs,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<PlanReport> {
    let started = Instant::now();
    let id = uuid::Uuid::now_v7().to_string();
    let branch = plan.branch(&id);
    let policy = policy(repo, &plan.base, plan.rules, args, ctx)?;
    let judged = judge_plan(&plan.plan.steps, &policy.guards);
    policy.guards.stop().check().map_err(|stopped| stopped.into_error("judging the plan"))?;
    let records = create_records(repo, &id, Secrets::default())?;
    record_start(&records, &id, &branch, &plan, &policy)?;
    let mut report = PlanReport {
        run: id.clone(),
        base: plan.base.commit,
        branch: branch.clone(),
        judgement: judged.judgement,
        notices: policy.notices.clone(),
        ..PlanReport::default()
    };
    let done = plan.plan.done.iter().map(|(id, why)| StepReport {
        id: id.clone(),
        outcome: StepOutcome::Done,
        why: Some(why.clone()),
        ..StepReport::default()
    });
    report.steps.extend(done);
    let starter = RunStarter { repo, policy: &policy, ask: &args.ask, ctx, cancel, debug: None };
    let mut runner = PlanRunner { starter, plan: id, branch, base: plan.base, rules: plan.rules };
    // A guard that failed has not allowed the plan.
    let mut ended = report.judgement.verdict() == Verdict::Error;
    let count = plan.plan.steps.len();
    for (number, step) in plan.plan.steps.iter().enumerate() {
        let dropped = judged.dropped.iter().find(|(dropped, _)| *dropped == step.id);
        let step_report = match dropped {
            Some((_, reason)) => StepReport { outcome: StepOutcome::Dropped, why: Some(reason.clone()), ..of(step) },
            None if ended => of(step),
            None => {
                ctx.see(&Event::Notice {
                    text: format!("step {} of {count}: {}: {}", number + 1, step.id, step.title),
                });
                let (step_report, ends) = runner.run_step(step);
                ended = ends;
                step_report
            }
        };
        report.commit = step_report.commit.or(report.commit);
        report.steps.push(step_report);
    }
    report.micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    record_end(&records, &report)?;
    Ok(report)
}

/// A step that was not run.
fn of(step: &PlanStep) -> StepReport {
    StepReport { id: step.id.clone(), title: step.title.clone(), ..StepReport::default() }
}

struct PlanRunner<'a> {
    starter: RunStarter<'a>,
    plan: String,
    branch: String,
    /// What the next step stands on: the last commit that was accepted.
    base: Head,
    rules: Oid,
}

impl PlanRunner<'_> {
    /// The step's report, and whether it ends the plan.
    fn run_step(&mut self, step: &PlanStep) -> (StepReport, bool) {
        let run = uuid::Uuid::now_v7().to_string();
        let request = RunRequest {
            id: run.clone(),
            command: "run",
            base: self.base.clone(),
            target: CommitTarget::Branch(self.branch.clone()),
            task: Task { text: step.text.clone(), hints: step.hints.clone(), ..Task::default() },
            origin: Origin {
                plan: Some(self.plan.clone()),
                step: Some(step.id.clone()),
                resumes: None,
                rules_tree: Some(self.rules.to_string()),
            },
            feedback: Feedback::default(),
        };
        let result = self.starter.start(&request).and_then(|report| {
            if let Some(commit) = report.commit {
                let tree = self.starter.repo.tree_of(commit)?;
                self.base = Head { commit: Some(commit), tree, ..self.base.clone() };
            }
            Ok(report)
        });
        match result {
            Ok(report) => (of_run(step, report), self.starter.cancel.is_cancelled()),
            Err(error) => {
                let hint = fault(&error).and_then(|fault| fault.hint.as_deref().map(|hint| format!("; {hint}")));
                let why = format!("{error:#}{}", hint.unwrap_or_default());
                let kind = kind(&error);
                let report = StepReport {
                    outcome: StepOutcome::Ran(RunEnd::Failed(kind)),
                    why: Some(why),
                    run: Some(run),
                    exit_code: kind.exit_code(),
                    ..of(step)
                };
                // A provider may answer the next step; other errors do not go away by themselves.
                (report, kind != Kind::Provider)
            }
        }
    }
}

fn of_run(step: &PlanStep, report: RunReport) -> StepReport {
    let last = report.rounds.last();
    let refused = || last?.failure.as_ref().map(|failure| failure.message.clone());
    let why = report.why.clone().or_else(refused).filter(|_| report.commit.is_none());
    let judgement = last.and_then(|round| round.check.as_ref()).map(|check| check.judgement.verdict());
    StepReport {
        outcome: StepOutcome::Ran(RunEnd::Result(report.outcome)),
        why,
        run: Some(report.run.clone()),
        commit: report.commit,
        rounds: report.rounds.len(),
        micros: report.micros,
        is_rejected_by_guard: report.outcome == RunOutcome::Rejected && judgement == Some(Verdict::Reject),
        exit_code: exit_code::of_run(&report),
        ..of(step)
    }
}

fn record_start(records: &Records, id: &str, branch: &str, plan: &PlanRun, policy: &Policy) -> Result<()> {
    records.keep(0, Artifact::Plan, &plan.json)?;
    let steps = plan.plan.steps.len();
    let run = Run {
        command: "plan".into(),
        task: format!("a plan of {steps} step{}", if steps == 1 { "" } else { "s" }),
        origin: Origin { rules_tree: Some(plan.rules.to_string()), resumes: plan.resumes.clone(), ..Origin::default() },
        commit: plan.base.commit.map(|oid| oid.to_string()),
        guards: policy.guards.ids(),
        branch: Some(branch.to_owned()),
        ..Run::default()
    };
    records.record(&Object::named(id.to_owned(), Body::Run(run), Actor::host()))
}

fn record_end(records: &Records, report: &PlanReport) -> Result<()> {
    let failed = report.steps.iter().find_map(|step| Some((step, step.outcome.failure()?)));
    let end = match (report.commit, failed) {
        (_, Some((_, end))) => end,
        (Some(_), None) => RunEnd::Result(RunOutcome::Committed),
        (None, None) => RunEnd::Result(RunOutcome::NoChange),
    };
    let decision = Decision {
        run_id: report.run.clone(),
        round: 0,
        decision_type: if report.commit.is_some() { DecisionType::Commit } else { DecisionType::Abandon },
        patchset_id: None,
        rationale: failed.and_then(|(step, _)| step.why.clone()),
        outcome: Some(RecordedEnd::Known(end)),
        result_commit_sha: report.commit.map(|oid: Oid| oid.to_string()),
        micros: report.micros,
        spent: Default::default(),
    };
    records.record(&Object::new(Body::Decision(decision), Actor::host()))
}
