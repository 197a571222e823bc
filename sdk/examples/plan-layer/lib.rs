//! A layer of a team's own for every plan: no step touches what is frozen, none deletes but where it is allowed, and steps that a planner
//! aims at a folder's old place get the new one.

use std::collections::BTreeMap;

use guard_sdk::plan::{History, Objection, Planner, Step, StepAction};
use guard_sdk::{About, Rule, Stage, planner};
use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Folders, with a slash at the end, and files that stay as they are.
    frozen: Vec<String>,
    /// Folders and files below which a step may delete.
    may_delete: Vec<String>,
    /// Old folders, with a slash at the end, and the new ones.
    moved: BTreeMap<String, String>,
}

pub struct PlanLayer;

impl Planner for PlanLayer {
    type Settings = Settings;

    const ABOUT: About = About {
        id: "{{name}}",
        version: env!("CARGO_PKG_VERSION"),
        promise: "No plan touches what is frozen, or deletes where that is not allowed.",
        stages: &[Stage::Plan],
        rules: &[
            Rule::new("step-dropped", "a step would touch what is frozen, or delete where that is not allowed"),
            Rule::new("step-changed", "a hint names the old place of a folder that was moved"),
        ],
        settings_schema: r#"{"type": "object", "additionalProperties": false, "properties": {
            "frozen": {"type": "array", "items": {"type": "string", "minLength": 1}, "default": [], "description": "Folders, with a slash at the end, and files that stay as they are."},
            "may_delete": {"type": "array", "items": {"type": "string", "minLength": 1}, "default": [], "description": "Folders and files below which a step may delete."},
            "moved": {"type": "object", "additionalProperties": {"type": "string", "minLength": 1}, "default": {}, "description": "Old folders, with a slash at the end, and the new ones."}}}"#,
        event: "{{name}}.plan_layered",
        ..About::NONE
    };

    fn check_plan(steps: &[Step], _: &dyn History, settings: Settings) -> Result<Vec<Objection>, String> {
        Ok(steps.iter().filter_map(|step| objection(step, &settings)).collect())
    }
}

planner!(PlanLayer);

fn objection(step: &Step, settings: &Settings) -> Option<Objection> {
    let hints: Vec<String> = step.hints.iter().map(|hint| place(hint, &settings.moved)).collect();
    // What is only looked at stays as it is.
    if step.action != StepAction::Verify
        && let Some(frozen) = hints.iter().find(|hint| is_below(hint, &settings.frozen))
    {
        return Some(Objection::drop(step, format!("{frozen} is frozen")));
    }
    if step.action == StepAction::Delete
        && let Some(kept) = hints.iter().find(|hint| !is_below(hint, &settings.may_delete))
    {
        return Some(Objection::drop(step, format!("no step of a plan deletes {kept}")));
    }
    (hints != step.hints).then(|| Objection::change(step, hints, "the folder was moved"))
}

/// Where the hint is now.
fn place(hint: &str, moved: &BTreeMap<String, String>) -> String {
    let plain = hint.trim_start_matches("./");
    let now = moved.iter().find_map(|(old, new)| Some(format!("{new}{}", plain.strip_prefix(old.as_str())?)));
    now.unwrap_or_else(|| hint.to_owned())
}

fn is_below(hint: &str, places: &[String]) -> bool {
    let plain = hint.trim_start_matches("./");
    places.iter().any(|place| plain == place || (place.ends_with('/') && plain.starts_with(place.as_str())))
}
