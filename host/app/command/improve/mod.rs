//! `host improve`: audit, plan, the steps of the plan under all guards, what the audit still finds as issues, votes on the whole, audit again;
//! one run, which can be resumed.

mod left;
mod leftovers;
mod record;
mod refining;
mod voting;

use std::time::Instant;

use guardhost_core::change::{LayerReport, Oid};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_forge::ForgeError;
use guardhost_gate::ReadyGate;
use guardhost_git::{Head, Repo};
use guardhost_pipeline::measure::{MeasureRequest, measured};
use guardhost_pipeline::plan::context::AuditFile;
use guardhost_pipeline::settle::branch_name;
use guardhost_provider::{Cancel, ModelFamily};
use guardhost_report::journal::{Artifact, Secrets};
use guardhost_report::{AuditReport, ImproveReport, PlanReport, Report, Voted, escape};

use self::left::LeftToImprove;
use self::leftovers::Fixers;
use self::refining::RefinedCommits;
use self::voting::Voters;
use super::fix::reviewers::{ReviewLog, Reviewers};
use super::fix::terms::FixTerms;
use super::plan::PlanJob;
use super::pr::{Improved, connect, open_and_watch};
use super::review::EarlierParts;
use super::run::budget::PlanBudget;
use super::run::gate;
use super::run::plan::{PlanIdentity, PlanRun, PlanSettings, walk};
use super::start_run::{Asking, asking_in, begin_recording, create_records, within_time};
use crate::cli::{FixArgs, ImproveArgs, PlanFrom, ProviderArgs};
use crate::context::CommandContext;
use crate::observing;

pub fn improve(args: &ImproveArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let left = match &args.resume {
        Some(prefix) => LeftToImprove::from_run(&repo, prefix)?,
        None => LeftToImprove::new(repo.head()?),
    };
    if left.base.commit.is_none() {
        let hint = "commit something first: an audit reads a commit, not the work tree";
        return Err(Fault::new(FaultKind::Nothing, "the repository has no commit to improve").hint(hint).into());
    }
    if args.pr {
        // What is missing for it is said before a provider is asked.
        let forge = connect(&args.forge, &repo, ctx)?.forge;
        forge.check_push_access().map_err(ForgeError::into_error)?;
    }
    let gate = gate(&repo, &left.base, left.rules, &[], ctx)?;
    let ready = within_time(&args.ask.provider, ctx, || gate.ready())?;
    let id = uuid::Uuid::now_v7().to_string();
    let branch = branch_name("improve", &id);
    begin_recording(&args.ask.provider, ctx)?;
    let chains = &gate.policy().config.rules.providers;
    let author = asking_in(Some("plan"), &repo, &args.ask.provider, chains, ctx, cancel.clone())?;
    if args.resume.is_none() {
        // A run that goes on may have nothing left to ask them.
        author.check_ready()?;
        for name in args.others() {
            let named = ProviderArgs {
                provider: Some(name.to_owned()),
                model: None,
                record: None,
                ..args.ask.provider.clone()
            };
            asking_in(Some("others"), &repo, &named, chains, ctx, cancel.clone())?.check_ready()?;
        }
    }
    let fix_args = leftovers::fix_args(args);
    // Whether leftovers are fixed at all is asked for by name.
    let terms = FixTerms::new(&fix_args, &gate.policy().config.rules.fix, ctx)?.with_reviewers(&args.reviewers);
    let reviewers = Reviewers::new((&id, &fix_args, &terms), &author, &repo, gate.policy(), ctx, &cancel)?;
    let authors = author.families(args.ask.provider.provider.as_deref());
    let mut voters = Voters::new(args, &authors, &repo, gate.policy(), ctx, &cancel)?;
    let secrets = Secrets::all([author.secrets.clone(), reviewers.secrets.clone(), voters.secrets.clone()]);
    let records = create_records(&repo, &id, secrets.clone(), ctx.process)?;
    record::start(&records, &id, &branch, &left, args, gate.policy())?;
    let mut log = ReviewLog::create(&records, secrets, &left.folders)?;
    let mut budget = PlanBudget::new(&args.ask, begun);
    let base = left.base.clone();
    let identity = PlanIdentity { id: id.clone(), branch, records: &records };
    let parts = EarlierParts::from_records(&repo, &id, &left.lineage)?;
    let improvement =
        Improvement { repo: &repo, gate: ready, args, ctx, cancel: cancel.clone(), identity, parts: &parts };
    let family = authors.first();
    let models = ImproveModels { author, family, fixes: (&fix_args, &terms), reviewers };
    let made = improvement.run(left, models, (&mut voters, &mut log, &mut budget));
    record::end(&records, &id, &made, begun)?;
    let absences = observing::tell_records(ctx, &repo, &id);
    let mut report = made?;
    report.notices.extend(absences);
    report.notices.extend(gate.notices().iter().cloned());
    // What was committed is recorded: whatever happens from here on, the run can be taken up again, and goes on here.
    if let (true, Some(commit)) = (args.pr, report.commit) {
        let (branch, votes) = (report.plan.branch.clone(), report.votes.clone());
        let improved = Improved { run: &id, branch, base: report.base, commit, votes: votes.as_ref(), parts: &parts };
        // Statements about the pull request hold for one commit. If its head moves, they are published again for the
        // new head.
        let mut retell = |head, budget: &mut PlanBudget| {
            improvement.retell(head, &base, &mut report, (&mut voters, &mut log, budget))
        };
        let (pull, watch) = open_and_watch(improved, args, &repo, ctx, (&cancel, &mut retell), &mut budget)?;
        (report.pull, report.watch) = (Some(Box::new(pull)), watch.map(Box::new));
    }
    report.micros = micros(begun);
    Ok(Report::Improve(Box::new(report)))
}

/// Voters, where it is recorded what they say, and what they may use.
type Voting<'v> = (&'v mut Voters, &'v mut ReviewLog, &'v mut PlanBudget);

/// Who is asked, and for what.
struct ImproveModels<'a> {
    author: Asking,
    family: Option<&'a ModelFamily>,
    fixes: (&'a FixArgs, &'a FixTerms),
    reviewers: Reviewers<'a>,
}

struct Improvement<'a> {
    repo: &'a Repo,
    gate: ReadyGate<'a>,
    args: &'a ImproveArgs,
    ctx: &'a CommandContext<'a>,
    cancel: Cancel,
    identity: PlanIdentity<'a>,
    parts: &'a EarlierParts,
}

impl Improvement<'_> {
    fn run(
        &self,
        mut left: LeftToImprove,
        models: ImproveModels,
        (voters, log, budget): Voting<'_>,
    ) -> Result<ImproveReport> {
        let ImproveModels { author, family, fixes, reviewers } = models;
        let records = self.identity.records;
        let before = self.audit(left.base.tree, left.base.commit)?;
        let audit = escape::json(&serde_json::to_value(&before)?);
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
        let Some((plan, layers)) = self.planned(&mut left, &audit, author, &mut report)? else { return Ok(report) };
        budget.spend(&report.planning);
        let ask = budget.left().map_err(|why| Fault::new(FaultKind::Provider, why).code("over-budget"))?;
        let settings = PlanSettings { only: &[], ask: &ask, ctx: self.ctx, cancel: self.cancel.clone() };
        report.plan = walk(self.repo, plan, &self.identity, self.gate, (&settings, &mut *budget))?;
        report.plan.layers.splice(0..0, layers);
        report.commit = report.plan.commit;
        // On a run that is resumed behind this point the list of issues is there already.
        let is_listed = left.fixes.listed.is_some();
        if !is_listed || self.args.reviewers.is_empty() {
            self.audit_after(&mut report)?;
        }
        let base = left.base.clone();
        let (refined, voted) = (left.refined.take(), left.voted.take());
        if !self.args.reviewers.is_empty() {
            let fixers = Fixers { reviewers, log: &mut *log, budget: &mut *budget };
            report.fixes = self.fix_leftovers(left, &report, fixes, fixers)?;
            if let Some(commit) = report.fixes.as_ref().and_then(|fixes| fixes.commit) {
                report.commit = Some(commit);
            }
            if is_listed || report.commit != report.plan.commit {
                self.audit_after(&mut report)?;
            }
        }
        let is_whole = report.fixes.as_ref().is_none_or(|fixes| fixes.ended_by.is_none());
        if is_whole && !self.cancel.is_cancelled() {
            if self.refine(&base, &mut report, refined.as_ref(), (family, &mut *budget))? {
                self.audit_after(&mut report)?;
            }
            report.votes = self.vote(&base, &report, voters, voted.as_ref(), (log, budget))?;
        }
        if report.votes.as_ref().is_some_and(|voted| !voted.is_approved()) {
            report.commit = None;
        }
        Ok(report)
    }

    /// Measures and votes anew when the head of the pull request has moved. The votes, if any were cast.
    fn retell(
        &self,
        head: Oid,
        base: &Head,
        report: &mut ImproveReport,
        (voters, log, budget): Voting<'_>,
    ) -> Result<Option<Voted>> {
        // What fixes a build is not refined, neither now nor by a run that goes on with this one.
        let commits = report.commit.iter().chain([&head]).map(ToString::to_string).collect();
        self.keep_refined(&RefinedCommits { commits })?;
        report.commit = Some(head);
        self.audit_after(report)?;
        report.votes = self.vote(base, report, voters, None, (log, budget))?;
        if report.votes.as_ref().is_some_and(|voted| !voted.is_approved()) {
            report.commit = None;
        }
        Ok(report.votes.clone())
    }

    /// The plan that a killed run left, or a new one, and what layers did to it. None: the audit finds nothing to plan for.
    fn planned(
        &self,
        left: &mut LeftToImprove,
        audit: &[u8],
        author: Asking,
        report: &mut ImproveReport,
    ) -> Result<Option<(PlanRun, Vec<LayerReport>)>> {
        let records = self.identity.records;
        if let Some(plan) = left.plan.take() {
            let json = guardhost_pipeline::plan::json(&plan.plan, &[]);
            records.keep(0, Artifact::Plan, &escape::json(&json))?;
            return Ok(Some((plan, Vec::new())));
        }
        let audit = AuditFile::parse(audit, "the audit")?;
        let from = PlanFrom { from_audit: None, scope: self.args.scope.clone() };
        let provider = &self.args.ask.provider;
        let (repo, policy, head) = (self.repo, self.gate.policy(), &left.base);
        let mut history = observing::history_for_plan(self.ctx, repo, head.tree);
        report.notices.append(&mut history.notices);
        let job = PlanJob { repo, head, policy, task: None, from: &from, audit: Some(audit), provider, history };
        if !job.has_something_to_do()? {
            return Ok(None);
        }
        let (made, spent) = job.make_in(&self.identity.id, records, author, self.ctx);
        report.planning = spent;
        let made = made?;
        report.notices.extend(made.report.notices);
        Ok(Some((PlanRun::from_plan(made.plan, left.base.clone()), made.report.plan.layers)))
    }

    /// Measures what was committed.
    fn audit_after(&self, report: &mut ImproveReport) -> Result<()> {
        let Some(commit) = report.commit else { return Ok(()) };
        let after = self.audit(self.repo.tree_of(commit)?, Some(commit))?;
        self.identity.records.keep(0, Artifact::AuditAfter, &escape::json(&serde_json::to_value(&after)?))?;
        report.after = Some(after);
        Ok(())
    }

    fn audit(&self, tree: Oid, commit: Option<Oid>) -> Result<AuditReport> {
        let begun = Instant::now();
        let wanted = MeasureRequest { runs_code: !self.args.no_builds, metrics: &[] };
        let analyzers = self.ctx.policies().analyzers(self.repo, wanted.runs_code)?;
        let audit = measured(self.repo, self.gate.policy(), &analyzers, tree, &wanted)?;
        Ok(AuditReport {
            audit,
            revision: commit.map(|commit| commit.to_string()).unwrap_or_default(),
            micros: micros(begun),
            notices: Vec::new(),
        })
    }
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
