//! The leaves of a `use`.

use ra_ap_parser::SyntaxKind::*;

use super::cursor::{Token, name};

/// One leaf: `a::b as c`.
pub struct Leaf {
    pub path: Vec<String>,
    /// None for `*`.
    pub local: Option<String>,
    /// Byte of its last name.
    pub start: usize,
    /// It began with `::`.
    pub of_crates: bool,
}

/// The leaves of `a::{b, c::{self as d, *}}`, given as its tokens.
pub fn leaves(tokens: &[Token]) -> Vec<Leaf> {
    let mut found = Vec::new();
    // The path before each open brace.
    let mut around: Vec<Vec<String>> = vec![Vec::new()];
    let mut path: Vec<String> = Vec::new();
    let (mut alias, mut start, mut fresh) = (None, 0, false);
    let of_crates = tokens.first().is_some_and(|token| token.kind == COLON);
    let mut close = |path: &[String], alias: Option<String>, start: usize, fresh: bool| {
        if !fresh || path.is_empty() {
            return;
        }
        let mut path = path.to_vec();
        let local = match path.last().map(String::as_str) {
            Some("*") => {
                path.pop();
                None
            }
            Some("self") if path.len() > 1 => {
                path.pop();
                alias.or_else(|| path.last().cloned())
            }
            last => alias.or(last.map(str::to_owned)),
        };
        found.push(Leaf { path, local, start, of_crates });
    };
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match token.kind {
            COLON => {}
            L_CURLY => {
                around.push(path.clone());
                fresh = false;
            }
            R_CURLY | COMMA => {
                close(&path, alias.take(), start, fresh);
                if token.kind == R_CURLY {
                    around.pop();
                }
                path = around.last().cloned().unwrap_or_default();
                fresh = false;
            }
            AS_KW => alias = tokens.next().map(|token| name(token.text)),
            _ => {
                path.push(name(token.text));
                (start, fresh) = (token.start, true);
            }
        }
    }
    close(&path, alias, start, fresh);
    found
}

#[cfg(test)]
mod tests {
    use super::leaves;
    use crate::rust::cursor::{lex, tokens};

    fn read(text: &str) -> Vec<String> {
        let lexed = lex(text);
        let show = |leaf: &super::Leaf| format!("{} {}", leaf.path.join("::"), leaf.local.as_deref().unwrap_or("*"));
        leaves(&tokens(&lexed)).iter().map(show).collect()
    }

    #[test]
    fn trees() {
        assert_eq!(read("a::b"), ["a::b b"]);
        assert_eq!(read("a::r#type as c"), ["a::type c"]);
        assert_eq!(read("a::{self, b, c::{D, E as F}, g::*}"), ["a a", "a::b b", "a::c::D D", "a::c::E F", "a::g *"]);
        assert_eq!(read("{a::{b::{c}}, d}"), ["a::b::c c", "d d"]);
        assert_eq!(read("crate::x::{y,}"), ["crate::x::y y"]);
    }
}
