//! Rust, by rust-analyzer's parser, whose tree comes as a flat row of steps.

mod path;
mod uses;
mod walk;

use guard_sdk::language::Outline;
use guard_sdk::text::LineStarts;
use ra_ap_parser::StrStep;
use ra_ap_parser::SyntaxKind::{COLON, COLON2};

use crate::texts::rust::Tree;
use walk::Walk;

pub fn outline(text: &str, tree: &Tree) -> Outline {
    let lines = LineStarts::new(text);
    let mut walk = Walk::new(&lines);
    // Inside of macros nothing is parsed, and `::` comes as two colons.
    let mut colon = false;
    tree.steps(&mut |step| {
        let after_colon = std::mem::take(&mut colon);
        match step {
            StrStep::Token { kind: COLON, .. } if after_colon => return walk.token(COLON2, "::"),
            _ if after_colon => walk.token(COLON, ":"),
            _ => {}
        }
        match step {
            StrStep::Enter { kind } => walk.enter(kind),
            StrStep::Exit => walk.exit(),
            StrStep::Token { kind: COLON, .. } => colon = true,
            StrStep::Token { kind, text } => walk.token(kind, text),
            StrStep::Error { .. } => {}
        }
    });
    walk.finish()
}
