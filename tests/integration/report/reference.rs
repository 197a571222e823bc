//! `docs/reports.schema.json`, and the reference in `docs/json.md`, are those of the types.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::recorded::compare_file;
use crate::support::schema::published;

/// The line of `docs/json.md` below which everything is made.
const MADE: &str = "<!-- Everything below is made from the types of reports. -->";

#[test]
fn the_schema_is_that_of_the_types() {
    compare_file("docs/reports.schema.json", &layout(&published(), 0));
}

#[test]
fn the_reference_is_that_of_the_types() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let (written, _) = text.split_once(MADE).expect("the line below which everything is made");
    compare_file("docs/json.md", &format!("{written}{MADE}\n\n{}", reference(&published())));
}

/// A definition a paragraph, and a property a line.
fn layout(value: &Value, depth: usize) -> String {
    let Value::Object(table) = value else { return value.to_string() };
    let is_open =
        depth < 3 && !table.is_empty() || depth == 3 && table.keys().all(|key| key != "type" && key != "$ref");
    if !is_open || depth > 3 {
        return value.to_string();
    }
    let pad = "  ".repeat(depth + 1);
    let lines = table.iter().map(|(key, value)| {
        let value = if key == "properties" && depth == 2 { properties(value, &pad) } else { layout(value, depth + 1) };
        format!("{pad}{}: {value}", Value::from(key.as_str()))
    });
    let end = if depth == 0 { "\n" } else { "" };
    format!("{{\n{}\n{}}}{end}", lines.collect::<Vec<_>>().join(",\n"), "  ".repeat(depth))
}

fn properties(value: &Value, pad: &str) -> String {
    let all = value.as_object().expect("properties").iter();
    let lines = all.map(|(key, value)| format!("{pad}  {}: {value}", Value::from(key.as_str())));
    format!("{{\n{}\n{pad}}}", lines.collect::<Vec<_>>().join(",\n"))
}

/// The reports in the order of their type, each with its keys; then the types that they share, in the order in which they are named.
fn reference(schema: &Value) -> String {
    let definitions = &schema["$defs"];
    let mut text = "## Reports\n\n| report | commands |\n|---|---|\n".to_owned();
    let mut reports = Vec::new();
    for entry in schema["anyOf"].as_array().expect("reports") {
        let name = referred(entry).expect("a reference");
        match definitions[name]["anyOf"].as_array() {
            Some(variants) => {
                reports.extend(variants.iter().map(|variant| (referred(variant).expect("a reference"), variant)))
            }
            None => reports.push((name, entry)),
        }
    }
    for (name, entry) in &reports {
        let _ = writeln!(text, "| [{name}](#{}) | {} |", anchor(name), description(entry));
    }
    let mut left: Vec<(&str, &str)> = reports.iter().rev().map(|(name, _)| (*name, "##")).collect();
    let mut shared = Vec::new();
    let mut seen: BTreeSet<&str> = reports.iter().map(|(name, _)| *name).collect();
    while let Some((name, level)) = left.pop() {
        let definition = &definitions[name];
        section(&mut text, name, level, definition, definitions);
        let mut named = Vec::new();
        names_in(definition, &mut named);
        shared.extend(named.into_iter().filter(|name| seen.insert(name)));
        if left.is_empty() && !shared.is_empty() {
            if level == "##" {
                text.push_str("\n## Shared types\n");
            }
            left = shared.drain(..).rev().map(|name| (name, "###")).collect();
        }
    }
    text
}

fn section(text: &mut String, name: &str, level: &str, definition: &Value, definitions: &Value) {
    let _ = write!(text, "\n{level} {name}\n");
    let meaning = description(definition);
    if !meaning.is_empty() && !meaning.starts_with("`host") {
        let _ = write!(text, "\n{meaning}\n");
    }
    if let Some(properties) = definition["properties"].as_object() {
        text.push_str("\n| key | type | meaning |\n|---|---|---|\n");
        let required: Vec<&str> =
            definition["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, schema) in properties {
            let absent = if required.contains(&key.as_str()) { "" } else { ", or absent" };
            // Of a key that says nothing itself, its type does.
            let meaning = [description(schema), referred(schema).map_or("", |name| description(&definitions[name]))];
            let meaning = meaning.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
            let _ = writeln!(text, "| `{key}` | {}{absent} | {meaning} |", type_of(schema));
        }
    }
    variants(text, definition);
}

/// The words of an enum, or the forms of one with fields.
fn variants(text: &mut String, definition: &Value) {
    let words = |list: &Value| {
        list.as_array().into_iter().flatten().map(|word| format!("`{}`", plain(word))).collect::<Vec<_>>()
    };
    if definition["enum"].is_array() {
        let _ = write!(text, "\nOne of {}.\n", words(&definition["enum"]).join(", "));
    }
    let Some(all) = definition["oneOf"].as_array().or(definition["anyOf"].as_array()) else { return };
    text.push_str("\n| value | meaning |\n|---|---|\n");
    for variant in all {
        let value = match (&variant["const"], &variant["enum"], variant["properties"].as_object()) {
            (Value::String(word), ..) => format!("`{word}`"),
            (_, list @ Value::Array(_), _) => words(list).join(", "),
            (.., Some(properties)) => {
                let keys = properties.iter().map(|(key, schema)| match &schema["const"] {
                    Value::Null => format!("`{key}` ({})", type_of(schema)),
                    word => format!("`{key}`: `{}`", plain(word)),
                });
                keys.collect::<Vec<_>>().join(", ")
            }
            _ => type_of(variant),
        };
        let _ = writeln!(text, "| {value} | {} |", description(variant));
    }
}

fn type_of(schema: &Value) -> String {
    if let Some(name) = referred(schema) {
        return format!("[{name}](#{})", anchor(name));
    }
    if let Some(choice) = schema["anyOf"].as_array() {
        let (null, rest): (Vec<_>, Vec<_>) = choice.iter().partition(|one| one["type"] == "null");
        let rest = rest.into_iter().map(type_of).collect::<Vec<_>>().join(" or ");
        return if null.is_empty() { rest } else { format!("{rest}?") };
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => match type_of(&schema["items"]) {
            items if items.starts_with('[') || items == "oid" => format!("array of {items}"),
            items => format!("array of {items}s"),
        },
        Value::String(_) if schema["pattern"].is_string() => "oid".to_owned(),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let kind = kinds.iter().find(|kind| *kind != "null").map(plain).unwrap_or_default();
            format!("{}?", type_of(&with_type(schema, kind)))
        }
        _ => "any".to_owned(),
    }
}

fn with_type(schema: &Value, kind: &str) -> Value {
    let mut one = schema.clone();
    one["type"] = kind.into();
    one
}

fn names_in<'s>(schema: &'s Value, names: &mut Vec<&'s str>) {
    names.extend(referred(schema));
    match schema {
        Value::Object(table) => table.values().for_each(|value| names_in(value, names)),
        Value::Array(list) => list.iter().for_each(|value| names_in(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

fn description(schema: &Value) -> &str {
    plain(&schema["description"])
}

fn plain(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// As the forges make it of a heading.
fn anchor(name: &str) -> String {
    name.to_lowercase()
}
