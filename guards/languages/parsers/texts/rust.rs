//! Rust, by rust-analyzer's parser, with what is not stable yet. A file does not say its edition, and its crate's manifest is not for a
//! reader to see: it is right when it is right in any edition.

use guard_nesting::rust as depth;
use guard_sdk::language::{Problem, Questions, Reading, Unread};
use ra_ap_parser::{Edition, LexedStr, Output, StrStep, TopEntryPoint};

use super::unread;
use crate::problems::rust as problems;
use crate::{modules, names, outline};

/// Newest first. `gen` is a word of 2024 and a name before; `async`, `await`, `dyn` and `try` are words since 2018. To this parser
/// 2021 is no different from 2018.
const EDITIONS: [Edition; 3] = [Edition::Edition2024, Edition::Edition2021, Edition::Edition2015];

/// A text by one edition.
pub struct Tree<'t> {
    pub tokens: LexedStr<'t>,
    output: Output,
}

impl Tree<'_> {
    pub fn steps(&self, see: &mut dyn FnMut(StrStep)) {
        self.tokens.intersperse_trivia(&self.output, see);
    }
}

pub fn read(text: &str, wanted: Questions) -> Reading {
    // The problem of the edition which gets furthest: in another, the text may stop at a word that is a name in its own.
    let mut furthest: Option<Problem> = None;
    for edition in EDITIONS {
        let tokens = LexedStr::new(edition, text);
        let wrong = problems::from_tokens(text, &tokens);
        if wrong.is_none() && depth::depth(&tokens) > depth::MAX {
            return unread(wanted, &Unread::TooDeep);
        }
        let problem = match wrong {
            Some(problem) => problem,
            None => {
                let output = TopEntryPoint::SourceFile.parse(&tokens.to_input(edition));
                let tree = Tree { tokens, output };
                match problems::from_tree(text, &tree) {
                    None => return whole(text, wanted, &tree),
                    Some(problem) => problem,
                }
            }
        };
        let at = |problem: &Problem| (problem.line, problem.column);
        if furthest.as_ref().is_none_or(|other| at(other) < at(&problem)) {
            furthest = Some(problem);
        }
        // Without a word that is a name elsewhere, every edition says the same.
        if !has_words_of_editions(text) {
            break;
        }
    }
    let broken = unread(wanted, &Unread::Broken);
    Reading { problems: wanted.problems.then(|| Ok(furthest.into_iter().collect())), ..broken }
}

/// Also the start of a guarded string of 2024, `#"`, which is two tokens before.
fn has_words_of_editions(text: &str) -> bool {
    ["gen", "async", "await", "dyn", "try", "#\"", "##"].iter().any(|word| text.contains(word))
}

fn whole(text: &str, wanted: Questions, tree: &Tree) -> Reading {
    Reading {
        problems: wanted.problems.then(|| Ok(problems::dangling_comment(text, &tree.tokens).into_iter().collect())),
        outline: wanted.outline.then(|| Ok(outline::rust::outline(text, tree))),
        surface: wanted.surface.then_some(Err(Unread::Unsupported)),
        signatures: wanted.signatures.then(|| Ok(modules::rust::signatures(text, tree))),
        names: wanted.names.then(|| Ok(names::rust::names(text, tree))),
    }
}
