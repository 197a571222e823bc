//! TypeScript. JavaScript lets every call pass.

mod calls;
mod functions;

use scopes::{Lines, javascript};

use crate::outline::Outline;

pub fn outline(path: &str, text: &str) -> Option<Outline> {
    javascript::with(path, text, |source| {
        let lines = Lines::of(text);
        let mut outline = Outline::default();
        functions::of(&source, &lines, &mut outline);
        outline.calls = calls::of(&source, &lines);
        outline
    })
}
