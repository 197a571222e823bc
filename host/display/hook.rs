//! What a hook of git has against a change, for a person at a terminal: as `host check` shows it.

use guardhost_report::{HookReport, Report};

use crate::{Appearance, human};

/// Each part under its line.
pub fn hook(report: &HookReport, look: &Appearance) -> Vec<u8> {
    let mut text = Vec::new();
    for (head, check) in &report.shown {
        text.extend_from_slice(head.as_bytes());
        text.extend_from_slice(b"\n\n");
        text.extend(human::render(&Report::Check(check.clone()), look));
    }
    text
}
