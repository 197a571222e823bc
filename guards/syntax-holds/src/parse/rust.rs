//! Rust, by rust-analyzer's parser: every edition's newest grammar, and what is not stable yet.

use ra_ap_parser::SyntaxKind::WHITESPACE;
use ra_ap_parser::{Edition, LexedStr, StrStep, TopEntryPoint};

use super::{Problem, Trouble};

mod depth;

pub fn read(text: &str) -> Result<(), Trouble> {
    let tokens = LexedStr::new(Edition::CURRENT, text);
    if let Some((token, message)) = tokens.errors().next() {
        return Err(Problem::at(text, tokens.text_start(token), message).into());
    }
    if depth::depth(&tokens) > depth::MAX {
        return Err(Trouble::TooDeep);
    }
    let tree = TopEntryPoint::SourceFile.parse(&tokens.to_input(Edition::CURRENT));
    let mut first = None;
    tokens.intersperse_trivia(&tree, &mut |step| {
        if let (StrStep::Error { msg, pos }, None) = (step, &first) {
            first = Some(Problem::at(text, pos, msg));
        }
    });
    match first.or_else(|| dangling_doc(text, &tokens)) {
        None => Ok(()),
        Some(problem) => Err(problem.into()),
    }
}

/// A doc comment at the end, where an answer was cut short; to the parser it is a comment like any other.
fn dangling_doc(text: &str, tokens: &LexedStr) -> Option<Problem> {
    let last = (0..tokens.len()).rev().find(|token| tokens.kind(*token) != WHITESPACE)?;
    let doc = tokens.text(last).starts_with("///") && !tokens.text(last).starts_with("////");
    doc.then(|| Problem::at(text, tokens.text_start(last), "a doc comment with nothing after it"))
}
