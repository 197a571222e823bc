//! `host review`: guards decide, then models are asked what they think.

mod critics;
mod earlier;
mod record;
mod refine;

use std::sync::Arc;
use std::time::Instant;

use guardhost_core::change::{Candidate, Event, Judgement, Observer, Oid, Task, Tree};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::vote::Approval;
use guardhost_engine::model::Models;
use guardhost_gate::{Case, Door, ExistingChange, Gate, Proposal, RulesAt};
use guardhost_git::{Repo, candidate, range};
use guardhost_pipeline::fix::guidelines::voter_guidelines;
use guardhost_pipeline::review::vote::{CastAnswer, Voter, approval, votes};
use guardhost_pipeline::review::{
    AnswerLog, Asker, ChangeText, Critics, ProviderModels, RecordedModels, record_review, withheld,
};
use guardhost_provider::{Cancel, ModelFamily, SharedSpending};
use guardhost_report::journal::{Records, Secrets, Trace};
use guardhost_report::{CheckReport, Refinement, ReviewReport};
use jiff::Timestamp;

use self::critics::ReviewedBy;
pub use self::earlier::EarlierParts;
use self::refine::{Refining, not_tried, objections, refined_event};
use crate::cli::{ProviderArgs, ReviewArgs};
use crate::command::ruling::with_approvable_ruling;
use crate::command::seals::Seals;
use crate::command::select_run::named_run;
use crate::command::start_run::{Asking, asking, create_records};
use crate::command::triage::triaged_by_rules;
use crate::context::CommandContext;

/// Of what is in this repository.
pub fn review_change(
    args: &ReviewArgs,
    parts: &EarlierParts,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<ReviewReport> {
    let repo = ctx.repo()?;
    let change = reviewed(args, ctx, &repo)?;
    review_of((change, parts), args, &repo, ctx, cancel)
}

/// Of a change that somebody else found, of which nothing more is known.
pub fn review_candidate(
    candidate: Candidate,
    args: &ReviewArgs,
    repo: &Repo,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<ReviewReport> {
    let proposal = Proposal::on_base(candidate);
    let change = ReviewedChange { proposal, task: None, author: None, tip: None };
    review_of((change, &EarlierParts::default()), args, repo, ctx, cancel)
}

/// Of a change of which more is known.
pub fn review_of(
    (change, parts): (ReviewedChange, &EarlierParts),
    args: &ReviewArgs,
    repo: &Repo,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<ReviewReport> {
    let begun = Instant::now();
    let ReviewedChange { proposal, task, author, tip } = change;
    if proposal.candidate.files.is_empty() {
        return Err(Fault::new(FaultKind::Nothing, "there is nothing to review: the change is empty").into());
    }
    let terms = ctx.terms(Door::Review);
    let gate = Gate::for_change(&ctx.policies(), repo, &proposal, &terms)?;
    let Proposal { candidate, rules } = proposal;
    let task = args.task.clone().or(task).map(|text| Task { text, ..Task::default() });
    let author = args.author.as_ref().map(|name| ModelFamily::from_names(name, None)).or(author);
    let ruling = gate.rule(Case::report(candidate.clone(), task.as_ref()), ctx)?;
    let mut report = ReviewReport {
        run: String::new(),
        check: with_approvable_ruling(CheckReport::default(), &ruling, ctx.author()),
        critics: Judgement::default(),
        votes: Vec::new(),
        approval: Approval::NotAsked("no voter is named".to_owned()),
        refined: None,
        posted: None,
        notices: gate.notices().to_vec(),
        spent: Vec::new(),
        micros: 0,
    };
    if args.post {
        report.check.triage = Some(triaged_by_rules(&ruling, &gate, ctx)?);
    }
    if let Some(why) = not_shown(&report.check, &candidate) {
        report.approval = Approval::NotAsked(why.clone());
        report.notices.push(format!("no model was asked: {why}"));
    } else {
        let reviewing = Reviewing {
            args,
            ctx,
            repo,
            gate: &gate,
            rules,
            candidate: &candidate,
            task: task.as_ref(),
            author: author.as_ref(),
            tip,
            parts,
            spending: &SharedSpending::default(),
            begun,
        };
        reviewing.ask(&mut report, cancel)?;
    }
    report.micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(report)
}

/// A change, and what is known of how it came about.
pub struct ReviewedChange {
    pub proposal: Proposal,
    pub task: Option<String>,
    pub author: Option<ModelFamily>,
    /// The last commit of a run.
    pub tip: Option<Oid>,
}

fn reviewed(args: &ReviewArgs, ctx: &CommandContext, repo: &Repo) -> Result<ReviewedChange> {
    let index;
    let change = match (&args.run, &args.range) {
        (Some(name), _) => return from_run(name, repo),
        (None, Some(spec)) => ExistingChange::Range(spec),
        (None, None) if args.worktree => ExistingChange::WorkTree,
        (None, None) => {
            index = ctx.index(repo)?;
            ExistingChange::Staged { index: &index }
        }
    };
    Ok(ReviewedChange { proposal: change.propose(repo)?, task: None, author: None, tip: None })
}

/// # Errors
/// [`FaultKind::Usage`]: no such run, or it committed nothing.
fn from_run(name: &str, repo: &Repo) -> Result<ReviewedChange> {
    let history = named_run(&repo.state_dir()?, name)?;
    let run = history.run().map(|(_, run)| run);
    let (Some(run), Some(commit)) = (run, history.commit()) else {
        let fault = Fault::new(FaultKind::Usage, format!("the run {} committed nothing to review", history.run));
        return Err(fault.hint("`host log` lists the runs and what they came to").into());
    };
    let spec = match &run.commit {
        Some(base) => format!("{base}..{commit}"),
        None => commit.to_owned(),
    };
    // Who wrote the last of its changes.
    let author = history.patch_sets().last().map(|(object, _)| &object.created_by);
    let author = author.map(|author| ModelFamily::from_names(&author.id, author.display_name.as_deref()));
    let tip = Some(repo.resolve(commit)?);
    Ok(ReviewedChange { proposal: Proposal::on_base(range(repo, &spec)?), task: Some(run.task.clone()), author, tip })
}

/// Guards decide first: what they reject, and what holds credentials, is shown to no model.
fn not_shown(check: &CheckReport, candidate: &Candidate) -> Option<String> {
    if let Some(refusal) = &check.refusal {
        return Some(format!("the change is refused: {}", refusal.message));
    }
    if !check.judgement.is_accepted() {
        return Some(format!("the change is rejected by {}", check.judgement.against().join(", ")));
    }
    withheld(candidate).map(|(path, why)| format!("{path} is shown to no model: {why}"))
}

/// Who is asked.
struct ReviewModels {
    critics: Vec<Asking>,
    /// Critics with a provider of their own.
    own: Vec<(String, Asking)>,
    /// The judge of a refined version.
    refiner: Option<Asking>,
    voters: Vec<(String, Asking)>,
}

struct Reviewing<'a> {
    args: &'a ReviewArgs,
    ctx: &'a CommandContext<'a>,
    repo: &'a Repo,
    gate: &'a Gate,
    /// The commit that the rules were read from.
    rules: RulesAt,
    candidate: &'a Candidate,
    task: Option<&'a Task>,
    author: Option<&'a ModelFamily>,
    tip: Option<Oid>,
    parts: &'a EarlierParts,
    /// The limits hold for all that are asked together.
    spending: &'a SharedSpending,
    begun: Instant,
}

impl Reviewing<'_> {
    fn ask(&self, report: &mut ReviewReport, cancel: Cancel) -> Result<()> {
        if let Some(file) = &self.args.answers {
            let recorded = RecordedModels::read(&self.ctx.path(file))?;
            report.critics = self.critics(self.critic_ids(), Arc::new(recorded))?.0;
            report.approval = Approval::NotAsked("votes are not asked for again".to_owned());
            return Ok(());
        }
        let id = uuid::Uuid::now_v7().to_string();
        let mut voters = Vec::new();
        let mut secrets = Vec::new();
        for name in &self.args.voters {
            let named =
                ProviderArgs { provider: Some(name.clone()), model: None, record: None, ..self.args.provider.clone() };
            let asking = self.asking(&named, cancel.clone())?;
            self.check_family(name, &asking)?;
            secrets.push(asking.secrets.clone());
            voters.push((name.clone(), asking));
        }
        let own = self.with_own_provider(&cancel)?;
        let critics = match self.critic_ids().len() > own.len() {
            true => self.members(&cancel)?,
            false => Vec::new(),
        };
        let refiner = self.args.refine.as_deref().map(|author| self.judge(author, &cancel)).transpose()?;
        let of_critics = critics.iter().chain(&refiner).chain(own.iter().map(|(_, asking)| asking));
        secrets.extend(of_critics.map(|asking| asking.secrets.clone()));
        let secrets = Secrets::all(secrets);
        let records = create_records(self.repo, &id, secrets.clone(), self.ctx.process)?;
        self.record_start(&records, &id)?;
        report.run.clone_from(&id);
        let (_, file) = records.trace()?;
        let trace = Trace::new(file, &id, secrets.clone(), Arc::new(Timestamp::now));
        let asked = ReviewModels { critics, own, refiner, voters };
        let done = self.ask_in(report, asked, (&records, &trace, secrets), cancel);
        let traced = trace.finish();
        self.record_end(&records, &id, report, &done)?;
        done?;
        traced
    }

    fn ask_in(
        &self,
        report: &mut ReviewReport,
        asked: ReviewModels,
        (records, trace, secrets): (&Records, &Trace, Secrets),
        cancel: Cancel,
    ) -> Result<()> {
        let ReviewModels { critics, own, refiner, voters } = asked;
        let (mut chains, mut runtime) = (Vec::new(), None);
        for Asking { chain, notice, runtime: own, .. } in critics {
            report.notices.extend(notice);
            self.ctx.see(&Event::Notice { text: format!("asking {chain} for {}", self.critic_ids().join(", ")) });
            chains.push(chain);
            runtime.get_or_insert(own);
        }
        let mut asked = Vec::new();
        let judge = if runtime.is_some() || !own.is_empty() {
            let log = Arc::new(AnswerLog::create(records.dir(), secrets)?.knowing(self.parts.folders()));
            let mut asks = |chains, runtime| {
                let models = Arc::new(ProviderModels::new(chains, runtime, Arc::clone(&log)));
                asked.push(Arc::clone(&models));
                models as Arc<dyn Models>
            };
            let judge = refiner.map(|Asking { chain, runtime, .. }| asks(vec![chain], runtime));
            let shared = runtime.map(|runtime| asks(chains, runtime));
            let of_own = |(id, Asking { chain, runtime, .. })| (id, asks(vec![chain], runtime));
            let models = ReviewedBy { shared, own: own.into_iter().map(of_own).collect() };
            let watchers: Vec<&dyn Observer> =
                self.ctx.watchers.iter().copied().chain([trace as &dyn Observer]).collect();
            let watched = CommandContext { watchers: &watchers, ..*self.ctx };
            let (judgement, embedded) = Reviewing { ctx: &watched, ..*self }.all_critics(models)?;
            let critics = Critics { run: &report.run, task: self.task, embedded };
            record_review(records, self.repo, self.candidate, critics, &judgement)?;
            report.critics = judgement;
            judge
        } else {
            None
        };
        // Voters see the version that a person would take.
        let mut shown = self.candidate.clone();
        if let (Some(tip), Some(author)) = (self.tip, &self.args.refine) {
            let Reviewing { repo, ctx, gate, args, candidate: change, task, parts, spending, begun, .. } = *self;
            let refining = Refining { repo, ctx, gate, args, change, tip, task, cancel, parts, spending, begun };
            let found = objections(&report.critics);
            let refined = match judge.filter(|_| !found.is_empty()) {
                Some(judge) => refining.refine(&found, author, judge.as_ref(), &mut report.spent)?,
                None => not_tried(),
            };
            if let Some(event) = refined_event(&refined, repo)? {
                self.ctx.see(&event);
                trace.see(&event);
            }
            if let (Refinement::Kept, Some(commit)) = (refined.outcome, refined.commit) {
                shown = candidate(repo, change.base, change.base_tree, repo.tree_of(commit)?)?;
            }
            report.refined = Some(refined);
        }
        report.spent.extend(asked.iter().flat_map(|models| models.spent()));
        if !voters.is_empty() {
            self.vote(report, &shown, voters, records)?;
        }
        Ok(())
    }

    /// Who compares what `author` refines with what was there.
    fn judge(&self, author: &str, cancel: &Cancel) -> Result<Asking> {
        let name = self.args.judge.as_ref().or(self.args.provider.provider.as_ref());
        let named = ProviderArgs { provider: name.cloned(), record: None, ..self.args.provider.clone() };
        let asking = self.asking(&named, cancel.clone())?;
        let refiner =
            ProviderArgs { provider: Some(author.to_owned()), model: None, record: None, ..self.args.provider.clone() };
        let authors = self.asking(&refiner, cancel.clone())?.families(Some(author));
        match asking.families(name.map(String::as_str)).into_iter().find(|family| authors.contains(family)) {
            Some(family) if !self.args.allow_same_family => {
                let what = format!("the judge is of the family of models that refines, {family}");
                let hint =
                    "a model prefers what its own kind wrote: name another with --judge, or pass --allow-same-family";
                Err(Fault::new(FaultKind::Usage, what).hint(hint).into())
            }
            _ => Ok(asking),
        }
    }

    fn asking(&self, args: &ProviderArgs, cancel: Cancel) -> Result<Asking> {
        let chains = &self.gate.policy().config.rules.providers;
        let asking = asking(self.repo, args, chains, self.ctx, cancel)?;
        Ok(Asking { chain: asking.chain.sharing(self.spending), ..asking })
    }

    /// # Errors
    /// [`FaultKind::Usage`]: the voter is of the author's family of models.
    fn check_family(&self, name: &str, asking: &Asking) -> Result<()> {
        let same = asking.families(Some(name)).iter().any(|family| self.author == Some(family));
        match (self.author, same && !self.args.allow_same_family) {
            (Some(author), true) => {
                let what = format!("the voter {name} is of the author's family of models, {author}");
                let hint =
                    "a model approves of its own kind too readily: name another voter, or pass --allow-same-family";
                Err(Fault::new(FaultKind::Usage, what).hint(hint).into())
            }
            _ => Ok(()),
        }
    }

    fn vote(
        &self,
        report: &mut ReviewReport,
        change: &Candidate,
        voters: Vec<(String, Asking)>,
        records: &Records,
    ) -> Result<()> {
        let text = self.task.map(|task| task.text.as_str());
        let base = Tree { objects: self.repo.store(), oid: self.rules.tree };
        let guidelines = voter_guidelines(&base, change, &self.gate.policy().config.rules.fix)?;
        let about = ChangeText::new(self.repo, change, text)?.behind(&guidelines);
        let mut seals = Seals::create(records.dir())?;
        for (name, Asking { chain, runtime, .. }) in voters {
            self.ctx.see(&Event::Notice { text: format!("asking {name} for a vote") });
            let mut voter = [Voter { name, asker: Asker::new(chain) }];
            let has_line = |path: &str, line| about.has_line(path, line);
            let mut seal = |answer: &CastAnswer| seals.write(&answer.voter, &answer.seal);
            let asked = (report.run.as_str(), &self.ctx.process.stop);
            let cast = votes(&mut voter, &about.text, &has_line, &runtime, asked, &mut seal);
            report.spent.push(voter[0].asker.spent());
            report.votes.extend(cast.map_err(|stopped| stopped.into_error("the review"))?);
            seals.check()?;
        }
        report.approval = approval(&report.votes, self.args.threshold, &about.unseen);
        if self.author.is_none() {
            let what = "who wrote the change is not known, so that a voter may be of the author's family of models: name it with --author";
            report.notices.push(what.to_owned());
        }
        Ok(())
    }
}
