//! Small edits of a line, each of which should break what the line does.

use std::ops::Range;

use guard_sdk::files::Language;

use crate::statements;
use crate::tokens::{Token, TokenKind, tokens};
use crate::unnoticed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditKind {
    /// A condition says the opposite.
    Condition,
    /// A comparison includes what it excluded, or the reverse, or equal becomes unequal.
    Boundary,
    Operator,
    Constant,
    /// A call is left out.
    Call,
    /// Nothing is returned in the place of something.
    Result,
    /// Two arguments are swapped.
    Arguments,
}

/// Bytes of a line, and what comes in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub kind: EditKind,
    pub range: Range<usize>,
    pub with: String,
}

/// More of one line would say the same again.
const MOST: usize = 4;

/// Of a line whose strings and comments are blanks in `code`; `above` is the code of the last line before it that is not empty. What an
/// edit means depends on the language, and where that is not known there is none.
pub fn edits(language: Language, text: &str, code: &str, above: &str) -> Vec<Edit> {
    let tokens = tokens(code);
    if unnoticed::asks_the_machine(&tokens) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        found.extend(at_token(&tokens, at, language, code));
    }
    found.extend(statements::call(language, &tokens, code, above));
    found.extend(statements::result(language, &tokens, text, code));
    found.extend(statements::arguments(&tokens));
    // `not (a == b)` is `a != b`, which is there already.
    let is_single =
        |edit: &Edit| edit.kind == EditKind::Boundary && edit.with.trim() != "<=" && edit.with.trim() != ">=";
    let has_logic = tokens.iter().any(|token| matches!(token.text, "and" | "or" | "&&" | "||"));
    if has_logic || !found.iter().any(is_single) {
        found.extend(statements::condition(language, &tokens, text));
    }
    let unnoticed = unnoticed::ranges(&tokens);
    found.retain(|edit| !unnoticed.iter().any(|range| range.contains(&edit.range.start)));
    found.sort_by_key(|edit| (edit.kind, edit.range.start));
    found.truncate(MOST);
    found
}

fn at_token(tokens: &[Token], at: usize, language: Language, code: &str) -> Option<Edit> {
    let token = tokens[at];
    let edit = |kind, with: &str| Some(Edit { kind, range: token.start..token.end(), with: with.to_owned() });
    let (before, after) = (at.checked_sub(1).map(|at| tokens[at]), tokens.get(at + 1).copied());
    let is_spaced = code[..token.start].ends_with(' ') && code[token.end()..].starts_with(' ');
    let is_tight = !code[..token.start].ends_with(' ') && !code[token.end()..].starts_with(' ');
    let is_between =
        before.is_some_and(|token| ends_operand(&token)) && after.is_some_and(|token| starts_operand(&token));
    let is_binary = is_between && (is_spaced || is_tight);
    match token.text {
        "<" if is_spaced => edit(EditKind::Boundary, "<="),
        ">" if is_spaced => edit(EditKind::Boundary, ">="),
        "<=" => edit(EditKind::Boundary, "<"),
        ">=" => edit(EditKind::Boundary, ">"),
        "==" => edit(EditKind::Boundary, "!="),
        "!=" => edit(EditKind::Boundary, "=="),
        "===" => edit(EditKind::Boundary, "!=="),
        "!==" => edit(EditKind::Boundary, "==="),
        "is" if language == Language::Python => match after {
            Some(not) if not.text == "not" => {
                Some(Edit { kind: EditKind::Boundary, range: token.start..not.end(), with: "is".to_owned() })
            }
            _ => edit(EditKind::Boundary, "is not"),
        },
        "and" if matches!(language, Language::Python | Language::Ruby | Language::Php) => {
            edit(EditKind::Operator, "or")
        }
        "or" if matches!(language, Language::Python | Language::Ruby | Language::Php) => {
            edit(EditKind::Operator, "and")
        }
        "&&" => edit(EditKind::Operator, "||"),
        // An empty list of parameters in Rust and Ruby.
        "||" if is_spaced && is_between => edit(EditKind::Operator, "&&"),
        "+" if is_binary => edit(EditKind::Operator, "-"),
        "-" if is_binary => edit(EditKind::Operator, "+"),
        "*" if is_binary && is_spaced => edit(EditKind::Operator, "/"),
        "/" if is_binary => edit(EditKind::Operator, "*"),
        "%" if is_binary && is_spaced => edit(EditKind::Operator, "*"),
        "+=" => edit(EditKind::Operator, "-="),
        "-=" => edit(EditKind::Operator, "+="),
        "True" => edit(EditKind::Constant, "False"),
        "False" => edit(EditKind::Constant, "True"),
        "true" => edit(EditKind::Constant, "false"),
        "false" => edit(EditKind::Constant, "true"),
        number if token.kind == TokenKind::Number => {
            let is_part = code[..token.start].ends_with('.') || code[token.end()..].starts_with('.');
            let other = match number {
                "0" => "1".to_owned(),
                "1" => "0".to_owned(),
                _ => number.parse::<u64>().ok().filter(|_| !number.starts_with('0'))?.checked_add(1)?.to_string(),
            };
            if is_part { None } else { edit(EditKind::Constant, &other) }
        }
        _ => None,
    }
}

/// Words behind which a value begins.
const OPENING: [&str; 20] = [
    "return", "in", "and", "or", "not", "if", "elif", "elsif", "unless", "else", "while", "case", "when", "yield",
    "await", "typeof", "lambda", "print", "match", "is",
];

fn ends_operand(token: &Token) -> bool {
    match token.kind {
        TokenKind::Word => !OPENING.contains(&token.text),
        TokenKind::Number => true,
        TokenKind::Sign => matches!(token.text, ")" | "]"),
    }
}

fn starts_operand(token: &Token) -> bool {
    match token.kind {
        TokenKind::Word | TokenKind::Number => true,
        TokenKind::Sign => token.text == "(",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn becomes(language: Language, line: &str) -> Vec<String> {
        let lines = lexing::masked(line, language).unwrap();
        let edited = |edit: Edit| {
            let (start, end) = (&line[..edit.range.start], &line[edit.range.end..]);
            format!("{start}{}{end}", edit.with).trim().to_owned()
        };
        edits(language, line, &lines[0].code, "").into_iter().map(edited).collect()
    }

    #[test]
    fn what_a_line_becomes() {
        use Language::{Go, JavaScript, Python, Ruby, Rust};
        #[rustfmt::skip]
        let table: &[(Language, &str, &[&str])] = &[
            (Python, "    if a and b:", &["if not (a and b):", "if a or b:"]),
            (Python, "    if a < b:  # a < b", &["if not (a < b):  # a < b", "if a <= b:  # a < b"]),
            (Python, "    if a == 'x == y':", &["if a != 'x == y':"]),
            (Python, "    if a is not None:", &["if a is None:"]),
            (Python, "    return find(users, name)", &["return None", "return find(name, users)"]),
            (Python, "    return -1", &["return -0", "return None"]),
            (Python, "    return 'a b' % name  # c", &["return None  # c"]),
            (Python, "    return name if name else 'a # b'", &["return None"]),
            (JavaScript, "  return '//' + name; // c", &["return undefined; // c"]),
            (Python, "    self.cache.clear()", &["pass"]),
            (Python, "    log.debug(\"%s\", a)", &[]),
            (Python, "    total = first + 2 * second", &["total = first - 2 * second", "total = first + 2 / second", "total = first + 3 * second"]),
            (Python, "    f(*args, **words)", &["pass"]),
            (Python, "    x = 1.5", &[]),
            (Python, "    if sys.version_info >= (3, 8) and a:", &[]),
            (Python, "    if sys.platform == 'win32':", &[]),
            (Python, "    f(a, stacklevel=2)", &["pass"]),
            (Python, "    run(a, shell=True, bufsize=0)", &["run(a, shell=False, bufsize=0)", "pass"]),
            (Go, "\tp := make([]int, 0, len(a)+1)", &["p := make([]int, 1, len(a)+1)"]),
            (Go, "\tb.Grow(n + 1)", &[]),
            (Rust, "    let mut all = Vec::with_capacity(a.len() + 1);", &[]),
            (Rust, "    self.all.reserve(n);", &[]),
            (JavaScript, "  if (!a) {", &["if (!(!a)) {"]),
            (JavaScript, "  if (a === b) return", &["if (a !== b) return"]),
            (JavaScript, "  return users.map((user) => user.name);", &["return undefined;"]),
            (JavaScript, "  emit(name, value);", &["", "emit(value, name);"]),
            (JavaScript, "  const x = a < b ? 0 : 1;", &["const x = a <= b ? 0 : 1;", "const x = a < b ? 1 : 1;", "const x = a < b ? 0 : 0;"]),
            (Go, "\tif err != nil {", &["if err == nil {"]),
            (Go, "\tif ok && n > 0 {", &["if !(ok && n > 0) {", "if ok && n >= 0 {", "if ok || n > 0 {", "if ok && n > 1 {"]),
            (Go, "\tif ok && c == 'x' {", &["if !(ok && c == 'x') {", "if ok && c != 'x' {", "if ok || c == 'x' {"]),
            (Python, "    if 'x' in seen:", &["if not ('x' in seen):"]),
            (Go, "\tif v, ok := m[k]; ok {", &[]),
            (Go, "\tm.reset()", &[""]),
            (Go, "\tfunc add(a, b) {", &[]),
            (Go, "\tp := *q", &[]),
            (Rust, "    if let Some(x) = y {", &[]),
            (Rust, "    let f = |a: &Vec<u8>| -> bool { true };", &["let f = |a: &Vec<u8>| -> bool { false };"]),
            (Rust, "    self.seen.push(name);", &[""]),
            (Ruby, "  return nil if name.empty?", &["return nil unless name.empty?"]),
            (Ruby, "  @cache.clear()", &["nil"]),
        ];
        for (language, line, expected) in table {
            assert_eq!(becomes(*language, line), *expected, "{line}");
        }
    }

    #[test]
    fn no_argument_of_a_call_above_is_a_statement() {
        let code = "    clear(name)";
        assert!(edits(Language::Go, code, code, "\trun(").is_empty());
        assert_eq!(edits(Language::Go, code, code, "\trun()").len(), 1);
    }
}
