//! The reference of `docs/json.md`: every type once, and a key that says nothing but its name and type in one line with others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::reference_type::{Key, description, keys, link, names_in, referred, variants};

/// A type that has all keys of another refers to it when at least this many are the same: a reader has to follow the link.
const WORTH_A_LINK: usize = 4;

/// A key with the same meaning in this many types is described once for all of them.
const COMMON: usize = 3;

/// The keys of every type.
type OfTypes<'s> = BTreeMap<&'s str, Vec<Key<'s>>>;

const COMMON_KEYS: &str = "[Common](#common-keys): ";

/// The reports in the order of their type, each with its keys; then the types that they share, in the order in which they are named.
pub fn page(schema: &Value) -> String {
    let definitions = schema["$defs"].as_object().expect("definitions");
    let of_types: OfTypes = definitions.iter().map(|(name, definition)| (name.as_str(), keys(definition))).collect();
    let common = common_keys(definitions, &of_types);
    let reports = reports(schema, definitions);
    let mut text = "## Reports\n".to_owned();
    for (name, entry) in &reports {
        section(&mut text, (name, description(entry)), &definitions[*name], &of_types, &common);
    }
    text.push_str("\n## Common keys\n\n");
    common.iter().for_each(|key| described(&mut text, key));
    text.push_str("\n## Shared types\n");
    let mut seen: BTreeSet<&str> = reports.iter().map(|(name, _)| *name).collect();
    let mut nearest: Vec<&str> = reports.into_iter().map(|(name, _)| name).collect();
    loop {
        let mut named = Vec::new();
        nearest.iter().for_each(|name| names_in(&definitions[*name], &mut named));
        nearest = named.into_iter().filter(|name| seen.insert(name)).collect();
        if nearest.is_empty() {
            return text;
        }
        nearest.iter().for_each(|name| section(&mut text, (name, ""), &definitions[*name], &of_types, &common));
    }
}

/// The name of every report, and the entry that says which commands print it.
fn reports<'s>(schema: &'s Value, definitions: &'s Map<String, Value>) -> Vec<(&'s str, &'s Value)> {
    let entries = schema["anyOf"].as_array().expect("reports").iter();
    let flat = entries.flat_map(|entry| {
        let name = referred(entry).expect("a reference");
        definitions[name]["anyOf"].as_array().map_or_else(|| vec![entry], |variants| variants.iter().collect())
    });
    flat.map(|entry| (referred(entry).expect("a reference"), entry)).collect()
}

/// The keys that a type has, or describes otherwise, beyond those of another one all of whose keys it has; with that one's name.
fn own_keys<'s>(name: &str, of_types: &OfTypes<'s>) -> (Option<&'s str>, Vec<Key<'s>>) {
    let mut all = of_types[name].clone();
    let has = |key: &Key| all.iter().any(|own| own.name == key.name);
    // Of two types with the same names, the first by its name is described in full.
    let others = of_types.iter().filter(|(other, keys)| keys.len() < all.len() || **other < name);
    let shared = others.filter(|(_, keys)| keys.iter().all(has)).map(|(other, keys)| {
        let same = keys.iter().filter(|key| all.contains(key)).count();
        (same, *other, keys)
    });
    let Some((_, base, inherited)) = shared.filter(|(same, ..)| *same >= WORTH_A_LINK).max_by_key(|(same, ..)| *same)
    else {
        return (None, all);
    };
    all.retain(|key| !inherited.contains(key));
    (Some(base), all)
}

/// In the order of the definitions.
fn common_keys<'s>(definitions: &'s Map<String, Value>, of_types: &OfTypes<'s>) -> Vec<Key<'s>> {
    let all: Vec<Key> = definitions.keys().flat_map(|name| own_keys(name, of_types).1).collect();
    let mut common: Vec<Key> = Vec::new();
    for key in &all {
        let times = all.iter().filter(|other| *other == key).count();
        if !key.meaning.is_empty() && times >= COMMON && !common.contains(key) {
            common.push(key.clone());
        }
    }
    common
}

fn section(text: &mut String, (name, commands): (&str, &str), definition: &Value, of_types: &OfTypes, common: &[Key]) {
    let _ = write!(text, "\n### {name}\n");
    let meaning = Some(description(definition)).filter(|meaning| *meaning != commands).unwrap_or_default();
    let said: Vec<&str> = [commands, meaning].into_iter().filter(|part| !part.is_empty()).collect();
    if !said.is_empty() {
        let _ = write!(text, "\n{}\n", said.join(": "));
    }
    let (base, own) = own_keys(name, of_types);
    if let Some(base) = base {
        let _ = write!(text, "\nThe keys of {}, with these:\n", link(base));
    }
    if !own.is_empty() {
        text.push('\n');
    }
    let (shared, own): (Vec<&Key>, Vec<&Key>) = own.iter().partition(|key| common.contains(key));
    let (plain, explained): (Vec<&Key>, Vec<&Key>) = own.into_iter().partition(|key| key.meaning.is_empty());
    explained.into_iter().for_each(|key| described(text, key));
    if !plain.is_empty() {
        let _ = writeln!(text, "- {}.", by_type(&plain));
    }
    if !shared.is_empty() {
        let names: Vec<String> = shared.into_iter().map(Key::named).collect();
        let _ = writeln!(text, "- {COMMON_KEYS}{}.", names.join(", "));
    }
    variants(text, definition);
}

fn described(text: &mut String, key: &Key) {
    let _ = writeln!(text, "- {}: {}", key.declared(), key.meaning);
}

/// The names of keys, those of one type before it.
fn by_type(keys: &[&Key]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for key in keys {
        match groups.iter_mut().find(|(kind, _)| *kind == key.kind) {
            Some((_, names)) => names.push(key.named()),
            None => groups.push((&key.kind, vec![key.named()])),
        }
    }
    let groups = groups.into_iter().map(|(kind, names)| match kind {
        "string" => names.join(", "),
        kind => format!("{} {kind}", names.join(", ")),
    });
    groups.collect::<Vec<_>>().join("; ")
}
