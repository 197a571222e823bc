//! Every line of a reply behind its number and what it was read as.

use guardhost_report::{ExplainedLines, escape};

use super::writer::{DIM, PageWriter, RED};

/// Characters of a line that are shown.
const LINE: usize = 500;

pub fn account(page: &mut PageWriter, explained: &[ExplainedLines]) {
    page.inside(2, |page| {
        for part in explained {
            let label = format!("{:<8}", escape::inline(&part.read.label(), 16));
            let label = match part.read.part.as_str() {
                "rest" => page.paint(RED, &label),
                "edit" => label,
                _ => page.paint(DIM, &label),
            };
            for (at, line) in (part.read.from..).zip(part.text.lines()) {
                page.line(format!("{at:>5}  {label}  {}", escape::block(line, LINE)).trim_end());
            }
        }
    });
}
