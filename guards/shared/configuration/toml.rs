//! TOML.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Lines;
use crate::{Setting, key};

pub fn settings(text: &str) -> Option<Vec<Setting>> {
    let table = DeTable::parse(text).ok()?;
    let (mut found, lines) = (Vec::new(), Lines::new(text));
    members(table.get_ref(), &mut Vec::new(), &lines, &mut found);
    Some(found)
}

fn members(table: &DeTable, keys: &mut Vec<String>, lines: &Lines, found: &mut Vec<Setting>) {
    for (name, value) in table.iter() {
        keys.push(key(name.get_ref()));
        walk(value, keys, lines, found, false);
        keys.pop();
    }
}

fn walk(value: &Spanned<DeValue>, keys: &mut Vec<String>, lines: &Lines, found: &mut Vec<Setting>, is_item: bool) {
    let line = lines.at(value.span().start);
    let mut scalar = |text: &str| found.push(Setting::new(keys, text, line, is_item));
    match value.get_ref() {
        DeValue::String(text) => scalar(text),
        DeValue::Integer(number) => scalar(number.as_str()),
        DeValue::Float(number) => scalar(number.as_str()),
        DeValue::Boolean(truth) => scalar(if *truth { "true" } else { "false" }),
        DeValue::Datetime(_) => {}
        DeValue::Array(items) => items.iter().for_each(|item| walk(item, keys, lines, found, true)),
        DeValue::Table(table) => members(table, keys, lines, found),
    }
}
