//! Go, by gosyn.

use gosyn::Error;
use guard_parsing::{Language, Parsed, Problem, Recursion};

pub static GO: Language = Language {
    rule: "go-syntax",
    parse,
    longest_line: 4 << 10,
    recursion: Recursion::BracketsAndElses,
    largest: 1 << 20,
    help: "Fix this line so that the file compiles: brackets, quotes, commas; every line must be code. The cause may stand a few lines above.",
};

fn parse(text: &str) -> Parsed {
    let Err(error) = gosyn::parse_source(text) else { return Parsed::Whole };
    let (line, column, message) = match error.downcast_ref::<Error>() {
        Some(Error::UnexpectedToken { location, expect, actual, .. }) => {
            let found = actual.as_ref().map_or("the end of the file".to_owned(), |token| format!("{token:?}"));
            let wanted = expect.first().map_or("something else".to_owned(), |kind| format!("{kind:?}"));
            (location.0, location.1, format!("{wanted} is expected, {found} is found"))
        }
        Some(Error::Else { location, reason, .. }) => (location.0, location.1, reason.clone()),
        Some(Error::IO(_)) | None => (text.lines().count(), 1, error.to_string()),
    };
    Parsed::Broken(Problem { line: line.max(1) as u32, column: Some(column as u32 + 1), message })
}
