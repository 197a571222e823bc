//! Older drafts in the words of 2020-12, and what a tool takes beyond its schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::Result;

/// How the tool behind a schema reads.
pub struct Reader {
    name: String,
    /// It refuses keys that it does not know. Else it ignores them, or warns, and a change may bring them in.
    refuses_unknown: bool,
    /// It takes a number, a boolean or nothing where it wants a string.
    coerces_scalars: bool,
    /// `$ref` hides what stands beside it, as it does until draft 7.
    lonely_ref: bool,
}

impl Reader {
    pub fn from_plan(name: &str, plan: &Value) -> Result<Reader> {
        let says = |key: &str, yes: &str, no: &str| match plan[key].as_str() {
            Some(word) if word == yes => Ok(true),
            Some(word) if word == no => Ok(false),
            _ => Err(format!("bundle.json: {name}: {key} is {yes:?} or {no:?}")),
        };
        Ok(Reader {
            name: name.to_owned(),
            refuses_unknown: says("unknown_keys", "refused", "ignored")?,
            coerces_scalars: says("scalars", "coerced", "strict")?,
            lonely_ref: false,
        })
    }
}

/// Say nothing about which values are valid; `format` neither, as its checks differ from validator to validator.
const ANNOTATIONS: [&str; 17] = [
    "$schema",
    "$id",
    "id",
    "$comment",
    "$$comment",
    "$$description",
    "title",
    "description",
    "markdownDescription",
    "default",
    "examples",
    "deprecated",
    "deprecationMessage",
    "enumDescriptions",
    "markdownEnumDescriptions",
    "format",
    "readOnly",
];

/// An extension's own keyword is named `x-…`.
fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword) || keyword.starts_with("x-")
}

pub fn normal(schema: &Value, reader: &Reader) -> Result<Value> {
    let old = schema["$schema"].as_str().is_some_and(|draft| draft.contains("draft-0"));
    schema_of(schema, &Reader { name: reader.name.clone(), lonely_ref: old, ..*reader })
}

fn schema_of(schema: &Value, reader: &Reader) -> Result<Value> {
    let keywords = match schema {
        Value::Bool(_) => return Ok(schema.clone()),
        Value::Object(keywords) => keywords,
        other => return Err(format!("{other} is no schema").into()),
    };
    let mut out = Map::new();
    let alone = reader.lonely_ref && keywords.contains_key("$ref");
    for (keyword, value) in keywords.iter().filter(|(keyword, _)| !is_annotation(keyword)) {
        let kept = ["$ref", "$defs", "definitions"].contains(&&**keyword);
        if alone && !kept {
            continue;
        }
        self::keyword(keyword, value, reader, &mut out).map_err(|why| format!("{keyword}: {why}"))?;
    }
    if reader.coerces_scalars {
        coerce(&mut out);
    }
    Ok(Value::Object(out))
}

fn keyword(keyword: &str, value: &Value, reader: &Reader, out: &mut Map<String, Value>) -> Result<()> {
    let (name, value) = match keyword {
        "$defs" | "definitions" | "properties" | "patternProperties" | "dependentSchemas" => {
            (keyword, each_member(value, reader)?)
        }
        "allOf" | "anyOf" | "oneOf" => (keyword, each_item(value, reader)?),
        "items" if value.is_array() => ("prefixItems", each_item(value, reader)?),
        "prefixItems" => (keyword, each_item(value, reader)?),
        "items" | "additionalItems" => ("items", schema_of(value, reader)?),
        // Inside of a `not`, what is laxer would refuse more.
        "not" => (keyword, schema_of(value, &Reader { name: reader.name.clone(), refuses_unknown: true, ..*reader })?),
        "if" | "then" | "else" | "contains" | "propertyNames" => (keyword, schema_of(value, reader)?),
        "additionalProperties" | "unevaluatedProperties" if *value == json!(false) && !reader.refuses_unknown => {
            return Ok(());
        }
        "additionalProperties" | "unevaluatedProperties" => (keyword, schema_of(value, reader)?),
        "dependencies" => return dependencies(value, out),
        "const" => ("enum", json!([value])),
        "$ref" => (keyword, reference(value, &reader.name)?),
        "type" => (keyword, if value.is_array() { value.clone() } else { json!([value]) }),
        _ => (keyword, value.clone()),
    };
    // Branches that only unknown keys, or the type of a scalar, told apart now both hold.
    let name = if name == "oneOf" && (!reader.refuses_unknown || reader.coerces_scalars) { "anyOf" } else { name };
    match out.get_mut(name) {
        None => drop(out.insert(name.to_owned(), value)),
        Some(there) if name == "anyOf" => {
            let both = json!([{ "anyOf": there.take() }, { "anyOf": value }]);
            out.remove("anyOf");
            match out.get_mut("allOf").and_then(Value::as_array_mut) {
                Some(all) => all.extend(both.as_array().into_iter().flatten().cloned()),
                None => drop(out.insert("allOf".to_owned(), both)),
            }
        }
        Some(there) if name == "allOf" => {
            let more = value.as_array().cloned().unwrap_or_default();
            there.as_array_mut().ok_or("it is no list")?.extend(more);
        }
        Some(_) => return Err("it stands there twice, in the words of two drafts".into()),
    }
    Ok(())
}

fn each_member(value: &Value, reader: &Reader) -> Result<Value> {
    let members = value.as_object().ok_or("it is no object")?;
    let each = members
        .iter()
        .map(|(name, schema)| Ok((name.clone(), schema_of(schema, reader).map_err(|why| format!("{name}: {why}"))?)));
    Ok(Value::Object(each.collect::<Result<_>>()?))
}

fn each_item(value: &Value, reader: &Reader) -> Result<Value> {
    let items = value.as_array().ok_or("it is no list")?;
    Ok(Value::Array(items.iter().map(|schema| schema_of(schema, reader)).collect::<Result<_>>()?))
}

/// Draft 7 says with one word what are two now; only the one with names is in use.
fn dependencies(value: &Value, out: &mut Map<String, Value>) -> Result<()> {
    let members = value.as_object().ok_or("it is no object")?;
    if !members.values().all(Value::is_array) {
        return Err("a dependency that is a schema".into());
    }
    out.insert("dependentRequired".to_owned(), value.clone());
    Ok(())
}

/// `#/a` in the schema `x`, and `x.json#/a` in any: both become `#/$defs/x/a`.
fn reference(value: &Value, name: &str) -> Result<Value> {
    let target = value.as_str().ok_or("it is no string")?;
    let (file, pointer) = target.split_once('#').unwrap_or((target, ""));
    let name = if file.is_empty() { name } else { file.rsplit('/').next().unwrap_or(file).trim_end_matches(".json") };
    Ok(json!(format!("#/$defs/{name}{}", pointer.trim_end_matches('/'))))
}

/// Unless it must be one of some strings, or look like some.
fn coerce(schema: &mut Map<String, Value>) {
    if schema.contains_key("pattern") || schema.contains_key("enum") {
        return;
    }
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut)
        && types.contains(&json!("string"))
    {
        for more in ["number", "boolean", "null"] {
            if !types.contains(&json!(more)) {
                types.push(json!(more));
            }
        }
    }
}

/// Says `unevaluatedProperties: false` with `additionalProperties`, where what is evaluated can be told from the schema alone.
pub fn close(document: &mut Value) -> Result<()> {
    let whole = document.clone();
    close_in(document, &whole)
}

fn close_in(schema: &mut Value, whole: &Value) -> Result<()> {
    match schema {
        Value::Array(items) => items.iter_mut().try_for_each(|item| close_in(item, whole)),
        Value::Object(members) => {
            if let Some(rest) = members.remove("unevaluatedProperties") {
                let (mut names, mut patterns) = (BTreeMap::new(), BTreeMap::new());
                evaluated(members, whole, &mut names, &mut patterns)?;
                for (group, known) in [("properties", names), ("patternProperties", patterns)] {
                    let own = members.entry(group).or_insert_with(|| json!({}));
                    let own = own.as_object_mut().ok_or("it is no object")?;
                    for name in known.into_keys() {
                        own.entry(name).or_insert(json!(true));
                    }
                }
                members.insert("additionalProperties".to_owned(), rest);
            }
            members.values_mut().try_for_each(|member| close_in(member, whole))
        }
        _ => Ok(()),
    }
}

fn evaluated(
    schema: &Map<String, Value>,
    whole: &Value,
    names: &mut BTreeMap<String, ()>,
    patterns: &mut BTreeMap<String, ()>,
) -> Result<()> {
    for (keyword, value) in schema {
        match keyword.as_str() {
            "properties" => names.extend(value.as_object().into_iter().flatten().map(|(name, _)| (name.clone(), ()))),
            "patternProperties" => {
                patterns.extend(value.as_object().into_iter().flatten().map(|(name, _)| (name.clone(), ())))
            }
            "allOf" => {
                for part in value.as_array().into_iter().flatten() {
                    evaluated(part.as_object().ok_or("a part that is no object")?, whole, names, patterns)?;
                }
            }
            "$ref" => {
                let pointer = value.as_str().and_then(|target| target.strip_prefix('#')).ok_or("a reference")?;
                let target = whole.pointer(pointer).and_then(Value::as_object).ok_or("a reference to nothing")?;
                evaluated(target, whole, names, patterns)?;
            }
            "type" | "required" | "unevaluatedProperties" | "minProperties" | "definitions" | "$defs" => {}
            "anyOf" | "oneOf" | "if" | "then" | "else" | "not" if only_requires(value) => {}
            other => return Err(format!("unevaluatedProperties beside {other}").into()),
        }
    }
    Ok(())
}

/// Whether no property is evaluated by it.
fn only_requires(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(only_requires),
        Value::Object(members) => members.iter().all(|(name, value)| match name.as_str() {
            "required" => true,
            "not" | "anyOf" | "oneOf" | "allOf" => only_requires(value),
            _ => false,
        }),
        _ => false,
    }
}
