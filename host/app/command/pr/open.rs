//! `host pr open`: judge, push, open or update, label, comment, set the status. Every step looks at what is there, so that the command can be
//! repeated after a failure at any of them.

use std::time::Instant;

use guardhost_core::change::{Event, Judgement, Observer, Oid, Quotes, RunOutcome};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_display::{Appearance, OutputFormat, render};
use guardhost_forge::comments::MAX_NEW;
use guardhost_forge::comments::body::pull_body;
use guardhost_forge::{
    CheckRun, CommitStatus, Findings, ForgeError, ForgeFailure, NewPull, PullRequest, PushOutcome, PushRequest,
    StatusState, Viewer, open_or_update, own_status, publish, push,
};
use guardhost_gate::{Case, Door, Gate, Proposal, Terms};
use guardhost_git::Repo;
use guardhost_provider::Cancel;
use guardhost_report::journal::{History, RecordedPull, latest};
use guardhost_report::{CheckReport, OpenedPull, PullReport, PushDone, Report, ReviewReport, TriageReport, Voted};

use super::advice::advice;
use super::change::{PullChange, remarks};
use super::connection::{ForgeConnection, connect};
use super::counts::{counts, step};
use super::post::publish_advice;
use super::record::{PullEnd, PullRecord};
use super::target::{PullTarget, target};
use super::text;
use super::text_triage::NEEDS_PERSON;
use crate::cli::{AskArgs, OpenArgs};
use crate::command::review::EarlierParts;
use crate::command::ruling::with_approvable_ruling;
use crate::command::run::budget::PlanBudget;
use crate::command::triage::triaged_by_rules;
use crate::context::CommandContext;
use crate::observing;
use guardhost_report::journal::ancestry;

/// The label of what was opened here.
const LABEL: &str = "guardhost";

pub fn open(args: &OpenArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let repo = ctx.repo()?;
    let target = target(&repo, args.run.as_deref())?;
    let connection = connect(&args.forge, &repo, ctx)?;
    let ask = AskArgs { provider: args.provider.clone(), ..AskArgs::default() };
    let (parts, mut budget) = (EarlierParts::default(), PlanBudget::new(&ask, Instant::now()));
    let asked = (None, &parts, &mut budget);
    Ok(Report::Pull(Box::new(open_run(args, target, asked, &repo, &connection, ctx, &cancel)?)))
}

/// Recorded as a run of its own. With what was voted, was answered in earlier runs, and is left to be spent.
pub fn open_run(
    args: &OpenArgs,
    target: PullTarget,
    (votes, parts, budget): (Option<&Voted>, &EarlierParts, &mut PlanBudget),
    repo: &Repo,
    connection: &ForgeConnection,
    ctx: &CommandContext,
    cancel: &Cancel,
) -> Result<PullReport> {
    let begun = Instant::now();
    let PullTarget { history, branch, base, head } = target;
    let task = format!("pull request of the run {}", history.run);
    let record = PullRecord::start(repo, task, base.map(|oid| oid.to_string()), &connection.token, ctx.process)?;
    let watchers: Vec<&dyn Observer> = ctx.watchers.iter().copied().chain([&record.trace as &dyn Observer]).collect();
    let ctx = &CommandContext { watchers: &watchers, ..*ctx };
    let opening = Opening { args, ctx, repo, connection, history: &history, branch, head, cancel, parts };
    let done = record.end(opening.run(base, |_| Ok(votes.cloned()), budget), |report| match &report.pull {
        Some(pull) => {
            let recorded = RecordedPull { run: report.of.clone(), number: pull.number, url: pull.url.clone() };
            let said = format!("pull request {}: {}", pull.number, pull.url);
            PullEnd { pull: Some(recorded), ..PullEnd::new(RunOutcome::NoChange, said) }
        }
        None => PullEnd::new(RunOutcome::Rejected, "the guards reject the change; nothing was pushed".to_owned()),
    });
    let absences = observing::tell_records(ctx, repo, &record.id);
    let mut report = done?;
    report.notices.extend(absences);
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(PullReport { run: record.id, micros, ..report })
}

pub struct Opening<'a> {
    pub args: &'a OpenArgs,
    pub ctx: &'a CommandContext<'a>,
    pub repo: &'a Repo,
    pub connection: &'a ForgeConnection,
    /// The run whose pull request it is.
    pub history: &'a History,
    pub branch: String,
    pub head: Oid,
    pub cancel: &'a Cancel,
    /// What was answered already is not asked again.
    pub parts: &'a EarlierParts,
}

impl Opening<'_> {
    /// `base` is that of the run. A rejected change is no error: it is not pushed. `voted`, which is asked for what the guards accept alone, takes the place of
    /// votes that the review would ask for.
    pub fn run(
        &self,
        base: Option<Oid>,
        voted: impl FnOnce(&mut PlanBudget) -> Result<Option<Voted>>,
        budget: &mut PlanBudget,
    ) -> Result<PullReport> {
        let forge = self.connection.forge.as_ref();
        let known = forge.find(&self.branch).map_err(ForgeError::into_error)?;
        let target = match (&known, &self.args.pull.base) {
            (Some(pull), _) => pull.base.clone(),
            (None, Some(named)) => named.clone(),
            (None, None) => forge.repository().map_err(ForgeError::into_error)?.default_branch,
        };
        let mut bases: Vec<String> = known.iter().map(|pull| pull.base_sha.clone()).collect();
        bases.push(format!("refs/remotes/{}/{target}", self.args.forge.site.remote));
        bases.extend(base.map(|oid| oid.to_string()));
        let change = PullChange::new(self.repo, self.head, &bases)?;
        if change.candidate.files.is_empty() {
            let hint = format!("`{target}` has this change already");
            return Err(Fault::new(FaultKind::Nothing, "there is nothing to open a pull request for")
                .hint(hint)
                .into());
        }
        let proposal = Proposal { candidate: change.candidate.clone(), rules: change.rules };
        // What is committed on a branch was judged as its author's when it came.
        let terms = Terms::at(Door::PullRequest).with_rule_changes(self.ctx.rule_changes());
        let gate = Gate::for_change(&self.ctx.policies_of_branches(), self.repo, &proposal, &terms)?;
        let ruling = gate.rule(Case::report(proposal.candidate, None), self.ctx)?;
        let mut report = PullReport {
            of: self.history.run.clone(),
            branch: self.branch.clone(),
            commit: Some(self.head),
            check: with_approvable_ruling(CheckReport::default(), &ruling, self.ctx.author()),
            notices: gate.notices().to_vec(),
            ..PullReport::default()
        };
        if !ruling.is_accepted() {
            return Ok(report);
        }
        let voted = voted(budget)?;
        // What is not shown to a model is not shown to whoever reads a pull request.
        let judgement = report.check.judgement.for_model(&report.check.quotes);
        let limits = (self.cancel, &mut *budget);
        report.review = advice(&change, self.args, self.parts, self.ctx, limits, &mut report.notices)?;
        if let (Some(review), Some(voted)) = (&mut report.review, &voted) {
            (review.votes, review.approval) = (voted.votes.clone(), voted.approval.clone());
        }
        let triage = triaged_by_rules(&ruling, &gate, self.ctx)?;
        let review = report.review.as_deref();
        let votes = voted.as_ref();
        let asked = PullContent { target, change: &change, judgement: &judgement, review, votes, triage: &triage };
        let mut pull = self.publish(known, &asked, &mut report.notices)?;
        if self.args.pull.upload_sarif {
            pull.sarif = self.upload(pull.number, &report.check, &mut report.notices)?;
        }
        report.pull = Some(pull);
        Ok(report)
    }

    fn publish(
        &self,
        known: Option<PullRequest>,
        asked: &PullContent<'_>,
        notices: &mut Vec<String>,
    ) -> Result<OpenedPull> {
        let PullContent { target, change, judgement, review, votes, triage } = asked;
        let forge = self.connection.forge.as_ref();
        let push = self.push(known.as_ref())?;
        let task = self.history.run().map(|(_, run)| run.task.as_str()).unwrap_or_default();
        let text = text::body(self.history, &self.steps()?, change, judgement, *review, *votes);
        let new = NewPull {
            head: self.branch.clone(),
            base: target.clone(),
            title: self.args.title.clone().unwrap_or_else(|| text::title(task)),
            body: pull_body(&self.history.run, &text),
            draft: self.args.pull.draft,
        };
        let (pull, action) = open_or_update(forge, &new).map_err(ForgeError::into_error)?;
        self.see(format!("pull request {}: {}", pull.number, pull.url));
        let needs_person = (triage.needs_person && !triage.allowed.is_empty()).then_some(NEEDS_PERSON);
        let named = self.args.pull.labels.iter().map(String::as_str);
        let labels: Vec<&str> = [LABEL].into_iter().chain(needs_person).chain(named).collect();
        if !labels.iter().all(|label| pull.labels.iter().any(|known| known == label)) {
            forge.add_labels(pull.number, &labels).map_err(ForgeError::into_error)?;
        }
        let (remarks, lines, sha) = (remarks(judgement), change.lines(self.repo)?, self.head.to_string());
        let head = text::summary(change, judgement, Some(triage));
        let findings =
            Findings { sha: &sha, remarks: &remarks, diff: &lines, text: &|path| change.text(path), head: &head };
        let published = publish(forge, &pull, &findings).map_err(ForgeError::into_error)?;
        if published.plan.new.len() == MAX_NEW {
            notices
                .push(format!("{MAX_NEW} new comments were made, the most at one time; the others are in the summary"));
        }
        if let Some(review) = review {
            publish_advice(self.connection, &pull, change, review, self.repo)?;
        }
        let check_run = self.set_status(&own_status(&pull.base), &head, remarks.len())?;
        Ok(OpenedPull {
            number: pull.number,
            url: pull.url,
            base: pull.base,
            action: step(action),
            push,
            comments: counts(&published),
            summary: step(published.summary),
            check_run,
            sarif: false,
        })
    }

    fn push(&self, known: Option<&PullRequest>) -> Result<PushDone> {
        let replaces = known.filter(|_| self.args.replace).map(|pull| pull.head_sha.as_str());
        let request = PushRequest {
            repository: self.repo.git_dir(),
            url: &self.connection.url,
            sha: &self.head.to_string(),
            branch: &self.branch,
            replaces,
            token: Some(&self.connection.token),
        };
        self.see(format!("pushing {}", self.branch));
        Ok(match push(&request, self.ctx.process)? {
            PushOutcome::Created => PushDone::Created,
            PushOutcome::Updated => PushDone::Updated,
            PushOutcome::UpToDate => PushDone::UpToDate,
        })
    }

    /// The status always; a check run where the credential is that of an app. Only what the guards accept comes so far.
    fn set_status(&self, name: &str, summary: &str, findings: usize) -> Result<bool> {
        let forge = self.connection.forge.as_ref();
        let sha = self.head.to_string();
        let description = match findings {
            0 => "the guards accept this commit".to_owned(),
            1 => "the guards accept this commit, with 1 finding".to_owned(),
            more => format!("the guards accept this commit, with {more} findings"),
        };
        let status =
            CommitStatus { state: StatusState::Success, context: name.to_owned(), description: description.clone() };
        forge.set_status(&sha, &status).map_err(ForgeError::into_error)?;
        match forge.viewer().map_err(ForgeError::into_error)? {
            Viewer::User(_) => return Ok(false),
            Viewer::App => {}
        }
        let check = CheckRun {
            name: name.to_owned(),
            external_id: self.history.run.clone(),
            passed: true,
            title: description,
            summary: summary.to_owned(),
        };
        match forge.set_check(&sha, &check) {
            Ok(()) => Ok(true),
            Err(error) if error.class == ForgeFailure::Forbidden => Ok(false),
            Err(error) => Err(error.into_error()),
        }
    }

    /// What the guards found, for the forge's own list of findings.
    fn upload(&self, number: u64, check: &CheckReport, notices: &mut Vec<String>) -> Result<bool> {
        let look =
            Appearance { color: false, width: None, unicode: true, verbose: false, rules: guardhost_display::NO_RULES };
        let judgement = check.judgement.for_model(&check.quotes);
        let shown = Report::Check(CheckReport { judgement, quotes: Quotes::default(), ..check.clone() });
        let sarif = render(&shown, OutputFormat::Sarif, &look);
        match self.connection.forge.upload_sarif(&self.head.to_string(), number, &sarif) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.class, ForgeFailure::Forbidden | ForgeFailure::NotFound) => {
                notices.push(format!("the forge did not take SARIF: {error}"));
                Ok(false)
            }
            Err(error) => Err(error.into_error()),
        }
    }

    /// The steps of a plan, in their order; also those of the runs that this one takes up.
    fn steps(&self) -> Result<Vec<History>> {
        let state_dir = self.repo.state_dir()?;
        let plans = ancestry(&state_dir, self.history)?;
        let mut steps = latest(&state_dir, usize::MAX)?;
        steps.retain(|step| step.step_of().is_some_and(|(plan, _)| plans.iter().any(|known| known == plan)));
        steps.reverse();
        Ok(steps)
    }

    fn see(&self, text: String) {
        self.ctx.see(&Event::Notice { text });
    }
}

/// What is published.
struct PullContent<'a> {
    /// The branch that it goes to.
    target: String,
    change: &'a PullChange,
    /// Of the guards, without what is shown to nobody.
    judgement: &'a Judgement,
    review: Option<&'a ReviewReport>,
    votes: Option<&'a Voted>,
    triage: &'a TriageReport,
}
