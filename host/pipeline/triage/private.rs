//! Functions that nothing outside of their program's text can name: in Go those that a package keeps to itself, in Rust those that a module does, in
//! Swift those of a file, and in JavaScript and TypeScript those that a module does not export.
//!
//! None of these languages can find such a function by a string, so that a tree without the word has no use of it. Elsewhere a name may be put
//! together while the program runs (Python's `getattr`, reflection in Java, Kotlin and C#, methods that a framework calls by their name) or by the
//! preprocessor (C), and nothing is proved.

use std::ops::Range;

use guardhost_engine::code_text::CodeText;

use super::prose::is_prose;
use super::unproved::{Unproved, because};

/// Words by which macros of Rust put names together, or show the text of an expression.
const MAKERS_OF_NAMES: [&str; 3] = ["concat_idents", "paste", "stringify"];

/// Whether the rest of the tree, without the file itself, has this word.
pub type Elsewhere<'e> = dyn Fn(&str) -> Result<bool, Unproved> + 'e;

/// A private function at the top of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateFunction {
    pub name: String,
    /// Its lines from 0, with the plain comment that stands right above it.
    pub lines: Range<usize>,
}

/// The private function of this name, if it is one.
pub fn private_function(name: &str, text: &str, code: &CodeText) -> Option<PrivateFunction> {
    let lines: Vec<&str> = text.lines().collect();
    let mut of_name = code.definitions.iter().filter(|one| one.name == name);
    let (Some(one), None) = (of_name.next(), of_name.next()) else { return None };
    let (first, last) = (one.first.checked_sub(1)? as usize, one.last as usize);
    let head = *lines.get(first)?;
    let opens = |sign: &str| head.strip_prefix(sign)?.strip_prefix(name)?.starts_with(['(', '<', '[']).then_some(());
    match &*code.language {
        // What begins with another letter than a small one may belong to others.
        "go" if name.starts_with(|c: char| c.is_ascii_lowercase()) && !["init", "main"].contains(&name) => {
            opens("func ")?;
        }
        "rust" if name != "main" => opens("fn ")?,
        "swift" if !may_have_macros(text) => opens("private func ").or_else(|| opens("fileprivate func "))?,
        "javascript" | "typescript" if is_module(&lines, code) && !has_word(text, "eval") => {
            opens("function ").or_else(|| opens("async function "))?;
        }
        _ => return None,
    }
    // Nothing else stands on its last line.
    let ends = *lines.get(last.checked_sub(1)?)?;
    if one.is_test || !(ends == "}" || first + 1 == last && ends.ends_with('}')) {
        return None;
    }
    let mut begins = first;
    while begins > 0 && lines[begins - 1].starts_with("//") {
        begins -= 1;
    }
    let comments = &lines[begins..first];
    // An attribute, or a comment that tools read, says more of it.
    let is_plain = comments.iter().all(|comment| is_prose(comment, &code.line_comments, &code.block_comments));
    let is_free = begins == 0 || lines[begins - 1].trim().is_empty() || lines[begins - 1] == "}";
    let function = PrivateFunction { name: name.to_owned(), lines: begins..last };
    (is_plain && is_free && stands_apart(&function, text, code)).then_some(function)
}

/// Whether the text has an import that only a module may have: functions of a script belong to all scripts of its page.
fn is_module(lines: &[&str], code: &CodeText) -> bool {
    let mut imports = code.imports.iter().filter_map(|import| lines.get((import.line as usize).checked_sub(1)?));
    imports.any(|line| line.starts_with("import "))
}

/// Whether a macro of Swift, which may write any name, may be expanded in the text.
fn may_have_macros(text: &str) -> bool {
    let mut pairs = text.chars().zip(text.chars().skip(1));
    pairs.any(|(sign, next)| matches!(sign, '#' | '@') && next.is_ascii_alphabetic())
}

/// Whether what stands before the function and after it stays apart without it. Where the end of a line may end a statement, `a = b` and `(c)` are
/// two statements beside a function, and one without it; and behind `a =` the function is a value.
fn stands_apart(function: &PrivateFunction, text: &str, code: &CodeText) -> bool {
    let ends_lines = match &*code.language {
        "javascript" | "typescript" => &[';', '}'][..],
        // What comes before a declaration is a statement by itself.
        "swift" => &[],
        _ => return true,
    };
    let at = |line: usize| text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let (begin, end) = (at(function.lines.start), at(function.lines.end));
    let is_code = |place: usize| !code.comments.iter().any(|comment| comment.contains(&place));
    let signs = || text.char_indices().filter(|(place, sign)| !sign.is_whitespace() && is_code(*place));
    let before = signs().take_while(|(place, _)| *place < begin).last().map(|(_, sign)| sign);
    let after = signs().find(|(place, _)| *place >= end).map(|(_, sign)| sign);
    before.is_none_or(|sign| ends_lines.is_empty() || ends_lines.contains(&sign))
        && after.is_none_or(|sign| sign.is_ascii_alphabetic() || matches!(sign, '_' | '$' | '}'))
}

/// Whether the tree may use names that it does not write out.
pub fn may_make_names(code: &CodeText, text: &str, elsewhere: &Elsewhere<'_>) -> Result<(), Unproved> {
    if code.language == "rust" {
        for maker in MAKERS_OF_NAMES {
            if has_word(text, maker) || elsewhere(maker)? {
                return because("a macro may put names together");
            }
        }
    }
    Ok(())
}

pub fn has_word(text: &str, word: &str) -> bool {
    !places(text, word).is_empty()
}

/// Where the word begins, each time that it stands by itself.
pub fn places(text: &str, word: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(word).map(|(at, _)| at);
    found
        .filter(|at| {
            !text[..*at].chars().next_back().is_some_and(is_part)
                && !text[at + word.len()..].chars().next().is_some_and(is_part)
        })
        .collect()
}
