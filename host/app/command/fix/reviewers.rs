//! Asks the reviewers of fixes, each without what the others said, within the budget of the run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use guardhost_core::change::{Candidate, Event, Observer, Tree};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::stop::StopToken;
use guardhost_core::vote::{Approval, Vote};
use guardhost_engine::model::{ModelAnswer, ModelFailure, ModelQuestion};
use guardhost_git::Repo;
use guardhost_pipeline::fix::detect::DetectorResult;
use guardhost_pipeline::fix::guidelines::reviewer_guidelines;
use guardhost_pipeline::fix::issue::Issue;
use guardhost_pipeline::fix::iteration::IterationReview;
use guardhost_pipeline::fix::reviewer::{ReviewedFixes, question, schema};
use guardhost_pipeline::review::vote::{approval_of, seal_of};
use guardhost_pipeline::review::{AnswerLog, Asker, ChangeText, withheld};
use guardhost_policy::Policy;
use guardhost_policy::config::FixSettings;
use guardhost_provider::{Cancel, ProviderRuntime};
use guardhost_report::journal::{Records, Secrets};

use super::terms::FixTerms;
use crate::cli::{FixArgs, ProviderArgs};
use crate::command::run::budget::PlanBudget;
use crate::command::seals::Seals;
use crate::command::start_run::{Asking, asking_in};
use crate::context::CommandContext;

struct Reviewer {
    name: String,
    asker: Asker,
    runtime: ProviderRuntime,
}

pub struct Reviewers<'a> {
    all: Vec<Reviewer>,
    /// The keys of their providers.
    pub secrets: Secrets,
    threshold: u8,
    settings: FixSettings,
    /// The run that seals are bound to.
    run: String,
    ctx: &'a CommandContext<'a>,
}

/// What came of asking for a review.
pub enum ReviewResult {
    Done(IterationReview, Vec<Vote>),
    /// The budget of the run was used up before the last of them answered. Says which limit.
    OverBudget(String),
}

/// Where answers and seals are recorded.
pub struct ReviewLog {
    answers: AnswerLog,
    pub seals: Seals,
}

impl ReviewLog {
    /// `earlier`: the folders of the runs that this one goes on with. What was answered there is not asked again.
    ///
    /// # Errors
    /// Of the records.
    pub fn create(records: &Records, secrets: Secrets, earlier: &[PathBuf]) -> Result<Self> {
        let answers = AnswerLog::create(records.dir(), secrets)?.knowing(earlier.iter().cloned());
        Ok(ReviewLog { answers, seals: Seals::create(records.dir())? })
    }
}

impl<'a> Reviewers<'a> {
    /// # Errors
    /// [`FaultKind::Usage`]: a reviewer is of the author's family of models; of the settings.
    pub fn new(
        (run, args, terms): (&str, &FixArgs, &FixTerms),
        author: &Asking,
        repo: &Repo,
        policy: &Policy,
        ctx: &'a CommandContext<'a>,
        cancel: &Cancel,
    ) -> Result<Self> {
        let authors = author.families(args.ask.provider.provider.as_deref());
        let (mut all, mut secrets) = (Vec::new(), Vec::new());
        for (name, number) in terms.reviewers.iter().zip(1..) {
            let named = ProviderArgs { provider: Some(name.clone()), model: None, ..args.ask.provider.clone() };
            // By its number: in a replay the reviewers have other names.
            let (step, chains) = (format!("reviewer-{number}"), &policy.config.rules.providers);
            let asking = asking_in(Some(&step), repo, &named, chains, ctx, cancel.clone())?;
            let same = asking.families(Some(name)).into_iter().find(|family| authors.contains(family));
            let Asking { chain, secrets: keys, runtime, .. } = asking;
            if let (Some(family), false) = (same, args.allow_same_family) {
                let what = format!("the reviewer {name} is of the author's family of models, {family}");
                let hint =
                    "a model approves of its own kind too readily: name another reviewer, or pass --allow-same-family";
                return Err(Fault::new(FaultKind::Usage, what).hint(hint).into());
            }
            secrets.push(keys);
            all.push(Reviewer { name: name.clone(), asker: Asker::new(chain), runtime });
        }
        let (threshold, settings) = (terms.threshold, policy.config.rules.fix.clone());
        Ok(Reviewers { all, secrets: Secrets::all(secrets), threshold, settings, run: run.to_owned(), ctx })
    }

    /// What they say of the change from the base to what was committed, and their votes.
    ///
    /// # Errors
    /// Of the repository and the records; an interruption.
    pub fn ask(
        &mut self,
        issues: &[&Issue],
        seen: &BTreeMap<String, DetectorResult>,
        change: &Candidate,
        repo: &Repo,
        (log, budget): (&mut ReviewLog, &mut PlanBudget),
    ) -> Result<ReviewResult> {
        let not_asked = |why| {
            Ok(ReviewResult::Done(
                IterationReview { approval: Approval::NotAsked(why), answers: Vec::new() },
                Vec::new(),
            ))
        };
        if issues.is_empty() || change.files.is_empty() {
            return not_asked("nothing is there to review".to_owned());
        }
        if let Some((path, why)) = withheld(change) {
            return not_asked(format!("{path} is shown to no model: {why}"));
        }
        let about = ChangeText::new(repo, change, None)?;
        let unknown = DetectorResult::Unknown(String::new());
        let with_detectors: Vec<_> =
            issues.iter().map(|issue| (*issue, seen.get(&issue.id).unwrap_or(&unknown))).collect();
        let base = Tree { objects: change.objects.clone(), oid: change.base_tree };
        let guidelines = reviewer_guidelines(&base, change, &self.settings)?;
        let text = question(&with_detectors, &guidelines, &about.text);
        let has_line = |path: &str, line| about.has_line(path, line);
        let stop: &StopToken = &self.ctx.process.stop;
        let (mut answers, mut votes) = (Vec::new(), Vec::new());
        for reviewer in &mut self.all {
            let asked =
                ModelQuestion { role: String::new(), text: text.clone(), schema: schema().to_owned(), member: 0 };
            let (asked, by) = (log.answers.masked(&asked), format!("fix:{}", reviewer.name));
            let answer = match log.answers.known(&by, &asked) {
                Some(known) => Ok(known),
                None => {
                    match budget.for_question() {
                        Ok(left) => reviewer.asker.within(left),
                        Err(why) => return Ok(ReviewResult::OverBudget(why)),
                    }
                    self.ctx.see(&Event::Notice { text: format!("asking {} for a review", reviewer.name) });
                    let answer = reviewer.asker.ask(&asked.text, schema(), &reviewer.runtime, stop);
                    budget.spend(&reviewer.asker.spent());
                    let answer = answer.map_err(|stopped| stopped.into_error("the review"))?;
                    log.answers.write(&by, &asked, &answer);
                    answer
                }
            };
            let (by, seal, reviewed) = match answer {
                Ok(ModelAnswer { json, by }) => {
                    let seal = seal_of(&self.run, &reviewer.name, &json);
                    log.seals.write(&reviewer.name, &seal);
                    log.seals.check()?;
                    (by, seal, ReviewedFixes::read(&json, issues, &has_line))
                }
                // No vote of the reviewer's: it was not let finish.
                Err(ModelFailure::Exhausted(why)) => return Ok(ReviewResult::OverBudget(why)),
                Err(ModelFailure::Unreadable(why) | ModelFailure::NoAnswer(why)) => {
                    (String::new(), String::new(), ReviewedFixes::void(why))
                }
            };
            votes.push(Vote { voter: reviewer.name.clone(), by, seal, ballot: reviewed.ballot.clone() });
            answers.push((reviewer.name.clone(), reviewed));
        }
        Ok(ReviewResult::Done(
            IterationReview { approval: approval_of(&votes, self.threshold, &about.unseen), answers },
            votes,
        ))
    }
}
