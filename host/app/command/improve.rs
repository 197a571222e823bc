//! `host improve`: audit, plan, the steps of the plan under all guards, audit again; one run, which can be resumed.

use std::time::Instant;

use guardhost_core::change::{Oid, RunEnd, RunOutcome, Usage};
use guardhost_core::error::{Context, Fault, Kind, Result, kind};
use guardhost_git::{Head, Repo};
use guardhost_pipeline::measure::{Wanted, measured};
use guardhost_pipeline::plan::context::AuditFile;
use guardhost_pipeline::settle::branch_name;
use guardhost_policy::Policy;
use guardhost_provider::Cancel;
use guardhost_report::journal::{Actor, Artifact, Body, Decision, Object, Origin, Records, Run, State};
use guardhost_report::{AuditReport, ImproveReport, PlanReport, Report, escape, json};

use super::CommandContext;
use super::plan::PlanJob;
use super::pr::{Improved, connect, open_and_watch};
use super::run::budget::PlanBudget;
use super::run::plan::{PlanIdentity, PlanRun, PlanSettings, walk};
use super::run::{policy, resume};
use super::select_run::named_run;
use super::start_run::{asking, create_records};
use crate::cli::{ImproveArgs, PlanFrom};
use crate::observing;

pub fn improve(args: &ImproveArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let left = match &args.resume {
        Some(prefix) => left_of(&repo, prefix)?,
        None => Left::of(repo.head()?),
    };
    if left.base.commit.is_none() {
        let hint = "commit something first: an audit reads a commit, not the work tree";
        return Err(Fault::new(Kind::Nothing, "the repository has no commit to improve").hint(hint).into());
    }
    if args.pr {
        // What is missing for it is said before a provider is asked.
        connect(&args.forge, &repo, ctx)?;
    }
    let policy = policy(&repo, &left.base, left.rules, &[], ctx)?;
    let id = uuid::Uuid::now_v7().to_string();
    let branch = branch_name("improve", &id);
    let asking = asking(&repo, &args.ask.provider, &policy.config.rules.providers, ctx, cancel.clone())?;
    let records = create_records(&repo, &id, asking.secrets.clone())?;
    record_start(&records, &id, &branch, &left, args, &policy)?;
    let identity = PlanIdentity { id: id.clone(), branch, records: &records };
    let improvement = Improvement { repo: &repo, policy: &policy, args, ctx, cancel: cancel.clone(), begun, identity };
    let made = improvement.run(left, asking);
    record_end(&records, &id, &made, begun)?;
    let mut report = made?;
    report.notices.extend(policy.notices);
    // What was committed is recorded: whatever happens from here on, the run can be taken up again, and goes on here.
    if let (true, Some(commit)) = (args.pr, report.plan.commit) {
        let improved = Improved { run: &id, branch: report.plan.branch.clone(), base: report.base, commit };
        let (pull, watch) = open_and_watch(improved, args, &repo, ctx, &cancel, begun)?;
        (report.pull, report.watch) = (Some(Box::new(pull)), watch.map(Box::new));
    }
    report.micros = micros(begun);
    Ok(Report::Improve(Box::new(report)))
}

/// What is left to do: all, or the rest of a run that stopped.
struct Left {
    base: Head,
    rules: Oid,
    resumes: Option<String>,
    /// The rest of the plan, if the run got so far.
    plan: Option<PlanRun>,
}

impl Left {
    fn of(base: Head) -> Self {
        Left { rules: base.tree, base, resumes: None, plan: None }
    }
}

/// # Errors
/// [`Kind::Usage`]: no such run, one of another command, one that is at work.
fn left_of(repo: &Repo, prefix: &str) -> Result<Left> {
    let state_dir = repo.state_dir()?;
    let history = named_run(&state_dir, prefix)?;
    let wrong = |what: String| Err(Fault::new(Kind::Usage, what).into());
    let Some((_, run)) = history.run().filter(|(_, run)| run.command == "improve") else {
        return wrong(format!("the run {} is none of `host improve`", history.run));
    };
    if history.state() == State::Running {
        return wrong(format!("the run {} is still at work", history.run));
    }
    let base = run.commit.as_deref().map(|commit| resume::head(repo, commit)).transpose()?;
    let base = base.map_or_else(|| repo.head(), Ok)?;
    let rules = resume::rules_tree(&run.origin)?;
    // It is written whole or not at all, once the planner has answered and before the first step.
    let is_planned = history.dir.join("0").join(Artifact::Plan.file()).is_file();
    let plan = is_planned.then(|| resume::plan(repo, &state_dir, &history, Some(base.clone()), rules)).transpose()?;
    Ok(Left { base, rules, resumes: Some(history.run.clone()), plan })
}

struct Improvement<'a> {
    repo: &'a Repo,
    policy: &'a Policy,
    args: &'a ImproveArgs,
    ctx: &'a CommandContext<'a>,
    cancel: Cancel,
    begun: Instant,
    identity: PlanIdentity<'a>,
}

impl Improvement<'_> {
    fn run(&self, left: Left, asking: super::start_run::Asking) -> Result<ImproveReport> {
        let records = self.identity.records;
        let before = self.audit(left.base.tree, left.base.commit)?;
        let audit = escape::json(&json::audit::audit(&before));
        records.keep(0, Artifact::Audit, &audit)?;
        let mut report = ImproveReport {
            run: self.identity.id.clone(),
            base: left.base.commit,
            before: Some(before),
            plan: PlanReport {
                run: self.identity.id.clone(),
                base: left.base.commit,
                branch: self.identity.branch.clone(),
                ..PlanReport::default()
            },
            ..ImproveReport::default()
        };
        let mut layers = Vec::new();
        let plan = match left.plan {
            Some(plan) => {
                let left = guardhost_pipeline::plan::json(&plan.plan, &[]);
                records.keep(0, Artifact::Plan, &escape::json(&left))?;
                plan
            }
            None => {
                let audit = AuditFile::parse(&audit, "the audit")?;
                let from = PlanFrom { from_audit: None, scope: self.args.scope.clone() };
                let provider = &self.args.ask.provider;
                let (repo, policy, head) = (self.repo, self.policy, &left.base);
                let (elsewhere, absences) = observing::runs_elsewhere(self.ctx, repo);
                report.notices.extend(absences);
                let job =
                    PlanJob { repo, head, policy, task: None, from: &from, audit: Some(audit), provider, elsewhere };
                if !job.has_something_to_do()? {
                    return Ok(report);
                }
                let (made, spent) = job.make_in(&self.identity.id, records, asking, self.ctx);
                report.planning = spent;
                let made = made?;
                layers = made.report.layers;
                report.notices.extend(made.report.notices);
                PlanRun::of(made.plan, left.base.clone())
            }
        };
        let mut budget = PlanBudget::new(&self.args.ask, self.begun);
        budget.spend(&report.planning);
        let ask = budget.left().map_err(|why| Fault::new(Kind::Provider, why).code("over-budget"))?;
        let settings = PlanSettings { only: &[], ask: &ask, ctx: self.ctx, cancel: self.cancel.clone() };
        report.plan = walk(self.repo, plan, &self.identity, self.policy, &settings)?;
        report.plan.layers.splice(0..0, layers);
        if let Some(commit) = report.plan.commit {
            let after = self.audit(self.repo.tree_of(commit)?, Some(commit))?;
            records.keep(0, Artifact::AuditAfter, &escape::json(&json::audit::audit(&after)))?;
            report.after = Some(after);
        }
        Ok(report)
    }

    fn audit(&self, tree: Oid, commit: Option<Oid>) -> Result<AuditReport> {
        let begun = Instant::now();
        let wanted = Wanted { runs_code: !self.args.no_builds, metrics: &[] };
        let analyzers = self.ctx.policies().analyzers(self.repo, wanted.runs_code)?;
        let audit = measured(self.repo, self.policy, &analyzers, tree, &wanted)?;
        Ok(AuditReport {
            audit,
            revision: commit.map(|commit| commit.to_string()).unwrap_or_default(),
            micros: micros(begun),
            notices: Vec::new(),
        })
    }
}

fn record_start(
    records: &Records,
    id: &str,
    branch: &str,
    left: &Left,
    args: &ImproveArgs,
    policy: &Policy,
) -> Result<()> {
    let scope = args.scope.as_ref().map(|scope| format!(" ({scope})")).unwrap_or_default();
    let run = Run {
        command: "improve".into(),
        task: format!("improve what an audit finds{scope}"),
        origin: Origin { rules_tree: Some(left.rules.to_string()), resumes: left.resumes.clone(), ..Origin::default() },
        commit: left.base.commit.map(|oid| oid.to_string()),
        guards: policy.guards.ids(),
        branch: Some(branch.to_owned()),
        ..Run::default()
    };
    records.record(&Object::named(id.to_owned(), Body::Run(run), Actor::host()))
}

fn record_end(records: &Records, id: &str, made: &Result<ImproveReport>, begun: Instant) -> Result<()> {
    let commit = made.as_ref().ok().and_then(|report| report.plan.commit);
    let (end, rationale) = match made {
        Err(error) => (RunEnd::Failed(kind(error)), Some(format!("{error:#}"))),
        Ok(report) => match report.plan.steps.iter().find_map(|step| Some((step, step.outcome.failure()?))) {
            Some((step, end)) => (end, step.why.clone()),
            None if commit.is_some() => (RunEnd::Result(RunOutcome::Committed), None),
            None => (RunEnd::Result(RunOutcome::NoChange), None),
        },
    };
    let spent = made.as_ref().map_or_else(|_| Usage::default(), |report| report.planning);
    let decision = Decision { rationale, spent, ..Decision::end_of(id, end, micros(begun)) }.with_commit(commit);
    records.record(&Object::new(Body::Decision(decision), Actor::host())).context("cannot record the end of the run")
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
