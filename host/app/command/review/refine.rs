//! Blocker and major objections go back to a provider once. What comes of it passes all guards, and then a judge compares it with what was there.

use guardhost_core::change::{
    Candidate, Event, Feedback, Finding, GuardVerdict, Judgement, Observer, Oid, RepoPath, RunOutcome, Severity, Task,
    Usage,
};
use guardhost_core::error::{FaultKind, Result, kind};
use guardhost_core::vote::{Choice, Comparison};
use guardhost_gate::{Case, Gate, Ruling};
use guardhost_git::{Head, Repo, candidate, commit_change};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::review::compare::{Versions, compare};
use guardhost_pipeline::review::{Asker, ChangeText, withheld};
use guardhost_pipeline::settle::{CommitTarget, branch_name};
use guardhost_provider::Cancel;
use guardhost_report::journal::{Origin, RunCommand};
use guardhost_report::{Refined, Refinement, RunReport};

use crate::cli::{AskArgs, ProviderArgs, ReviewArgs};
use crate::command::start_run::{Asking, RunStarter, within_time};
use crate::context::CommandContext;

/// Objections that are sent back: more are another change.
const OBJECTIONS: usize = 12;

/// What is refined.
pub struct Refining<'a> {
    pub repo: &'a Repo,
    pub ctx: &'a CommandContext<'a>,
    pub gate: &'a Gate,
    pub args: &'a ReviewArgs,
    /// The old version.
    pub change: &'a Candidate,
    /// What the run committed: the old version's last commit.
    pub tip: Oid,
    pub task: Option<&'a Task>,
    pub cancel: Cancel,
}

/// The objections of critics that are errors: blockers and major ones.
pub fn objections(critics: &Judgement) -> Vec<&Finding> {
    let found = critics.evidence.iter().flat_map(|critic| match &critic.verdict {
        GuardVerdict::Pass(found) | GuardVerdict::Reject(found) => found.as_slice(),
        GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => &[],
    });
    found.filter(|finding| finding.severity == Severity::Error && finding.path.is_some()).take(OBJECTIONS).collect()
}

fn old_stays(outcome: Refinement, run: &str, why: impl Into<String>) -> Refined {
    Refined {
        outcome,
        run: run.to_owned(),
        branch: None,
        commit: None,
        comparison: Comparison::default(),
        why: Some(why.into()),
    }
}

/// What the trace has of it; None where there was no new version.
///
/// # Errors
/// Of the repository.
pub fn refined_event(refined: &Refined, repo: &Repo) -> Result<Option<Event>> {
    Ok(match (refined.outcome, refined.commit) {
        (Refinement::Kept, Some(commit)) => {
            let paths = commit_change(repo, commit)?.files.into_iter().map(|file| file.path).collect();
            Some(Event::RefinementKept { commit: commit.to_string(), paths })
        }
        (Refinement::NotBetter | Refinement::Rejected, _) => {
            Some(Event::RefinementReverted { rationale: refined.why.clone().unwrap_or_default() })
        }
        (Refinement::Kept | Refinement::NoChange | Refinement::NotTried, _) => None,
    })
}

impl Refining<'_> {
    /// `spent` gets what the author and the judge took.
    ///
    /// # Errors
    /// Of the repository; an interruption.
    pub fn refine(
        &self,
        found: &[&Finding],
        author: &str,
        judge_by: Asking,
        spent: &mut Vec<Usage>,
    ) -> Result<Refined> {
        if found.is_empty() {
            return Ok(old_stays(Refinement::NotTried, "", "no critic has a blocker or a major objection"));
        }
        let id = uuid::Uuid::now_v7().to_string();
        self.ctx.see(&Event::Notice { text: format!("asking {author} for a refined version") });
        let objections = quoted(found);
        let report = match self.ask(&id, found, &objections, author) {
            Ok(report) => report,
            Err(error) if kind(&error) == FaultKind::Interrupted => return Err(error),
            Err(error) => return Ok(old_stays(Refinement::Rejected, &id, format!("{error:#}"))),
        };
        spent.push(report.spent);
        let (commit, branch) = match (report.outcome, report.commit, report.branch) {
            (RunOutcome::Committed, Some(commit), Some(branch)) => (commit, branch),
            (RunOutcome::NoChange, _, _) => {
                return Ok(old_stays(Refinement::NoChange, &id, "the provider says that nothing has to change"));
            }
            _ => {
                let said = report
                    .rounds
                    .last()
                    .and_then(|round| round.failure.as_ref())
                    .map(|failure| failure.message.clone());
                let why = report.why.or(said).unwrap_or_else(|| "the guards reject it".to_owned());
                return Ok(old_stays(Refinement::Rejected, &id, why));
            }
        };
        let compared = self.compare(commit, &objections, judge_by, spent);
        if let Ok(Ok(comparison)) = &compared
            && comparison.keeps_new()
        {
            return Ok(Refined {
                outcome: Refinement::Kept,
                run: id,
                branch: Some(branch),
                commit: Some(commit),
                comparison: comparison.clone(),
                why: None,
            });
        }
        // It stays reachable, and nothing that a person takes for a result names it.
        self.repo.keep_rejected(&id, 1, commit)?;
        self.repo.delete_branch(&branch, commit)?;
        Ok(match compared? {
            Ok(comparison) => {
                let why = format!("the judge prefers {}", said(&comparison));
                Refined { commit: Some(commit), comparison, ..old_stays(Refinement::NotBetter, &id, why) }
            }
            Err(why) => Refined { commit: Some(commit), ..old_stays(Refinement::Rejected, &id, why) },
        })
    }

    /// One round of a run on the old version, on a branch of its own.
    fn ask(&self, id: &str, found: &[&Finding], objections: &str, author: &str) -> Result<RunReport> {
        let purpose = self.task.map(|task| task.text.trim()).unwrap_or_default();
        let title = purpose.lines().next().unwrap_or("the last change");
        let text = format!(
            "Refine: {title}\n\nThe last commit is for this:\n\n{}\n\nReviewers object to it. Their words are opinions and may be wrong:\n\n{objections}\n\nMend what is right of \
             that and leave everything else as it is. If nothing of it is right, nothing has to change.",
            purpose.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
        );
        let mut hints: Vec<RepoPath> =
            found.iter().filter_map(|finding| Some(RepoPath::from_form(finding.path.as_ref()?))).collect();
        hints.sort();
        hints.dedup();
        let provider =
            ProviderArgs { provider: Some(author.to_owned()), model: None, record: None, ..self.args.provider.clone() };
        let ask = AskArgs { provider, rounds: Some(1), ..AskArgs::default() };
        let (repo, ctx) = (self.repo, self.ctx);
        let gate = within_time(&ask.provider, ctx, || self.gate.ready())?;
        let starter = RunStarter { repo, gate, ask: &ask, ctx, cancel: self.cancel.clone(), debug: None };
        starter.start(&RunRequest {
            id: id.to_owned(),
            command: RunCommand::Run,
            base: Head { commit: Some(self.tip), tree: repo.tree_of(self.tip)?, ..repo.head()? },
            target: CommitTarget::Branch(branch_name(&format!("refine {title}"), id)),
            task: Task { text, hints, ..Task::default() },
            origin: Origin { rules_tree: Some(self.change.base_tree.to_string()), ..Origin::default() },
            feedback: Feedback::default(),
        })
    }

    /// The new version as a whole: all guards, then the judge. The inner error: why the judge is not asked.
    fn compare(
        &self,
        commit: Oid,
        objections: &str,
        judge_by: Asking,
        spent: &mut Vec<Usage>,
    ) -> Result<Result<Comparison, String>> {
        let Refining { repo, ctx, change, task, .. } = *self;
        let new = candidate(repo, change.base, change.base_tree, repo.tree_of(commit)?)?;
        match self.gate.rule(Case::report(new.clone(), task).in_passing(), ctx)? {
            Ruling::Empty(_) => return Ok(Err("with it nothing is left of the change".to_owned())),
            Ruling::Refused(refused) => {
                return Ok(Err(format!("the whole change with it is refused: {}", refused.refused)));
            }
            Ruling::Judged(judged) if !judged.is_accepted() => {
                let against = judged.judgement().against().join(", ");
                return Ok(Err(format!("the whole change with it is rejected by {against}")));
            }
            Ruling::Judged(_) => {}
        }
        if let Some((path, why)) = withheld(&new) {
            return Ok(Err(format!("{path} is shown to no model: {why}")));
        }
        let text = |version: &Candidate| ChangeText::new(repo, version, task.map(|task| task.text.as_str()));
        let (old, new) = (text(change)?, text(&new)?);
        let versions = Versions { old: &old.text, new: &new.text, objections };
        let Asking { chain, runtime, .. } = judge_by;
        ctx.see(&Event::Notice { text: format!("asking {chain} to compare the versions, twice") });
        let mut judge = Asker::new(chain);
        let compared = compare(&versions, &mut judge, &runtime, &ctx.process.stop);
        spent.push(judge.spent());
        Ok(Ok(compared.map_err(|stopped| stopped.into_error("the comparison"))?))
    }
}

fn quoted(found: &[&Finding]) -> String {
    let one = |finding: &&Finding| {
        let place = format!("{}:{}", finding.path.as_deref().unwrap_or_default(), finding.line.unwrap_or(1));
        let help = finding.help.as_deref().unwrap_or_default();
        let words = format!("{}\n{help}", finding.message);
        let lines: Vec<String> =
            words.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("  > {line}")).collect();
        format!("- {place}\n{}", lines.join("\n"))
    };
    found.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn said(comparison: &Comparison) -> String {
    let one = |choice: &Choice| match choice {
        Choice::New(why) => format!("the new one ({why})"),
        Choice::Old(why) => format!("the old one ({why})"),
        Choice::Tie(why) => format!("neither ({why})"),
        Choice::Unreadable(why) => format!("nothing that can be read ({why})"),
    };
    comparison.choices.iter().map(one).collect::<Vec<_>>().join("; in the other order ")
}
