//! All schemas as one document: each under `$defs`, changed as `schemas/bundle.json` says, in the keywords of JSON Schema 2020-12.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::Result;
use crate::normal::{self, Reader};

/// `{"$defs": {name: schema}}`, with every reference made one within the document.
pub fn read(folder: &Path) -> Result<Value> {
    let plan = json_file(&folder.join("bundle.json"))?;
    let mut all = Map::new();
    for (path, plan) in object(&plan["schemas"], "bundle.json: schemas")? {
        let mut schema = json_file(&folder.join(path))?;
        for change in plan["changes"].as_array().into_iter().flatten() {
            apply(&mut schema, change).map_err(|why| format!("bundle.json: {path}: {why}"))?;
        }
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".json");
        let reader = Reader::from_plan(name, plan)?;
        let schema = normal::normal(&schema, &reader).map_err(|why| format!("{path}: {why}"))?;
        all.insert(name.to_owned(), schema);
    }
    let mut document = json!({ "$defs": all });
    normal::close(&mut document)?;
    Ok(document)
}

fn json_file(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?)
}

fn object<'v>(value: &'v Value, what: &str) -> Result<&'v Map<String, Value>> {
    value.as_object().ok_or_else(|| format!("{what} is no object").into())
}

/// One of `set` (replaces), `merge` (adds members), `drop` (removes members or items) at a JSON pointer.
fn apply(schema: &mut Value, change: &Value) -> Result<()> {
    let at = change["at"].as_str().ok_or("a change names `at`")?;
    change["why"].as_str().ok_or_else(|| format!("{at}: a change says why"))?;
    let target = schema.pointer_mut(at).ok_or_else(|| format!("{at}: nothing stands there"))?;
    if let Some(value) = change.get("set") {
        *target = value.clone();
    } else if let Some(more) = change.get("merge") {
        match (target, more) {
            (Value::Object(target), Value::Object(more)) => target.extend(more.clone()),
            (Value::Array(target), Value::Array(more)) => target.extend(more.iter().cloned()),
            _ => return Err(format!("{at}: what is merged is of another type").into()),
        }
    } else if let Some(names) = change["drop"].as_array() {
        for name in names {
            let gone = match (&mut *target, name) {
                (Value::Object(target), Value::String(name)) => target.remove(name).is_some(),
                (Value::Array(target), item) => {
                    let before = target.len();
                    target.retain(|value| value != item);
                    target.len() < before
                }
                _ => false,
            };
            if !gone {
                return Err(format!("{at}: there is no {name} to drop").into());
            }
        }
    } else {
        return Err(format!("{at}: a change is one of set, merge, drop").into());
    }
    Ok(())
}
