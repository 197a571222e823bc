//! `composer.json` (<https://getcomposer.org/doc/04-schema.md>).

use serde_json::Value;

use super::DependencyKind;
use super::declared::{Declared, problem};

pub fn parse(text: &str) -> Result<Declared, String> {
    let value: Value = serde_json::from_str(text).map_err(problem)?;
    let mut declared = Declared { name: value["name"].as_str().map(str::to_owned), ..Declared::default() };
    for (section, kind) in [("require", DependencyKind::Normal), ("require-dev", DependencyKind::Dev)] {
        match &value[section] {
            Value::Null => {}
            Value::Object(packages) => {
                for (name, requirement) in packages {
                    // Names without a vendor are the platform: `php`, `ext-json`, `composer-runtime-api`.
                    if name.contains('/') {
                        declared.add(name, requirement.as_str().unwrap_or_default(), kind);
                    }
                }
            }
            // An empty PHP array is written as a list.
            Value::Array(none) if none.is_empty() => {}
            _ => declared.add_problem(format!("`{section}` is not an object")),
        }
    }
    let bins = value["bin"].as_array().map_or(std::slice::from_ref(&value["bin"]), Vec::as_slice);
    declared.starts.extend(bins.iter().filter_map(Value::as_str).map(str::to_owned));
    Ok(declared)
}
