//! Blocker and major objections go back to a provider once. What comes of it passes all guards, and then a judge compares it with what was there.

use std::time::Instant;

use guardhost_core::change::{
    Candidate, Event, Feedback, Finding, GuardVerdict, Judgement, Observer, Oid, RepoPath, RunOutcome, Severity, Task,
    Usage,
};
use guardhost_core::error::{FaultKind, Result, kind};
use guardhost_core::vote::{Choice, Comparison};
use guardhost_engine::model::Models;
use guardhost_gate::{Case, Gate, Ruling};
use guardhost_git::{Head, Repo, candidate, commit_change};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::review::compare::{Versions, compare};
use guardhost_pipeline::review::{ChangeText, withheld};
use guardhost_pipeline::settle::{CommitTarget, branch_name};
use guardhost_provider::{Cancel, SharedSpending};
use guardhost_report::journal::{Origin, RunCommand};
use guardhost_report::{Refined, Refinement, RunReport};

use super::earlier::{EarlierParts, EarlierRefinement, RefinedVersion};
use crate::cli::{AskArgs, ProviderArgs, ReviewArgs};
use crate::command::run::budget::PlanBudget;
use crate::command::start_run::{RunStarter, why_not, within_time};
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
    /// What was refined of it before, and what all that are asked take.
    pub parts: &'a EarlierParts,
    pub spending: &'a SharedSpending,
    pub begun: Instant,
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

/// Nothing is to be refined.
pub fn not_tried() -> Refined {
    old_stays(Refinement::NotTried, "", "no critic has a blocker or a major objection")
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
    /// There are objections. `judge` compares. `spent` gets what the author took.
    ///
    /// # Errors
    /// Of the repository; an interruption.
    pub fn refine(
        &self,
        found: &[&Finding],
        author: &str,
        judge: &dyn Models,
        spent: &mut Vec<Usage>,
    ) -> Result<Refined> {
        let objections = quoted(found);
        let text = self.wanted(&objections);
        let EarlierRefinement { run: id, made } = match self.parts.refinement(self.repo, self.tip, &text)? {
            Some(earlier) => earlier,
            None => self.ask(found, text, author, spent)?,
        };
        let (commit, branch) = match made {
            RefinedVersion::Committed { commit, branch } => (commit, branch),
            RefinedVersion::NoChange => {
                return Ok(old_stays(Refinement::NoChange, &id, "the provider says that nothing has to change"));
            }
            RefinedVersion::Rejected(why) => return Ok(old_stays(Refinement::Rejected, &id, why)),
        };
        let compared = self.compare(commit, &objections, judge);
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
        // It stays reachable, and nothing that a person takes for a result names it. A host that was killed may have come so far.
        if self.repo.rejected_attempt(&id, 1)?.is_none() {
            self.repo.keep_rejected(&id, 1, commit)?;
        }
        if self.repo.branch(&branch)? == Some(commit) {
            self.repo.delete_branch(&branch, commit)?;
        }
        Ok(match compared? {
            Ok(comparison) => {
                let why = format!("the judge prefers {}", said(&comparison));
                Refined { commit: Some(commit), comparison, ..old_stays(Refinement::NotBetter, &id, why) }
            }
            Err(why) => Refined { commit: Some(commit), ..old_stays(Refinement::Rejected, &id, why) },
        })
    }

    /// What the author is asked for.
    fn wanted(&self, objections: &str) -> String {
        let purpose = self.purpose();
        format!(
            "Refine: {}\n\nThe last commit is for this:\n\n{}\n\nReviewers object to it. Their words are opinions and may be wrong:\n\n{objections}\n\nMend what is right of \
             that and leave everything else as it is. If nothing of it is right, nothing has to change.",
            self.title(),
            purpose.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
        )
    }

    fn purpose(&self) -> &str {
        self.task.map(|task| task.text.trim()).unwrap_or_default()
    }

    fn title(&self) -> &str {
        self.purpose().lines().next().unwrap_or("the last change")
    }

    /// One round of a run on the old version, on a branch of its own, within what is left of the limits.
    fn ask(&self, found: &[&Finding], text: String, author: &str, spent: &mut Vec<Usage>) -> Result<EarlierRefinement> {
        let run = uuid::Uuid::now_v7().to_string();
        self.ctx.see(&Event::Notice { text: format!("asking {author} for a refined version") });
        let rejected = |why| Ok(EarlierRefinement { run: run.clone(), made: RefinedVersion::Rejected(why) });
        let provider =
            ProviderArgs { provider: Some(author.to_owned()), model: None, record: None, ..self.args.provider.clone() };
        let mut budget = PlanBudget::new(&AskArgs { provider, rounds: Some(1), ..AskArgs::default() }, self.begun);
        budget.spend(&self.spending.total());
        let made = match budget.left() {
            Ok(ask) => self.start(&run, &ask, found, text),
            Err(why) => return rejected(why),
        };
        let report = match made {
            Ok(report) => report,
            Err(error) if kind(&error) == FaultKind::Interrupted => return Err(error),
            Err(error) => return rejected(format!("{error:#}")),
        };
        spent.push(report.spent);
        self.spending.add(&report.spent);
        let made = match (report.outcome, report.commit, report.branch.clone()) {
            (RunOutcome::Committed, Some(commit), Some(branch)) => RefinedVersion::Committed { commit, branch },
            (RunOutcome::NoChange, _, _) => RefinedVersion::NoChange,
            _ => RefinedVersion::Rejected(why_not(&report).unwrap_or_else(|| "the guards reject it".to_owned())),
        };
        Ok(EarlierRefinement { run, made })
    }

    fn start(&self, id: &str, ask: &AskArgs, found: &[&Finding], text: String) -> Result<RunReport> {
        let mut hints: Vec<RepoPath> =
            found.iter().filter_map(|finding| Some(RepoPath::from_form(finding.path.as_ref()?))).collect();
        hints.sort();
        hints.dedup();
        let (repo, ctx) = (self.repo, self.ctx);
        let gate = within_time(&ask.provider, ctx, || self.gate.ready())?;
        let starter = RunStarter { repo, gate, ask, ctx, cancel: self.cancel.clone(), debug: None };
        starter.start(&RunRequest {
            id: id.to_owned(),
            command: RunCommand::Run,
            base: Head { commit: Some(self.tip), tree: repo.tree_of(self.tip)?, ..repo.head()? },
            target: CommitTarget::Branch(branch_name(&format!("refine {}", self.title()), id)),
            task: Task { text, hints, ..Task::default() },
            origin: Origin {
                rules_tree: Some(self.change.base_tree.to_string()),
                part_of: self.parts.part_of.clone(),
                ..Origin::default()
            },
            feedback: Feedback::default(),
        })
    }

    /// The new version as a whole: all guards, then the judge. The inner error: why the judge is not asked.
    fn compare(&self, commit: Oid, objections: &str, judge: &dyn Models) -> Result<Result<Comparison, String>> {
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
        if let Some(path) = old.unseen.iter().chain(&new.unseen).next() {
            return Ok(Err(format!("{path} cannot be shown to a model: it is no text, or too large")));
        }
        let versions = Versions { old: &old.text, new: &new.text, objections };
        ctx.see(&Event::Notice { text: "asking the judge to compare the versions, twice".to_owned() });
        let compared = compare(&versions, judge, &ctx.process.stop);
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
