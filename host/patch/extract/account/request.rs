//! Sentences that ask for something.
//!
//! There is no end of verbs with which somebody asks for a change. But sentences that tell begin in few ways: with an article, a pronoun,
//! a preposition or another small word, with a name, or with a verb that tells (`adds`, `added`, `adding`). What begins otherwise is
//! taken for a request, and so is what stands in no English.

use super::imperative::bare;

/// Small words with which a sentence begins that tells something.
const TELLING: [&str; 121] = [
    "a", "after", "again", "all", "although", "an", "and", "another", "any", "are", "as", "at", "because", "been",
    "before", "between", "both", "but", "by", "can", "could", "did", "do", "does", "during", "each", "either", "even",
    "every", "existing", "few", "for", "from", "had", "has", "have", "he", "hence", "here", "how", "however", "i",
    "i'd", "i'll", "i'm", "i've", "if", "in", "instead", "into", "is", "it", "it's", "its", "just", "many", "may",
    "might", "more", "most", "much", "my", "neither", "new", "no", "none", "nor", "not", "nothing", "of", "old", "on",
    "once", "one", "only", "or", "our", "over", "per", "previous", "same", "she", "should", "since", "so", "some",
    "still", "such", "than", "that", "the", "their", "there", "these", "they", "this", "those", "though", "three",
    "thus", "to", "two", "under", "unless", "until", "via", "was", "we", "we'll", "were", "what", "when", "where",
    "which", "while", "who", "why", "will", "with", "without", "you",
];

/// Small words of English that are none of its neighbours.
const ENGLISH: [&str; 24] = [
    "the", "this", "that", "these", "is", "are", "be", "of", "and", "with", "to", "for", "it", "from", "not", "now",
    "when", "as", "by", "which", "you", "i", "if", "has",
];

/// Words before the verb of a request.
const BEFORE: [&str; 10] = ["also", "then", "next", "finally", "and", "now", "please", "first", "second", "third"];

/// Small words that begin a clause, behind whose comma the sentence begins.
const CLAUSES: [&str; 14] =
    ["in", "on", "for", "after", "before", "if", "when", "once", "with", "to", "as", "since", "while", "at"];

/// Verbs of requests that leave all files as they are.
const LOOKING: [&str; 30] = [
    "see", "note", "run", "rerun", "check", "verify", "test", "try", "review", "look", "read", "open", "compare",
    "let", "feel", "hope", "thank", "keep", "give", "confirm", "enjoy", "apply", "commit", "merge", "sure", "yes",
    "great", "ok", "okay", "sorry",
];

/// Words with which somebody is told what is still to be done.
const DUE: [&str; 12] = [
    "you need",
    "you'll need",
    "you will need",
    "you should",
    "you must",
    "you have to",
    "you'll have to",
    "needs to",
    "don't forget",
    "make sure",
    "be sure to",
    "remember to",
];

/// Verbs with which somebody says how something is to be, and words for all places of a kind: what the edits do not show is still due.
const OWED: [&str; 13] = [
    "should", "must", "needs", "need", "needed", "required", "ought", "becomes", "become", "has to", "have to",
    "is to", "are to",
];
const PLACES: [&str; 10] =
    ["every", "same", "similar", "similarly", "likewise", "others", "rest", "remaining", "everywhere", "elsewhere"];

/// Words behind a verb in which its object begins.
const OBJECT: usize = 4;

/// Words that deny what is owed, or say that it was so before.
const NOTHING: [&str; 12] =
    ["no", "not", "nothing", "none", "never", "neither", "nor", "without", "was", "were", "already", "previously"];

/// What a request is about that speaks of the edit above it.
pub(super) const PRONOUNS: [&str; 7] = ["it", "this", "that", "these", "those", "them", "both"];

/// What a sentence says that is not yet so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owed {
    /// Nothing.
    No,
    /// How something is to be.
    State,
    /// What holds for other places as well.
    Places,
}

/// A sentence, read once for all that is asked of it.
pub(super) struct Said<'s> {
    pub sentence: &'s str,
    /// Whether it stands in English, or in no language that another sign tells from it.
    pub is_english: bool,
    /// Its words in small letters, with a mark in place of each code, between blanks.
    padded: String,
    /// For each clause that asks for something, its verb and the words behind it.
    asked: Vec<Vec<String>>,
}

impl<'s> Said<'s> {
    pub fn of(sentence: &'s str) -> Self {
        let text = normal(sentence);
        let all = words(&text);
        let is_foreign = |c: char| c.is_alphabetic() && !c.is_ascii();
        let asked =
            clauses(&text).filter_map(verb).map(|asked| asked.into_iter().map(str::to_owned).collect()).collect();
        Said {
            sentence,
            is_english: !text.contains(is_foreign) || all.iter().any(|word| ENGLISH.contains(word)),
            padded: format!(" {} ", all.join(" ")),
            asked,
        }
    }

    fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| {
            self.padded
                .match_indices(phrase)
                .any(|(at, _)| self.padded[..at].ends_with(' ') && self.padded[at + phrase.len()..].starts_with(' '))
        })
    }

    /// Whether it asks for something that may change a file.
    pub fn is_request(&self) -> bool {
        match self.is_english {
            true => self.has(&DUE) || !self.asked.is_empty(),
            false => self.padded.chars().any(char::is_alphabetic),
        }
    }

    /// What it says, in English, that is not yet so.
    pub fn owed(&self) -> Owed {
        if !self.is_english || self.has(&NOTHING) || self.padded.contains("n't ") {
            return Owed::No;
        }
        let is_place = |word: &&str| PLACES.contains(word);
        // What is asked for is about other places if it begins with them: `Update every caller`, `Do the same there`.
        let is_asked = |rest: Vec<&str>| rest.iter().take(OBJECT).any(is_place);
        let does = self.padded.strip_prefix(" do ").map(|rest| rest.split(' ').collect());
        if self.rests().chain(does).any(is_asked) {
            return Owed::Places;
        }
        let due = OWED.iter().filter_map(|due| self.padded.find(&format!(" {due} "))).min();
        match due {
            Some(due) if self.padded[..due].split(' ').any(|word| is_place(&word)) => Owed::Places,
            Some(_) => Owed::State,
            None => Owed::No,
        }
    }

    /// Whether it asks for something to be done with what stands above it: `Revert it.`
    pub fn is_about_edit(&self) -> bool {
        // What goes on otherwise is about something that was named: `Install it with pip`.
        const ENDS: [&str; 9] = ["please", "now", "for", "again", "before", "until", "if", "unless", "when"];
        self.rests().any(|rest| match rest.as_slice() {
            [pronoun] => PRONOUNS.contains(pronoun),
            ["those", ..] => true,
            ["that" | "this", "one", ..] => true,
            [pronoun, next, ..] => PRONOUNS.contains(pronoun) && ENDS.contains(next),
            [] => false,
        })
    }

    /// Whether it asks for what the edit does to be done again, elsewhere: `Make the same change in the other client`.
    pub fn is_for_others(&self) -> bool {
        const AGAIN: [&str; 10] = ["change", "changes", "fix", "edit", "edits", "update", "to", "for", "in", "with"];
        self.rests().any(|rest| matches!(rest.as_slice(), ["the", "same", next, ..] if AGAIN.contains(next)))
    }

    /// Its words in small letters, with a mark in place of each code.
    pub fn words(&self) -> Vec<&str> {
        self.padded.split(' ').collect()
    }

    /// For each clause that asks for something, its verb and the words behind it.
    pub fn asked(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.asked.iter().map(|asked| (asked[0].as_str(), asked[1..].iter().map(String::as_str).collect()))
    }

    fn rests(&self) -> impl Iterator<Item = Vec<&str>> {
        self.asked().map(|(_, rest)| rest)
    }
}

/// Whether the line introduces what is below it as something to be done: `Add this helper:`. `Example output:` does not.
pub(super) fn introduces_request(line: &str) -> bool {
    const OBJECTS: [&str; 14] =
        ["`", "a", "an", "the", "this", "that", "these", "those", "it", "them", "all", "each", "every", "your"];
    let text = normal(line);
    let sentence = text.trim_end().trim_end_matches('*').strip_suffix([':', '：']);
    let last = sentence.map(|text| text.rsplit(". ").next().unwrap_or(text));
    let asked = last.and_then(|text| clauses(text).find_map(verb));
    // `Use it like this:` introduces an example.
    let is_example = |rest: &[&str]| rest.iter().any(|word| matches!(*word, "like" | "so" | "follows" | "example"));
    asked.is_some_and(|asked| asked.get(1).is_some_and(|word| OBJECTS.contains(word)) && !is_example(&asked[1..]))
}

/// The verb that the text begins with, and the words behind it; None where it begins as what tells does, or asks for a look.
fn verb(text: &str) -> Option<Vec<&str>> {
    let words = words(text);
    // Adverbs come before it as well.
    let is_adverb =
        |word: &str| ["ly", "wards", "wise"].iter().any(|end| word.ends_with(end)) && !LOOKING.contains(&word);
    let at = words.iter().position(|word| !BEFORE.contains(word) && !is_adverb(word))?;
    let first = words[at];
    let is_word = first.len() > 1 && first.chars().all(char::is_alphabetic);
    let tells = TELLING.contains(&first)
        || first.ends_with('s') && !first.ends_with("ss")
        || ["ed", "ing", "fore"].iter().any(|end| first.ends_with(end));
    let is_subject = is_told_of(&words[at + 1..]) || is_counted(text, first);
    (is_word && !tells && !is_subject && !LOOKING.contains(&first)).then(|| words[at..].to_vec())
}

/// Whether a verb in the past stands in the words behind the first one, so that these are what it tells of: `Node failures were counted`.
/// Behind `what` and the like it is another clause's.
fn is_told_of(behind: &[&str]) -> bool {
    const CLAUSE: [&str; 12] =
        ["that", "which", "what", "where", "who", "as", "if", "when", "how", "because", "than", "`"];
    let subject = behind.iter().take(SUBJECT).take_while(|word| !CLAUSE.contains(word));
    subject.into_iter().any(|word| matches!(*word, "was" | "were" | "had"))
}

/// Words behind the first one of a subject.
const SUBJECT: usize = 6;

/// Whether the word names a part and has its number behind it: `Step 5 drafts the notes`.
fn is_counted(text: &str, word: &str) -> bool {
    if !matches!(word, "step" | "part" | "phase" | "task" | "section" | "hunk") {
        return false;
    }
    let behind = text.split_once(word).map_or("", |(_, behind)| behind.trim_start());
    behind.starts_with(|c: char| c.is_ascii_digit())
}

/// Where a sentence may begin: behind its label, and behind the clause before it. What names no code before a colon is a label.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let parts: Vec<&str> = text.split(": ").collect();
    let last = parts.len() - 1;
    let said = parts.into_iter().enumerate().filter(move |(nth, part)| *nth == last || part.contains('`'));
    said.flat_map(|(_, part)| {
        let is_clause = words(part).first().is_some_and(|word| CLAUSES.contains(word));
        let rest = part.split_once(", ").filter(|_| is_clause).map(|(_, rest)| rest);
        [Some(part), rest].into_iter().flatten()
    })
}

/// In small letters, with a mark in place of each code, and of each word that is written as only code is.
fn normal(sentence: &str) -> String {
    let text: String =
        sentence.trim().split('`').enumerate().map(|(nth, part)| if nth % 2 == 1 { "`" } else { part }).collect();
    let is_code = |word: &str| {
        let inner = bare(word);
        inner.contains(['_', '(', '.', '='])
            || inner.chars().zip(inner.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase())
    };
    let plain = |word: &str| match is_code(word) {
        true => "`".to_owned() + [":", ","].into_iter().find(|end| word.ends_with(end)).unwrap_or_default(),
        false => word.to_lowercase().replace('’', "'"),
    };
    text.split(' ').map(plain).collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> Vec<&str> {
    let is_item = |word: &str| word.trim_end_matches(['.', ')']).bytes().all(|byte| byte.is_ascii_digit());
    let plain = |word| if str::contains(word, '`') { "`" } else { bare(word) };
    text.split_whitespace().map(plain).filter(|word| !word.is_empty() && !is_item(word)).collect()
}

/// The sentences of a paragraph, with where each begins. A mark inside of code ends none.
pub(super) fn sentences(paragraph: &str) -> Vec<(usize, &str)> {
    let (mut found, mut from, mut is_code) = (Vec::new(), 0, false);
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        is_code ^= c == '`';
        let is_end = match c {
            '.' | '!' | '?' | ';' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            '。' | '！' | '？' | '；' => true,
            _ => false,
        };
        if is_end && !is_code {
            found.push((from, &paragraph[from..at]));
            from = at + c.len_utf8();
        }
    }
    found.push((from, &paragraph[from..]));
    found
}

/// The codes of a sentence: what stands between backticks, and words that are written as only code is.
pub(super) fn codes(sentence: &str) -> impl Iterator<Item = &str> {
    let parts = sentence.split('`').enumerate();
    parts
        .flat_map(|(nth, part)| {
            let quoted = (nth % 2 == 1).then(|| part.trim());
            let plain = if nth % 2 == 1 { "" } else { part };
            quoted.into_iter().chain(plain.split_whitespace().map(bare).filter(|word| is_name(word)))
        })
        .filter(|code| !code.is_empty())
}

/// Whether a word outside of code is written as only names in code are: `read_file`, `readFile`. A name of a product begins with a
/// capital.
fn is_name(word: &str) -> bool {
    let has_hump = word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_plain && word.starts_with(|c: char| c.is_ascii_lowercase()) && (has_hump || word.contains('_'))
}

#[cfg(test)]
mod tests {
    use super::{Owed, Said, introduces_request, sentences};

    #[test]
    fn what_asks() {
        for text in [
            "Also revert what I did to `b.py` in the last turn",
            "**Next:** wrap the body of `load` in a lock",
            "In `b.py`, rename `load` to `read`",
            "You'll also have to adapt `load`; you need to pass `x`",
            "2. Switch `load` over to `read`",
            "Das zweite Argument von `load` heißt künftig `größe`",
            "同时将 `load` 替换为 `read`",
        ] {
            assert!(Said::of(text).is_request(), "{text}");
        }
    }

    #[test]
    fn what_tells() {
        for text in [
            "The function `load` now returns `None`",
            "`load` is called once",
            "- **`b.py`**: adds `load`",
            "Added `load` for the tests",
            "I moved `load` up",
            "If `load` fails, the error is passed on",
            "Run `pytest` to see it",
            "See `b.py` for another example",
            "Then the file is written",
            "Node failures were counted by `load`",
            "Step 5 drafts `notes` from every commit",
        ] {
            assert!(!Said::of(text).is_request(), "{text}");
        }
    }

    #[test]
    fn what_introduces_a_request() {
        for text in ["Add this helper:", "**In the same class, replace the loop:**", "Done. Now put `load` back:"] {
            assert!(introduces_request(text), "{text}");
        }
        for text in [
            "Example output:",
            "You can try it like this:",
            "Run this:",
            "Use it like this:",
            "The helper:",
            "Add this helper.",
        ] {
            assert!(!introduces_request(text), "{text}");
        }
    }

    #[test]
    fn what_is_to_be_done_with_the_edit() {
        for text in ["Revert it", "Please scrap this", "**Undo these**", "Leave that one out", "Change those as well"] {
            assert!(Said::of(text).is_about_edit(), "{text}");
        }
        assert!(Said::of("Make the same change in the other client").is_for_others());
        assert!(!Said::of("The same client is used for both").is_for_others());
        for text in
            ["Hope this helps", "Try it", "That fixes it", "Drop the cache", "Let it run", "Install it with `pip`"]
        {
            assert!(!Said::of(text).is_about_edit(), "{text}");
        }
    }

    #[test]
    fn what_is_still_due() {
        for (text, owed) in [
            ("`load` has to take a path", Owed::State),
            ("Every use of `load` becomes `read`", Owed::Places),
            ("Do this for every caller", Owed::Places),
            ("The same guard is needed for `load`", Owed::Places),
            ("The old value should not be used", Owed::No),
            ("The same value was read twice", Owed::No),
        ] {
            assert_eq!(Said::of(text).owed(), owed, "{text}");
        }
    }

    #[test]
    fn ends_of_sentences() {
        let all: Vec<&str> = sentences("Use `a. b` of x.y. Then go!").into_iter().map(|(_, text)| text).collect();
        assert_eq!(all, ["Use `a. b` of x.y", " Then go", ""]);
    }
}
