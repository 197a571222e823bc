//! JavaScript and TypeScript, with or without JSX.

mod bodies;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use super::{Problem, Trouble};
use guard_nesting::javascript::depth;

pub use guard_nesting::javascript::brackets;

/// The parser recurses, and a guard's stack ends in a trap.
const MAX_DEPTH: usize = 128;

/// A `.js` says neither whether it is a module nor whether it runs in a browser: it is held to what suits it best.
pub fn javascript(text: &str) -> Result<(), Trouble> {
    let kinds = [SourceType::unambiguous(), SourceType::script(), SourceType::cjs()].map(|kind| kind.with_jsx(true));
    first_that_reads(text, &kinds)
}

/// `<T>x` is a cast without JSX, and an element with it.
pub fn typescript(text: &str, jsx: bool) -> Result<(), Trouble> {
    first_that_reads(text, &[SourceType::ts().with_jsx(jsx)])
}

/// Declarations alone may leave out bodies and values.
pub fn declarations(text: &str) -> Result<(), Trouble> {
    first_that_reads(text, &[SourceType::ts(), SourceType::d_ts()])
}

/// The trouble is that of the first kind.
fn first_that_reads(text: &str, kinds: &[SourceType]) -> Result<(), Trouble> {
    if depth(text) > MAX_DEPTH {
        return Err(Trouble::TooDeep);
    }
    let mut outcome = Ok(());
    for kind in kinds {
        match (read(text, *kind), &outcome) {
            (Ok(()), _) => return Ok(()),
            (Err(trouble), Ok(())) => outcome = Err(trouble),
            (Err(_), Err(_)) => {}
        }
    }
    outcome
}

/// Whether one of the comments at the top is Flow's: it need not be the first.
fn says_flow(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let (comment, after) = match rest {
            _ if rest.starts_with("//") || rest.starts_with("#!") => rest.split_once('\n').unwrap_or((rest, "")),
            _ if rest.starts_with("/*") => rest.split_once("*/").unwrap_or((rest, "")),
            _ => return false,
        };
        if comment.split(|c: char| c.is_whitespace() || c == '*').any(|word| word == "@flow") {
            return true;
        }
        rest = after.trim_start();
    }
}

fn read(text: &str, kind: SourceType) -> Result<(), Trouble> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    let Some(error) = parsed.diagnostics.first() else {
        let declares = kind.is_typescript_definition() || !kind.is_typescript();
        return match bodies::missing(&parsed.program).filter(|_| !declares) {
            Some(at) => {
                let advice = "Write its body. Only what is declared has none: `declare`, `abstract`, an overload, a `.d.ts` file.";
                Err(Problem::at(text, at, "a function or method without a body").advising(advice).into())
            }
            None => Ok(()),
        };
    };
    if parsed.is_flow_language || says_flow(text) {
        return Err(Trouble::Foreign("it is in Flow, which this guard does not know"));
    }
    let offset = error.labels.first().map_or(0, |label| label.offset() as usize);
    Err(Problem::at(text, offset, error.message.to_string()).into())
}
