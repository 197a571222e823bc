//! INI as `configparser` of Python reads it: `[section]`, `key = value`, and lines that go on with an indented one.

use crate::{Setting, key};

pub fn settings(text: &str) -> Vec<Setting> {
    let mut found: Vec<Setting> = Vec::new();
    let mut section: Vec<String> = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.split(" #").next().unwrap_or_default().split(" ;").next().unwrap_or_default();
        let trimmed = bare.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let goes_on = line.starts_with([' ', '\t']) && !keys.is_empty();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|_| !goes_on) {
            section = vec![key(name)];
            keys.clear();
            continue;
        }
        let value = match trimmed.split_once('=').filter(|_| !goes_on) {
            Some((name, value)) => {
                keys = section.clone();
                keys.push(key(name));
                value.trim()
            }
            None if goes_on => trimmed,
            None => continue,
        };
        found.extend(values(&keys, value, number));
    }
    found
}

/// The value as it stands, and, as items, what commas and blanks part it into: tools take lists so.
fn values(keys: &[String], value: &str, line: u32) -> Vec<Setting> {
    let parts: Vec<&str> = value.split([',', ' ', '\t']).filter(|part| !part.is_empty()).collect();
    let items = parts.iter().map(|part| Setting::new(keys, *part, line, true));
    let whole = Setting::new(keys, value, line, false);
    std::iter::once(whole).filter(|whole| !whole.value.is_empty()).chain(items).collect()
}
