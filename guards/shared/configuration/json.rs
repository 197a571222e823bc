//! JSON, with comments and trailing commas where a tool takes them.

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::Lines;
use crate::{Setting, key};

pub fn settings(text: &str) -> Option<Vec<Setting>> {
    let tree = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    let (mut found, lines) = (Vec::new(), Lines::new(text));
    walk(tree.value.as_ref()?, &mut Vec::new(), &lines, &mut found, false);
    Some(found)
}

fn walk(value: &Value, keys: &mut Vec<String>, lines: &Lines, found: &mut Vec<Setting>, is_item: bool) {
    let line = lines.at(value.start());
    let mut scalar = |text: &str| found.push(Setting::new(keys, text, line, is_item));
    match value {
        Value::StringLit(text) => scalar(&text.value),
        Value::NumberLit(number) => scalar(number.value),
        Value::BooleanLit(truth) => scalar(if truth.value { "true" } else { "false" }),
        Value::NullKeyword(_) => {}
        Value::Array(array) => array.elements.iter().for_each(|item| walk(item, keys, lines, found, true)),
        Value::Object(object) => {
            for property in &object.properties {
                let name = match &property.name {
                    ObjectPropName::String(name) => name.value.as_ref(),
                    ObjectPropName::Word(name) => name.value,
                };
                keys.push(key(name));
                walk(&property.value, keys, lines, found, false);
                keys.pop();
            }
        }
    }
}
