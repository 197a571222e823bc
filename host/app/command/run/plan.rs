//! `host run --plan`: one guarded commit for each step, on a branch of the plan's own.

use std::collections::BTreeMap;
use std::time::Instant;

use guardhost_core::change::{
    Event, Feedback, Observer, Oid, PlanStep, RunEnd, RunOutcome, StepOutcome, Task, TaskMode, Verdict,
};
use guardhost_core::error::{FaultKind, Result, fault, kind};
use guardhost_gate::{Gate, ReadyGate};
use guardhost_git::{Head, Repo};
use guardhost_pipeline::plan::context::PlanContext;
use guardhost_pipeline::plan::{EarlierRuns, Layered, Plan, json as write_json, layered, plan};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::settle::{CommitTarget, branch_name};
use guardhost_provider::Cancel;
use guardhost_report::escape;
use guardhost_report::journal::{
    Actor, Artifact, Decision, Object, ObjectBody, Origin, Records, Run, RunCommand, Secrets,
};
use guardhost_report::{PlanReport, RunReport, StepReport};

use super::budget::PlanBudget;
use super::gate;
use super::passing::PassingTests;
use crate::cli::AskArgs;
use crate::command::planning::{trace, trace_layers};
use crate::command::start_run::{RunStarter, begin_recording, create_records, why_not, within_time};
use crate::context::CommandContext;
use crate::exit_code;
use crate::observing;

/// A branch and its last commit.
pub struct Committed {
    pub branch: String,
    pub tip: Oid,
}

/// A plan, and what its first step stands on.
pub struct PlanRun {
    pub base: Head,
    /// The tree whose rules judge every step: that of the commit on which the plan first stood, whatever its steps committed since.
    pub rules: Oid,
    /// The run of the plan that this one resumes.
    pub resumes: Option<String>,
    /// The runs of plans that this one takes up, the newest first. To resume them is to try their steps again.
    pub lineage: Vec<String>,
    /// What those runs committed, if anything.
    pub committed: Option<Committed>,
    /// What the report says beside what becomes of the plan.
    pub notices: Vec<String>,
    pub plan: Plan,
    json: Vec<u8>,
}

impl PlanRun {
    /// # Errors
    /// Of [`plan`].
    pub fn new(json: Vec<u8>, origin: &str, base: Head) -> Result<Self> {
        Ok(Self::with(plan(&json, origin)?, json, base))
    }

    /// A plan that was not read from a file.
    pub fn from_plan(plan: Plan, base: Head) -> Self {
        let json = escape::json(&write_json(&plan, &[]));
        Self::with(plan, json, base)
    }

    fn with(plan: Plan, json: Vec<u8>, base: Head) -> Self {
        PlanRun {
            plan,
            json,
            rules: base.tree,
            base,
            resumes: None,
            lineage: Vec::new(),
            committed: None,
            notices: Vec::new(),
        }
    }

    /// Replaces what the plan is said to be made from. It is recorded with the plan.
    pub fn in_context(self, context: PlanContext) -> Self {
        match context == self.plan.context {
            true => self,
            false => {
                let plan = Plan { context, ..self.plan };
                PlanRun { json: escape::json(&write_json(&plan, &[])), plan, ..self }
            }
        }
    }

    /// The branch of the plan's commits, named after its first step.
    fn branch(&self, run: &str) -> String {
        branch_name(self.plan.steps().next().map_or("plan", |(_, step)| &step.title), run)
    }

    /// Leaves out steps that are done, by their ids; the texts are shown as the reasons.
    pub fn without(&mut self, done: &BTreeMap<String, String>) {
        self.plan.without(|step| done.get(step).cloned());
        let known: Vec<String> = self.plan.done.iter().map(|(id, _)| id.clone()).collect();
        self.plan
            .done
            .extend(done.iter().filter(|(id, _)| !known.contains(id)).map(|(id, why)| (id.clone(), why.clone())));
    }
}

/// How the steps of a plan are run.
pub struct PlanSettings<'a> {
    /// Run only these guards.
    pub only: &'a [String],
    /// The limits are those of the whole plan.
    pub ask: &'a AskArgs,
    pub ctx: &'a CommandContext<'a>,
    pub cancel: Cancel,
}

/// The run that the steps belong to.
pub struct PlanIdentity<'a> {
    pub id: String,
    pub branch: String,
    pub records: &'a Records,
}

/// Runs the steps in order. A step that is not accepted does not end the plan; an interruption, a repository that cannot be written and
/// wrong settings do.
///
/// # Errors
/// Before the first step: of the rules, the records and the repository. After it, an error is a step's outcome.
pub fn run_plan(repo: &Repo, plan: PlanRun, settings: &PlanSettings) -> Result<PlanReport> {
    let id = uuid::Uuid::now_v7().to_string();
    let branch = plan.branch(&id);
    let gate = gate(repo, &plan.base, plan.rules, settings.only, settings.ctx)?;
    let ready = within_time(&settings.ask.provider, settings.ctx, || gate.ready())?;
    begin_recording(&settings.ask.provider, settings.ctx)?;
    let records = create_records(repo, &id, Secrets::default(), settings.ctx.process)?;
    record_start(&records, &id, &branch, &plan, &gate)?;
    let identity = PlanIdentity { id, branch, records: &records };
    let mut budget = PlanBudget::new(settings.ask, Instant::now());
    let mut report = walk(repo, plan, &identity, ready, (settings, &mut budget))?;
    record_end(&records, &report)?;
    report.notices.extend(observing::tell_records(settings.ctx, repo, &report.run));
    Ok(report)
}

/// The layers with the guards of the plan stage, then the steps.
///
/// # Errors
/// Those of [`run_plan`].
pub fn walk(
    repo: &Repo,
    mut plan: PlanRun,
    identity: &PlanIdentity,
    gate: ReadyGate<'_>,
    (settings, budget): (&PlanSettings, &mut PlanBudget),
) -> Result<PlanReport> {
    let started = Instant::now();
    let PlanSettings { ctx, ask, cancel, .. } = settings;
    let (elsewhere, absences) = observing::runs_elsewhere(ctx, repo);
    let earlier = EarlierRuns { lineage: &plan.lineage, elsewhere: &elsewhere };
    let Layered { reports: layers, judgement } = layered(repo, &mut plan.plan, plan.base.tree, gate.policy(), earlier)?;
    trace_layers(identity.records, &identity.id, &layers, ctx)?;
    identity.records.keep(0, Artifact::LayeredPlan, &escape::json(&write_json(&plan.plan, &layers)))?;
    let mut report = PlanReport {
        run: identity.id.clone(),
        base: plan.base.commit,
        branch: identity.branch.clone(),
        layers,
        judgement,
        notices: plan.notices.iter().chain(gate.notices()).cloned().chain(absences).collect(),
        ..PlanReport::default()
    };
    let done = plan.plan.done.iter().map(|(id, why)| StepReport {
        id: id.clone(),
        outcome: StepOutcome::Done,
        why: Some(why.clone()),
        ..StepReport::default()
    });
    report.steps.extend(done);
    let mode = if plan.plan.context.fails("build") { TaskMode::CompileFix } else { TaskMode::Normal };
    let starter = RunStarter { repo, gate, ask, ctx, cancel: cancel.clone(), debug: None };
    let (plan_id, branch) = (identity.id.clone(), identity.branch.clone());
    let mut runner = PlanRunner { starter, plan: plan_id, branch, base: plan.base, rules: plan.rules, mode, budget };
    // A guard that failed has not allowed the plan.
    let mut ended = report.judgement.verdict() == Verdict::Error;
    let count = plan.plan.steps().count();
    let is_begun = plan.plan.has_begun_to_fix_tests();
    let mut passing = PassingTests::new(repo, gate.policy(), ctx, is_begun);
    let mut skipped = Vec::new();
    for (number, (task, step)) in plan.plan.steps().enumerate() {
        let request = step.request(task);
        let dropped = step.dropped.as_ref();
        let mends = task.fixes_failing_tests();
        let passes = if mends && !ended && dropped.is_none() { passing.reason(&runner.base) } else { None };
        let step_report = match (dropped, passes) {
            (Some(reason), _) => {
                StepReport { outcome: StepOutcome::Dropped, why: Some(reason.clone()), ..step_report(&request) }
            }
            (None, _) if ended => step_report(&request),
            (None, Some(why)) => {
                skipped.push(Event::Notice { text: format!("step {} is skipped: {why}", step.id) });
                StepReport { outcome: StepOutcome::Skipped, why: Some(why), ..step_report(&request) }
            }
            (None, None) => {
                ctx.see(&Event::Notice {
                    text: format!("step {} of {count}: {}: {}", number + 1, step.id, step.title),
                });
                let (step_report, ends) = runner.run_step(&request, String::new());
                ended = ends;
                step_report
            }
        };
        passing.is_begun |= mends && step_report.commit.is_some();
        report.commit = step_report.commit.or(report.commit);
        report.steps.push(step_report);
    }
    trace(identity.records, &identity.id, &skipped, ctx)?;
    // Nothing was left, or nothing more was accepted: the result is what the earlier runs committed.
    if let (None, Some(Committed { branch, tip })) = (report.commit, plan.committed) {
        (report.commit, report.branch) = (Some(tip), branch);
    }
    report.micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(report)
}

/// A step that was not run.
fn step_report(step: &PlanStep) -> StepReport {
    StepReport { id: step.id.clone(), title: step.title.clone(), ..StepReport::default() }
}

/// Runs steps, one after another on one branch.
pub struct PlanRunner<'a, 'b> {
    pub starter: RunStarter<'a>,
    /// The run that the steps belong to.
    pub plan: String,
    pub branch: String,
    /// What the next step stands on: the last commit that was accepted.
    pub base: Head,
    pub rules: Oid,
    pub mode: TaskMode,
    pub budget: &'b mut PlanBudget,
}

impl PlanRunner<'_, '_> {
    /// The step's report, and whether it ends the plan. `context` is shown to the provider beside the task.
    pub fn run_step(&mut self, step: &PlanStep, context: String) -> (StepReport, bool) {
        let ask = match self.budget.left() {
            Ok(ask) => ask,
            Err(why) => {
                let outcome = StepOutcome::Ran(RunEnd::Result(RunOutcome::OverBudget));
                return (
                    StepReport {
                        outcome,
                        why: Some(why),
                        exit_code: FaultKind::Provider.exit_code(),
                        ..step_report(step)
                    },
                    true,
                );
            }
        };
        let run = uuid::Uuid::now_v7().to_string();
        let request = RunRequest {
            id: run.clone(),
            command: RunCommand::Run,
            base: self.base.clone(),
            target: CommitTarget::Branch(self.branch.clone()),
            task: Task { text: step.text.clone(), hints: step.hints.clone(), mode: self.mode, context },
            origin: Origin {
                plan: Some(self.plan.clone()),
                step: Some(step.id.clone()),
                resumes: None,
                part_of: None,
                rules_tree: Some(self.rules.to_string()),
            },
            feedback: Feedback::default(),
        };
        let starter = RunStarter { ask: &ask, cancel: self.starter.cancel.clone(), debug: None, ..self.starter };
        let result = starter.start(&request).and_then(|report| {
            self.budget.spend(&report.spent);
            if let Some(commit) = report.commit {
                let tree = self.starter.repo.tree_of(commit)?;
                self.base = Head { commit: Some(commit), tree, ..self.base.clone() };
            }
            Ok(report)
        });
        match result {
            Ok(report) => (from_run(step, report), self.starter.cancel.is_cancelled()),
            Err(error) => {
                let hint = fault(&error).and_then(|fault| fault.hint.as_deref().map(|hint| format!("; {hint}")));
                let why = format!("{error:#}{}", hint.unwrap_or_default());
                let kind = kind(&error);
                if kind != FaultKind::Interrupted {
                    // The report of the plan comes after all its steps.
                    let text = format!("step {} failed: {why}", step.id);
                    self.starter.ctx.see(&Event::Notice { text });
                }
                let report = StepReport {
                    outcome: StepOutcome::Ran(RunEnd::Failed(kind)),
                    why: Some(why),
                    run: Some(run),
                    exit_code: kind.exit_code(),
                    ..step_report(step)
                };
                // A provider may answer the next step; other errors do not go away by themselves.
                (report, kind != FaultKind::Provider)
            }
        }
    }
}

fn from_run(step: &PlanStep, report: RunReport) -> StepReport {
    let last = report.rounds.last();
    let why = why_not(&report).filter(|_| report.commit.is_none());
    let judgement = last.and_then(|round| round.check.as_ref()).map(|check| check.judgement.verdict());
    StepReport {
        outcome: StepOutcome::Ran(RunEnd::Result(report.outcome)),
        why,
        run: Some(report.run.clone()),
        commit: report.commit,
        rounds: report.rounds.len(),
        micros: report.micros,
        is_rejected_by_guard: report.outcome == RunOutcome::Rejected && judgement == Some(Verdict::Reject),
        exit_code: exit_code::from_run(&report),
        ..step_report(step)
    }
}

fn record_start(records: &Records, id: &str, branch: &str, plan: &PlanRun, gate: &Gate) -> Result<()> {
    records.keep(0, Artifact::Plan, &plan.json)?;
    let steps = plan.plan.steps().count();
    let run = Run {
        command: RunCommand::Plan,
        task: format!("a plan of {steps} step{}", if steps == 1 { "" } else { "s" }),
        origin: Origin { rules_tree: Some(plan.rules.to_string()), resumes: plan.resumes.clone(), ..Origin::default() },
        commit: plan.base.commit.map(|oid| oid.to_string()),
        guards: gate.guards().ids(),
        branch: Some(branch.to_owned()),
        ..Run::default()
    };
    records.record(&Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host()))
}

fn record_end(records: &Records, report: &PlanReport) -> Result<()> {
    let failed = report.steps.iter().find_map(|step| Some((step, step.outcome.failure()?)));
    let end = match (report.commit, failed) {
        (_, Some((_, end))) => end,
        (Some(_), None) => RunEnd::Result(RunOutcome::Committed),
        (None, None) => RunEnd::Result(RunOutcome::NoChange),
    };
    let rationale = failed.and_then(|(step, _)| step.why.clone());
    let decision =
        Decision { rationale, ..Decision::end_of(&report.run, end, report.micros) }.with_commit(report.commit);
    records.record(&Object::new(ObjectBody::Decision(decision), Actor::host()))
}
