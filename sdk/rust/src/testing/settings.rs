//! Whether a guard's settings schema and its serde type say the same.

use std::fmt::Debug;

use serde_json::{Map, Value, json};

use crate::guard::entry::settings_of;
use crate::{About, Guard};

/// Checks what the guard says of itself, and its settings: the schema is of a closed object; `{}` is accepted and equals
/// the schema's defaults; each default is accepted alone; an unknown key and a value of another type are refused.
///
/// # Panics
/// When one of that does not hold.
pub fn settings<G: Guard>()
where
    G::Settings: Debug,
{
    described(&G::ABOUT);
    let schema: Value = serde_json::from_str(G::ABOUT.settings_schema).expect("the settings schema is JSON");
    assert_eq!(schema["type"], "object", "the settings schema is of an object");
    assert_eq!(schema["additionalProperties"], false, "the settings schema refuses unknown keys");

    let empty = accepted::<G>(&json!({}));
    refused::<G>(&json!({ "no-such-setting": 1 }));
    let mut defaults = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        assert!(property["description"].is_string(), "setting {name}: the schema describes it");
        let default = property.get("default").unwrap_or_else(|| panic!("setting {name}: the schema names its default"));
        assert_eq!(
            accepted::<G>(&json!({ name: default })),
            empty,
            "setting {name}: schema and type differ in the default"
        );
        refused::<G>(&json!({ name: another_type(default) }));
        defaults.insert(name.clone(), default.clone());
    }
    assert_eq!(accepted::<G>(&Value::Object(defaults)), empty, "schema and type differ in the defaults");
}

fn accepted<G: Guard>(settings: &Value) -> String
where
    G::Settings: Debug,
{
    match settings_of::<G::Settings>(&settings.to_string()) {
        Ok(settings) => format!("{settings:?}"),
        Err(error) => panic!("{settings} is refused: {error}"),
    }
}

fn refused<G: Guard>(settings: &Value) {
    assert!(settings_of::<G::Settings>(&settings.to_string()).is_err(), "{settings} is accepted");
}

fn another_type(value: &Value) -> Value {
    if value.is_object() { json!([]) } else { json!({ "of": "another type" }) }
}

fn described(about: &About) {
    let kebab = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    assert!(kebab(about.id) && about.id.len() <= 64, "the id is kebab-case, 1 to 64 bytes");
    let core = about.version.split(['-', '+']).next().unwrap_or_default();
    let numbers = core.split('.').filter(|part| part.parse::<u64>().is_ok()).count();
    assert!(core.split('.').count() == 3 && numbers == 3, "the version is semver");
    assert!(!about.promise.is_empty(), "the guard makes a promise");
    assert!(!about.stages.is_empty(), "the guard names a stage");
    assert!(!about.event.is_empty(), "the guard names its trace event");
    for need in about.needs {
        assert!(!need.why.is_empty(), "need {}: says why", need.capability.as_str());
    }
    for (index, rule) in about.rules.iter().enumerate() {
        assert!(about.rules[..index].iter().all(|other| other.id != rule.id), "rule {}: named once", rule.id);
        assert!(kebab(rule.id) && !rule.summary.is_empty(), "rule {:?}: kebab-case, with a summary", rule.id);
        let documented = rule.url.is_none_or(|url| url.starts_with("https://"));
        assert!(documented, "rule {}: an https address", rule.id);
    }
}
