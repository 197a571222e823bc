//! Rust, by rust-analyzer's parser, whose tree comes as a flat row of steps.

mod imports;
pub mod known;
mod names;
mod tokens;
mod walk;

use ra_ap_parser::{Edition, LexedStr, TopEntryPoint};
pub use ra_ap_parser::{StrStep, SyntaxKind};

pub use names::{Bound, BoundKind, Module, Names, Position, Use};
use walk::Walk;

use crate::Lines;

use guard_nesting::rust as depth;

/// None when it does not parse by any edition, or nests too deep.
pub fn names(text: &str) -> Option<Names> {
    let lines = Lines::of(text);
    let see = |walk: &mut Walk, step: &StrStep| match step {
        StrStep::Enter { kind } => walk.enter(*kind),
        StrStep::Exit => walk.exit(),
        StrStep::Token { kind, text } => walk.token(*kind, text),
        StrStep::Error { .. } => {}
    };
    steps(text, || Walk::new(&lines), see).map(Walk::finish)
}

/// What `see` makes of the steps through a file. None when it does not parse by any edition, or nests too deep.
pub fn steps<W>(text: &str, make: impl Fn() -> W, see: impl Fn(&mut W, &StrStep)) -> Option<W> {
    let editions = [Edition::CURRENT, Edition::Edition2018, Edition::Edition2015];
    editions.into_iter().find_map(|edition| {
        let tokens = LexedStr::new(edition, text);
        if tokens.errors().next().is_some() || depth::depth(&tokens) > depth::MAX {
            return None;
        }
        let tree = TopEntryPoint::SourceFile.parse(&tokens.to_input(edition));
        let (mut walker, mut sound) = (make(), true);
        tokens.intersperse_trivia(&tree, &mut |step| {
            sound &= !matches!(step, StrStep::Error { .. });
            see(&mut walker, &step);
        });
        sound.then_some(walker)
    })
}
