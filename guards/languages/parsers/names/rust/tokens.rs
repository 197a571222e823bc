//! Names in the arguments of a macro, told from the tokens around them.

/// A token of a macro's arguments and its line.
pub struct Token {
    pub text: String,
    pub line: u32,
    pub is_name: bool,
}

/// Names that are the start of a path or a call: no field, method, label or named argument.
pub fn heads(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    tokens.iter().enumerate().filter(|(at, token)| token.is_name && is_head(tokens, *at)).map(|(_, token)| token)
}

/// Names that are a whole operand, and start with a small letter as variables do. None where the arguments may bind names.
pub fn operands(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let binds = tokens
        .iter()
        .any(|token| matches!(token.text.as_str(), "|" | "let" | "match" | "matches" | "for" | "{" | "=>"));
    let all = if binds { &[] } else { tokens };
    let is_variable = |token: &Token| token.is_name && token.text.starts_with(|c: char| c.is_ascii_lowercase());
    let whole = move |at: usize| {
        let text = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |token| token.text.as_str());
        let (before, after) = (text(at.checked_sub(1)), text(Some(at + 1)));
        matches!(before, "," | "(" | "&" | "==" | "=") && matches!(after, "," | ")" | "." | "?" | "")
    };
    all.iter().enumerate().filter(move |(at, token)| is_variable(token) && whole(*at)).map(|(_, token)| token)
}

fn is_head(tokens: &[Token], at: usize) -> bool {
    let text = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.text.as_str());
    let (before, after, second) = (text(at.checked_sub(1)), text(Some(at + 1)), text(Some(at + 2)));
    if before.ends_with(':') || before == "." || before == "$" {
        return false;
    }
    after == "::" || (after == ":" && second == ":") || after == "("
}
