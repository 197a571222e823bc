//! What of lines that replace others says something: what comes back or goes by chance tells nothing of the work of others.

use std::collections::HashMap;

use guard_sdk::ReplacedLines;
use guard_sdk::files::Language;

/// A line with a word in it: brackets and blank lines stand everywhere.
pub fn says_something(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphanumeric()).take(3).count() == 3
}

/// Lines of both sides that say something. None is counted that only differs by its blanks or its numbers from one that it replaces or
/// that replaces it: a formatter and a count go to and fro, and take no work with them.
pub fn differing(path: &str, old: &[String], new: &[String]) -> (usize, usize) {
    let forms = |lines: &[String]| -> Vec<String> { lines.iter().map(|line| form(path, line)).collect() };
    let (old_forms, new_forms) = (forms(old), forms(new));
    if old_forms.concat() == new_forms.concat() && (!is_laid_out(path) || old.len() == new.len()) {
        return (0, 0);
    }
    let count = |lines: &[String], forms: &[String], others: &[String], other_forms: &[String]| {
        let alike: HashMap<&str, &str> =
            other_forms.iter().map(String::as_str).zip(others.iter().map(String::as_str)).collect();
        let counts = |(line, form): &(&String, &String)| {
            says_something(line) && alike.get(form.as_str()).is_none_or(|other| *other == line.as_str())
        };
        lines.iter().zip(forms).filter(counts).count()
    };
    (count(old, &old_forms, new, &new_forms), count(new, &new_forms, old, &old_forms))
}

/// Whether the blanks at the start of a line, and its end, are a part of what the text means.
fn is_laid_out(path: &str) -> bool {
    use Language::{FSharp, Haskell, Make, Python, Yaml};
    matches!(Language::from_path(path), Some(Python | Yaml | FSharp | Haskell | Make))
}

/// A line without its blanks and with one sign for each number. The numbers of a version stay: it goes back to an older one by no chance.
fn form(path: &str, line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let (start, rest) = line.split_at(if is_laid_out(path) { indent } else { 0 });
    let mut form = start.to_owned();
    let mut rest = rest;
    while let Some(first) = rest.chars().next() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let length = if first.is_ascii_digit() { rest.find(|c| !is_number(c)).unwrap_or(rest.len()) } else { 0 };
        let (number, behind) = rest.split_at(if length > 0 { length } else { first.len_utf8() });
        match number {
            _ if length > 0 && number.matches('.').count() < 2 => form.push('0'),
            _ if length == 0 && first.is_whitespace() => {}
            _ => form.push_str(number),
        }
        rest = behind;
    }
    form
}

/// How often each word stands in a file before the change and after it.
pub struct Words(HashMap<String, (usize, usize)>);

impl Words {
    pub fn new(before: &str, after: &str) -> Self {
        let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
        words(before).for_each(|word| entry(&mut counts, word).0 += 1);
        words(after).for_each(|word| entry(&mut counts, word).1 += 1);
        Words(counts)
    }

    /// Whether all that a hunk of an earlier commit brought still stands in the file, so that it was moved and not lost: no word of it
    /// stands less often than before, and one of them stood only where that commit brought it, so that it is no other thing of that name.
    pub fn still_hold(&self, hunk: &Brought, of_commit: &Brought) -> bool {
        let counts = |word: &str| self.0.get(word).copied().unwrap_or_default();
        let words = || hunk.0.keys().filter(|word| hunk.is_new(word));
        let is_there = |word: &str| counts(word).1 >= counts(word).0;
        let is_its_own = |word: &str| of_commit.0.get(word).is_some_and(|(_, is)| counts(word).0 == *is);
        words().all(|word| is_there(word)) && words().any(|word| is_its_own(word))
    }
}

/// How often each word stands in lines that a commit replaced, and in those that it brought.
pub struct Brought(HashMap<String, (usize, usize)>);

impl Brought {
    pub fn new<'h>(hunks: impl IntoIterator<Item = &'h ReplacedLines>) -> Self {
        let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
        for hunk in hunks {
            hunk.old.iter().flat_map(|line| words(line)).for_each(|word| entry(&mut counts, word).0 += 1);
            hunk.new.iter().flat_map(|line| words(line)).for_each(|word| entry(&mut counts, word).1 += 1);
        }
        Brought(counts)
    }

    fn is_new(&self, word: &str) -> bool {
        self.0.get(word).is_some_and(|(was, is)| is > was)
    }
}

fn entry<'c>(counts: &'c mut HashMap<String, (usize, usize)>, word: &str) -> &'c mut (usize, usize) {
    counts.entry(word.to_owned()).or_default()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_says_something() {
        for (path, old, new, says) in [
            ("a.json", "\"files\": [\n  \"dist\"\n],", "\"files\": [\"dist\"],", (0, 0)),
            ("a.ts", "toHaveLength(22);", "toHaveLength(21);", (0, 0)),
            ("a.ts", "toHaveLength(22);\nkept(a)", "toHaveLength(21);", (1, 0)),
            ("a.json", "\"left\": \"1.2.3\"", "\"left\": \"1.2.2\"", (1, 1)),
            ("a.py", "        return found", "    return found", (1, 1)),
            ("a.ts", "        return found", "    return found", (0, 0)),
            ("a.yaml", "key:\n  - one", "key: - one", (2, 1)),
            ("a.ts", "first()\nsecond()", "second()\nfirst()", (2, 2)),
        ] {
            assert_eq!(differing(path, &lines(old), &lines(new)), says, "{old} -> {new}");
        }
    }

    #[test]
    fn what_was_moved() {
        let words = Words::new(
            "lint . --prune\nfmt --fix\nawait a()\nawait b()",
            "lint .\nfmt --fix --prune\na()\nawait b()\nawait c()",
        );
        let holds = |old: &str, new: &str| {
            let hunk = Brought::new([&ReplacedLines { old: lines(old), new: lines(new) }]);
            words.still_hold(&hunk, &hunk)
        };
        assert!(holds("lint .", "lint . --prune"));
        assert!(!holds("a()", "await a()"), "another stands there, too");
        assert!(!holds("lint . --prune", "lint ."), "it brought nothing");
    }
}
