//! Guards whose alarms people mostly override, where the past has nothing that only they would have caught.

use guardhost_core::error::Result;
use guardhost_git::PastChange;
use guardhost_report::{QuietSuggestion, SuggestReport};

use super::{PastGuardVerdict, PastVerdict, is_undone};
use crate::command::stats::counted;
use crate::context::CommandContext;

/// Weeks of rulings that are counted: as many as `host stats` shows.
const WEEKS: u32 = 12;

/// A guard that caught something is left as it is, and that is said.
pub fn quiet(
    report: &mut SuggestReport,
    changes: &[PastChange],
    now: &[Option<PastVerdict>],
    ctx: &CommandContext,
) -> Result<()> {
    for overridden in counted(WEEKS, ctx)?.quiet {
        let rejects = |verdict: &PastVerdict| {
            let mut against = verdict.guards.iter().filter(|(_, said)| *said == PastGuardVerdict::Reject);
            against.next().is_some_and(|(id, _)| *id == overridden.guard) && against.next().is_none()
        };
        let pairs = changes.iter().zip(now).filter(|(_, verdict)| verdict.as_ref().is_some_and(rejects));
        let (caught, others): (Vec<_>, Vec<_>) = pairs.partition(|(change, _)| is_undone(change));
        match caught.len() {
            0 => report.quiet.push(QuietSuggestion { overridden, stopped: others.len() }),
            count => report.notices.push(format!(
                "people overrode {} of {} alarms of {}, and it alone would have caught {count} that came back",
                overridden.overridden, overridden.raised, overridden.guard
            )),
        }
    }
    Ok(())
}
