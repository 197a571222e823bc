//! What is wrong and what to do instead, in words that a model can act on.

use crate::problem::{Problem, Violation};
use crate::table::Types;
use crate::value::{Kind, Value};

/// How many names are listed before the rest is left out.
const LISTED: usize = 12;
/// In bytes, of what is quoted from a file.
const QUOTED: usize = 60;

pub fn message(violation: &Violation, tool: &str) -> String {
    let place = if violation.path.is_empty() { "the file".to_owned() } else { format!("`{}`", violation.path) };
    let inside = |what: String| match violation.path.is_empty() {
        true => format!("{what} at the top of the file"),
        false => format!("{what} in `{}`", violation.path),
    };
    match &violation.problem {
        Problem::Shape { types, values, found, is } => {
            format!("{place} must be {}, not {}", expected(*types, values), got(found, *is))
        }
        Problem::Unknown { key, .. } => format!("{tool} knows no key {}", inside(format!("`{}`", short(key)))),
        Problem::Missing { keys } => format!("{place} lacks {}", either(keys)),
        Problem::Needs { key, needed } => format!("{place} has `{key}`, which needs `{needed}` beside it"),
        Problem::Clash { keys } => format!("{place} has {}, which exclude one another", both(keys)),
        Problem::Form { found, pattern, name: true } => {
            format!("the key {} does not match {pattern}", inside(format!("`{}`", short(found))))
        }
        Problem::Form { found, pattern, .. } => format!("{place} is {found}, which does not match {pattern}"),
        Problem::Bounds { must, found } => format!("{place} must be {must}; it is {found}"),
        Problem::Twice { found } => format!("{place} holds {found} twice"),
        Problem::Misfit => format!("{place} is in none of the forms that {tool} takes"),
    }
}

pub fn help(violation: &Violation, tool: &str) -> String {
    match &violation.problem {
        Problem::Shape { types, values, found, is } => shape_help(*types, values, found, *is),
        Problem::Unknown { key, known } => match (nearest(key, known), known.is_empty()) {
            (Some(near), _) => format!(
                "Did you mean `{near}`? Write that, or leave the key out: {tool} refuses keys that it does not know."
            ),
            (None, true) => format!("Leave it out: {tool} takes no such key here."),
            (None, false) => format!("Leave it out, or use a key that {tool} knows here: {}.", listed(known)),
        },
        Problem::Missing { keys } => match keys.as_slice() {
            [key] => format!("Add `{key}`: {tool} refuses the file without it."),
            keys => format!("Add one of {}: {tool} refuses the file without.", listed(keys)),
        },
        Problem::Needs { key, needed } => format!("Add `{needed}`, or leave `{key}` out."),
        Problem::Clash { keys } => format!("Keep only one of {}.", listed(keys)),
        Problem::Form { name: true, .. } => "Give the key a name of that form.".to_owned(),
        Problem::Form { .. } => "Write a value of that form.".to_owned(),
        Problem::Bounds { must, .. } => format!("Give it a value that is {must}."),
        Problem::Twice { .. } => "Keep one of them.".to_owned(),
        Problem::Misfit => {
            format!("Look up in the documentation of {tool} which forms it takes here, and write one of them.")
        }
    }
}

fn shape_help(types: Types, values: &[String], found: &str, is: Types) -> String {
    let quoted = is.has(Types::STRING);
    let bare = found.trim_matches('`');
    if !values.is_empty() {
        let names: Vec<&str> = values.iter().map(|value| value.trim_matches('`')).collect();
        return match nearest(bare, &names) {
            _ if quoted && values.iter().any(|value| value == bare) => format!("Write {bare} without quotes."),
            Some(near) if quoted => format!("Did you mean `{near}`? Allowed are {}.", joined(values)),
            _ => format!("Allowed are {}{}.", joined(values), or_types(types)),
        };
    }
    let scalar = is.has(Types::STRING.with(Types::NUMBER).with(Types::BOOLEAN));
    match () {
        _ if quoted && types.has(Types::BOOLEAN) && (bare == "true" || bare == "false") => {
            format!("Write {bare} without quotes.")
        }
        _ if quoted && types.has(Types::INTEGER) && bare.parse::<f64>().is_ok() => {
            format!("Write {bare} without quotes.")
        }
        _ if scalar && types == Types::STRING => format!("Write it as a string, in quotes: \"{bare}\"."),
        _ if scalar && types == Types::ARRAY => {
            format!("Write a list, here one with a single item: [{}].", item(bare, is))
        }
        _ if types == Types::OBJECT => "Write a map of keys and values here.".to_owned(),
        _ => format!("Write {} here.", types_in_words(types)),
    }
}

fn item(bare: &str, is: Types) -> String {
    if is.has(Types::STRING) { format!("\"{bare}\"") } else { bare.to_owned() }
}

fn or_types(types: Types) -> String {
    if types == Types::NONE { String::new() } else { format!(", or {}", types_in_words(types)) }
}

fn expected(types: Types, values: &[String]) -> String {
    match (values, types == Types::NONE) {
        ([], _) => types_in_words(types),
        ([value], true) => value.clone(),
        ([value], false) => format!("{} or {value}", types_in_words(types)),
        (_, true) => "one of the values that are allowed".to_owned(),
        (_, false) => format!("one of the values that are allowed or {}", types_in_words(types)),
    }
}

fn got(found: &str, is: Types) -> String {
    match () {
        _ if is.has(Types::STRING) => format!("the string {found}"),
        _ if is.has(Types::NUMBER) => format!("the number {found}"),
        _ => found.to_owned(),
    }
}

fn types_in_words(types: Types) -> String {
    const NAMES: [(Types, &str); 7] = [
        (Types::STRING, "a string"),
        (Types::NUMBER, "a number"),
        (Types::INTEGER, "a whole number"),
        (Types::BOOLEAN, "true or false"),
        (Types::ARRAY, "a list"),
        (Types::OBJECT, "a map"),
        (Types::NULL, "nothing"),
    ];
    let scalars = [Types::STRING, Types::NUMBER, Types::BOOLEAN];
    let types = match () {
        // Its tool makes a string of every scalar.
        _ if scalars.iter().all(|kind| types.has(*kind)) => {
            types.without(Types::NUMBER.with(Types::INTEGER).with(Types::BOOLEAN).with(Types::NULL))
        }
        _ if types.has(Types::NUMBER) => types.without(Types::INTEGER),
        _ => types,
    };
    let types = if types == Types::NULL { types } else { types.without(Types::NULL) };
    let names: Vec<&str> = NAMES.iter().filter(|(kind, _)| types.has(*kind)).map(|(_, name)| *name).collect();
    match names.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

/// A value, as short as it can be told.
pub fn value(value: &Value) -> String {
    match &value.kind {
        Kind::Null => "nothing".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Number(number) => number.to_string(),
        Kind::Text(text) => format!("`{}`", short(text)),
        Kind::List(items) if items.is_empty() => "an empty list".to_owned(),
        Kind::List(_) => "a list".to_owned(),
        Kind::Map(members) if members.is_empty() => "an empty map".to_owned(),
        Kind::Map(_) => "a map".to_owned(),
        Kind::Open => "an expression".to_owned(),
    }
}

/// On one line, and cut where it gets long.
pub fn short(text: &str) -> String {
    let mut out = text[..text.floor_char_boundary(QUOTED)].replace(['\n', '\r', '\t'], " ");
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// The name that was most likely meant.
pub fn nearest<'n>(wrong: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' ', '.'], "");
    // Longer texts are no misspelt names, and comparing them takes long.
    if wrong.len() > QUOTED {
        return None;
    }
    let bare = plain(wrong);
    let distance = |name: &str| strsim::osa_distance(&bare, &plain(name));
    let near = names.iter().copied().min_by_key(|name| distance(name))?;
    (distance(near) * 3 <= bare.chars().count().max(3)).then_some(near)
}

fn either(keys: &[&str]) -> String {
    match keys {
        [key] => format!("`{key}`"),
        keys => format!("one of {}", listed(keys)),
    }
}

fn both(keys: &[&str]) -> String {
    match keys {
        [key] => format!("`{key}`"),
        [one, two] => format!("both `{one}` and `{two}`"),
        keys => listed(keys),
    }
}

fn listed(keys: &[&str]) -> String {
    joined(&keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>())
}

fn joined(names: &[String]) -> String {
    match names.len() {
        0..=LISTED => names.join(", "),
        _ => format!("{}, and {} more", names[..LISTED].join(", "), names.len() - LISTED),
    }
}
