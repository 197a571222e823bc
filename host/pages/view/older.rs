//! Runs without pages of their own: what lists and figures say of them, kept beside their records, so that a report of many runs reads the
//! judgements and traces of the newest alone.

use std::path::PathBuf;

use guardhost_core::error::Result;
use guardhost_report::journal::{DerivedFile, State};

use super::judgement::GuardView;
use super::round::RoundView;
use super::run::{RunEndView, RunView, runs};
use crate::Bundle;

/// Its version is that of what [`without_pages`] leaves.
const FIGURES: DerivedFile = DerivedFile { name: "figures.json", version: 1 };

/// A run without pages of its own.
#[derive(Debug, Clone)]
pub struct OlderRun(pub(crate) RunView<'static>);

impl OlderRun {
    /// The run in this folder; None where nothing tells of it.
    ///
    /// # Errors
    /// As [`Bundle::add_figures`].
    pub fn read(folder: PathBuf) -> Result<Option<Self>> {
        let view: Option<RunView<'static>> = FIGURES.read(&folder.clone(), || {
            let mut only = Bundle::default();
            only.add_figures(folder)?;
            let view = runs(&only).pop().map(without_pages);
            let state = match view.as_ref().map(|view| &view.end) {
                Some(RunEndView::Ended(_)) => State::Ended,
                Some(RunEndView::Running(_)) => State::Running,
                Some(RunEndView::Interrupted) | None => State::Interrupted,
            };
            Ok((view, state))
        })?;
        Ok(view.map(OlderRun))
    }

    /// The guards that judged its changes.
    pub fn guards(&self) -> impl Iterator<Item = &str> {
        let of_rounds = self.0.rounds.iter().flat_map(|round| &round.guards).map(|guard| guard.id.as_str());
        of_rounds.chain(self.0.run.iter().flat_map(|run| &run.guards).map(String::as_str))
    }
}

fn without_pages(view: RunView<'_>) -> RunView<'static> {
    let RunView { id, began, run, end, rationale, commit, micros, branch, rounds, audit: _, issues, unread } = view;
    let rounds = rounds.into_iter().map(round_without_page).collect();
    RunView { id, began, run, end, rationale, commit, micros, branch, rounds, audit: None, issues, unread }
}

fn round_without_page(round: RoundView<'_>) -> RoundView<'static> {
    let guard = |guard: GuardView| GuardView { reason: None, metrics: None, code: None, allowed: Vec::new(), ..guard };
    RoundView {
        number: round.number,
        provider: round.provider,
        model: round.model,
        usage: round.usage,
        answer_micros: round.answer_micros,
        spans: Vec::new(),
        stages: Vec::new(),
        account: Vec::new(),
        touched: round.touched,
        around: None,
        guards: round.guards.into_iter().map(guard).collect(),
        fixed: Vec::new(),
        applied_fixes: Vec::new(),
        fix_diffs: Vec::new(),
        end: round.end,
        rationale: None,
    }
}
