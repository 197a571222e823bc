//! Sentences about a file that no edit changes.
//!
//! There is no end of words, in no end of languages, with which somebody says that another file is still to be changed. What else is said
//! of such a file is little: that it stays, that something stands in it or comes from it, or that it was looked at. A sentence with the
//! path of such a file, in which nothing of that kind is found, is taken for a change that is missing.

use guardhost_core::change::RepoPath;

/// Words that deny a change, or say that it is made already.
const STAYS: [&str; 22] = [
    "no",
    "not",
    "nothing",
    "none",
    "never",
    "neither",
    "nor",
    "unchanged",
    "untouched",
    "unaffected",
    "already",
    "alone",
    "nicht",
    "kein",
    "keine",
    "unverändert",
    "pas",
    "inchangé",
    "não",
    "sin",
    "не",
    "без",
];

/// Parts of words that do so, in languages that write their words together.
const STAYS_PARTS: [&str; 8] = ["不", "无需", "没有", "未", "ない", "ません", "않", "없"];

/// Words right before a path that make it a place or a source of something, or what is read or run.
const ROLES: [&str; 54] = [
    "commit", "open", "review", "stage", "from", "by", "with", "like", "see", "than", "per", "using", "uses", "use",
    "used", "imports", "import", "calls", "of", "via", "against", "as", "run", "runs", "read", "reading", "checked",
    "checking", "looked", "opened", "follows", "matches", "match", "mirrors", "mirror", "both", "existing", "to",
    "under", "around", "between", "within", "inside", "into", "at", "where", "because", "since", "if", "when", "that",
    "which", "covers", "tests",
];

/// Words right before `in`, with which something is told of that place.
const PLACED: [&str; 24] = [
    "as",
    "defined",
    "used",
    "declared",
    "found",
    "located",
    "tests",
    "documented",
    "implemented",
    "done",
    "lives",
    "live",
    "is",
    "are",
    "was",
    "one",
    "ones",
    "stored",
    "set",
    "code",
    "function",
    "like",
    "described",
    "call",
];

/// What a file is said to do right behind its path.
const TELLS: [&str; 34] = [
    "imports",
    "uses",
    "calls",
    "covers",
    "expects",
    "defines",
    "contains",
    "reads",
    "exports",
    "provides",
    "keeps",
    "passes",
    "exercises",
    "handles",
    "shows",
    "depends",
    "relies",
    "still",
    "works",
    "does",
    "has",
    "had",
    "says",
    "asks",
    "mentions",
    "tests",
    "checks",
    "sets",
    "is",
    "was",
    "exists",
    "already",
    "which",
    "that",
];

/// Verbs behind `is` and `was` with which a change is told.
const CHANGED: [&str; 14] = [
    "changed", "updated", "edited", "modified", "moved", "renamed", "removed", "deleted", "adapted", "adjusted",
    "missing", "next", "to", "also",
];

/// Words in a line from which on it is a sentence.
const SENTENCE: usize = 4;

/// Whether a sentence of the line has a path for which `is_named` holds, and says nothing of it that leaves it as it is.
pub(super) fn leaves_open(line: &[u8], is_named: impl Fn(&str) -> bool) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    // Output of programs and frames of a traceback have numbers behind the path.
    // What introduces a quotation is about that.
    if text.trim_start().starts_with(['|', '>', '$', '{', '[', '<', '#'])
        || text.contains(" line ")
        || text.trim_end().ends_with([':', '：'])
    {
        return false;
    }
    text.split(['!', ';', '?', '。']).flat_map(|part| part.split(". ")).any(|sentence| {
        let words: Vec<&str> = sentence.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| is_named(word));
        let is_long = words.len() > SENTENCE || !sentence.is_ascii() && sentence.chars().count() > 2 * SENTENCE;
        at.is_some_and(|at| is_long && !stays(&words, sentence) && !is_placed(&words[..at], &words[at + 1..]))
    })
}

/// Parts of words for forgetting: who denies that asks for a change, `n'oublie pas de mettre à jour b.py`.
const FORGETS: [&str; 12] =
    ["forget", "vergess", "vergiss", "oubli", "olvid", "esque", "dimentic", "vergeet", "забуд", "忘", "잊", "zapomn"];

/// Whether a sentence denies a change, in any language.
pub(super) fn says_stays(sentence: &str) -> bool {
    let text = sentence.to_lowercase();
    stays(&text.split_whitespace().map(bare).collect::<Vec<_>>(), &text)
}

fn stays(words: &[&str], sentence: &str) -> bool {
    if FORGETS.iter().any(|part| sentence.contains(part)) {
        return false;
    }
    words.iter().any(|word| STAYS.contains(word) || word.ends_with("n't") || word.ends_with("n’t"))
        || STAYS_PARTS.iter().any(|part| sentence.contains(part))
}

/// Whether the path between the words is the place or the source of something, or told of.
pub(super) fn is_placed(before: &[&str], behind: &[&str]) -> bool {
    let mut above = before
        .iter()
        .rev()
        .filter(|word| !matches!(**word, "the" | "a" | "its" | "our" | "your" | "file" | "and" | "or"));
    let placed = match above.next() {
        Some(&("in" | "on" | "for")) => above.next().is_some_and(|word| PLACED.contains(word)),
        Some(word) => ROLES.contains(word),
        None => false,
    };
    let told = match behind {
        ["is" | "was" | "has" | "which" | "that", next, ..] if CHANGED.contains(next) => false,
        [first, ..] => TELLS.contains(first),
        [] => false,
    };
    placed || told
}

/// What [`leaves_open`] finds in words: the path, or its base name.
pub(super) fn as_words(path: &RepoPath) -> [String; 2] {
    let whole = path.to_string().to_lowercase();
    let name = whole.rsplit('/').next().unwrap_or_default().to_owned();
    [whole, name]
}

/// The word without the marks around it.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '_'))
}

#[cfg(test)]
mod tests {
    use super::leaves_open;

    fn open(line: &str) -> bool {
        leaves_open(line.as_bytes(), |word| word == "src/b.py")
    }

    #[test]
    fn changes_that_are_missing() {
        for line in [
            "The same kind of change is required in `src/b.py`; without it the build breaks.",
            "Die Änderung an `src/b.py` schicke ich gleich.",
            "Изменения в `src/b.py` пришлю следующим сообщением.",
            "Los cambios de `src/b.py` van en el siguiente mensaje.",
            "2. `src/b.py`: let the worker handle reports",
            "`src/b.py` is changed in the next step.",
        ] {
            assert!(open(line), "{line}");
        }
    }

    #[test]
    fn what_is_told_of_a_file() {
        for line in [
            "`src/b.py` needs no change.",
            "I left `src/b.py` unchanged.",
            "This follows the pattern from `src/b.py`.",
            "The tests in `src/b.py` pass.",
            "It does what is done in `src/b.py` for dates.",
            "`src/b.py` imports this function.",
            "I looked at `src/b.py` first, to see who calls it.",
            "src/b.py:12: error here now",
            "src/b.py",
        ] {
            assert!(!open(line), "{line}");
        }
    }
}
