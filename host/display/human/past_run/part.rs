//! What of a rejected attempt the guards accept.

use guardhost_report::{PartDetails, PartFile, PartShare, escape};

use crate::format_units;
use crate::human::writer::{BOLD, PageWriter};

/// Files that each line names.
const NAMED: usize = 20;

pub fn part(page: &mut PageWriter, part: &PartDetails) {
    let of = |share: PartShare| part.files.iter().filter(move |file| file.share == share);
    let (lines, lines_of) =
        part.files.iter().fold((0, 0), |(lines, of), file| (lines + file.lines, of + file.lines_of));
    let title = page.paint(BOLD, &format!("round {}, the part that the guards accept", part.round));
    let files = format_units::count(part.files.len(), "file");
    page.line(&format!("{title}  {} of {files} whole, {lines} of {lines_of} lines", of(PartShare::Whole).count()));
    page.inside(2, |page| {
        for (label, share) in
            [("whole", PartShare::Whole), ("in part", PartShare::Partly), ("left out", PartShare::LeftOut)]
        {
            let named: Vec<String> = of(share).take(NAMED).map(named).collect();
            let more = match of(share).count().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            if !named.is_empty() {
                page.field(label, &(named.join(", ") + &more));
            }
        }
        page.field("ref", &escape::inline(&part.kept, 200));
    });
}

fn named(file: &PartFile) -> String {
    let path = escape::inline(&file.path.to_string(), 200);
    match file.share {
        PartShare::Partly => format!("{path} ({} of {} lines)", file.lines, file.lines_of),
        PartShare::Whole | PartShare::LeftOut => path,
    }
}
