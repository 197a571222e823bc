//! The changes of pins, then the backtests of new versions.

use serde_json::{Value, json};

use crate::{Backtest, Flip, PinChange, PinSide, PinsReport};

pub fn pins(report: &PinsReport) -> Value {
    let side = |side: &PinSide| {
        json!({
            "version": side.version,
            "digest": side.digest,
            "size": side.size,
            "source": side.source,
            "signers": side.signers,
        })
    };
    let change = |change: &PinChange| {
        json!({
            "id": change.id,
            "action": change.action,
            "from": change.from.as_ref().map(side),
            "to": change.to.as_ref().map(side),
            "imports_gained": change.imports_gained,
            "imports_lost": change.imports_lost,
            "settings_changed": change.settings_changed,
            "notes": change.notes,
        })
    };
    let flip = |flip: &Flip| {
        json!({
            "what": flip.what,
            "subject": flip.subject,
            "before": flip.before,
            "after": flip.after,
            "reasons": flip.reasons,
        })
    };
    let backtest = |backtest: &Backtest| {
        json!({
            "id": backtest.id,
            "from": backtest.from,
            "to": backtest.to,
            "commits": backtest.commits,
            "rejected": backtest.rejected,
            "flips": backtest.flips.iter().map(flip).collect::<Vec<_>>(),
        })
    };
    json!({
        "command": report.command,
        "dry_run": report.dry_run,
        "held": report.held,
        "written": report.written,
        "changes": report.changes.iter().map(change).collect::<Vec<_>>(),
        "backtests": report.backtests.iter().map(backtest).collect::<Vec<_>>(),
        "notices": report.notices,
    })
}
