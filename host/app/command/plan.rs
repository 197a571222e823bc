//! `host run --plan`: one guarded commit for each step, on a branch of the plan's own.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::cli::RunArgs;
use guardhost_core::change::{Event, Feedback, Observer, Oid, PlanStep, Task, Verdict};
use guardhost_core::error::{Kind, Result, fault, kind};
use guardhost_engine::plan as judge;
use guardhost_git::{Head, Repo};
use guardhost_pipeline::plan::{Plan, plan};
use guardhost_pipeline::settle::CommitTarget;
use guardhost_provider::Cancel;
use guardhost_report::journal::{Actor, Body, Decision, DecisionType, Object, Origin, Run};
use guardhost_report::journal::{Artifact, Records, Secrets};
use guardhost_report::{PlanReport, Report, RunReport, StepReport};

use super::walk::{Errand, records, walk};
use super::{CommandContext, exit_code};
use guardhost_policy::Policy;

/// A plan, and where its first step stands.
pub struct Course {
    pub head: Head,
    /// The plan's run that this one takes up.
    pub resumes: Option<String>,
    plan: Plan,
    json: Vec<u8>,
}

/// The branch of a plan, or of a run.
pub fn branch(run: &str) -> String {
    format!("guardhost/{run}")
}

impl Course {
    /// # Errors
    /// Of [`plan`].
    pub fn new(json: Vec<u8>, origin: &str, head: Head) -> Result<Self> {
        Ok(Course { plan: plan(&json, origin)?, json, head, resumes: None })
    }

    /// Leaves out steps that are done, by their ids; what is said of each is shown.
    pub fn without(&mut self, done: &BTreeMap<String, String>) {
        let Plan { steps, done: known } = &mut self.plan;
        steps.retain(|step| !done.contains_key(&step.id));
        known.extend(done.clone());
    }
}

/// Walks the plan. A step that is not accepted does not end the others; what would end them all does: an interruption, a repository
/// that cannot be written, settings that are wrong.
///
/// # Errors
/// Before the first step: of the rules, the records and the repository. After it, an error is a step's outcome.
pub fn follow(repo: &Repo, course: Course, args: &RunArgs, ctx: &CommandContext, cancel: Cancel) -> Result<PlanReport> {
    let begun = Instant::now();
    let id = uuid::Uuid::now_v7().to_string();
    let ruled = ctx.policies().resolve(repo, course.head.commit, course.head.tree, &args.only, &[])?;
    let records = records(repo, &id, Secrets::default())?;
    begin(&records, &id, &course, &ruled)?;
    let judged = judge(&course.plan.steps, &ruled.guards);
    let mut report = PlanReport {
        run: id.clone(),
        base: course.head.commit,
        branch: branch(&id),
        judgement: judged.judgement,
        notices: ruled.notice.clone().into_iter().collect(),
        ..PlanReport::default()
    };
    let done = course.plan.done.iter().map(|(id, why)| StepReport {
        id: id.clone(),
        outcome: "done".into(),
        why: Some(why.clone()),
        ..StepReport::default()
    });
    report.steps.extend(done);
    let mut walker = Walker { repo, plan: id, head: course.head, ruled: &ruled, args, ctx, cancel };
    // A guard that fails has not said that the plan may go ahead.
    let mut over = report.judgement.verdict() == Verdict::Error;
    let count = course.plan.steps.len();
    for (number, step) in course.plan.steps.iter().enumerate() {
        let dropped = judged.dropped.iter().find(|(dropped, _)| *dropped == step.id);
        let outcome = match dropped {
            Some((_, reason)) => StepReport { outcome: "dropped".into(), why: Some(reason.clone()), ..of(step) },
            None if over => StepReport { outcome: "not-reached".into(), ..of(step) },
            None => {
                ctx.see(&Event::Notice {
                    text: format!("step {} of {count}: {}: {}", number + 1, step.id, step.title),
                });
                let (step, ends) = walker.walk(step);
                over = ends;
                step
            }
        };
        report.commit = outcome.commit.or(report.commit);
        report.steps.push(outcome);
    }
    report.micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    end(&records, &report)?;
    Ok(report)
}

fn of(step: &PlanStep) -> StepReport {
    StepReport { id: step.id.clone(), title: step.title.clone(), ..StepReport::default() }
}

struct Walker<'a> {
    repo: &'a Repo,
    plan: String,
    /// What the next step stands on: the last commit that was accepted.
    head: Head,
    ruled: &'a Policy,
    args: &'a RunArgs,
    ctx: &'a CommandContext<'a>,
    cancel: Cancel,
}

impl Walker<'_> {
    /// What became of the step, and whether nothing can come after it.
    fn walk(&mut self, step: &PlanStep) -> (StepReport, bool) {
        let run = uuid::Uuid::now_v7().to_string();
        let errand = Errand {
            id: run.clone(),
            command: "run",
            repo: self.repo,
            head: self.head.clone(),
            onto: CommitTarget::Branch(branch(&self.plan)),
            task: Task { text: step.text.clone(), hints: step.hints.clone(), ..Task::default() },
            origin: Origin { plan: Some(self.plan.clone()), step: Some(step.id.clone()), resumes: None },
            told: Feedback::default(),
            ruled: self.ruled,
            ask: &self.args.ask,
            debug: None,
        };
        let walked = walk(errand, self.ctx, self.cancel.clone()).and_then(|report| {
            if let Some(commit) = report.commit {
                self.head = Head { commit: Some(commit), tree: self.repo.tree_of(commit)?, ..self.head.clone() };
            }
            Ok(report)
        });
        match walked {
            Ok(report) => (told(step, report), self.cancel.is_cancelled()),
            Err(error) => {
                let hint = fault(&error).and_then(|fault| fault.hint.as_deref().map(|hint| format!("; {hint}")));
                let why = format!("{error:#}{}", hint.unwrap_or_default());
                let kind = kind(&error);
                let report = StepReport {
                    outcome: kind.name().into(),
                    why: Some(why),
                    run: Some(run),
                    exit_code: kind.exit_code(),
                    ..of(step)
                };
                // Another step may have another provider's luck; nothing else gets better by itself.
                (report, kind != Kind::Provider)
            }
        }
    }
}

fn told(step: &PlanStep, report: RunReport) -> StepReport {
    let refused = |report: &RunReport| {
        let last = report.rounds.last()?.setback.as_ref()?;
        Some(last.message.clone())
    };
    let why = report.why.clone().or_else(|| refused(&report)).filter(|_| report.commit.is_none());
    let mut told = StepReport {
        outcome: report.outcome.into(),
        why,
        run: Some(report.run.clone()),
        commit: report.commit,
        rounds: report.rounds.len(),
        micros: report.micros,
        ..of(step)
    };
    told.exit_code = exit_code(&Report::Run(Box::new(report)));
    told
}

fn begin(records: &Records, id: &str, course: &Course, ruled: &Policy) -> Result<()> {
    records.keep(0, Artifact::Plan, &course.json)?;
    let steps = course.plan.steps.len();
    let run = Run {
        command: "plan".into(),
        task: format!("a plan of {steps} step{}", if steps == 1 { "" } else { "s" }),
        origin: Origin { resumes: course.resumes.clone(), ..Origin::default() },
        commit: course.head.commit.map(|oid| oid.to_string()),
        guards: ruled.guards.ids(),
        ..Run::default()
    };
    records.record(&Object::named(id.to_owned(), Body::Run(run), Actor::host()))
}

fn end(records: &Records, report: &PlanReport) -> Result<()> {
    let failed = report.steps.iter().find(|step| step.exit_code != 0);
    let outcome = match (report.commit, failed) {
        (_, Some(failed)) => failed.outcome.clone(),
        (Some(_), None) => "committed".to_owned(),
        (None, None) => "no-change".to_owned(),
    };
    let decision = Decision {
        run_id: report.run.clone(),
        round: 0,
        decision_type: if report.commit.is_some() { DecisionType::Commit } else { DecisionType::Abandon },
        patchset_id: None,
        rationale: failed.and_then(|step| step.why.clone()),
        outcome: Some(outcome),
        result_commit_sha: report.commit.map(|oid: Oid| oid.to_string()),
        micros: report.micros,
        spent: Default::default(),
    };
    records.record(&Object::new(Body::Decision(decision), Actor::host()))
}
