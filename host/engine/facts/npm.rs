//! `package.json` (<https://docs.npmjs.com/cli/configuring-npm/package-json>).

use serde_json::Value;

use super::DependencyKind;
use super::declared::{Declared, problem};

const SECTIONS: [(&str, DependencyKind); 4] = [
    ("dependencies", DependencyKind::Normal),
    ("devDependencies", DependencyKind::Dev),
    ("peerDependencies", DependencyKind::Peer),
    ("optionalDependencies", DependencyKind::Optional),
];

pub fn parse(text: &str) -> Result<Declared, String> {
    let value: Value = serde_json::from_str(text).map_err(problem)?;
    let Value::Object(package) = &value else { return Err("not an object".to_owned()) };
    let mut declared = Declared {
        name: value["name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned),
        ..Declared::default()
    };
    for (section, kind) in SECTIONS {
        match package.get(section) {
            None | Some(Value::Null) => {}
            Some(Value::Object(dependencies)) => {
                for (name, requirement) in dependencies {
                    declared.add(name, requirement.as_str().unwrap_or_default(), kind);
                }
            }
            // npm reads an old-style array of names as a map without versions.
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).for_each(|name| declared.add(name, "", kind));
            }
            Some(_) => declared.add_problem(format!("`{section}` is not an object")),
        }
    }
    let bins = match &value["bin"] {
        Value::Object(bins) => bins.values().collect(),
        bin => vec![bin],
    };
    for start in bins.into_iter().chain([&value["main"]]).filter_map(Value::as_str) {
        let start = start.trim_end_matches('/');
        declared.starts.extend([start.to_owned(), format!("{start}.js"), format!("{start}/index.js")]);
    }
    Ok(declared)
}
