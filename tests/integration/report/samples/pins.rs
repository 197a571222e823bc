//! An update that was held back, and a verification.

use guardhost_report::{Backtest, Flip, PinAction, PinChange, PinCommand, PinSide, PinsReport};

fn side(version: &str, size: u64) -> PinSide {
    PinSide {
        version: version.to_owned(),
        digest: format!("sha256:{version}"),
        size,
        source: "oci://guards.example/links".to_owned(),
        signers: vec!["release@guards.example".to_owned()],
    }
}

/// An update, an addition, a removal and a guard that stays, with a verdict that flips.
pub fn update() -> PinsReport {
    let updated = PinChange {
        from: Some(side("0.1.0", 215_000)),
        to: Some(side("0.2.0", 230_000)),
        imports_gained: vec!["net".to_owned()],
        imports_lost: vec!["repo".to_owned()],
        settings_changed: true,
        notes: vec!["0.3.0 is younger than the cooldown".to_owned()],
        ..PinChange::new("links-resolve", PinAction::Updated)
    };
    let added = PinChange { to: Some(side("0.1.0", 90_000)), ..PinChange::new("docs-kept", PinAction::Added) };
    let removed = PinChange { from: Some(side("0.1.0", 80_000)), ..PinChange::new("old", PinAction::Removed) };
    let same = Some(side("0.1.0", 70_000));
    let unchanged = PinChange { from: same.clone(), to: same, ..PinChange::new("syntax-holds", PinAction::Unchanged) };
    let flip = Flip {
        what: "commit 1a2b3c4d5e6f".to_owned(),
        subject: "Move the guide".to_owned(),
        before: "pass".to_owned(),
        after: "reject".to_owned(),
        reasons: vec!["0.2.0: no file `guide.md`".to_owned()],
    };
    let backtest = Backtest {
        id: "links-resolve".to_owned(),
        from: "0.1.0".to_owned(),
        to: "0.2.0".to_owned(),
        commits: 20,
        rejected: 1,
        flips: vec![flip],
    };
    PinsReport {
        held: true,
        changes: vec![updated, added, removed, unchanged],
        backtests: vec![backtest],
        notices: vec!["nothing is written, as 1 verdicts flip".to_owned()],
        ..PinsReport::new(PinCommand::Update)
    }
}

pub fn verified() -> PinsReport {
    let locked = Some(side("0.1.0", 215_000));
    let change = PinChange { from: locked.clone(), to: locked, ..PinChange::new("links-resolve", PinAction::Verified) };
    PinsReport { changes: vec![change], ..PinsReport::new(PinCommand::Verify) }
}

pub fn locked() -> PinsReport {
    let written = vec!["guards.lock".to_owned()];
    PinsReport { written, changes: update().changes, ..PinsReport::new(PinCommand::Lock) }
}
