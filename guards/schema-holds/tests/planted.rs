//! Mistakes as models make them, planted in a sound file of every kind: a value of another type at every key, a misspelt key
//! wherever the tool refuses unknown ones, a misspelt key that must be there.
//!
//! A file of `planted/` holds the sound one, and what its tool's documentation says: which other types a value may have, below
//! which keys anything goes, where unknown keys are refused, which keys must be there. It was not written from the schemas.

use std::fs;

use guard_sdk::testing::{self, Case};
use guard_sdk::{Mode, Verdict};
use schema_holds::SchemaHolds;
use serde_json::{Value, json};

/// Of the mistakes of a class in a kind of file, the share that must be caught.
const FLOOR: f64 = 0.95;
const SEED: u64 = 10;

struct Planted {
    path: String,
    file: Value,
    facts: Value,
}

impl Planted {
    fn all() -> Vec<Planted> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/planted");
        let mut paths: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths
            .iter()
            .map(|path| {
                let facts: Value = serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
                Planted { path: facts["path"].as_str().expect("a path").to_owned(), file: facts["file"].clone(), facts }
            })
            .collect()
    }

    fn says(&self, key: &str, pointer: &str) -> bool {
        self.facts[key].as_array().into_iter().flatten().any(|known| known == pointer)
    }

    /// Pointers to every value that is not where anything goes.
    fn places(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.below(&self.file, String::new(), &mut found);
        found
    }

    fn below(&self, value: &Value, at: String, found: &mut Vec<String>) {
        if !at.is_empty() {
            found.push(at.clone());
        }
        if self.says("free", &at) {
            return;
        }
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(key, value)| self.below(value, format!("{at}/{}", escape(key)), found));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| self.below(item, format!("{at}/{index}"), found));
            }
            _ => {}
        }
    }

    /// Whether the guard rejects the change to this file.
    fn is_caught(&self, after: &Value) -> bool {
        let mut case = Case::default();
        for (tree, value) in [(&mut case.before, &self.file), (&mut case.after, after)] {
            tree.insert(self.path.clone(), (Mode::File, self.text(value).into_bytes()));
        }
        match testing::check::<SchemaHolds>(&case) {
            Ok(Verdict::Reject(_)) => true,
            Ok(Verdict::Pass(_)) => false,
            other => panic!("{}: {other:?}\n{}", self.path, self.text(after)),
        }
    }

    /// JSON is YAML too; TOML has tables in one line.
    fn text(&self, value: &Value) -> String {
        match value {
            Value::Object(members) if self.path.ends_with(".toml") => {
                members.iter().map(|(key, value)| format!("{} = {}\n", json!(key), inline(value))).collect()
            }
            value => format!("{value:#}\n"),
        }
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{} = {}", json!(key), inline(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        value => value.to_string(),
    }
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn other_types(value: &Value) -> Vec<(&'static str, Value)> {
    let (text, list, map) = (json!("one, two"), json!(["one", "two"]), json!({ "one": "two" }));
    match value {
        Value::String(_) => vec![("array", list), ("object", map)],
        Value::Array(_) => vec![("string", text), ("object", map), ("number", json!(3))],
        Value::Object(_) => vec![("string", text), ("array", list), ("number", json!(3))],
        _ => vec![("string", text), ("array", list), ("object", map)],
    }
}

#[test]
fn sound_files_pass() {
    for planted in Planted::all() {
        let mut case = Case::default();
        case.after.insert(planted.path.clone(), (Mode::File, planted.text(&planted.file).into_bytes()));
        assert_eq!(testing::check::<SchemaHolds>(&case), Ok(Verdict::Pass(Vec::new())), "{}", planted.path);
    }
}

#[test]
fn values_of_another_type() {
    held("type", |planted| {
        let mut changed = Vec::new();
        for place in planted.places() {
            let value = planted.file.pointer(&place).expect("a place");
            for (name, other) in other_types(value) {
                if !planted.says("takes", &format!("{place} {name}")) {
                    let mut file = planted.file.clone();
                    *file.pointer_mut(&place).expect("a place") = other;
                    changed.push((format!("{place} {name}"), file));
                }
            }
        }
        changed
    });
}

#[test]
fn misspelt_keys_where_the_tool_refuses_them() {
    held("unknown key", |planted| {
        let mut dice = Dice(SEED);
        let closed = planted.facts["closed"].as_array().expect("a list").clone();
        let mut changed = Vec::new();
        for map in closed.iter().map(|map| map.as_str().expect("a pointer")) {
            let members = planted.file.pointer(map).and_then(Value::as_object).expect("a map");
            for key in members.keys() {
                for _ in 0..3 {
                    changed.push(renamed(planted, map, key, &misspelt(key, &mut dice)));
                }
            }
        }
        changed
    });
}

#[test]
fn misspelt_keys_that_must_be_there() {
    held("required key", |planted| {
        let mut dice = Dice(SEED);
        let required = planted.facts["required"].as_array().expect("a list").clone();
        let mut changed = Vec::new();
        for place in required.iter().map(|place| place.as_str().expect("a pointer")) {
            let (map, key) = place.rsplit_once('/').expect("a key");
            for _ in 0..3 {
                changed.push(renamed(planted, map, key, &misspelt(key, &mut dice)));
            }
        }
        changed
    });
}

/// Prints what is caught, and fails below the floor.
fn held(class: &str, plant: impl Fn(&Planted) -> Vec<(String, Value)>) {
    let mut below = Vec::new();
    for planted in Planted::all() {
        let changed = plant(&planted);
        let missed: Vec<&str> =
            changed.iter().filter(|(_, file)| !planted.is_caught(file)).map(|(what, _)| what.as_str()).collect();
        let (all, caught) = (changed.len(), changed.len() - missed.len());
        println!("{class}: {}: {caught} of {all}; missed {missed:?}", planted.path);
        if (caught as f64) < FLOOR * all as f64 {
            below.push(format!("{}: {caught} of {all}; missed {missed:#?}", planted.path));
        }
    }
    assert!(below.is_empty(), "{class}: {}", below.join("\n"));
}

fn renamed(planted: &Planted, map: &str, key: &str, name: &str) -> (String, Value) {
    let mut file = planted.file.clone();
    let members = file.pointer_mut(map).and_then(Value::as_object_mut).expect("a map");
    let value = members.remove(key).expect("a key");
    members.insert(name.to_owned(), value);
    (format!("{map}/{key} -> {name}"), file)
}

/// A letter left out, doubled, or in its neighbour's place.
fn misspelt(key: &str, dice: &mut Dice) -> String {
    let letters: Vec<char> = key.chars().collect();
    let at = 1 + dice.throw(letters.len().max(3) - 2);
    let mut wrong = letters.clone();
    match dice.throw(3) {
        0 if wrong.len() > 3 => drop(wrong.remove(at)),
        1 if at + 1 < wrong.len() && wrong[at] != wrong[at + 1] => wrong.swap(at, at + 1),
        _ => wrong.insert(at.min(wrong.len() - 1), letters[at.min(letters.len() - 1)]),
    }
    wrong.into_iter().collect()
}

/// Xorshift: the same throws at every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}
