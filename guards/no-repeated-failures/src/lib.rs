//! G9: no plan tries again what failed again and again in this repository.

mod rules;

use guard_sdk::plan::{History, Objection, Outcome, Planner, RunResult, Step};
use guard_sdk::{About, Capability, Need, Stage, planner};
use serde::Deserialize;

/// Outcomes to look at: more than a busy week brings, and a bound on what is handed over.
const LIMIT: u32 = 1_000;

pub struct NoRepeatedFailures;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Failures in a row.
    threshold: u32,
    window_hours: u32,
    half_life_hours: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threshold: 3, window_hours: 7 * 24, half_life_hours: 24 }
    }
}

impl Planner for NoRepeatedFailures {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G9",
        promise: "No plan tries again what failed again and again in this repository.",
        stages: &[Stage::Plan],
        needs: &[Need::new(Capability::History, "what earlier changes of the same files came to")],
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
            let failures = |hint: &String| (failures(hint, &outcomes, &settings), hint.clone());
            let (failures, hint) =
                step.hints.iter().map(failures).max_by(|(a, _), (b, _)| a.weight.total_cmp(&b.weight))?;
            // Failures of the same hour weigh almost 1 each.
            let reason = || {
                format!(
                    "the last {} changes of {hint} failed, all within {} hours; they weigh {:.1}, half as much after {} hours",
                    failures.count, settings.window_hours, failures.weight, settings.half_life_hours
                )
            };
            (failures.weight >= f64::from(settings.threshold) - 0.5).then(|| Objection::drop(step, reason()))
        };
        Ok(steps.iter().filter_map(objection).collect())
    }
}

planner!(NoRepeatedFailures);

struct Failures {
    count: usize,
    /// Each weighs 1 when it happens, and half after each half-life: a file is left alone for hours, not closed.
    weight: f64,
}

/// Failures since a change of the file was last accepted. `outcomes`: newest first.
fn failures(hint: &str, outcomes: &[Outcome], settings: &Settings) -> Failures {
    let of_file = outcomes.iter().filter(|outcome| outcome.touched.iter().any(|path| is_same(path, hint)));
    let since = of_file.take_while(|outcome| outcome.result != RunResult::Accepted);
    let failed = since.filter(|outcome| match &outcome.result {
        RunResult::Rejected | RunResult::Failed => true,
        // What a later host says else is neither a success nor a failure.
        RunResult::Accepted | RunResult::Abandoned | RunResult::Other(_) => false,
    });
    let half_life = f64::from(settings.half_life_hours);
    let weights = failed.map(|outcome| 0.5f64.powf(f64::from(outcome.age_hours) / half_life));
    weights.fold(Failures { count: 0, weight: 0.0 }, |all, weight| Failures {
        count: all.count + 1,
        weight: all.weight + weight,
    })
}

/// Hints are written by models: `./src/a.py` is `src/a.py`.
fn is_same(path: &str, hint: &str) -> bool {
    path == hint.trim_start_matches("./")
}
