//! What of a change is proved to be harmless, and whether the rules ask for a person.

use guardhost_core::error::Result;
use guardhost_engine::outlines::Outlines;
use guardhost_gate::{Gate, Ruling};
use guardhost_pipeline::triage::triage;
use guardhost_report::{TriageClass, TriageReport};

use crate::cli::TriageChoice;
use crate::context::CommandContext;

/// `host check --triage`: the choices say which changes the exit code accepts.
///
/// # Errors
/// The repository cannot be read, or the command was stopped.
pub(super) fn triaged(
    choices: &[TriageChoice],
    ruling: &Ruling,
    gate: &Gate,
    ctx: &CommandContext,
) -> Result<TriageReport> {
    let report = triaged_by_rules(ruling, gate, ctx)?;
    let mut wanted: Vec<TriageClass> = choices.iter().filter_map(|choice| choice.class()).collect();
    let by_rules = choices.contains(&TriageChoice::Rules);
    if by_rules {
        wanted.extend(&report.allowed);
    }
    wanted.sort();
    wanted.dedup();
    Ok(TriageReport { wanted, by_rules, ..report })
}

/// By the rules that judged the change, which are those of its base.
///
/// # Errors
/// The repository cannot be read, or the command was stopped.
pub(super) fn triaged_by_rules(ruling: &Ruling, gate: &Gate, ctx: &CommandContext) -> Result<TriageReport> {
    let outlines = Outlines::new(ctx.embedded, ctx.process.stop.clone());
    let report = triage(ruling, gate.guards().kinds(), &outlines)?;
    let allowed = gate.policy().config.rules.triage.without_person.clone();
    let needs_person = !ruling.is_accepted() || !report.is_all_of(&allowed);
    Ok(TriageReport { allowed, needs_person, ..report })
}
