//! Every case: the steps of a plan, what was before, settings if any, and the steps that must be dropped.

use guard_cases::{Case, find};
use guard_sdk::plan::{Denied, History, Outcome, Planner, RunResult, Step};
use no_repeated_failures::{NoRepeatedFailures, Settings};
use serde_json::Value;

struct Past(Vec<Outcome>);

impl History for Past {
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied> {
        let recent = self.0.iter().filter(|outcome| outcome.age_hours <= window_hours);
        Ok(recent.take(limit as usize).cloned().collect())
    }
}

struct Nothing;

impl History for Nothing {
    fn outcomes(&self, _: u32, _: u32) -> Result<Vec<Outcome>, Denied> {
        Err(Denied::Unavailable("no records".into()))
    }
}

#[test]
fn cases() {
    let mut seen = 0;
    for location in find(concat!(env!("CARGO_MANIFEST_DIR"), "/cases").as_ref(), &["steps.json"]).unwrap() {
        let case = Case::read(&location.path).unwrap();
        let read = |name: &str| -> Value { serde_json::from_str(case.text(name).unwrap().unwrap()).unwrap() };
        let settings = match case.file("settings.json") {
            Some(_) => serde_json::from_value(read("settings.json")).unwrap(),
            None => Settings::default(),
        };
        let steps: Vec<Step> = read("steps.json").as_array().unwrap().iter().map(step).collect();
        let past = Past(read("past.json").as_array().unwrap().iter().map(outcome).collect());
        let dropped = NoRepeatedFailures::check_plan(&steps, &past, settings).unwrap();
        let dropped: Vec<String> =
            dropped.iter().map(|objection| format!("{}: {}", objection.step, objection.reason)).collect();
        assert_eq!(Value::from(dropped), read("expect.json"), "{}", location.name);
        seen += 1;
    }
    assert!(seen >= 6, "only {seen} cases");
}

#[test]
fn without_a_history_it_does_not_say_that_all_is_well() {
    assert!(NoRepeatedFailures::check_plan(&[], &Nothing, Settings::default()).is_err());
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().map(|list| list.iter().map(text).collect()).unwrap_or_default()
}

fn step(value: &Value) -> Step {
    Step { id: text(&value["id"]), hints: texts(&value["hints"]), ..Step::default() }
}

fn outcome(value: &Value) -> Outcome {
    Outcome {
        run: String::new(),
        step: String::new(),
        age_hours: u32::try_from(value["age_hours"].as_u64().unwrap()).unwrap(),
        result: match value["kind"].as_str().unwrap() {
            "accepted" => RunResult::Accepted,
            "rejected" => RunResult::Rejected,
            "failed" => RunResult::Failed,
            "abandoned" => RunResult::Abandoned,
            other => panic!("{other}"),
        },
        touched: texts(&value["touched"]),
        rejected_by: Vec::new(),
    }
}
