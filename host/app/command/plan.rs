//! `host plan`: a provider is asked for a plan, and the layers keep what is grounded.

use std::sync::Arc;
use std::time::Instant;

use guardhost_core::change::{Event, LayerReport, Observer, RunEnd, RunOutcome, Tree, Usage};
use guardhost_core::error::{Context, Fault, FaultKind, Result, kind};
use guardhost_git::{Head, Repo};
use guardhost_pipeline::plan::ask::{Exchange, PlanQuestion, Planned, ask};
use guardhost_pipeline::plan::context::{AuditFile, AuditMetric, PlanContext};
use guardhost_pipeline::plan::migration::{self, DocumentationTool};
use guardhost_pipeline::plan::{EarlierRuns, Plan, json, layered, past_runs, written};
use guardhost_policy::Policy;
use guardhost_policy::config::{ScopeRule, scope};
use guardhost_provider::Cancel;
use guardhost_report::escape;
use guardhost_report::journal::{
    Actor, Artifact, Decision, Object, ObjectBody, Origin, Records, Run, RunCommand, Secrets, Trace,
};
use guardhost_report::{MadePlanReport, PlanStepReport, Report};
use jiff::Timestamp;

use super::planning::audit_file;
use super::start_run::{Asking, asking, create_records};
use crate::cli::{PlanArgs, PlanFrom, ProviderArgs};
use crate::context::CommandContext;
use crate::observing::{self, PlanHistory};

pub fn plan(args: &PlanArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let head = repo.head()?;
    if args.task.as_ref().is_some_and(|task| task.trim().is_empty()) {
        return Err(Fault::new(FaultKind::Usage, "the task is empty")
            .hint("say what is to be planned: --task TEXT")
            .into());
    }
    let policy = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    let audit = audit_file(&args.from, ctx)?;
    let mut history = observing::history_for_plan(ctx, &repo, head.tree);
    let absences = std::mem::take(&mut history.notices);
    let from = PlanFrom {
        scope: args.to.map(|_| migration::SCOPE.to_owned()).or(args.from.scope.clone()),
        ..args.from.clone()
    };
    let job = PlanJob {
        repo: &repo,
        head: &head,
        policy: &policy,
        task: args.to.map_or(args.task.as_deref(), |to| Some(to.tool().task())),
        from: &from,
        audit,
        provider: &args.provider,
        history,
    };
    let made = match args.to {
        Some(to) => job.migrating(to.tool(), ctx)?,
        None => job.make(ctx, cancel)?,
    };
    let mut report = made.report;
    report.micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    report.notices.extend(policy.notices.into_iter().chain(absences));
    Ok(Report::MadePlan(Box::new(report)))
}

/// A plan that is wanted.
pub struct PlanJob<'a> {
    pub repo: &'a Repo,
    pub head: &'a Head,
    pub policy: &'a Policy,
    pub task: Option<&'a str>,
    pub from: &'a PlanFrom,
    pub audit: Option<AuditFile>,
    pub provider: &'a ProviderArgs,
    /// What an observer tells.
    pub history: PlanHistory,
}

/// A plan after its layers; dropped steps are in it, with their reasons.
pub struct MadePlan {
    pub plan: Plan,
    pub report: MadePlanReport,
}

impl PlanJob<'_> {
    /// Whether a metric of the scope fails or warns.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: there is no such scope.
    pub fn has_something_to_do(&self) -> Result<bool> {
        let scope = self.scope()?;
        let is_in_scope =
            |id: &String| scope.as_ref().is_none_or(|scope| scope.metrics.is_empty() || scope.metrics.contains(id));
        let is_wanting = |metric: &AuditMetric| matches!(metric.status.as_str(), "fail" | "warn");
        let mut metrics = self.audit.iter().flat_map(|audit| &audit.metrics);
        Ok(metrics.any(|metric| is_wanting(metric) && is_in_scope(&metric.id)))
    }

    fn scope(&self) -> Result<Option<ScopeRule>> {
        let scopes = &self.policy.config.rules.scopes;
        self.from.scope.as_deref().map(|name| scope(name, scopes)).transpose()
    }

    /// Asks, applies the layers, and keeps records of both in a run of its own: also of a reply that is no plan.
    ///
    /// # Errors
    /// Of the settings, the provider ([`FaultKind::Provider`]; `plan-invalid` for replies that are no plan), the repository, the records.
    pub fn make(self, ctx: &CommandContext, cancel: Cancel) -> Result<MadePlan> {
        let begun = Instant::now();
        let id = uuid::Uuid::now_v7().to_string();
        let asking = asking(self.repo, self.provider, &self.policy.config.rules.providers, ctx, cancel)?;
        let records = create_records(self.repo, &id, asking.secrets.clone(), ctx.process)?;
        self.record_start(&records, &id, &asking.chain.to_string())?;
        let (made, spent) = self.make_in(&id, &records, asking, ctx);
        record_end(&records, &id, &made, spent, begun)?;
        made
    }

    /// A plan that follows from the tree alone: the documents are moved to the tool. Nobody is asked.
    ///
    /// # Errors
    /// There is nothing to move; of the repository, and of the records.
    fn migrating(mut self, tool: DocumentationTool, ctx: &CommandContext) -> Result<MadePlan> {
        let begun = Instant::now();
        let plan = migration::plan(tool, &Tree { objects: self.repo.store(), oid: self.head.tree })?;
        let id = uuid::Uuid::now_v7().to_string();
        let records = create_records(self.repo, &id, Secrets::default(), ctx.process)?;
        self.record_start(&records, &id, "")?;
        let planned = Planned { plan: Ok(plan), exchanges: Vec::new(), spent: Usage::default() };
        let made = self.traced(&id, &records, Secrets::default(), ctx, &mut Usage::default(), |_, _| planned);
        record_end(&records, &id, &made, Usage::default(), begun)?;
        made
    }

    /// The same in a run that goes on behind it; and what was spent, also when no plan came back.
    pub fn make_in(
        mut self,
        id: &str,
        records: &Records,
        asking: Asking,
        ctx: &CommandContext,
    ) -> (Result<MadePlan>, Usage) {
        let mut spent = Usage::default();
        let made = self.made(id, records, asking, ctx, &mut spent);
        (made, spent)
    }

    fn made(
        &mut self,
        id: &str,
        records: &Records,
        asking: Asking,
        ctx: &CommandContext,
        spent: &mut Usage,
    ) -> Result<MadePlan> {
        let Asking { mut chain, notice, secrets, runtime } = asking;
        let mut made =
            self.traced(id, records, secrets, ctx, spent, |question, seen| ask(question, &mut chain, &runtime, seen))?;
        made.report.notices.splice(0..0, notice);
        Ok(made)
    }

    /// Applies the layers to what `ask` gives, with a trace of both.
    fn traced(
        &mut self,
        id: &str,
        records: &Records,
        secrets: Secrets,
        ctx: &CommandContext,
        spent: &mut Usage,
        ask: impl FnOnce(&PlanQuestion, &PlanObserver) -> Planned,
    ) -> Result<MadePlan> {
        let (_, file) = records.trace()?;
        let trace = Trace::new(file, id, secrets, Arc::new(Timestamp::now));
        let seen = PlanObserver { ctx, trace: &trace };
        let made = self.plan_from_answer(&seen, records, spent, |question| ask(question, &seen));
        trace.finish()?;
        let (plan, layers, last) = made?;
        let steps = plan.steps().map(|(task, step)| PlanStepReport {
            id: step.id.clone(),
            task: task.title.clone(),
            title: step.title.clone(),
            action: step.action.name(),
            hints: step.hints.iter().map(ToString::to_string).collect(),
            dropped: step.dropped.clone(),
        });
        let report = MadePlanReport {
            run: id.to_owned(),
            plan: written(&plan, &layers),
            steps: steps.collect(),
            provider: last.provider,
            model: last.model,
            questions: last.questions,
            spent: *spent,
            notices: last.left_out,
            micros: 0,
        };
        Ok(MadePlan { plan, report })
    }

    fn plan_from_answer(
        &mut self,
        seen: &PlanObserver,
        records: &Records,
        spent: &mut Usage,
        ask: impl FnOnce(&PlanQuestion) -> Planned,
    ) -> Result<(Plan, Vec<LayerReport>, PlanAnswers)> {
        let tree = Tree { objects: self.repo.store(), oid: self.head.tree };
        let scope = self.scope()?;
        let mut context = PlanContext {
            task: self.task.map(str::to_owned),
            scope: scope.as_ref().map(|scope| scope.name.clone()),
            ..PlanContext::default()
        };
        if let Some(audit) = &mut self.audit {
            context = context.with_audit(audit, &tree)?;
            if let Some(scope) = &scope {
                let (kept, dropped) = context.scoped(audit, &scope.metrics);
                seen.see(&Event::MetricsScoped { scope: scope.name.clone(), kept, dropped });
            }
        }
        let past = past_runs(self.repo, &self.history.elsewhere)?;
        let audit = self.audit.as_ref();
        let shared = self.history.facts.as_ref();
        let planned = ask(&PlanQuestion { context, audit, scope: scope.as_ref(), tree: &tree, past: &past, shared });
        *spent = planned.spent;
        for (exchange, round) in planned.exchanges.iter().zip(1..) {
            keep(records, round, exchange)?;
        }
        let mut plan = planned.plan?;
        let earlier = EarlierRuns { elsewhere: &self.history.elsewhere, ..EarlierRuns::default() };
        let layers = layered(self.repo, &mut plan, self.head.tree, self.policy, earlier)?.allowed()?.reports;
        for report in &layers {
            seen.see(&Event::PlanLayered { report: report.clone() });
        }
        records.keep(0, Artifact::Plan, &escape::json(&json(&plan, &layers)))?;
        let last = planned.exchanges.last().map(|exchange| &exchange.reply);
        let answered = PlanAnswers {
            provider: last.map(|reply| reply.provider.clone()).unwrap_or_default(),
            model: last.and_then(|reply| reply.model.clone()),
            questions: planned.exchanges.len(),
            left_out: planned.exchanges.last().map(|exchange| exchange.left_out.clone()).unwrap_or_default(),
        };
        Ok((plan, layers, answered))
    }

    fn record_start(&self, records: &Records, id: &str, provider: &str) -> Result<()> {
        let task = self.task.unwrap_or("a plan from the report of an audit");
        let run = Run {
            command: RunCommand::Planner,
            task: task.to_owned(),
            origin: Origin::default(),
            commit: self.head.commit.map(|oid| oid.to_string()),
            provider: provider.to_owned(),
            guards: self.policy.guards.ids(),
            ..Run::default()
        };
        records.record(&Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host()))
    }
}

struct PlanAnswers {
    provider: String,
    model: Option<String>,
    questions: usize,
    left_out: Vec<String>,
}

/// Shows events live and writes them to the trace.
struct PlanObserver<'a> {
    ctx: &'a CommandContext<'a>,
    trace: &'a Trace,
}

impl Observer for PlanObserver<'_> {
    fn see(&self, event: &Event) {
        self.ctx.see(event);
        self.trace.see(event);
    }
}

fn keep(records: &Records, round: u32, exchange: &Exchange) -> Result<()> {
    records.keep(round, Artifact::Prompt, exchange.question.as_bytes())?;
    records.keep(round, Artifact::Reply, &exchange.reply.bytes)?;
    if !exchange.wrong.is_empty() {
        records.keep(round, Artifact::Feedback, exchange.wrong.as_bytes())?;
    }
    Ok(())
}

fn record_end(records: &Records, id: &str, made: &Result<MadePlan>, spent: Usage, begun: Instant) -> Result<()> {
    let (end, rationale) = match made {
        Ok(made) => (RunEnd::Result(RunOutcome::NoChange), format!("planned {} steps", made.plan.requests().len())),
        Err(error) => (RunEnd::Failed(kind(error)), format!("{error:#}")),
    };
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let decision = Decision { rationale: Some(rationale), spent, ..Decision::end_of(id, end, micros) };
    records
        .record(&Object::new(ObjectBody::Decision(decision), Actor::host()))
        .context("cannot record the end of the planning")
}
