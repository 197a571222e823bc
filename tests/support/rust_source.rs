//! What Rust sources refer to, for tests of the architecture: tokens without comments, the content of literals, and items that are compiled
//! for tests only. Not a whole parser: macros are read as the tokens that they are written with.

use std::path::Path;

pub struct Source {
    pub tokens: Vec<String>,
    /// The module's path within its crate, from the crate's root on.
    module: Vec<String>,
}

impl Source {
    /// `file` is relative to the folder of the crate's root module.
    pub fn new(text: &str, file: &Path) -> Self {
        let names = file.with_extension("");
        let names = names.iter().map(|name| name.to_string_lossy().into_owned());
        let module = names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str()));
        Source { tokens: without_test_items(&tokens(text)), module: module.collect() }
    }

    /// Names of the macros that are called.
    pub fn macros(&self) -> impl Iterator<Item = &str> {
        self.tokens.windows(2).filter(|pair| pair[1] == "!").map(|pair| pair[0].as_str())
    }

    /// Names that are called, as functions or methods.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.tokens.windows(2).filter(|pair| pair[1] == "(").map(|pair| pair[0].as_str())
    }

    /// Every path of `use` trees, each of their branches, and every path of two or more names elsewhere. Those that begin with `self`
    /// or `super` begin with `crate` here; a glob ends with `*`; an alias counts as what it stands for.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        // Modules written within the file, with the depth of braces inside them.
        let mut inline: Vec<(usize, &String)> = Vec::new();
        let (mut depth, mut at) = (0, 0);
        while let Some(token) = self.tokens.get(at) {
            let follows = |ahead: usize| self.tokens.get(at + ahead).map_or("", String::as_str);
            let mut next = at + 1;
            let mut written = Vec::new();
            match token.as_str() {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    inline.retain(|(inside, _)| *inside <= depth);
                }
                "mod" if follows(2) == "{" => inline.push((depth + 1, &self.tokens[at + 1])),
                // Not the `use<'a>` of a bound.
                "use" if follows(1) != "<" => next = use_tree(&self.tokens, at + 1, Vec::new(), &mut written),
                name if is_name(name) && follows(1) == "::" => {
                    let mut path = vec![name.to_owned()];
                    while self.tokens.get(next).is_some_and(|token| token == "::") && is_name(follows(next + 1 - at)) {
                        path.push(self.tokens[next + 1].clone());
                        next += 2;
                    }
                    written.push(path);
                }
                _ => {}
            }
            let module: Vec<_> = self.module.iter().chain(inline.iter().map(|(_, name)| *name)).cloned().collect();
            found.extend(written.into_iter().map(|path| resolved(path, &module)));
            at = next;
        }
        found
    }
}

/// Reads one tree of a `use` from `at` on, and gives where it ends.
fn use_tree(tokens: &[String], mut at: usize, mut prefix: Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    loop {
        match tokens[at].as_str() {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at = use_tree(tokens, at, prefix.clone(), found);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            name => {
                prefix.push(name.to_owned());
                at += 1;
                if tokens[at] == "::" {
                    continue;
                }
                found.push(prefix);
                return if tokens[at] == "as" { at + 2 } else { at };
            }
        }
    }
}

fn resolved(mut path: Vec<String>, module: &[String]) -> Vec<String> {
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    let supers = path.iter().take_while(|name| ["self", "super"].contains(&name.as_str())).count();
    if supers == 0 {
        return path;
    }
    let up = path[..supers].iter().filter(|name| *name == "super").count();
    let base = &module[..module.len().saturating_sub(up)];
    std::iter::once("crate".to_owned()).chain(base.iter().cloned()).chain(path.drain(supers..)).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Leaves out every item behind `#[cfg(test)]` (or another `cfg` with `test` in it), and nothing behind that item.
fn without_test_items(tokens: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(tokens, at) {
            at = item_end(tokens, at);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

fn is_test_attribute(tokens: &[String], at: usize) -> bool {
    let begins = tokens[at..].iter().zip(["#", "[", "cfg", "("]).filter(|(token, wanted)| token == wanted).count() == 4;
    let inside = || &tokens[at..group_end(tokens, at + 1)];
    begins && inside().iter().any(|token| token == "test") && !inside().iter().any(|token| token == "not")
}

/// Where the item ends that begins with the attribute at `at`: behind its first block, or its semicolon.
fn item_end(tokens: &[String], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "#" => at = group_end(tokens, at + 1),
            "(" | "[" => at = group_end(tokens, at),
            "{" => return group_end(tokens, at),
            ";" => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Behind the bracket that closes the one at `at`.
fn group_end(tokens: &[String], mut at: usize) -> usize {
    let mut depth = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Names and numbers, `::`, and every other character for itself; a literal in quotes is `""`.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = literal(rest) {
            tokens.push("\"\"".to_owned());
            length
        } else {
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if rest.starts_with("::") { 2 } else { name.max(first.len_utf8()) };
            tokens.push(rest[..length].to_owned());
            length
        };
        rest = &rest[length..];
    }
    tokens
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a string or character that `text` begins with, of any kind. None: something else, a lifetime for one.
fn literal(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        text.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(['"', '\'']) || prefix.ends_with('r') && raw(rest))
    })?;
    let rest = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = rest[hashes + 1..].find(&end)?;
        return Some(prefix.len() + hashes + 1 + inside + end.len());
    }
    let quote = rest.chars().next()?;
    let is_lifetime = quote == '\'' && !rest[1..].starts_with('\\') && rest[1..].chars().nth(1) != Some('\'');
    if is_lifetime {
        return None;
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    None
}

/// Behind an `r`: a string, and not a raw name.
fn raw(text: &str) -> bool {
    text.trim_start_matches('#').starts_with('"')
}

#[test]
fn paths_of_a_source() {
    let text = r##"
        //! use crate::comment;
        use crate::{apply, extract::{self, scan as s}, *};
        use super::super::sanitize::CleanPatch;
        pub(in crate::repair) fn f<'a>(x: &'a str) -> char { let _ = r#"crate::literal"#; '"' }
        #[cfg(test)]
        use crate::left_out::{a, b};
        #[cfg(test)]
        #[allow(dead_code)]
        mod tests { fn f() { crate::left_out::f(); } }
        #[cfg(not(test))]
        fn g() { self::here::<u8>(); std::env::var("x"); /* crate::comment /* nested */ */ }
        mod inner { use super::beside; fn h() { super::super::apply::place::<u8>() } }
        fn i() { crate::behind::x() }
    "##;
    let source = Source::new(text, Path::new("repair/json/mod.rs"));
    let paths: Vec<String> = source.paths().iter().map(|path| path.join("::")).collect();
    let wanted = [
        "crate::apply",
        "crate::extract",
        "crate::extract::scan",
        "crate::*",
        "crate::sanitize::CleanPatch",
        "crate::repair",
        "crate::repair::json::here",
        "std::env::var",
        "crate::repair::json::beside",
        "crate::repair::apply::place",
        "crate::behind::x",
    ];
    assert_eq!(paths, wanted);
}
