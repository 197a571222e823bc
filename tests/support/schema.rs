//! The JSON Schema of reports, made from their types, and whether what the program writes keeps it.

use std::sync::OnceLock;

use guardhost_report::Report;
use jsonschema::Validator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// As `docs/reports.schema.json` publishes it. It is made once.
pub fn published() -> &'static Value {
    static PUBLISHED: OnceLock<Value> = OnceLock::new();
    PUBLISHED.get_or_init(made_of_types)
}

fn made_of_types() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut made = Value::from(generator.into_root_schema_for::<Report>());
    let mut definitions = made["$defs"].take();
    let definitions = definitions.as_object_mut().expect("definitions");
    let mut reports = made["anyOf"].take();
    name_variants(&mut reports, definitions);
    for (_, definition) in definitions.clone() {
        if let Some(variants) = definition.get("anyOf") {
            name_variants(&mut variants.clone(), definitions);
        }
    }
    for definition in definitions.values_mut() {
        tidy(definition);
        if let Some(variants) = definition.get_mut("anyOf") {
            refer(variants);
        }
    }
    json!({
        "$schema": made["$schema"],
        "title": "JSON reports of Guardhost, schema_version 1",
        "description": "Made from the types of reports; docs/json.md says the same of the most read ones for people. Every key that this version of the host writes is listed, and those that it always writes are required. A later version may write further keys and values.",
        "type": "object",
        "properties": { "schema_version": { "const": 1 } },
        "required": ["schema_version"],
        "anyOf": reports,
        "$defs": definitions,
    })
}

/// Variants that are no type of their own have a title, under which they become definitions.
fn name_variants(variants: &mut Value, definitions: &mut Map<String, Value>) {
    for variant in variants.as_array_mut().into_iter().flatten() {
        if let Some(title) = variant.get("title").and_then(Value::as_str).map(str::to_owned) {
            let mut definition = variant.take();
            definition.as_object_mut().expect("an object").shift_remove("title");
            let description = definition["description"].clone();
            *variant = json!({ "description": description, "$ref": format!("#/$defs/{title}") });
            definitions.insert(title, definition);
        }
    }
}

/// The same for variants that `name_variants` has named already.
fn refer(variants: &mut Value) {
    for variant in variants.as_array_mut().into_iter().flatten() {
        if let Some(title) = variant.get("title").and_then(Value::as_str).map(str::to_owned) {
            let description = variant["description"].clone();
            *variant = json!({ "description": description, "$ref": format!("#/$defs/{title}") });
        }
    }
}

/// Sentences on one line. How wide a number is in the host is left out, and what a reader of older records takes for a missing key.
fn tidy(schema: &mut Value) {
    let Some(table) = schema.as_object_mut() else { return };
    if let Some(Value::String(text)) = table.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    table.shift_remove("format");
    table.shift_remove("default");
    for (key, below) in table {
        match (key.as_str(), below) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(tidy),
            ("anyOf" | "oneOf" | "allOf", Value::Array(choices)) => choices.iter_mut().for_each(tidy),
            ("items" | "additionalProperties", below) => tidy(below),
            _ => {}
        }
    }
}

/// Takes the report of this definition, and no key that it does not list. What users validate with must take the reports of later versions.
pub fn closed(definition: &str) -> Validator {
    let mut schema = published().clone();
    schema.as_object_mut().expect("an object").shift_remove("anyOf");
    for definition in schema["$defs"].as_object_mut().expect("definitions").values_mut() {
        definition["unevaluatedProperties"] = false.into();
    }
    // A report is its definition and the version.
    schema["$defs"][definition]["properties"]["schema_version"] = json!({ "const": 1 });
    schema["$ref"] = format!("#/$defs/{definition}").into();
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{definition}: {error}"))
}

/// The errors of a report as this definition.
pub fn errors(validator: &Validator, report: &Value) -> Vec<String> {
    validator.iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Fails unless this is a report that the schema describes, or no report at all.
#[track_caller]
pub fn hold_to_schema(output: &str) {
    static REPORTS: OnceLock<Vec<(String, Validator)>> = OnceLock::new();
    for line in output.lines().filter(|line| line.starts_with("{\"schema_version\":1,")) {
        // A second of a processor: not for the processes that write no report.
        let reports =
            REPORTS.get_or_init(|| report_names().into_iter().map(|name| (name.clone(), closed(&name))).collect());
        let report: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"));
        if !reports.iter().any(|(_, validator)| validator.is_valid(&report)) {
            let nearest = reports.iter().map(|(name, validator)| (name, errors(validator, &report)));
            let nearest = nearest.min_by_key(|(_, errors)| errors.len());
            panic!(
                "no definition of docs/reports.schema.json is that of this report; the nearest: {nearest:#?}\n{report:#}"
            );
        }
    }
}

/// The definitions that are whole reports.
pub fn report_names() -> Vec<String> {
    let schema = published();
    let mut names = Vec::new();
    let mut left: Vec<Value> = schema["anyOf"].as_array().expect("reports").iter().rev().cloned().collect();
    while let Some(entry) = left.pop() {
        let name = entry["$ref"].as_str().and_then(|path| path.rsplit('/').next()).expect("a reference").to_owned();
        match schema["$defs"][&name]["anyOf"].as_array() {
            Some(variants) => left.extend(variants.iter().rev().cloned()),
            None => names.push(name),
        }
    }
    names
}
