//! JavaScript and TypeScript.

use guard_nesting::javascript::brackets;
use guard_sdk::language::{Problem, Unread};
use oxc_ast::ast::Program;
use oxc_parser::ParserReturn;

use super::{at, bodies, with_bracket};

/// Of a text that the parser refuses. Err: it is in another language.
pub fn first(text: &str, parsed: &ParserReturn) -> Result<Problem, Unread> {
    if parsed.is_flow_language || says_flow(text) {
        return Err(Unread::Foreign("Flow".to_owned()));
    }
    if is_markup(text) {
        return Err(Unread::Foreign("XML".to_owned()));
    }
    let first = parsed.diagnostics.first();
    let offset = first.and_then(|error| error.labels.first()).map_or(0, |label| label.offset() as usize);
    let message = first.map_or_else(|| "it does not parse".to_owned(), |error| error.message.to_string());
    Ok(with_bracket(text, at(text, offset, message), || brackets(text)))
}

/// A function or method without a body, where nothing says that it is only declared.
pub fn without_body(text: &str, program: &Program) -> Option<Problem> {
    let problem = at(text, bodies::missing(program)?, "a function or method without a body");
    let advice = "Write its body. Only what is declared has none: `declare`, `abstract`, an overload, a `.d.ts` file.";
    Some(Problem { advice: Some(advice.to_owned()), ..problem })
}

/// Qt's translations are called `.ts` too.
fn is_markup(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<?xml") || text.starts_with("<!DOCTYPE")
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
