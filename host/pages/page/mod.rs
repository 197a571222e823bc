//! The pages. One set of templates gives the file of `host report` and the pages of a server: only links and the live script differ.

mod account;
mod audit;
mod backtest;
mod board;
mod change;
mod diff;
mod files;
mod fleet;
mod gate;
mod guards;
mod issues;
mod layout;
mod list;
mod location;
mod pulls;
mod run;
mod scrubber;
mod statistics;
mod steps;
mod text;
mod timeline;
mod words;

use std::collections::BTreeSet;

use guardhost_core::syntax::SyntaxByPath;
use guardhost_report::{BacktestReport, FleetReport};
use maud::Markup;

use crate::Bundle;
use crate::view::{Figures, OlderRun, RunView, newest_first, runs};

pub use board::{Board, BoardRow, Counted};
pub use layout::Document;
pub use list::{ListCursor, ListGroup, ListKey, ListSort, RunList};
pub use location::{Mount, Page};
use location::{SourceLocation, in_file};

/// How much a page shows, and in which colours. What is left out is counted on the page.
#[derive(Clone, Copy)]
pub struct PageSettings {
    /// Runs with pages of their own, the newest first.
    pub runs: usize,
    /// Rounds of one run, the last ones.
    pub rounds: usize,
    /// Characters of a text of a stage.
    pub text: usize,
    /// Lines of the diff of one file.
    pub lines: usize,
    /// Files of one change.
    pub files: usize,
    /// Findings of one change.
    pub findings: usize,
    /// Comments and strings of diffs have colours where this knows the language.
    pub syntax: Option<&'static dyn SyntaxByPath>,
}

impl Default for PageSettings {
    fn default() -> Self {
        PageSettings { runs: 50, rounds: 200, text: 200_000, lines: 2_000, files: 500, findings: 10_000, syntax: None }
    }
}

/// What every page is made from.
struct PageContext<'a> {
    bundle: &'a Bundle,
    runs: &'a [RunView<'a>],
    figures: &'a Figures<'a>,
    place: SourceLocation<'a>,
    limits: PageSettings,
    /// Beside what the runs say.
    has: OtherPages,
}

/// Pages that are named though no run of the context has them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OtherPages {
    pub issues: bool,
    pub pulls: bool,
}

impl PageContext<'_> {
    fn has_issues(&self) -> bool {
        self.has.issues || self.runs.iter().any(|run| !run.issues.is_empty())
    }

    fn has_rulings(&self) -> bool {
        !self.bundle.rulings.is_empty()
    }

    fn has_pulls(&self) -> bool {
        self.has.pulls || pulls::with_pulls(self.runs).next().is_some()
    }
}

/// One page of a server. None for a run or guard that the bundle does not know.
///
/// A bundle with the runs of the page is enough; figures are those of its runs.
pub fn document(bundle: &Bundle, page: &Page, mount: &Mount, limits: PageSettings) -> Option<Document> {
    let runs = runs(bundle);
    let figures = Figures::new(bundle, &runs);
    let context = PageContext {
        bundle,
        runs: &runs,
        figures: &figures,
        place: SourceLocation::Server(mount),
        limits,
        has: OtherPages::default(),
    };
    Some(layout::served(&context, page, body(&context, page)?))
}

/// The page of all runs, of a server that finds them itself: see [`Board`].
pub fn board_document(board: &Board, mount: &Mount, has: OtherPages) -> Document {
    let bundle = Bundle::default();
    let figures = Figures::new(&bundle, &[]);
    let (place, limits) = (SourceLocation::Server(mount), PageSettings::default());
    let context = PageContext { bundle: &bundle, runs: &[], figures: &figures, place, limits, has };
    layout::served(&context, &Page::Board, board::board(&context, board))
}

/// The page about a fleet: what its queue says, or why it says nothing.
pub fn fleet_document(fleet: Result<&FleetReport, &str>, mount: &Mount) -> Document {
    let bundle = Bundle::default();
    let figures = Figures::new(&bundle, &[]);
    let place = SourceLocation::Server(mount);
    let context = PageContext {
        bundle: &bundle,
        runs: &[],
        figures: &figures,
        place,
        limits: PageSettings::default(),
        has: OtherPages::default(),
    };
    layout::served(&context, &Page::Fleet, fleet::fleet(fleet))
}

/// What the guards say of the past, as one file that asks for nothing.
pub fn backtest_document(report: &BacktestReport) -> Document {
    let bundle = Bundle::default();
    let figures = Figures::new(&bundle, &[]);
    let (place, limits) = (SourceLocation::File, PageSettings::default());
    let context =
        PageContext { bundle: &bundle, runs: &[], figures: &figures, place, limits, has: OtherPages::default() };
    layout::alone(&context, "Guardhost: the past", backtest::backtest(report))
}

/// All pages as one file that asks for nothing. Without script they stand below one another.
pub fn report(bundle: &Bundle, limits: PageSettings) -> Document {
    report_with_older(bundle, Vec::new(), limits)
}

/// The same, with runs that have no pages of their own beside those of the bundle.
pub fn report_with_older(bundle: &Bundle, older: Vec<OlderRun>, limits: PageSettings) -> Document {
    let mut runs = runs(bundle);
    let without_pages: BTreeSet<String> = older.iter().map(|run| run.0.id.clone()).collect();
    runs.extend(older.into_iter().map(|run| run.0));
    newest_first(&mut runs);
    let figures = Figures::new(bundle, &runs);
    let context = PageContext {
        bundle,
        runs: &runs,
        figures: &figures,
        place: SourceLocation::File,
        limits,
        has: OtherPages::default(),
    };
    let shown = runs.iter().filter(|run| !without_pages.contains(run.id.as_str())).take(limits.runs);
    let mut pages = vec![Page::Board];
    // A report about one run begins with it.
    if let [only] = runs.as_slice() {
        pages.insert(0, Page::Run(only.id.clone()));
    }
    for run in shown {
        if runs.len() > 1 {
            pages.push(Page::Run(run.id.clone()));
        }
        pages.extend(
            run.rounds
                .iter()
                .filter(|round| change::exists(round))
                .map(|round| Page::Change(run.id.clone(), round.number)),
        );
        pages.extend(run.audit.is_some().then(|| Page::Audit(run.id.clone())));
    }
    pages.extend([Page::Guards]);
    pages.extend(
        figures.guards.iter().filter(|(_, guard)| !guard.judged.is_empty()).map(|(id, _)| Page::Guard(id.clone())),
    );
    pages.extend([Page::Files, Page::Statistics]);
    pages.extend(context.has_rulings().then_some(Page::Gate));
    pages.extend(context.has_issues().then_some(Page::Issues));
    pages.extend(context.has_pulls().then_some(Page::Pulls));
    let sections = pages.iter().filter_map(|page| Some((in_file(page), body(&context, page)?))).collect();
    layout::file(&context, sections)
}

fn body(context: &PageContext<'_>, page: &Page) -> Option<Markup> {
    let run = |id: &str| context.runs.iter().find(|run| run.id == id);
    Some(match page {
        Page::Board => board::board(context, &board::Board::of_views(context.runs)),
        Page::Run(id) => run::run(context, run(id)?),
        Page::Change(id, number) => {
            let run = run(id)?;
            change::change(context, run, run.rounds.iter().find(|round| round.number == *number)?)
        }
        Page::Guards => guards::guards(context),
        Page::Guard(id) => guards::guard(context, id, context.figures.guards.get(id)?),
        Page::Files => files::files(context),
        Page::Statistics => statistics::statistics(context),
        Page::Gate if !context.has_rulings() => return None,
        Page::Gate => gate::gate(context),
        Page::Issues => issues::issues(context),
        Page::Pulls => pulls::pulls(context),
        Page::Audit(id) => {
            let run = run(id)?;
            audit::audit(context, run, run.audit.as_ref()?)
        }
        // It is made of no bundle.
        Page::Fleet => return None,
    })
}
