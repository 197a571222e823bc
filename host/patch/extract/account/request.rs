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
    " you need ",
    " you'll need ",
    " you will need ",
    " you should ",
    " you must ",
    " you have to ",
    " you'll have to ",
    " needs to ",
    " don't forget ",
    " make sure ",
    " be sure to ",
    " remember to ",
];

/// What a request is about that speaks of the edit above it.
const PRONOUNS: [&str; 7] = ["it", "this", "that", "these", "those", "them", "both"];

/// Whether the sentence asks for something that may change a file.
pub(super) fn is_request(sentence: &str) -> bool {
    let text = normal(sentence);
    let words: Vec<&str> = words(&text);
    let is_foreign = |c: char| c.is_alphabetic() && !c.is_ascii();
    let is_english = !text.contains(is_foreign) || words.iter().any(|word| ENGLISH.contains(word));
    let is_prose = words.iter().any(|word| word.chars().any(char::is_alphabetic));
    if !is_english {
        return is_prose;
    }
    let padded = format!(" {} ", words.join(" "));
    DUE.iter().any(|phrase| padded.contains(phrase)) || clauses(&text).any(|clause| verb(clause).is_some())
}

/// Whether the sentence asks for something to be done with what stands above it: `Revert it.`
pub(super) fn is_about_edit(sentence: &str) -> bool {
    // What goes on otherwise is about something that was named: `Install it with pip`.
    const ENDS: [&str; 9] = ["please", "now", "for", "again", "before", "until", "if", "unless", "when"];
    let text = normal(sentence);
    verb(&text).is_some_and(|rest| match rest.as_slice() {
        [pronoun] => PRONOUNS.contains(pronoun),
        [pronoun, next, ..] => PRONOUNS.contains(pronoun) && ENDS.contains(next),
        [] => false,
    })
}

/// Whether the sentence asks for what the edit does to be done again, elsewhere: `Make the same change in the other client`.
pub(super) fn is_for_others(sentence: &str) -> bool {
    const AGAIN: [&str; 10] = ["change", "changes", "fix", "edit", "edits", "update", "to", "for", "in", "with"];
    let text = normal(sentence);
    let mut verbs = clauses(&text).filter_map(verb);
    verbs.any(|rest| matches!(rest.as_slice(), ["the", "same", next, ..] if AGAIN.contains(next)))
}

/// Whether the line introduces what is below it as something to be done: `Add this helper:`. `Example output:` does not.
pub(super) fn introduces_request(line: &str) -> bool {
    const OBJECTS: [&str; 14] =
        ["`", "a", "an", "the", "this", "that", "these", "those", "it", "them", "all", "each", "every", "your"];
    let text = normal(line);
    let sentence = text.trim_end().trim_end_matches('*').strip_suffix([':', '：']);
    let last = sentence.map(|text| text.rsplit(". ").next().unwrap_or(text));
    let verb = last.and_then(|text| clauses(text).find_map(verb));
    // `Use it like this:` introduces an example.
    let is_example = |rest: &[&str]| rest.iter().any(|word| matches!(*word, "like" | "so" | "follows" | "example"));
    verb.is_some_and(|rest| rest.first().is_some_and(|word| OBJECTS.contains(word)) && !is_example(&rest))
}

/// The words behind the verb that the text begins with; None where it begins as what tells does, or asks for a look.
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
    (is_word && !tells && !LOOKING.contains(&first)).then(|| words[at + 1..].to_vec())
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

/// The codes of a sentence.
pub(super) fn codes(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('`').skip(1).step_by(2).map(str::trim).filter(|code| !code.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{introduces_request, is_about_edit, is_for_others, is_request, sentences};

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
            assert!(is_request(text), "{text}");
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
        ] {
            assert!(!is_request(text), "{text}");
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
        for text in ["Revert it", "Please scrap this", "**Undo these**"] {
            assert!(is_about_edit(text), "{text}");
        }
        assert!(is_for_others("Make the same change in the other client"));
        assert!(!is_for_others("The same client is used for both"));
        for text in
            ["Hope this helps", "Try it", "That fixes it", "Drop the cache", "Let it run", "Install it with `pip`"]
        {
            assert!(!is_about_edit(text), "{text}");
        }
    }

    #[test]
    fn ends_of_sentences() {
        let all: Vec<&str> = sentences("Use `a. b` of x.y. Then go!").into_iter().map(|(_, text)| text).collect();
        assert_eq!(all, ["Use `a. b` of x.y", " Then go", ""]);
    }
}
