//! What the default set says of the last commits.

use guardhost_core::error::Result;
use guardhost_git::{Head, PastChange, PastFacts, PastQuery, Repo};
use guardhost_policy::PolicySource;
use guardhost_report::{OutcomeCounts, PastFinding, PastOfGuard};

use crate::command::backtest::{Judges, PastGuardVerdict, PastRuling, PastVerdict, outcome};
use crate::context::CommandContext;

/// Rejected commits that are shown of one guard.
const EXAMPLES: usize = 3;

#[derive(Default)]
pub struct Past {
    pub commits: usize,
    pub guards: Vec<PastOfGuard>,
    pub rejected: OutcomeCounts,
    pub notices: Vec<String>,
}

/// Judges the last commits, as `host backtest` does. Nothing is looked up in the network.
pub fn judge(repo: &Repo, head: &Head, limit: u32, ctx: &CommandContext) -> Result<Past> {
    // The default set, whatever the person's own settings name.
    let source = PolicySource { config: None, ..ctx.policies() };
    let judges = Judges::open(&source, repo, head, &[], ctx)?;
    let row = |id: String| {
        let mark = ctx.embedded.get(&id).map_or(String::new(), |guard| guard.description.get().mark.clone());
        PastOfGuard { id, mark, ..PastOfGuard::default() }
    };
    let mut past =
        Past { guards: judges.ids().into_iter().map(row).collect(), notices: judges.notices(), ..Past::default() };
    let changes = repo.past_changes(&PastQuery {
        pulls: false,
        agents: false,
        limit: limit as usize,
        since: None,
        is_written: &|path| judges.is_written(path),
        forge_words: None,
        facts: &PastFacts::forgotten(),
        stop: &ctx.process.stop,
    })?;
    past.notices.extend(changes.notices);
    let verdicts = judges.judge(&changes.changes, ctx)?;
    ctx.process.stop.check().map_err(|stopped| stopped.into_error("judging the past"))?;
    for (change, verdict) in changes.changes.iter().zip(verdicts.into_iter().flatten()) {
        match &verdict.said {
            PastRuling::LeftOut(why) => {
                past.notices.push(format!("{} was left out: {why}", &change.tip.to_string()[..10]));
                continue;
            }
            PastRuling::Rejected => {
                past.commits += 1;
                past.rejected.add(outcome(change.fate));
            }
            PastRuling::Accepted | PastRuling::Failed => past.commits += 1,
        }
        for (id, said) in &verdict.guards {
            if let Some(row) = past.guards.iter_mut().find(|row| row.id == *id) {
                count(row, *said, change, &verdict);
            }
        }
    }
    Ok(past)
}

fn count(row: &mut PastOfGuard, said: PastGuardVerdict, change: &PastChange, verdict: &PastVerdict) {
    match said {
        PastGuardVerdict::Pass => row.passed += 1,
        PastGuardVerdict::NotApplicable => row.not_applicable += 1,
        PastGuardVerdict::Failed => row.failed += 1,
        PastGuardVerdict::Reject => {
            row.rejected += 1;
            let first = verdict.errors.iter().find(|(guard, _)| *guard == row.id);
            if let (Some((_, finding)), true) = (first, row.examples.len() < EXAMPLES) {
                row.examples.push(PastFinding {
                    commit: change.tip,
                    subject: change.subject.clone(),
                    finding: finding.clone(),
                });
            }
        }
    }
}
