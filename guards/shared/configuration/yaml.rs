//! YAML.

use guard_yaml::{Kind, Node};

use crate::{Setting, key};

pub fn settings(text: &str) -> Option<Vec<Setting>> {
    let mut found = Vec::new();
    walk(&guard_yaml::read(text)?, &mut Vec::new(), &mut found, false);
    Some(found)
}

fn walk(node: &Node, keys: &mut Vec<String>, found: &mut Vec<Setting>, is_item: bool) {
    match &node.kind {
        Kind::Text(text) => found.push(Setting::new(keys, text.as_str(), node.line, is_item)),
        Kind::List(items) => items.iter().for_each(|item| walk(item, keys, found, true)),
        Kind::Map(members) => {
            for (name, _, value) in members {
                keys.push(key(name));
                walk(value, keys, found, false);
                keys.pop();
            }
        }
    }
}
