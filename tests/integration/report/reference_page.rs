//! The reference of `docs/json.md`: what a change came to, which scripts read most, with every type once, and a key that says nothing but its
//! name and type in one line with others. Of the other reports only the names: the schema has their keys, with the same words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::reference_type::{Key, description, has_keys, keys, link, names, names_in, referred, variants};

/// A type that has all keys of another refers to it when at least this many are the same: a reader has to follow the link.
const WORTH_A_LINK: usize = 4;

/// A key with the same meaning in this many types is described once for all of them.
const COMMON: usize = 3;

/// Reports whose keys are described here too: what a hook, a build or a loop reads.
const DESCRIBED: [&str; 4] = ["check", "apply", "run", "failure"];

/// The keys of every type.
type OfTypes<'s> = BTreeMap<&'s str, Vec<Key<'s>>>;

/// What every section needs of the whole schema.
struct Page<'s> {
    definitions: &'s Map<String, Value>,
    of_types: OfTypes<'s>,
    common: Vec<Key<'s>>,
    /// Types that one key alone has: they are described below it.
    below_a_key: BTreeSet<&'s str>,
}

/// The name of every report; then those that are described, in the order of their type, each with its keys, and the types that they share,
/// in the order in which they are named.
pub fn page(schema: &Value) -> String {
    let all = schema["$defs"].as_object().expect("definitions");
    let reports = reports(schema, all);
    let mut text = "## Reports\n\n| of | definition |\n|---|---|\n".to_owned();
    for (name, entry) in &reports {
        let name = if DESCRIBED.contains(name) { link(name) } else { format!("`{name}`") };
        let _ = writeln!(text, "| {} | {name} |", description(entry));
    }
    let reports: Vec<_> = reports.into_iter().filter(|(name, _)| DESCRIBED.contains(name)).collect();
    let definitions = &reached(all, &reports);
    let of_types: OfTypes = definitions.iter().map(|(name, definition)| (name.as_str(), keys(definition))).collect();
    let common = common_keys(definitions, &of_types);
    let mut seen: BTreeSet<&str> = reports.iter().map(|(name, _)| *name).collect();
    let below_a_key = below_a_key(definitions, &of_types, &seen);
    let page = Page { definitions, of_types, common, below_a_key };
    for (name, entry) in &reports {
        page.section(&mut text, name, description(entry));
    }
    text.push_str("\n## Common keys\n\n");
    for key in &page.common {
        let _ = writeln!(text, "- {}: {}", key.declared(), key.meaning);
    }
    text.push_str("\n## Shared types\n");
    let mut nearest: Vec<&str> = reports.into_iter().map(|(name, _)| name).collect();
    loop {
        let mut named = Vec::new();
        nearest.iter().for_each(|name| names_in(&definitions[*name], &mut named));
        nearest = named.into_iter().filter(|name| seen.insert(name)).collect();
        if nearest.is_empty() {
            return text;
        }
        let shared = nearest.iter().filter(|name| !page.below_a_key.contains(*name));
        shared.for_each(|name| page.section(&mut text, name, ""));
    }
}

/// The definitions of these reports, and all that they name.
fn reached(all: &Map<String, Value>, reports: &[(&str, &Value)]) -> Map<String, Value> {
    let mut reached = Map::new();
    let mut open: Vec<&str> = reports.iter().map(|(name, _)| *name).collect();
    while let Some(name) = open.pop() {
        if reached.insert(name.to_owned(), all[name].clone()).is_none() {
            names_in(&all[name], &mut open);
        }
    }
    reached
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

/// Types to which one key refers, and nothing else: no other key, variant or type that has all keys of it.
fn below_a_key<'s>(
    definitions: &'s Map<String, Value>,
    of_types: &OfTypes<'s>,
    reports: &BTreeSet<&str>,
) -> BTreeSet<&'s str> {
    let mut named = Vec::new();
    definitions.values().for_each(|definition| names_in(definition, &mut named));
    let bases: BTreeSet<&str> = definitions.keys().filter_map(|name| own_keys(name, of_types).0).collect();
    let of_keys: BTreeSet<&str> = of_types.values().flatten().filter_map(|key| key.refers_to).collect();
    let is_once = |name: &&&str| named.iter().filter(|other| other == name).count() == 1;
    named
        .iter()
        .filter(is_once)
        .copied()
        .filter(|name| of_keys.contains(name) && !bases.contains(name) && !reports.contains(name))
        .collect()
}

impl<'s> Page<'s> {
    fn section(&self, text: &mut String, name: &str, commands: &str) {
        let _ = write!(text, "\n### {name}\n");
        let meaning = Some(description(&self.definitions[name])).filter(|meaning| *meaning != commands);
        let said: Vec<&str> =
            [commands, meaning.unwrap_or_default()].into_iter().filter(|part| !part.is_empty()).collect();
        if !said.is_empty() {
            let _ = write!(text, "\n{}\n", said.join(": "));
        }
        text.push('\n');
        self.body(text, name, "");
    }

    /// The keys of a type, or its variants; `pad` is not empty below a key.
    fn body(&self, text: &mut String, name: &str, pad: &str) {
        let (base, own) = own_keys(name, &self.of_types);
        if let Some(base) = base {
            let (bullet, gap) = if pad.is_empty() { ("", "\n") } else { ("- ", "") };
            let _ = write!(text, "{pad}{bullet}The keys of {}, with these:\n{gap}", link(base));
        }
        let is_plain = |key: &&Key| self.common.contains(key) || key.meaning.is_empty() && self.below(key).is_none();
        let (plain, explained): (Vec<&Key>, Vec<&Key>) = own.iter().partition(is_plain);
        explained.into_iter().for_each(|key| self.described(text, key, pad));
        if !plain.is_empty() {
            let _ = writeln!(text, "{pad}- {}.", by_type(&plain));
        }
        for line in variants(&self.definitions[name]) {
            let _ = writeln!(text, "{pad}{line}");
        }
    }

    /// The type that is described below this key.
    fn below(&self, key: &Key<'s>) -> Option<&'s str> {
        key.refers_to.filter(|name| self.below_a_key.contains(name))
    }

    fn described(&self, text: &mut String, key: &Key<'s>, pad: &str) {
        let Some(name) = self.below(key) else {
            let _ = writeln!(text, "{pad}- {}: {}", key.declared(), key.meaning);
            return;
        };
        let definition = &self.definitions[name];
        let kind = if has_keys(definition) { "object" } else { "string" };
        let declared = Key { kind: key.kind.replace(&link(name), kind), ..key.clone() }.declared();
        let meaning =
            Some(key.meaning).filter(|meaning| !meaning.is_empty()).unwrap_or_else(|| description(definition));
        let space = if meaning.is_empty() { "" } else { " " };
        match names(&definition["enum"]) {
            Some(names) => {
                let colon = if meaning.is_empty() { "" } else { ":" };
                let _ = writeln!(text, "{pad}- {declared}:{space}{}{colon} {names}.", meaning.trim_end_matches('.'));
            }
            None => {
                let _ = writeln!(text, "{pad}- {declared}:{space}{meaning}");
                self.body(text, name, &format!("{pad}  "));
            }
        }
    }
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
