//! Reads a toy language. A text is made of blocks:
//!
//! ```text
//! # A comment.
//! use shapes
//!
//! fn greet
//!     say hello
//! end
//!
//! test greeting
//!     check greet
//! end
//! ```
//!
//! `skip test NAME` is a test that does not run. Every other word that begins a line, inside of a block, does something with the names behind it.

mod facts;
mod parse;
#[cfg(test)]
mod tests;

use guard_sdk::language::{Bracket, Claim, Problem, Questions, Reader, Reading, Source, Span, Syntax, Unread};

pub struct Toy;

impl Reader for Toy {
    fn claims() -> Vec<Claim> {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        vec![Claim {
            language: "toy".to_owned(),
            endings: texts(&["toy"]),
            names: Vec::new(),
            interpreters: texts(&["toy"]),
            syntax: Syntax {
                line_comments: texts(&["#"]),
                comments_stand_apart: false,
                block_comments: Vec::new(),
                comments_nest: false,
                // It has no strings. Code that stood in one comes to life when its signs go, and is judged then: `"` and `"`, with an escape of
                // `\\`, would be a `Literal` of the form `LiteralForm::Plain`.
                literals: Vec::new(),
            },
            // Guards ask about tests only where a change writes one of these.
            sleep_marks: texts(&["skip"]),
            // Nothing in this language hides an error.
            error_marks: Vec::new(),
            // What is claimed here must be answered below.
            answers: Questions { problems: true, outline: true, surface: false, signatures: false, names: false },
        }]
    }

    /// Parses the text once, whatever is wanted of it. It must depend on its arguments alone.
    fn read(source: Source, wanted: Questions) -> Reading {
        let parsed = parse::parse(&source.text);
        let problems: Vec<Problem> = parsed.problems.iter().map(problem).collect();
        // A text that does not parse has no facts but its problems.
        let outline = || if problems.is_empty() { Ok(facts::outline(&parsed)) } else { Err(Unread::Broken) };
        Reading {
            outline: wanted.outline.then(outline),
            surface: wanted.surface.then_some(Err(Unread::Unsupported)),
            signatures: wanted.signatures.then_some(Err(Unread::Unsupported)),
            names: wanted.names.then_some(Err(Unread::Unsupported)),
            problems: wanted.problems.then_some(Ok(problems)),
        }
    }
}

fn problem(found: &parse::Problem) -> Problem {
    Problem {
        line: found.line,
        column: Some(1),
        message: found.message.clone(),
        advice: Some(found.advice.clone()),
        unclosed: found.unclosed.clone().map(|at| Bracket {
            at: Span { start: at.start as u32, end: at.end as u32 },
            line: found.line,
            closer: "end".to_owned(),
        }),
        whole_as: None,
        // Whoever runs such a text refuses it too. Say false where your parser may be wrong: guards are silent then.
        is_certain: true,
    }
}

guard_sdk::language!(Toy);
