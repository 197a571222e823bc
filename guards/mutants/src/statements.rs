//! Edits that need more than one token: conditions, calls, results, arguments.

use guard_sdk::files::Language;

use crate::edits::{Edit, EditKind};
use crate::tokens::{Token, TokenKind, closing, is_closed};

/// How a language writes a condition.
enum Style {
    /// `if a:`
    Colon,
    /// `if (a)`
    Brackets,
    /// `if a {`
    Braces,
    /// `if a`, `b if a`
    Words,
}

fn style(language: Language) -> Option<Style> {
    Some(match language {
        Language::Python => Style::Colon,
        Language::JavaScript
        | Language::TypeScript
        | Language::Java
        | Language::Kotlin
        | Language::C
        | Language::Cpp
        | Language::CSharp
        | Language::Scala
        | Language::Dart => Style::Brackets,
        Language::Go | Language::Rust => Style::Braces,
        Language::Ruby => Style::Words,
        _ => return None,
    })
}

/// The condition of an `if` says the opposite. One of a loop would seldom end.
pub fn condition(language: Language, tokens: &[Token], text: &str) -> Option<Edit> {
    let style = style(language)?;
    let at = tokens.iter().position(|token| matches!(token.text, "if" | "elif" | "unless"))?;
    let word = tokens[at];
    // Strings have no tokens, and may begin or end a condition.
    let between = |first: &Token, last: &Token| {
        let inner = text.get(first.end()..last.start)?;
        let start = first.end() + inner.len() - inner.trim_start().len();
        Some(start..start + inner.trim().len())
    };
    let range = match style {
        Style::Words => {
            let with = if word.text == "if" { "unless" } else { "if" }.to_owned();
            return Some(Edit { kind: EditKind::Condition, range: word.start..word.end(), with });
        }
        Style::Colon if at == 0 && tokens.last()?.text == ":" => between(&word, tokens.last()?)?,
        Style::Brackets if tokens.get(at + 1)?.text == "(" => {
            let end = closing(tokens, at + 1)?;
            between(&tokens[at + 1], &tokens[end])?
        }
        Style::Braces if tokens.last()?.text == "{" => {
            let binds = |token: &Token| matches!(token.text, "let" | ":=" | ";");
            if tokens[at..].iter().any(binds) {
                return None;
            }
            between(&word, tokens.last()?)?
        }
        Style::Colon | Style::Brackets | Style::Braces => return None,
    };
    let inner = tokens.iter().filter(|token| range.contains(&token.start)).copied().collect::<Vec<_>>();
    let not = if language == Language::Python { "not " } else { "!" };
    let with = format!("{not}({})", text.get(range.clone())?);
    (!inner.is_empty() && is_closed(&inner)).then_some(Edit { kind: EditKind::Condition, range, with })
}

/// Words that begin a statement of another kind.
const NO_CALL: [&str; 22] = [
    "if", "for", "while", "switch", "match", "return", "def", "fn", "func", "function", "class", "assert", "raise",
    "throw", "del", "print", "yield", "catch", "except", "elif", "super", "with",
];

/// What only tells people something.
const TELLING: [&str; 9] = ["log", "print", "debug", "warn", "info", "trace", "console", "metric", "notice"];

/// A statement that is a call and nothing else is left out.
pub fn call(language: Language, tokens: &[Token], code: &str, above: &str) -> Option<Edit> {
    let with = match language {
        Language::Python => "pass",
        Language::Ruby => "nil",
        Language::JavaScript
        | Language::TypeScript
        | Language::Java
        | Language::Kotlin
        | Language::C
        | Language::Cpp
        | Language::CSharp
        | Language::Rust
        | Language::Go => "",
        _ => return None,
    };
    let has_end = tokens.last()?.text == ";";
    let needs_end = !matches!(language, Language::Python | Language::Ruby | Language::Go | Language::Kotlin);
    let goes_on = |end: &str| above.trim_end().ends_with(end);
    if needs_end != has_end || ["(", ",", "[", ".", "=", "+", "&", "|", "?", "\\"].into_iter().any(goes_on) {
        return None;
    }
    let statement = if has_end { &tokens[..tokens.len() - 1] } else { tokens };
    let open = statement.iter().position(|token| token.text == "(")?;
    let is_path = |token: &Token| token.kind == TokenKind::Word || matches!(token.text, "." | "::" | "->" | "?.");
    let path = &statement[..open];
    if path.is_empty() || !path.iter().all(is_path) || closing(statement, open)? + 1 != statement.len() {
        return None;
    }
    let told = path.iter().any(|token| {
        let lower = token.text.to_lowercase();
        TELLING.iter().any(|word| lower.contains(word))
    });
    // Two words in a row are a declaration, or a call with a keyword before it that is more than a call.
    let is_row = path.windows(2).any(|pair| pair[0].is_word() && pair[1].is_word() && pair[0].text != "await");
    if told || is_row || path.iter().any(|token| NO_CALL.contains(&token.text)) {
        return None;
    }
    let range = statement.first()?.start..code.trim_end().len();
    Some(Edit { kind: EditKind::Call, range, with: with.to_owned() })
}

/// Nothing is returned in the place of a value, where the language lets that pass.
pub fn result(language: Language, tokens: &[Token], text: &str, code: &str) -> Option<Edit> {
    let nothing = match language {
        Language::Python => "None",
        Language::JavaScript => "undefined",
        Language::Ruby => "nil",
        _ => return None,
    };
    let (word, value) = tokens.split_first()?;
    let value = match value.split_last() {
        Some((end, rest)) if end.text == ";" => rest,
        _ => value,
    };
    let is_modified = language == Language::Ruby && value.iter().any(|token| matches!(token.text, "if" | "unless"));
    let is_constant = |token: &Token| {
        token.kind == TokenKind::Number
            || matches!(token.text, "None" | "undefined" | "null" | "nil" | "True" | "False" | "true" | "false")
    };
    let says_little = value.is_empty() || matches!(value, [one] if is_constant(one));
    if word.text != "return" || says_little || is_modified || !is_closed(value) {
        return None;
    }
    // A line that ends in an operator goes on.
    let last = value.last()?;
    if last.kind == TokenKind::Sign && !matches!(last.text, ")" | "]" | "}") {
        return None;
    }
    // Strings have no tokens, and may begin or end a value.
    let rest = text.get(word.end()..)?;
    let start = word.end() + rest.len() - rest.trim_start().len();
    let behind = text.get(code.trim_end().len()..)?.trim_start();
    let is_remark = behind.is_empty() || behind.starts_with('#') || behind.starts_with("//");
    let whole = if is_remark { code } else { text };
    let end = whole.trim_end().trim_end_matches(';').len();
    Some(Edit { kind: EditKind::Result, range: start..end, with: nothing.to_owned() })
}

/// Calls whose result does not depend on the order.
const EITHER: [&str; 8] = ["min", "max", "gcd", "add", "equal", "equals", "isclose", "hypot"];

/// Two plain names as the only arguments of a call.
pub fn arguments(tokens: &[Token]) -> Option<Edit> {
    let defines = |token: &Token| matches!(token.text, "def" | "fn" | "func" | "function" | "class" | "fun" | "lambda");
    if tokens.iter().any(defines) {
        return None;
    }
    tokens.windows(6).find_map(|six| {
        let [callee, open, first, comma, second, close] = six else { return None };
        let is_call = callee.is_word() && callee.end() == open.start && !NO_CALL.contains(&callee.text);
        let is_list = open.text == "(" && comma.text == "," && close.text == ")" && first.is_word() && second.is_word();
        let matters = first.text != second.text && !EITHER.contains(&callee.text.to_lowercase().as_str());
        (is_call && is_list && matters).then(|| Edit {
            kind: EditKind::Arguments,
            range: first.start..second.end(),
            with: format!("{}, {}", second.text, first.text),
        })
    })
}
