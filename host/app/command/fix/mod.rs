//! `host fix`: issues in batches, each a step on the branch of the run; then detectors and reviewers decide which are resolved.

pub mod claims;
mod detectors;
pub mod flow;
pub mod list;
pub mod merged;
mod record;
pub mod resume;
pub mod reviewers;
pub mod terms;
mod tracked;

use std::time::Instant;

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_pipeline::settle::branch_name;
use guardhost_provider::Cancel;
use guardhost_report::journal::{Artifact, Secrets};
use guardhost_report::{Report, escape};

use self::claims::IssueClaims;
use self::flow::{FixWork, Fixing};
use self::merged::MergedPulls;
use self::resume::Begun;
use self::reviewers::{ReviewLog, Reviewers};
use self::terms::FixTerms;
use super::run::budget::PlanBudget;
use super::run::gate;
use super::run::plan::PlanIdentity;
use super::start_run::{asking_in, begin_recording, create_records, within_time};
use crate::cli::FixArgs;
use crate::context::CommandContext;
use crate::observing;

pub fn fix(args: &FixArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let begun_at = Instant::now();
    let repo = ctx.repo()?;
    let mut begun = match &args.resume {
        Some(prefix) => Begun::resumed(&repo, prefix)?,
        None => Begun::anew(repo.head()?),
    };
    if begun.base.commit.is_none() {
        let hint = "commit something first: fixes stand on a commit";
        return Err(Fault::new(FaultKind::Nothing, "the repository has no commit to fix").hint(hint).into());
    }
    let gate = gate(&repo, &begun.base, begun.rules, &[], ctx)?;
    let ready = within_time(&args.ask.provider, ctx, || gate.ready())?;
    begin_recording(&args.ask.provider, ctx)?;
    let chains = &gate.policy().config.rules.providers;
    // Only its models and its keys are looked at here: each batch asks for itself.
    let author = asking_in(Some("author"), &repo, &args.ask.provider, chains, ctx, cancel.clone())?;
    let terms = FixTerms::new(args, &gate.policy().config.rules.fix, ctx)?.reviewed()?;
    let id = uuid::Uuid::now_v7().to_string();
    let reviewers = Reviewers::new((&id, args, &terms), &author, &repo, gate.policy(), ctx, &cancel)?;
    let claims = IssueClaims::new(ctx, &repo, &id, begun.resumes.as_deref())?;
    let (listed, held) = match begun.listed.take() {
        Some(listed) => {
            let held = list::claim_again(&listed, &id, &claims)?;
            (listed, held)
        }
        None => list::claim(
            list::read(args, &begun.base, &repo, ctx)?,
            &id,
            &claims,
            &repo,
            ((!args.again).then(|| MergedPulls::new(&args.forge, &repo, ctx)), &ctx.process.stop),
        )?,
    };
    let branch = begun.branch.clone().unwrap_or_else(|| branch_name("fix issues", &id));
    let secrets = Secrets::all([author.secrets, reviewers.secrets.clone()]);
    let records = create_records(&repo, &id, secrets.clone(), ctx.process)?;
    record::start(&records, &id, &branch, &begun, listed.len(), gate.policy())?;
    list::record_list(&records, &id, &listed, &held)?;
    records.keep(0, Artifact::Issues, &escape::json(&serde_json::to_value(&listed)?))?;
    // Whoever looks at the observer sees the list while it is worked on; what cannot be sent now is said at the end.
    let _ = observing::tell_records(ctx, &repo, &id);
    let mut log = ReviewLog::create(&records, secrets, &begun.folders)?;
    let mut budget = PlanBudget::new(&args.ask, begun_at);
    let identity = PlanIdentity { id: id.clone(), branch, records: &records };
    let work = FixWork { listed, begun, reviewers, log: &mut log, budget: &mut budget };
    let fixing = Fixing { repo: &repo, gate: ready, args, terms: &terms, ctx, cancel, identity };
    let made = fixing.run(work);
    record::end(&records, &id, &made, begun_at)?;
    let absences = observing::tell_records(ctx, &repo, &id);
    // Until here: what this run did is in the journal before another host may look at the issues.
    drop(held);
    let mut report = made?;
    report.micros = u64::try_from(begun_at.elapsed().as_micros()).unwrap_or(u64::MAX);
    report.notices.extend(gate.notices().iter().cloned().chain(author.notice).chain(terms.notice).chain(absences));
    Ok(Report::Fix(Box::new(report)))
}
