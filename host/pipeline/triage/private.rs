//! Functions that nothing outside of their program's text can name: in Go those that a package keeps to itself, in Rust those that a module does.
//!
//! Neither language can find such a function by a string, so that a tree without the word has no use of it. In other languages a name may be put
//! together while the program runs, and nothing is proved.

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
    (is_plain && is_free).then(|| PrivateFunction { name: name.to_owned(), lines: begins..last })
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
