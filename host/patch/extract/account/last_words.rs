//! The last paragraph below all edits. A change that is meant stands at the end of what is said of it: a reply that ends in a question, in
//! a condition for taking a part of the change out again, or in what has to be done first, waits for an answer.
//!
//! What it asks can be said in any number of ways. So a question is known by its mark and by whom it is about: an offer of further
//! work, with which many answers end, is about who makes it.

use super::super::lines::{Lines, blank};
use super::doubt::{lowercase, words};
use super::foreign::begins_condition;

/// Who asks. `Shall I also …?`, `Soll ich …?`, `Quer que eu …?` are offers, in whatever language.
const FIRST_PERSON: [&str; 24] = [
    "i", "i'd", "i'll", "me", "my", "we", "us", "our", "let's", "ich", "mir", "wir", "uns", "je", "moi", "nous", "yo",
    "eu", "io", "mi", "я", "мне", "мы", "нам",
];

/// Verbs with their person in them: offers of languages that leave the pronoun out, or write their words together.
const OFFERS: [&str; 15] = [
    "quieres",
    "quiere",
    "desea",
    "quer",
    "deseja",
    "vuoi",
    "souhait",
    "veux",
    "möcht",
    "хот",
    "需要",
    "要不要",
    "ましょうか",
    "까요",
    "ещё",
];

/// Words of a question about what is still to come.
const FURTHER: [&str; 16] = [
    "other",
    "further",
    "anything",
    "else",
    "more",
    "additional",
    "next",
    "also",
    "too",
    "questions",
    "question",
    "help",
    "explain",
    "explanation",
    "tests",
    "want",
];

/// Verbs that take something out again, as somebody asks for it.
const RETREATS: [&str; 11] =
    ["leave", "take", "drop", "skip", "undo", "revert", "ignore", "discard", "disregard", "remove", "omit"];

/// What a patch or a part of it is called.
const PARTS: [&str; 13] = [
    "change", "changes", "edit", "edits", "patch", "patches", "hunk", "block", "diff", "one", "part", "half", "version",
];
const DETERMINERS: [&str; 11] =
    ["the", "this", "that", "these", "those", "my", "first", "second", "third", "last", "other"];

/// What the patch is called where it is the subject of a clause.
const SUBJECTS: [&str; 5] = ["this", "that", "it", "these", "they"];

/// What happens to a patch that is used.
const USED: [&str; 7] = ["applied", "merged", "committed", "landed", "shipped", "released", "deployed"];

/// The line at which the last paragraph of the reply leaves open whether the change above is meant. `text`: the lines of prose below all edits.
pub(super) fn leaves_open(lines: &Lines, text: impl Iterator<Item = usize>) -> Option<usize> {
    let text: Vec<usize> = text.filter(|at| !blank(lines[*at])).collect();
    let last = *text.last()?;
    // A call, a fence or an edit below it has the last word.
    if !(last + 1..lines.len()).all(|at| blank(lines[at])) {
        return None;
    }
    let apart = text.windows(2).rposition(|two| two[0] + 1 != two[1]).map_or(0, |at| at + 1);
    let paragraph: Vec<u8> =
        text[apart..].iter().flat_map(|at| [lines[*at].trim_ascii(), b" "]).flatten().copied().collect();
    is_open(&paragraph).then_some(last)
}

fn is_open(paragraph: &[u8]) -> bool {
    let text = lowercase(paragraph);
    let all: Vec<(&str, bool)> = sentences(&text).collect();
    let Some((last, is_question)) = all.last() else { return false };
    let asks = |(sentence, is_question): &(&str, bool)| *is_question && asks(sentence);
    *is_question && self::asks(last)
        || all.iter().any(asks) && admits_ignorance(last)
        || all
            .iter()
            .any(|(sentence, _)| takes_out_on_condition(sentence) || has_to_wait(sentence) || was_not_used(sentence))
}

/// Sentences, each with whether it is a question.
fn sentences(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let ends = |c: char| matches!(c, '?' | '？' | '!' | '。' | '！');
    let parts = text.split_inclusive(ends).flat_map(|part| part.split(". ")).flat_map(|part| part.split("; "));
    parts
        .map(|part| (part.trim(), part.trim_end().ends_with(['?', '？'])))
        .filter(|(part, _)| part.contains(char::is_alphanumeric))
}

fn asks(sentence: &str) -> bool {
    let is_offer = |word: &str| FIRST_PERSON.contains(&word) || FURTHER.contains(&word);
    !words(sentence).any(is_offer) && !OFFERS.iter().any(|offer| sentence.contains(offer))
}

/// `I cannot tell from here.`
fn admits_ignorance(sentence: &str) -> bool {
    let denies = |word: &str| matches!(word, "cannot" | "not") || word.ends_with("n't");
    words(sentence).any(|word| matches!(word, "i" | "we"))
        && words(sentence).any(denies)
        && words(sentence).any(|word| matches!(word, "tell" | "know" | "say" | "sure" | "see"))
}

/// `If the test still fails, leave the second change out again.`
fn takes_out_on_condition(sentence: &str) -> bool {
    let Some((_, rest)) = sentence.split_once(", ").filter(|_| begins_condition(sentence.as_bytes())) else {
        return false;
    };
    let clause: Vec<&str> = words(rest).skip_while(|word| matches!(*word, "please" | "then" | "just")).collect();
    let is_part = |two: &[&str]| DETERMINERS.contains(&two[0]) && PARTS.contains(&two[1]);
    clause.first().is_some_and(|verb| RETREATS.contains(verb)) && clause.windows(2).any(is_part)
}

/// `Please settle the value with ops before this goes in`, `Hold this back until the migration is through`, `please leave main as it
/// is for now`.
fn has_to_wait(sentence: &str) -> bool {
    let all: Vec<&str> = words(sentence).collect();
    let is_time = |word: &str| matches!(word, "before" | "until" | "once");
    let is_subject = |behind: &[&str]| match behind {
        ["the", noun, ..] => PARTS.contains(noun),
        [subject, ..] => SUBJECTS.contains(subject),
        [] => false,
    };
    let (is_asked, all) = match all.as_slice() {
        ["please", rest @ ..] => (true, rest),
        all => (false, all),
    };
    match all {
        ["leave", rest @ ..] => rest.windows(2).any(|two| two == ["for", "now"]),
        ["hold", object, ..] => SUBJECTS.contains(object) || matches!(*object, "off" | "the"),
        all => is_asked && (0..all.len()).any(|at| is_time(all[at]) && is_subject(&all[at + 1..])),
    }
}

/// `Not merged (needs consensus)`, `I have not applied this.`
fn was_not_used(sentence: &str) -> bool {
    let all: Vec<&str> = words(sentence).collect();
    match all.as_slice() {
        ["not", "yet", used, ..] | ["not", used, ..] => USED.contains(used),
        ["i" | "we", "have", "not", "applied", object, ..] | ["i" | "we", "haven't", "applied", object, ..] => {
            SUBJECTS.contains(object) || matches!(*object, "the" | "any" | "anything")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_open;

    #[test]
    fn what_waits_for_an_answer() {
        for text in [
            "One thing: is `99` in bytes or kilobytes? If it is the latter, multiply by 10 — I cannot tell from here.",
            "Which limit holds in production?",
            "If `test_sync` still fails after that, leave the second change out again; I could not run it.",
            "Please settle the value with ops before this goes in.",
            "Hold this back until the migration is through on all hosts.",
            "This is for the release after next; please leave main as it is for now (see #730).",
            "Not merged (needs consensus). Round 2 follows.",
            "Gilt das auch für die alten Kunden?",
            "I have not applied this yet.",
        ] {
            assert!(is_open(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn offers_and_advice() {
        for text in [
            "Would you like me to make any adjustments to these changes?",
            "Is there anything else you'd like changed?",
            "Soll ich als Nächstes auch Tests dafür schreiben?",
            "Quer que eu escreva testes também?",
            "¿Quieres que lo documente?",
            "需要我再写测试吗？",
            "Добавить ещё и тесты?",
            "테스트도 추가해 드릴까요?",
            "I left the callers as they are for now.",
            "Once this is in, the tests should pass.",
            "If you want to undo this change, run `git revert HEAD`.",
            "If you see an error, remove the folder and run it again.",
            "Why does this work? The lock is held by then.",
            "Please run `npm install` before you start the server.",
            "I haven't committed anything.",
            "Not needed any more: the second test.",
        ] {
            assert!(!is_open(text.as_bytes()), "{text}");
        }
    }
}
