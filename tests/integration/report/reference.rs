//! `docs/reports.schema.json`, and the reference in `docs/json.md`, are those of the types.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::reference_page::page;
use crate::support::recorded::compare_file;
use crate::support::schema::published;

/// The line of `docs/json.md` below which everything is made.
const MADE: &str = "<!-- Everything below is made from the types of reports. -->";

#[test]
fn the_schema_is_that_of_the_types() {
    compare_file("docs/reports.schema.json", &layout(published(), 0));
}

#[test]
fn the_reference_is_that_of_the_types() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let (written, _) = text.split_once(MADE).expect("the line below which everything is made");
    compare_file("docs/json.md", &format!("{written}{MADE}\n\n{}", page(published())));
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
