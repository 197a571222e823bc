//! A guard's description, its rights and its settings schema.

use super::super::format_units;
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, YELLOW};
use guardhost_report::escape;
use guardhost_report::{GuardInfo, GuardRight};

pub fn guard_info(page: &mut PageWriter, info: &GuardInfo) {
    let row = &info.row;
    let id = page.paint(BOLD, &escape::inline(&row.id, 64));
    let pinned = if info.pinned { "" } else { " (not pinned)" };
    page.line(&format!("{id} {} {}{pinned}", escape::inline(&row.mark, 16), escape::inline(&row.version, 64)));
    let list = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
    page.inside(2, |page| {
        let facts = [
            ("promise", row.promise.clone()),
            ("source", row.source.clone()),
            ("digest", row.digest.clone()),
            ("size", format_units::size(row.size)),
            ("stages", list(&info.stages)),
            ("files", if info.globs.is_empty() { "all".to_owned() } else { info.globs.join(", ") }),
            ("imports", list(&row.imports)),
            ("exports", list(&info.exports)),
            ("producers", list(&info.toolchain)),
        ];
        for (name, value) in facts {
            let label = page.paint(DIM, name);
            page.labelled(&label, &value, PLAIN);
        }
        for GuardRight { name, why, granted } in &info.rights {
            let state = if *granted { page.paint(GREEN, "granted") } else { page.paint(YELLOW, "not granted") };
            let label = page.paint(CYAN, "right");
            page.labelled(&label, &format!("{name}: {why}"), PLAIN);
            page.inside(2, |page| page.line(&state));
        }
        let label = page.paint(DIM, "settings");
        page.labelled(&label, &info.settings_schema, PLAIN);
    });
}
