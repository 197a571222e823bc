//! What the default set says of the last commits.

use guardhost_core::change::{Event, Evidence, GuardVerdict, NullObserver, Observer};
use guardhost_core::error::{FaultKind, Result, kind};
use guardhost_gate::{Case, Door, Gate, RuleChanges, RulesAt, Ruling, Terms};
use guardhost_git::{Head, Repo, range};
use guardhost_policy::PolicySource;
use guardhost_report::{PastFinding, PastOfGuard};

use crate::context::CommandContext;

/// Rejected commits that are shown of one guard.
const EXAMPLES: usize = 3;

#[derive(Default)]
pub struct Past {
    pub commits: usize,
    pub guards: Vec<PastOfGuard>,
    pub notices: Vec<String>,
}

/// Judges commit by commit, newest first. Nothing is looked up in the network.
pub fn judge(repo: &Repo, head: &Head, limit: u32, ctx: &CommandContext) -> Result<Past> {
    let source = PolicySource { offline: true, config: None, remember: None, ..ctx.policies() };
    // The rules of today are asked about the past, in which they may have been changed.
    let terms = Terms::at(Door::Past).with_rule_changes(RuleChanges::Allowed);
    let gate = Gate::open(&source, repo, RulesAt { commit: head.commit, tree: head.tree }, &terms)?;
    let row = |id: &String| {
        let mark = ctx.embedded.get(id).map_or(String::new(), |guard| guard.description.get().mark.clone());
        PastOfGuard { id: id.clone(), mark, ..PastOfGuard::default() }
    };
    let mut past = Past { guards: gate.guards().ids().iter().map(row).collect(), ..Past::default() };
    let commits = repo.history(limit)?;
    for (at, (subject, commit)) in commits.iter().enumerate() {
        ctx.see(&Event::Progress { text: format!("judging commit {} of {}: {subject}", at + 1, commits.len()) });
        // Objects of a candidate stay in memory as long as its handle.
        let repo = repo.again()?;
        let candidate = match range(&repo, &commit.to_string()) {
            Ok(candidate) => candidate,
            Err(error) if kind(&error) == FaultKind::Git => {
                past.notices.push(format!("{} was left out: {error:#}", &commit.to_string()[..10]));
                continue;
            }
            Err(error) => return Err(error),
        };
        past.commits += 1;
        let Ruling::Judged(judged) = gate.rule(Case::report(candidate, None), &NullObserver)? else { continue };
        for evidence in &judged.judgement().evidence {
            if let Some(row) = past.guards.iter_mut().find(|row| row.id == evidence.id) {
                count(row, evidence);
                if let (GuardVerdict::Reject(findings), true) = (&evidence.verdict, row.examples.len() < EXAMPLES) {
                    let first = findings.iter().min_by_key(|finding| finding.severity);
                    row.examples.extend(first.map(|finding| PastFinding {
                        commit: *commit,
                        subject: subject.clone(),
                        finding: finding.clone(),
                    }));
                }
            }
        }
    }
    Ok(past)
}

fn count(row: &mut PastOfGuard, evidence: &Evidence) {
    match &evidence.verdict {
        GuardVerdict::Pass(_) => row.passed += 1,
        GuardVerdict::Reject(_) => row.rejected += 1,
        GuardVerdict::NotApplicable(_) => row.not_applicable += 1,
        GuardVerdict::Error { .. } => row.failed += 1,
    }
}
