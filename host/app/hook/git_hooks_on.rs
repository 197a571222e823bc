//! Gemini CLI starts shells with variables in which a setting turns every hook of git off (`GIT_CONFIG_COUNT`). A command that may commit gets
//! them back, whatever folder it goes to: the folder in which the shell starts need not be the repository.

use serde_json::{Map, Value, json};

use super::answer::HookDecision;
use super::only_reads;

/// Without the number git reads none of the numbered settings.
const WITHOUT: &str = "unset GIT_CONFIG_COUNT";

pub(super) fn decide(command: &str, input: &Map<String, Value>) -> HookDecision {
    if only_reads(command) {
        return HookDecision::Allow;
    }
    let mut input = input.clone();
    input.insert("command".to_owned(), json!(format!("{WITHOUT}; {command}")));
    let note = "Guardhost turned the hooks of git on for this command".to_owned();
    HookDecision::Mend { input: Value::Object(input), note }
}
