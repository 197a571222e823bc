//! The component, its digest and imports.

use super::super::super::format_units;
use super::super::writer::{BOLD, DIM, PLAIN, PageWriter};
use guardhost_report::BuiltReport;
use guardhost_report::escape;

pub fn built(page: &mut PageWriter, built: &BuiltReport) {
    let id = page.paint(BOLD, &escape::inline(&built.id, 64));
    let (size, time) = (format_units::size(built.size), format_units::time(built.micros, page.look.unicode));
    page.line(&format!("{id} {}: {size}, built in {time}", escape::inline(&built.version, 64)));
    page.inside(2, |page| {
        let file = built.component.to_string_lossy();
        for (name, value) in [("component", &*file), ("digest", &built.digest), ("imports", &built.imports.join(", "))]
        {
            let label = page.paint(DIM, name);
            page.labelled(&label, value, PLAIN);
        }
    });
}
