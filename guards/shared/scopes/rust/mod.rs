//! Rust, by rust-analyzer's parser, whose tree comes as a flat row of steps.

mod imports;
pub mod known;
mod names;
mod tokens;
mod walk;

use ra_ap_parser::{Edition, LexedStr, StrStep, TopEntryPoint};

pub use names::{Bound, BoundKind, Module, Names, Position, Use};
use walk::Walk;

use crate::Lines;

use guard_nesting::rust as depth;

/// None when it does not parse by any edition, or nests too deep.
pub fn names(text: &str) -> Option<Names> {
    [Edition::CURRENT, Edition::Edition2018, Edition::Edition2015].into_iter().find_map(|edition| read(text, edition))
}

fn read(text: &str, edition: Edition) -> Option<Names> {
    let tokens = LexedStr::new(edition, text);
    if tokens.errors().next().is_some() || depth::depth(&tokens) > depth::MAX {
        return None;
    }
    let tree = TopEntryPoint::SourceFile.parse(&tokens.to_input(edition));
    let lines = Lines::of(text);
    let mut walk = Walk::new(&lines);
    let mut sound = true;
    tokens.intersperse_trivia(&tree, &mut |step| match step {
        StrStep::Enter { kind } => walk.enter(kind),
        StrStep::Exit => walk.exit(),
        StrStep::Token { kind, text } => walk.token(kind, text),
        StrStep::Error { .. } => sound = false,
    });
    sound.then(|| walk.finish())
}
