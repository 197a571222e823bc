//! How the reference in `docs/json.md` writes a type, the keys of one, and the words of an enum.

use std::fmt::Write as _;

use serde_json::Value;

/// A key of a definition, as the reference writes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key<'s> {
    pub name: &'s str,
    /// `string[]`, `oid?`, a link to a shared type.
    pub kind: String,
    pub may_be_absent: bool,
    /// Empty where the name and the type say all there is.
    pub meaning: &'s str,
}

impl Key<'_> {
    /// The name, the type where it is no string, and `?` behind a name that may be absent.
    pub fn declared(&self) -> String {
        match self.kind.as_str() {
            "string" => self.named(),
            kind => format!("{} {kind}", self.named()),
        }
    }

    pub fn named(&self) -> String {
        format!("`{}`{}", self.name, if self.may_be_absent { "?" } else { "" })
    }
}

/// The keys of a definition in their order.
pub fn keys(definition: &Value) -> Vec<Key<'_>> {
    let required: Vec<&str> =
        definition["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = definition["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, schema)| Key {
            name,
            kind: type_of(schema),
            may_be_absent: !required.contains(&name.as_str()),
            meaning: description(schema),
        })
        .collect()
}

pub fn type_of(schema: &Value) -> String {
    if let Some(name) = referred(schema) {
        return link(name);
    }
    if let Some(choice) = schema["anyOf"].as_array() {
        let (null, rest): (Vec<_>, Vec<_>) = choice.iter().partition(|one| one["type"] == "null");
        let rest = rest.into_iter().map(type_of).collect::<Vec<_>>().join(" or ");
        return if null.is_empty() { rest } else { format!("{rest}?") };
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("{}[]", type_of(&schema["items"])),
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

/// The words of an enum, or the forms of one with fields.
pub fn variants(text: &mut String, definition: &Value) {
    let words = |list: &Value| {
        list.as_array().into_iter().flatten().map(|word| format!("`{}`", plain(word))).collect::<Vec<_>>().join(", ")
    };
    if definition["enum"].is_array() {
        let _ = write!(text, "\nOne of {}.\n", words(&definition["enum"]));
    }
    let Some(all) = definition["oneOf"].as_array().or(definition["anyOf"].as_array()) else { return };
    text.push('\n');
    for variant in all {
        let value = match (&variant["const"], &variant["enum"], variant["properties"].as_object()) {
            (Value::String(word), ..) => format!("`{word}`"),
            (_, list @ Value::Array(_), _) => words(list),
            (.., Some(properties)) => {
                let keys = properties.iter().map(|(key, schema)| match &schema["const"] {
                    Value::Null => format!("`{key}` {}", type_of(schema)),
                    word => format!("`{key}`: `{}`", plain(word)),
                });
                keys.collect::<Vec<_>>().join(", ")
            }
            _ => type_of(variant),
        };
        let _ = match description(variant) {
            "" => writeln!(text, "- {value}"),
            meaning => writeln!(text, "- {value}: {meaning}"),
        };
    }
}

/// To the section of a type, whose anchor is made as the forges make it.
pub fn link(name: &str) -> String {
    format!("[{name}](#{})", name.to_lowercase())
}

pub fn names_in<'s>(schema: &'s Value, names: &mut Vec<&'s str>) {
    names.extend(referred(schema));
    match schema {
        Value::Object(table) => table.values().for_each(|value| names_in(value, names)),
        Value::Array(list) => list.iter().for_each(|value| names_in(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

pub fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

pub fn description(schema: &Value) -> &str {
    plain(&schema["description"])
}

pub fn plain(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
