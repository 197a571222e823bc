//! How the reference in `docs/json.md` writes a type, the keys of one, and the names of an enum.

use serde_json::Value;

/// A key of a definition, as the reference writes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key<'s> {
    pub name: &'s str,
    /// `string[]`, `oid?`, a link to a shared type.
    pub kind: String,
    /// The definition that its values have, by themselves or in a list.
    pub refers_to: Option<&'s str>,
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
            refers_to: refers_to(schema),
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

/// The one definition that the values of a key have, by themselves, in a list or where there is one.
fn refers_to(schema: &Value) -> Option<&str> {
    if let Some(choice) = schema["anyOf"].as_array() {
        let mut rest = choice.iter().filter(|one| one["type"] != "null");
        let only = rest.next()?;
        return if rest.next().is_none() { refers_to(only) } else { None };
    }
    referred(schema).or_else(|| schema.get("items").and_then(refers_to))
}

fn with_type(schema: &Value, kind: &str) -> Value {
    let mut one = schema.clone();
    one["type"] = kind.into();
    one
}

/// Whether values of a definition are objects, at least in one variant.
pub fn has_keys(definition: &Value) -> bool {
    let mut variants = [&definition["oneOf"], &definition["anyOf"]].into_iter().filter_map(Value::as_array).flatten();
    definition["properties"].is_object() || variants.any(|variant| variant["properties"].is_object())
}

/// The names in a list of them.
pub fn names(list: &Value) -> Option<String> {
    let names = list.as_array()?.iter().map(|name| format!("`{}`", plain(name)));
    Some(names.collect::<Vec<_>>().join(", "))
}

/// The lines about the names of an enum, or about the forms of one with fields.
pub fn variants(definition: &Value) -> Vec<String> {
    if let Some(names) = names(&definition["enum"]) {
        return vec![format!("One of {names}.")];
    }
    let all = definition["oneOf"].as_array().or(definition["anyOf"].as_array());
    all.into_iter().flatten().map(variant).collect()
}

fn variant(variant: &Value) -> String {
    let value = match (&variant["const"], names(&variant["enum"]), variant["properties"].as_object()) {
        (Value::String(name), ..) => format!("`{name}`"),
        (_, Some(names), _) => names,
        (.., Some(properties)) => {
            let keys = properties.iter().map(|(key, schema)| match &schema["const"] {
                Value::Null => format!("`{key}` {}", type_of(schema)),
                name => format!("`{key}`: `{}`", plain(name)),
            });
            keys.collect::<Vec<_>>().join(", ")
        }
        _ => type_of(variant),
    };
    match description(variant) {
        "" => format!("- {value}"),
        meaning => format!("- {value}: {meaning}"),
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
