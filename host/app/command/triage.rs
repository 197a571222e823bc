//! `host check --triage`: what of a change is proved to be harmless.

use guardhost_core::change::Candidate;
use guardhost_core::error::Result;
use guardhost_engine::outlines::Outlines;
use guardhost_gate::Gate;
use guardhost_pipeline::triage::triage;
use guardhost_report::{TriageClass, TriageReport};

use crate::cli::TriageChoice;
use crate::context::CommandContext;

/// # Errors
/// The repository cannot be read, or the command was stopped.
pub(super) fn triaged(
    wanted: &[TriageChoice],
    change: &Candidate,
    gate: &Gate,
    ctx: &CommandContext,
) -> Result<TriageReport> {
    let class = |choice: &TriageChoice| match choice {
        TriageChoice::Formatting => TriageClass::Formatting,
        TriageChoice::Comments => TriageClass::Comments,
        TriageChoice::Documents => TriageClass::Documents,
        TriageChoice::TestsAdded => TriageClass::TestsAdded,
    };
    let wanted: Vec<TriageClass> = wanted.iter().map(class).collect();
    let outlines = Outlines::new(ctx.embedded, ctx.process.stop.clone());
    triage(change, gate.guards().kinds(), &outlines, &wanted)
}
