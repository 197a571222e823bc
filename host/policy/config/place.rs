//! Where in `guards.toml` something is wrong that its types do not express.

use serde::Deserialize;
use toml::Spanned;

/// `:line:column` of a byte, counted from 1, in characters.
pub(super) fn place(text: &str, at: usize) -> String {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    format!(":{line}:{column}")
}

/// The place of the id of the guard with this number; empty if there is none.
pub(super) fn place_of_guard(text: &str, index: usize) -> String {
    #[derive(Deserialize)]
    struct Ids {
        guard: Vec<Id>,
    }
    #[derive(Deserialize)]
    struct Id {
        id: Spanned<String>,
    }
    let ids = toml::from_str::<Ids>(text).map(|ids| ids.guard).unwrap_or_default();
    ids.get(index).map_or_else(String::new, |guard| place(text, guard.id.span().start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_characters_from_one() {
        assert_eq!(place("", 0), ":1:1");
        assert_eq!(place("ä\nöü x", "ä\nöü ".len()), ":2:4");
        let text = "schema = 1\n[[guard]]\nid = \"a\"\n[[guard]]\nsource = \"builtin\"\nid = \"a\"\n";
        assert_eq!(place_of_guard(text, 0), ":3:6");
        assert_eq!(place_of_guard(text, 1), ":6:6");
        assert_eq!(place_of_guard(text, 2), "");
    }
}
