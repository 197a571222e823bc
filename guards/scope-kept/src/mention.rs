//! Whether a text names a path, and whether it does so to put it out of bounds.

#[derive(Debug, PartialEq, Eq)]
pub enum Mention {
    Absent,
    Named,
    /// "Do not touch X", "leave X alone". It outweighs any other mention.
    Forbidden,
}

/// A path is named where it stands as a word of its own: `Cargo.toml` is not named by `crates/a/Cargo.toml`, nor by
/// `Cargo.toml.orig`, nor by an address that ends in it.
pub fn find(path: &str, text: &str) -> Mention {
    let mut mention = Mention::Absent;
    for (at, _) in text.match_indices(path) {
        let (before, after) = (&text[..at], &text[at + path.len()..]);
        if !ends_a_word(before) || !begins_a_word(after) {
            continue;
        }
        if forbidden(before, after) {
            return Mention::Forbidden;
        }
        mention = Mention::Named;
    }
    mention
}

fn ends_a_word(before: &str) -> bool {
    let before = before.strip_suffix("./").unwrap_or(before);
    !before.ends_with(|c: char| in_word(c) || "./#".contains(c))
}

fn begins_a_word(after: &str) -> bool {
    let mut chars = after.chars();
    match chars.next() {
        // A full stop ends a sentence; a dot goes on.
        Some('.') => !chars.next().is_some_and(in_word),
        Some(c) => !in_word(c) && c != '/',
        None => true,
    }
}

/// Every letter beyond ASCII counts as one: the tables that tell them apart would be a third of this guard.
fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() && !"’‘“”«»–—…".contains(c) || "_-~+%\\".contains(c)
}

/// Looks at the sentence around the path: whether its last verb before the path is negated, or what follows forbids.
fn forbidden(before: &str, after: &str) -> bool {
    let start = ENDS.iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max().unwrap_or(0);
    let end = ENDS.iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
    let (before, after) = (words(&before[start..]), words(&after[..end]));
    let begins = |start: &&[&str]| after.iter().map(String::as_str).take(start.len()).eq(start.iter().copied());
    let excepted = before.iter().any(|word| matches!(word.as_str(), "except" | "excluding"));
    let left = before.iter().any(|word| matches!(word.as_str(), "leave" | "leaving" | "keep" | "keeping"));
    excepted
        || before.last().is_some_and(|word| is_negation(word))
        || is_negated(&before)
        || (left && ALONE.iter().any(begins))
        || OFF_LIMITS.iter().any(begins)
}

/// Whether a negation stands before the last verb, past its helpers and the verbs that it is joined to: "do not edit,
/// delete or rename X".
fn is_negated(words: &[String]) -> bool {
    let is_verb = |word: &String| VERBS.iter().any(|stem| word.starts_with(stem));
    let Some(verb) = words.iter().rposition(is_verb) else { return false };
    let joint =
        |word: &&String| matches!(word.as_str(), "to" | "be" | "have" | "or" | "nor" | "ever" | "any") || is_verb(word);
    words[..verb].iter().rev().find(|word| !joint(word)).is_some_and(|word| is_negation(word))
}

fn is_negation(word: &str) -> bool {
    matches!(word, "not" | "never" | "without" | "cannot" | "nor" | "avoid") || word.ends_with("n't")
}

/// Ends of a sentence or of a list's item. A dot alone stands in paths, too.
const ENDS: [&str; 9] = [". ", ".\n", "! ", "? ", "; ", ";\n", "\n\n", "\n-", "\n*"];
/// Stems of what may be done to a file.
#[rustfmt::skip]
const VERBS: [&str; 24] = [
    "touch", "chang", "edit", "modif", "alter", "updat", "bump", "delet", "remov", "renam", "rewrit", "break", "adjust", "writ", "add", "set",
    "fix", "mend", "use", "repair", "correct", "put", "regenerat", "creat",
];
const ALONE: [&[&str]; 5] = [&["alone"], &["unchanged"], &["untouched"], &["as", "is"], &["as", "it"]];
const OFF_LIMITS: [&[&str]; 6] =
    [&["must", "not"], &["should", "not"], &["may", "not"], &["must", "stay"], &["is", "off"], &["stays"]];

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '\'' && c != '’');
    words.filter(|word| !word.is_empty()).map(|word| word.replace('’', "'").to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Mention, find};

    #[test]
    fn a_word_of_its_own() {
        for text in [
            "bump the version in pyproject.toml",
            "Mend pyproject.toml.",
            "`pyproject.toml`: wrong name",
            "see (./pyproject.toml)",
            "@pyproject.toml",
            "pyproject.toml:12 is wrong",
            "It does not build; mend pyproject.toml",
            "pyproject.toml does not parse",
            "If the tests do not pass, edit pyproject.toml",
            "Do not touch setup.py but update pyproject.toml",
            "Don't panic. Use pyproject.toml.",
        ] {
            assert_eq!(find("pyproject.toml", text), Mention::Named, "{text}");
        }
        for text in [
            "",
            "sub/pyproject.toml",
            "pyproject.toml.bak",
            "my-pyproject.toml",
            "../pyproject.toml",
            "https://example.com/pyproject.toml",
            "pyproject",
        ] {
            assert_eq!(find("pyproject.toml", text), Mention::Absent, "{text}");
        }
    }

    #[test]
    fn out_of_bounds() {
        for text in [
            "Do not touch pyproject.toml",
            "Don’t edit `pyproject.toml`, please",
            "Mend it without changing pyproject.toml",
            "leave pyproject.toml alone",
            "Update everything except pyproject.toml",
            "Do not edit, delete or rename pyproject.toml",
            "Never touch setup.py, a/b.py or pyproject.toml",
            "Only change src/a.py, not pyproject.toml",
            "pyproject.toml must not change. Bump pyproject.toml later.",
        ] {
            assert_eq!(find("pyproject.toml", text), Mention::Forbidden, "{text}");
        }
    }
}
