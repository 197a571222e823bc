//! Describes a guard's settings in words, from the JSON Schema that checks them.

use serde_json::Value;

use guardhost_report::Setting;

/// Empty for a schema without properties.
pub fn from_schema(schema: &str) -> Vec<Setting> {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let setting = |(name, rule): (&String, &Value)| Setting {
        name: name.clone(),
        kind: kind(rule),
        default: rule["default"].clone(),
        meaning: text(&rule["description"]),
    };
    schema["properties"].as_object().into_iter().flatten().map(setting).collect()
}

/// `integer, at least 1`; `list of one of a, b`.
fn kind(rule: &Value) -> String {
    if let Some(values) = rule["enum"].as_array() {
        let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return format!("one of {}", values.iter().map(shown).collect::<Vec<_>>().join(", "));
    }
    let mut words = match &rule["type"] {
        Value::String(name) if name == "array" => match &rule["items"] {
            Value::Null => "list".to_owned(),
            items => format!("list of {}", kind(items)),
        },
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    };
    let bounds = [
        ("minimum", "at least"),
        ("exclusiveMinimum", "more than"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "less than"),
    ];
    for (key, what) in bounds {
        if let Some(bound) = rule[key].as_number() {
            words += &format!(", {what} {bound}");
        }
    }
    words
}
