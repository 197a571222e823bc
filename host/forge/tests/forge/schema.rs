//! The published description of an API: what is compared with it, and what fills the answers up to it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::Face;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

const GITHUB: &str = include_str!("../openapi/github.json");
const GITEA: &str = include_str!("../openapi/gitea.json");
const GITLAB: &str = include_str!("../openapi/gitlab.json");

pub struct Description {
    operations: Vec<Operation>,
    definitions: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

pub struct Operation {
    pub method: String,
    path: Vec<String>,
    pub name: String,
    value: Value,
}

impl Description {
    pub fn new(face: Face) -> Self {
        let text = match face {
            Face::GitHub => GITHUB,
            Face::Gitea => GITEA,
            Face::GitLab => GITLAB,
        };
        let mut value: Value = serde_json::from_str(text).expect("a description");
        let operations = value["operations"].as_array().expect("operations").iter().map(|operation| {
            let (method, path) = (operation["method"].as_str().unwrap(), operation["path"].as_str().unwrap());
            Operation {
                method: method.to_owned(),
                path: path.split('/').map(str::to_owned).collect(),
                name: format!("{method} {path}"),
                value: operation.clone(),
            }
        });
        let operations = operations.collect();
        Description { operations, definitions: value["$defs"].take(), validators: Mutex::default() }
    }

    /// The operation of a request.
    pub fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        let parts: Vec<&str> = path.split('/').collect();
        let fits = |operation: &&Operation| {
            let known = operation.path.iter().zip(&parts);
            operation.method == method
                && operation.path.len() == parts.len()
                && known.into_iter().all(|(known, part)| known.starts_with('{') || known == part)
        };
        self.operations.iter().find(fits)
    }

    pub fn is_paged(&self, request: &super::server::Request) -> bool {
        self.operation(&request.method, &request.path).is_some_and(|found| found.value["query"]["page"].is_object())
    }

    /// What is wrong with a request.
    pub fn check_request(&self, operation: &Operation, query: &str, body: &[u8]) -> Vec<String> {
        let mut wrong = Vec::new();
        for (name, value) in query.split('&').filter(|pair| !pair.is_empty()).filter_map(|pair| pair.split_once('=')) {
            let schema = &operation.value["query"][name];
            if schema.is_null() {
                wrong.push(format!("{}: there is no parameter `{name}`", operation.name));
                continue;
            }
            let value = match schema["type"].as_str() {
                Some("integer") => json!(value.parse::<i64>().ok()),
                Some("boolean") => json!(value.parse::<bool>().ok()),
                _ => json!(super::server::decoded(value)),
            };
            wrong.extend(self.errors(&format!("{} ?{name}", operation.name), schema, &value));
        }
        let schema = &operation.value["request"];
        match (schema.is_null(), body.is_empty()) {
            (true, false) => wrong.push(format!("{}: it takes no body", operation.name)),
            (false, true) if operation.value["required"] == true => {
                wrong.push(format!("{}: it needs a body", operation.name))
            }
            (false, false) => {
                let body = serde_json::from_slice(body).unwrap_or(Value::Null);
                wrong.extend(self.errors(&format!("{} request", operation.name), schema, &body));
                let known = schema["properties"].as_object();
                let sent = body.as_object().into_iter().flatten().map(|(key, _)| key);
                let strange = sent.filter(|key| known.is_some_and(|known| !known.contains_key(*key)));
                wrong.extend(strange.map(|key| format!("{}: there is no field `{key}`", operation.name)));
            }
            _ => {}
        }
        wrong
    }

    /// The answer with everything that is required, and what is wrong with it.
    pub fn complete(&self, operation: &Operation, status: u16, body: &Value) -> (Option<Value>, Vec<String>) {
        let answer = &operation.value["responses"][status.to_string()];
        if answer.is_null() {
            return (Some(body.clone()), vec![format!("{}: there is no answer {status}", operation.name)]);
        }
        let Some(schema) = answer.get("application/json") else { return (None, Vec::new()) };
        let body = self.fill(schema, Some(body));
        let wrong = self.errors(&format!("{} {status}", operation.name), schema, &body);
        (Some(body), wrong)
    }

    /// What is wrong with an answer, as it is.
    pub fn check_answer(&self, operation: &Operation, status: u16, body: &Value) -> Vec<String> {
        match operation.value["responses"].get(status.to_string()) {
            None => vec![format!("{}: there is no answer {status}", operation.name)],
            Some(answer) => answer
                .get("application/json")
                .map_or_else(Vec::new, |schema| self.errors(&format!("{} {status}", operation.name), schema, body)),
        }
    }

    fn errors(&self, name: &str, schema: &Value, value: &Value) -> Vec<String> {
        let validator = {
            let mut known = self.validators.lock().unwrap();
            let make = || {
                let mut schema = schema.clone();
                schema["$defs"] = self.definitions.clone();
                Arc::new(jsonschema::options().build(&schema).unwrap_or_else(|error| panic!("{name}: {error}")))
            };
            Arc::clone(known.entry(name.to_owned()).or_insert_with(make))
        };
        validator.iter_errors(value).map(|error| format!("{name}: {}: {error}", error.instance_path())).collect()
    }

    /// A value of this form that holds `given`, and what is required beside it.
    fn fill(&self, schema: &Value, given: Option<&Value>) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            return self.fill(&self.definitions[name.trim_start_matches("#/$defs/")], given);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(choices) = schema[key].as_array() {
                let is_null = |choice: &&Value| choice["type"] == "null";
                let wants_null = given.is_none_or(Value::is_null);
                if wants_null && choices.iter().any(|choice| is_null(&choice)) {
                    return Value::Null;
                }
                let choice = choices.iter().find(|choice| !is_null(choice) && self.takes(choice, given));
                return choice.map_or_else(|| given.cloned().unwrap_or_default(), |choice| self.fill(choice, given));
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut all = given.cloned();
            parts.iter().for_each(|part| all = Some(self.fill(part, all.as_ref())));
            return all.unwrap_or_default();
        }
        match given {
            Some(Value::Array(items)) => items.iter().map(|item| self.fill(&schema["items"], Some(item))).collect(),
            Some(Value::Object(given)) => self.object(schema, given),
            Some(given) => given.clone(),
            None => self.smallest(schema),
        }
    }

    fn object(&self, schema: &Value, given: &Map<String, Value>) -> Value {
        let properties = schema["properties"].as_object();
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut made = Map::new();
        for key in required.chain(given.keys().map(String::as_str)) {
            let value = match properties.and_then(|properties| properties.get(key)) {
                Some(schema) => self.fill(schema, given.get(key)),
                None => given.get(key).cloned().unwrap_or_default(),
            };
            made.insert(key.to_owned(), value);
        }
        Value::Object(made)
    }

    fn smallest(&self, schema: &Value) -> Value {
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
        if schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null")) {
            return Value::Null;
        }
        if let Some(first) = schema["enum"].get(0) {
            return first.clone();
        }
        match kind {
            Some("object") => self.object(schema, &Map::new()),
            Some("array") => json!([]),
            Some("string") => match schema["format"].as_str() {
                Some("uri") => json!("https://forge.invalid/x"),
                Some("date-time") => json!("2026-11-01T00:00:00Z"),
                _ => json!("x"),
            },
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(false),
            _ if schema["properties"].is_object() => self.object(schema, &Map::new()),
            _ => Value::Null,
        }
    }

    /// Whether a value can be of this form, as far as its kind says.
    fn takes(&self, schema: &Value, given: Option<&Value>) -> bool {
        if let Some(name) = schema["$ref"].as_str() {
            return self.takes(&self.definitions[name.trim_start_matches("#/$defs/")], given);
        }
        let kind = match given {
            None => return true,
            Some(Value::Object(_)) => "object",
            Some(Value::Array(_)) => "array",
            Some(Value::String(_)) => "string",
            Some(Value::Bool(_)) => "boolean",
            Some(Value::Number(_)) => return schema["type"] == "integer" || schema["type"] == "number",
            Some(Value::Null) => "null",
        };
        match &schema["type"] {
            Value::String(known) => known == kind,
            Value::Array(known) => known.iter().any(|known| known == kind),
            _ => kind == "object",
        }
    }
}
