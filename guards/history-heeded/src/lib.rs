//! G9: no plan tries again what failed again and again in this repository.

mod rules;

use guard_sdk::plan::{History, Objection, Outcome, Planner, RunResult, Step};
use guard_sdk::{About, Capability, Need, Stage, planner};
use serde::Deserialize;

/// Outcomes to look at: more than a busy week brings, and a bound on what is handed over.
const LIMIT: u32 = 1_000;

pub struct HistoryHeeded;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Failures in a row.
    threshold: u32,
    window_hours: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threshold: 3, window_hours: 7 * 24 }
    }
}

impl Planner for HistoryHeeded {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G9",
        promise: "No plan tries again what failed again and again in this repository.",
        stages: &[Stage::Plan],
        needs: &[Need::of(Capability::History, "what earlier changes of the same files came to")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_history_filter.drop",
        ..About::NONE
    };

    fn check_plan(steps: &[Step], past: &dyn History, settings: Settings) -> Result<Vec<Objection>, String> {
        // Without its history the guard cannot say that nothing failed.
        let outcomes =
            past.outcomes(settings.window_hours, LIMIT).map_err(|denied| format!("no history: {denied:?}"))?;
        let objection = |step: &Step| {
            let failures = |hint: &String| (failures(hint, &outcomes), hint.clone());
            let (count, hint) = step.hints.iter().map(failures).max_by_key(|(count, _)| *count)?;
            (count >= settings.threshold).then(|| Objection {
                step: step.id.clone(),
                reason: format!(
                    "the last {count} changes of {hint} failed, all within {} hours",
                    settings.window_hours
                ),
            })
        };
        Ok(steps.iter().filter_map(objection).collect())
    }
}

planner!(HistoryHeeded);

/// Failures since a change of the file was last accepted. `outcomes`: newest first.
fn failures(hint: &str, outcomes: &[Outcome]) -> u32 {
    let of_file = outcomes.iter().filter(|outcome| outcome.touched.iter().any(|path| is_same(path, hint)));
    let since = of_file.take_while(|outcome| outcome.result != RunResult::Accepted);
    let failed = since.filter(|outcome| match &outcome.result {
        RunResult::Rejected | RunResult::Failed => true,
        // What a later host says else is neither a success nor a failure.
        RunResult::Accepted | RunResult::Abandoned | RunResult::Other(_) => false,
    });
    u32::try_from(failed.count()).unwrap_or(u32::MAX)
}

/// Hints are written by models: `./src/a.py` is `src/a.py`.
fn is_same(path: &str, hint: &str) -> bool {
    path == hint.trim_start_matches("./")
}
