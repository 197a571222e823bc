//! Rust, by rust-analyzer's parser, whose tree comes as a flat row of steps.

mod path;
mod uses;
mod walk;

use ra_ap_parser::SyntaxKind::{COLON, COLON2};
use ra_ap_parser::{Edition, LexedStr, StrStep, TopEntryPoint};

use super::Outline;
use super::lines::Lines;
use walk::Walk;

use guard_nesting::rust as depth;

pub fn outline(text: &str) -> Option<Outline> {
    let tokens = LexedStr::new(Edition::CURRENT, text);
    if tokens.errors().next().is_some() || depth::depth(&tokens) > depth::MAX {
        return None;
    }
    let tree = TopEntryPoint::SourceFile.parse(&tokens.to_input(Edition::CURRENT));
    let lines = Lines::of(text);
    let mut walk = Walk::new(&lines);
    let mut sound = true;
    // Inside of macros nothing is parsed, and `::` comes as two colons.
    let mut colon = false;
    tokens.intersperse_trivia(&tree, &mut |step| {
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
            StrStep::Error { .. } => sound = false,
        }
    });
    sound.then(|| walk.finish())
}
