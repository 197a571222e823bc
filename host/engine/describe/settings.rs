//! Checks settings, and what models answer, against a schema, with the keywords of JSON Schema 2020-12 that describe a table of options.
//! A schema with another keyword is refused, so that nothing passes unchecked.

use std::fmt;

use guardhost_core::setting::SettingPath;
use serde_json::{Map, Value};

/// Keywords that restrict nothing.
const ANNOTATIONS: [&str; 9] =
    ["$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "format"];

/// The first value that the schema refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub what: String,
    /// From the root of what was checked, which it begins with.
    pub at: SettingPath,
}

/// A value that is checked, by its parents. Its path is only made for a violation.
#[derive(Clone, Copy)]
enum ValuePath<'a> {
    Root(Root<'a>),
    Key(&'a ValuePath<'a>, &'a str),
    Index(&'a ValuePath<'a>, usize),
}

/// What is checked, for messages.
#[derive(Clone, Copy)]
enum Root<'a> {
    Settings,
    Named(&'a str),
}

impl Root<'_> {
    fn name(&self) -> &str {
        match self {
            Root::Settings => "settings",
            Root::Named(name) => name,
        }
    }
}

impl ValuePath<'_> {
    fn path(&self) -> SettingPath {
        match self {
            ValuePath::Root(root) => SettingPath::default().key(root.name()),
            ValuePath::Key(parent, key) => parent.path().key(key),
            ValuePath::Index(parent, index) => parent.path().index(*index),
        }
    }

    fn root(&self) -> Root<'_> {
        match self {
            ValuePath::Root(root) => *root,
            ValuePath::Key(parent, _) | ValuePath::Index(parent, _) => parent.root(),
        }
    }

    /// The schema itself is wrong.
    fn refuse_schema(&self, what: &str) -> Violation {
        self.refuse(match self.root() {
            Root::Settings => format!("the guard's settings schema {what}"),
            Root::Named(name) => format!("the schema of `{name}` {what}"),
        })
    }

    fn refuse(&self, what: String) -> Violation {
        Violation { what, at: self.path() }
    }
}

/// As people write it: `settings.names[1]`.
impl fmt::Display for ValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuePath::Root(root) => f.write_str(root.name()),
            ValuePath::Key(parent, key) => write!(f, "{parent}.{key}"),
            ValuePath::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Errors: the first violation.
pub fn check(schema: &str, settings: &Value) -> Result<(), Violation> {
    check_at(schema, settings, &ValuePath::Root(Root::Settings))
}

/// The same for another value than settings, which messages call `name`. Errors: a message with the place.
pub fn check_named(schema: &str, value: &Value, name: &str) -> Result<(), String> {
    check_at(schema, value, &ValuePath::Root(Root::Named(name))).map_err(|violation| violation.what)
}

fn check_at(schema: &str, value: &Value, at: &ValuePath) -> Result<(), Violation> {
    let schema: Value =
        serde_json::from_str(schema).map_err(|error| at.refuse_schema(&format!("is not JSON: {error}")))?;
    check_value(&schema, value, at)
}

fn check_value(schema: &Value, value: &Value, at: &ValuePath) -> Result<(), Violation> {
    let schema = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Bool(false) => return Err(at.refuse(format!("`{at}` is not allowed"))),
        Value::Object(schema) => schema,
        _ => return Err(at.refuse_schema("is neither an object nor a boolean")),
    };
    for (name, rule) in schema {
        keyword(schema, name, rule, value, at)?;
    }
    Ok(())
}

fn keyword(
    schema: &Map<String, Value>,
    keyword: &str,
    rule: &Value,
    value: &Value,
    at: &ValuePath,
) -> Result<(), Violation> {
    let number = |holds: fn(f64, f64) -> bool, what: &str| match (value.as_f64(), rule.as_f64()) {
        (Some(value), Some(bound)) if !holds(value, bound) => {
            Err(at.refuse(format!("`{at}` is {value}; it must be {what} {bound}")))
        }
        _ => Ok(()),
    };
    let length = |length: Option<usize>, most: bool, what: &str| match (length, rule.as_u64()) {
        (Some(length), Some(bound)) if (most && length as u64 > bound) || (!most && (length as u64) < bound) => {
            let bound = format!("at {} {bound}", if most { "most" } else { "least" });
            Err(at.refuse(format!("`{at}` has {length} {what}; {bound} are allowed")))
        }
        _ => Ok(()),
    };
    let characters = || value.as_str().map(|text| text.chars().count());
    match keyword {
        "type" => {
            is_type(rule, value).then_some(()).ok_or_else(|| at.refuse(format!("`{at}` must be {}", joined(rule))))
        }
        "enum" => match rule.as_array() {
            Some(values) if !values.contains(value) => {
                Err(at.refuse(format!("`{at}` is {value}; it must be one of {}", joined(rule))))
            }
            _ => Ok(()),
        },
        "const" if value != rule => Err(at.refuse(format!("`{at}` must be {rule}"))),
        "const" => Ok(()),
        "minimum" => number(|value, bound| value >= bound, "at least"),
        "maximum" => number(|value, bound| value <= bound, "at most"),
        "exclusiveMinimum" => number(|value, bound| value > bound, "more than"),
        "exclusiveMaximum" => number(|value, bound| value < bound, "less than"),
        "minLength" => length(characters(), false, "characters"),
        "maxLength" => length(characters(), true, "characters"),
        "minItems" => length(value.as_array().map(Vec::len), false, "items"),
        "maxItems" => length(value.as_array().map(Vec::len), true, "items"),
        "required" => match (rule.as_array(), value.as_object()) {
            (Some(names), Some(table)) => {
                let absent = names.iter().filter_map(Value::as_str).find(|name| !table.contains_key(*name));
                absent.map_or(Ok(()), |name| Err(at.refuse(format!("`{at}` lacks `{name}`"))))
            }
            _ => Ok(()),
        },
        "properties" => match (rule.as_object(), value.as_object()) {
            (Some(rules), Some(table)) => table.iter().try_for_each(|(name, value)| {
                rules.get(name).map_or(Ok(()), |rule| check_value(rule, value, &ValuePath::Key(at, name)))
            }),
            _ => Ok(()),
        },
        "additionalProperties" => {
            let known = schema.get("properties").and_then(Value::as_object);
            let others = value.as_object().into_iter().flatten();
            let mut others = others.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)));
            others.try_for_each(|(name, value)| match rule {
                Value::Bool(false) => Err(Violation { what: unknown(at, name, known), at: at.path().name(name) }),
                _ => check_value(rule, value, &ValuePath::Key(at, name)),
            })
        }
        "items" => match value.as_array() {
            Some(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(index, item)| check_value(rule, item, &ValuePath::Index(at, index))),
            None => Ok(()),
        },
        "anyOf" => match rule.as_array() {
            Some(rules) if !rules.iter().any(|rule| check_value(rule, value, at).is_ok()) => {
                Err(at.refuse(format!("`{at}` fits none of the forms that it may have")))
            }
            _ => Ok(()),
        },
        _ if ANNOTATIONS.contains(&keyword) => Ok(()),
        _ => Err(at.refuse_schema(&format!("uses `{keyword}`, which this host cannot check"))),
    }
}

fn is_type(rule: &Value, value: &Value) -> bool {
    match rule {
        Value::Array(rules) => rules.iter().any(|rule| is_type(rule, value)),
        Value::String(rule) => match rule.as_str() {
            "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "null" => value.is_null(),
            _ => false,
        },
        _ => false,
    }
}

fn joined(rule: &Value) -> String {
    match rule {
        Value::Array(rules) => rules.iter().map(joined).collect::<Vec<_>>().join(" or "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn unknown(at: &ValuePath, name: &str, known: Option<&Map<String, Value>>) -> String {
    let close = known.into_iter().flatten().map(|(other, _)| (strsim::osa_distance(name, other), other));
    let what = match at.root() {
        Root::Settings => "is no setting",
        Root::Named(_) => "is not a key of its schema",
    };
    match close.filter(|(distance, _)| *distance <= 3).min() {
        Some((_, other)) => format!("`{at}.{name}` {what}; did you mean `{other}`?"),
        None => format!("`{at}.{name}` {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{check, check_named};
    use guardhost_core::setting::{SettingPath, SettingStep};
    use serde_json::json;

    #[test]
    fn an_answer_is_not_called_a_setting() {
        let schema =
            r#"{"type": "object", "additionalProperties": false, "properties": {"score": {"type": "integer"}}}"#;
        let case = |schema, answer| check_named(schema, &answer, "answer").unwrap_err();
        assert_eq!(case(schema, json!({"scor": 1})), "`answer.scor` is not a key of its schema; did you mean `score`?");
        assert_eq!(case(schema, json!({"reasons": []})), "`answer.reasons` is not a key of its schema");
        assert_eq!(
            case(r#"{"pattern": "x"}"#, json!({})),
            "the schema of `answer` uses `pattern`, which this host cannot check"
        );
    }

    #[test]
    fn as_the_schema_says() {
        let schema = r#"{"$schema": "x", "type": "object", "additionalProperties": false, "required": ["mode"],
            "properties": {"floor": {"type": ["number", "null"], "minimum": 0, "maximum": 1}, "mode": {"enum": ["a", "b"]},
            "names": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 2}}}"#;
        let case = |settings| check(schema, &settings).map_err(|violation| violation.what);
        let key = |key: &str| SettingStep::Key(key.to_owned());
        for (settings, at) in [
            (json!({}), vec![key("settings")]),
            (json!({"mode": "a", "flor": 1}), vec![key("settings"), SettingStep::Name("flor".to_owned())]),
            (json!({"mode": "a", "names": ["x", ""]}), vec![key("settings"), key("names"), SettingStep::Index(1)]),
        ] {
            assert_eq!(check(schema, &settings).unwrap_err().at, SettingPath(at));
        }
        assert_eq!(case(json!({"mode": "a", "floor": 0.3, "names": ["x"]})), Ok(()));
        assert_eq!(case(json!({})).unwrap_err(), "`settings` lacks `mode`");
        assert_eq!(case(json!({"mode": "c"})).unwrap_err(), "`settings.mode` is \"c\"; it must be one of a or b");
        assert_eq!(case(json!({"mode": "a", "floor": "1"})).unwrap_err(), "`settings.floor` must be number or null");
        assert_eq!(case(json!({"mode": "a", "floor": 2})).unwrap_err(), "`settings.floor` is 2; it must be at most 1");
        assert_eq!(
            case(json!({"mode": "a", "flor": 1})).unwrap_err(),
            "`settings.flor` is no setting; did you mean `floor`?"
        );
        assert_eq!(
            case(json!({"mode": "a", "names": ["x", ""]})).unwrap_err(),
            "`settings.names[1]` has 0 characters; at least 1 are allowed"
        );
        assert_eq!(
            check(r#"{"pattern": "x"}"#, &json!({})).unwrap_err().what,
            "the guard's settings schema uses `pattern`, which this host cannot check"
        );
    }
}
