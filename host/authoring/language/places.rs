//! Whether facts name places that the text has.

use serde_json::{Map, Value};

/// The first place of each kind that is not in the text, one sentence each.
pub fn wrong_places(facts: &Map<String, Value>, text: &str) -> Vec<String> {
    let lines = text.lines().count().max(1) as u64 + 1;
    let mut wrong = Vec::new();
    for (question, answer) in facts {
        look(question, answer, text, lines, &mut wrong);
    }
    wrong
}

fn look(at: &str, value: &Value, text: &str, lines: u64, wrong: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let number = |key: &str| fields.get(key).and_then(Value::as_u64);
            for key in ["line", "first", "last"] {
                if let Some(line) = number(key).filter(|line| !(1..=lines).contains(line)) {
                    wrong.push(format!("{at}.{key} is {line}, and the text has {} lines", lines - 1));
                }
            }
            if let (Some(first), Some(last)) = (number("first"), number("last"))
                && last < first
            {
                wrong.push(format!("{at} ends on line {last}, before it begins on line {first}"));
            }
            if let (Some(start), Some(end)) = (number("start"), number("end")) {
                let place = usize::try_from(start).ok().zip(usize::try_from(end).ok());
                if place.is_none_or(|(start, end)| text.get(start..end).is_none()) {
                    wrong.push(format!("{at} is the bytes {start} to {end}, which are no part of the text"));
                }
            }
            for (key, inner) in fields {
                look(&format!("{at}.{key}"), inner, text, lines, wrong);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| look(at, inner, text, lines, wrong)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::wrong_places;

    #[test]
    fn places_outside_of_the_text_are_named() {
        let said = |facts: serde_json::Value| wrong_places(facts.as_object().unwrap(), "fn ü\nend\n").len();
        assert_eq!(said(json!({"outline": {"definitions": [{"lines": {"first": 1, "last": 2}}]}})), 0);
        // The end of the text is where an end is missing.
        assert_eq!(said(json!({"problems": [{"line": 3}]})), 0);
        assert_eq!(said(json!({"problems": [{"line": 4}, {"line": 0}]})), 2);
        assert_eq!(said(json!({"outline": {"definitions": [{"lines": {"first": 2, "last": 1}}]}})), 1);
        assert_eq!(said(json!({"outline": {"dead": [{"start": 3, "end": 5}]}})), 0);
        assert_eq!(said(json!({"outline": {"dead": [{"start": 4, "end": 5}, {"start": 3, "end": 99}]}})), 2);
    }
}
