//! Rust, by rust-analyzer's parser, with what is not stable yet. A file does not say its edition, and its crate's manifest is not
//! for this guard to see: it is right when it is right in any edition.

use ra_ap_parser::SyntaxKind::{ERROR, L_BRACK, L_CURLY, L_PAREN, R_BRACK, R_CURLY, R_PAREN, WHITESPACE};
use ra_ap_parser::{Edition, LexedStr, StrStep, TopEntryPoint};

use super::{Problem, Trouble};
use guard_nesting::Bracket;

use guard_nesting::rust as depth;

/// Newest first. `gen` is a word of 2024 and a name before; `async`, `await`, `dyn` and `try` are words since 2018. To this parser
/// 2021 is no different from 2018.
const EDITIONS: [Edition; 3] = [Edition::Edition2024, Edition::Edition2021, Edition::Edition2015];

/// The trouble is that of the edition which gets furthest: in another, the text may stop at a word that is a name in its own.
pub fn read(text: &str) -> Result<(), Trouble> {
    let mut furthest: Option<Problem> = None;
    for edition in EDITIONS {
        match read_as(text, edition) {
            Err(Trouble::Broken(problem)) => {
                let place = |problem: &Problem| (problem.line, problem.column);
                if furthest.as_ref().is_none_or(|other| place(other) < place(&problem)) {
                    furthest = Some(problem);
                }
            }
            outcome => return outcome,
        }
        // Without a word that is a name elsewhere, every edition says the same.
        if !has_words_of_editions(text) {
            break;
        }
    }
    furthest.map_or(Ok(()), |problem| Err(problem.into()))
}

/// Also the start of a guarded string of 2024, `#"`, which is two tokens before.
fn has_words_of_editions(text: &str) -> bool {
    ["gen", "async", "await", "dyn", "try", "#\"", "##"].iter().any(|word| text.contains(word))
}

fn read_as(text: &str, edition: Edition) -> Result<(), Trouble> {
    let tokens = LexedStr::new(edition, text);
    if let Some((token, message)) = tokens.errors().next() {
        return Err(Problem::at(text, tokens.text_start(token), message).into());
    }
    // What a macro or an attribute gets may be any tokens, and a parser lets them pass; but they must be tokens.
    if let Some(token) = (0..tokens.len()).find(|token| tokens.kind(*token) == ERROR) {
        let message = format!("`{}` begins no token of Rust", tokens.text(token).chars().take(10).collect::<String>());
        return Err(Problem::at(text, tokens.text_start(token), message).into());
    }
    if depth::depth(&tokens) > depth::MAX {
        return Err(Trouble::TooDeep);
    }
    let tree = TopEntryPoint::SourceFile.parse(&tokens.to_input(edition));
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

/// In order; none when the text is no sequence of tokens.
pub fn brackets(text: &str) -> Vec<Bracket> {
    let tokens = LexedStr::new(Edition::CURRENT, text);
    if tokens.errors().next().is_some() {
        return Vec::new();
    }
    let is_bracket =
        |token: &usize| matches!(tokens.kind(*token), L_PAREN | L_BRACK | L_CURLY | R_PAREN | R_BRACK | R_CURLY);
    let found = (0..tokens.len()).filter(is_bracket).map(|token| tokens.text_start(token));
    found.map(|at| Bracket { at, sign: text.as_bytes()[at] }).collect()
}
