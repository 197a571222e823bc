//! Votes on all commits of the run together, as in `host review`, within its budget.

use guardhost_core::change::{Event, Observer, Oid, Tree};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::vote::Approval;
use guardhost_git::{Head, Repo, candidate};
use guardhost_pipeline::fix::guidelines::voter_guidelines;
use guardhost_pipeline::review::vote::{CastAnswer, THRESHOLD, VOTERS, Voter, approval, votes};
use guardhost_pipeline::review::{Asker, ChangeText, withheld};
use guardhost_policy::Policy;
use guardhost_provider::{Cancel, ModelFamily, ProviderRuntime};
use guardhost_report::journal::{Artifact, Secrets};
use guardhost_report::{ImproveReport, Voted, escape};
use serde::{Deserialize, Serialize};

use super::Improvement;
use crate::cli::{ImproveArgs, ProviderArgs};
use crate::command::fix::reviewers::ReviewLog;
use crate::command::run::budget::PlanBudget;
use crate::command::start_run::{Asking, asking_in};
use crate::context::CommandContext;

/// What all commits together are for.
pub const TASK: &str = "Improve what an audit of the repository finds.";

/// What voters answered about a commit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CastVotes {
    commit: String,
    answers: Vec<CastAnswer>,
}

/// Who votes.
#[derive(Default)]
pub struct Voters {
    /// One each: a slice of one is what is asked.
    all: Vec<([Voter; 1], ProviderRuntime)>,
    /// The keys of their providers.
    pub secrets: Secrets,
}

impl Voters {
    /// # Errors
    /// [`FaultKind::Usage`]: one voter alone, or one of the author's family of models; of the settings.
    pub fn new(
        args: &ImproveArgs,
        authors: &[ModelFamily],
        repo: &Repo,
        policy: &Policy,
        ctx: &CommandContext,
        cancel: &Cancel,
    ) -> Result<Self> {
        let names = &args.pull.advice.voters;
        if !names.is_empty() && names.len() < VOTERS {
            let fault = Fault::new(FaultKind::Usage, format!("an approval needs {VOTERS} voters, and one is named"));
            return Err(fault.hint("name another with --voter, or none").into());
        }
        let (mut all, mut secrets) = (Vec::new(), Vec::new());
        for (name, number) in names.iter().zip(1..) {
            let named = ProviderArgs { provider: Some(name.clone()), model: None, ..args.ask.provider.clone() };
            let (step, chains) = (format!("voter-{number}"), &policy.config.rules.providers);
            let asking = asking_in(Some(&step), repo, &named, chains, ctx, cancel.clone())?;
            let same = asking.families(Some(name)).into_iter().find(|family| authors.contains(family));
            if let (Some(family), false) = (same, args.allow_same_family) {
                let what = format!("the voter {name} is of the author's family of models, {family}");
                let hint =
                    "a model approves of its own kind too readily: name another voter, or pass --allow-same-family";
                return Err(Fault::new(FaultKind::Usage, what).hint(hint).into());
            }
            let Asking { chain, secrets: keys, runtime, .. } = asking;
            secrets.push(keys);
            all.push(([Voter { name: name.clone(), asker: Asker::new(chain) }], runtime));
        }
        Ok(Voters { all, secrets: Secrets::all(secrets) })
    }
}

impl Improvement<'_> {
    /// None when no voter is named, or nothing was committed. Whoever voted on this commit in a run that this one goes on with is not asked
    /// again, unless the votes did not approve.
    ///
    /// # Errors
    /// Of the repository and the records; an interruption.
    pub fn vote(
        &self,
        base: &Head,
        report: &ImproveReport,
        voters: &mut Voters,
        known: Option<&CastVotes>,
        (log, budget): (&mut ReviewLog, &mut PlanBudget),
    ) -> Result<Option<Voted>> {
        let Some(commit) = report.commit.filter(|_| !voters.all.is_empty()) else { return Ok(None) };
        let change = candidate(self.repo, base.commit, base.tree, self.repo.tree_of(commit)?)?;
        if let Some((path, why)) = withheld(&change) {
            let why = format!("{path} is shown to no model: {why}");
            return Ok(Some(Voted { votes: Vec::new(), approval: Approval::NotAsked(why) }));
        }
        let tree = Tree { objects: self.repo.store(), oid: base.tree };
        let guidelines = voter_guidelines(&tree, &change, &self.gate.policy().config.rules.fix)?;
        let about = ChangeText::new(self.repo, &change, Some(TASK))?.behind(&guidelines);
        let has_line = |path: &str, line| about.has_line(path, line);
        let known = known.filter(|known| known.commit == commit.to_string());
        let mut answers: Vec<CastAnswer> = Vec::new();
        let mut cast = Vec::new();
        for (voter, runtime) in &mut voters.all {
            let name = &voter[0].name;
            if let Some(answer) = known.and_then(|known| known.answers.iter().find(|answer| answer.voter == *name)) {
                cast.push(answer.counted(&has_line));
                answers.push(answer.clone());
                continue;
            }
            match budget.for_question() {
                Ok(left) => voter[0].asker.within(left),
                Err(why) => {
                    return Ok(Some(Voted { votes: cast, approval: Approval::NotAsked(why) }));
                }
            }
            self.ctx.see(&Event::Notice { text: format!("asking {name} for a vote") });
            let mut seal = |answer: &CastAnswer| {
                log.seals.write(&answer.voter, &answer.seal);
                answers.push(answer.clone());
            };
            let asked = (self.identity.id.as_str(), &self.ctx.process.stop);
            let asked = votes(voter, &about.text, &has_line, runtime, asked, &mut seal);
            budget.spend(&voter[0].asker.spent());
            cast.extend(asked.map_err(|stopped| stopped.into_error("the votes"))?);
            log.seals.check()?;
            self.keep_votes(commit, &answers)?;
        }
        let approval = approval(&cast, THRESHOLD, &about.unseen);
        // Where they do not approve, all are asked again when the run goes on.
        let is_approved = matches!(approval, Approval::Approved { .. });
        self.keep_votes(commit, if is_approved { &answers } else { &[] })?;
        Ok(Some(Voted { votes: cast, approval }))
    }

    /// For a run that goes on with this one.
    fn keep_votes(&self, commit: Oid, answers: &[CastAnswer]) -> Result<()> {
        let kept = CastVotes { commit: commit.to_string(), answers: answers.to_vec() };
        let kept = escape::json(&serde_json::to_value(&kept)?);
        self.identity.records.keep(0, Artifact::Votes, &kept).map(drop)
    }
}
