//! `host pr queue`: the open pull requests of a base, merged one after the other in memory and judged, and a map of which break one another.

use std::time::Instant;

use guardhost_core::change::{Event, NullObserver, Observer, Oid, RunOutcome};
use guardhost_core::error::Result;
use guardhost_forge::{ForgeError, PullRequest};
use guardhost_gate::{Door, Gate, RulesAt, Terms};
use guardhost_git::Repo;
use guardhost_pipeline::queue::{Break, BreakKind, QueueMap, QueueOutcome, Waiting, queue as place_all};
use guardhost_report::{PullBreak, QueuePlace, QueueReport, QueuedPull, Report};

use super::connection::{ForgeConnection, connect};
use super::fetched::fetch_pulls;
use super::record::{PullEnd, PullRecord};
use crate::cli::MergeQueueArgs;
use crate::context::CommandContext;

pub fn queue(args: &MergeQueueArgs, ctx: &CommandContext) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let connection = connect(&args.forge, &repo, ctx)?;
    let record = PullRecord::start(
        &repo,
        "open pull requests, merged and judged".to_owned(),
        None,
        &connection.token,
        ctx.process,
    )?;
    let watchers: Vec<&dyn Observer> = ctx.watchers.iter().copied().chain([&record.trace as &dyn Observer]).collect();
    let ctx = &CommandContext { watchers: &watchers, ..*ctx };
    let queueing = Queueing { args, ctx, repo: &repo, connection: &connection };
    let done = record.end(queueing.run(), |report| {
        let outcome = if report.all_fit() { RunOutcome::NoChange } else { RunOutcome::Rejected };
        let (pulls, breaks) = (report.pulls.len(), report.breaks.len());
        PullEnd::new(outcome, format!("{pulls} pull requests, {breaks} that do not go together"))
    });
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Report::Queue(Box::new(QueueReport { run: record.id, micros, ..done? })))
}

struct Queueing<'a> {
    args: &'a MergeQueueArgs,
    ctx: &'a CommandContext<'a>,
    repo: &'a Repo,
    connection: &'a ForgeConnection,
}

impl Queueing<'_> {
    fn run(&self) -> Result<QueueReport> {
        let forge = self.connection.forge.as_ref();
        let base = match &self.args.base {
            Some(named) => named.clone(),
            None => forge.repository().map_err(ForgeError::into_error)?.default_branch,
        };
        let (mut pulls, others): (Vec<PullRequest>, Vec<PullRequest>) =
            forge.open_pulls().map_err(ForgeError::into_error)?.into_iter().partition(|pull| pull.base == base);
        let mut report = QueueReport { base: base.clone(), ..QueueReport::default() };
        if !others.is_empty() {
            report.notices.push(format!("{} pull requests go to other branches than {base}", others.len()));
        }
        pulls.sort_by_key(|pull| pull.number);
        if pulls.len() > self.args.limit {
            report.notices.push(format!(
                "only the oldest {} of {} were looked at (--limit)",
                self.args.limit,
                pulls.len()
            ));
            pulls.truncate(self.args.limit);
        }
        if pulls.is_empty() {
            return Ok(report);
        }
        let (tip, heads) = fetch_pulls(self.repo, self.connection, &base, &pulls, self.ctx)?;
        report.commit = Some(tip);
        let terms = Terms::at(Door::MergeQueue).with_rule_changes(self.ctx.rule_changes());
        let gate = Gate::open(&self.ctx.policies_of_branches(), self.repo, RulesAt::commit(self.repo, tip)?, &terms)?;
        report.notices.extend(gate.notices().iter().cloned());
        let waiting: Vec<Waiting> =
            pulls.iter().zip(&heads).map(|(pull, head)| Waiting { number: pull.number, head: *head }).collect();
        self.see(format!("judging {} pull requests on {base}", waiting.len()));
        // What the guards say of each combination is in the report; as events it would be a judgement of nothing that exists.
        let QueueMap { outcomes, breaks, judged } = place_all(self.repo, tip, &waiting, &gate, &NullObserver)?;
        report.judged = judged;
        report.breaks = breaks.into_iter().map(broken).collect();
        let placed = pulls.into_iter().zip(heads).zip(outcomes);
        report.pulls = placed.map(|((pull, head), (_, placing))| queued(pull, head, placing)).collect();
        Ok(report)
    }

    fn see(&self, text: String) {
        self.ctx.see(&Event::Notice { text });
    }
}

fn queued(pull: PullRequest, head: Oid, placing: QueueOutcome) -> QueuedPull {
    let place = match placing {
        QueueOutcome::Fits { prefix } => QueuePlace::Fits { prefix },
        QueueOutcome::Nothing => QueuePlace::Nothing,
        QueueOutcome::ConflictsWithBase(paths) => QueuePlace::Conflicts(paths),
        QueueOutcome::Rejected(judgement) => QueuePlace::Rejected(judgement),
        QueueOutcome::Breaks => QueuePlace::Breaks,
    };
    QueuedPull { number: pull.number, title: pull.title, url: pull.url, draft: pull.draft, commit: Some(head), place }
}

fn broken(found: Break) -> PullBreak {
    let (conflicts, judgement) = match found.kind {
        BreakKind::Conflict(paths) => (paths, None),
        BreakKind::Rejected(judgement) => (Vec::new(), Some(judgement)),
    };
    PullBreak { pulls: found.numbers, conflicts, judgement }
}
