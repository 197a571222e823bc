//! Words that leave one file of a change aside: requests to leave it out, to change another one alone, or that it is not needed.

use super::doubt::{has_any, lowercase, prose, words};
use bstr::ByteSlice;

/// Words before a request.
const OPENINGS: [&str; 9] = ["please", "but", "and", "then", "just", "now", "also", "actually", "oh"];

/// Whether a sentence of the line names what alone is to change: `Only `a.js` should be changed`, `Just apply the first one`.
pub(super) fn is_only(line: &[u8]) -> bool {
    const ACTS: [&str; 9] = ["apply", "use", "take", "commit", "keep", "should", "must", "needs", "need"];
    let text = lowercase(line);
    text.split_inclusive(". ").any(|sentence| {
        let mut all = words(sentence).skip_while(|word| OPENINGS.contains(word) && *word != "just").peekable();
        let begins = all.next_if(|word| matches!(*word, "only" | "just")).is_some();
        let act = all.peek().is_some_and(|word| ACTS.contains(word));
        act && (begins || all.any(|word| word == "only"))
    })
}

/// Whether the line says of a change that it is not needed: `the change to a.py is not necessary`.
pub(super) fn is_unneeded(line: &[u8]) -> bool {
    const SUBJECTS: [&str; 8] =
        ["change to", "changes to", "change in", "changes in", "edit of", "edits of", "patch for", "diff for"];
    const UNNEEDED: [&str; 8] = [
        "not necessary",
        "not needed",
        "not required",
        "unnecessary",
        "superfluous",
        "can be dropped",
        "can be skipped",
        "is a mistake",
    ];
    // Requests and judgements of other languages, and those at the end of a sentence.
    const PARTS: [&str; 20] = [
        "weglassen",
        "auslassen",
        "überspringen",
        "nicht nötig",
        "überflüssig",
        "feel free to skip",
        "i'd skip",
        "n'est pas nécessaire",
        "inutile",
        "no es necesari",
        "não é necessári",
        "не нужн",
        "пропусти",
        "不要で",
        "不需要",
        "可以忽略",
        "可以不改",
        "必要ありません",
        "필요 없",
        "불필요",
    ];
    let text = prose(line);
    let told = lowercase(line);
    is_judged_superfluous(&text)
        || has_any(&text, &SUBJECTS) && has_any(&text, &UNNEEDED)
        || PARTS.iter().any(|part| told.contains(part))
}

/// Whether the text says of a part of a patch that it is not needed: `the hunk in a.py is superfluous`.
fn is_judged_superfluous(text: &str) -> bool {
    const PARTS: [&str; 7] = ["hunk", "change", "edit", "patch", "diff", "part", "one"];
    const JUDGED: [&str; 7] =
        ["superfluous", "unnecessary", "unneeded", "redundant", "pointless", "moot", "gratuitous"];
    const IS: [&str; 8] = ["is", "was", "are", "seems", "looks", "isn't", "actually", "really"];
    text.split(". ").any(|sentence| {
        let all: Vec<&str> = words(sentence).collect();
        let is_judged = |at: &usize| {
            JUDGED.contains(&all[*at]) && all[at.saturating_sub(2)..*at].iter().any(|word| IS.contains(word))
        };
        let at = (0..all.len()).find(is_judged);
        at.is_some_and(|at| all[..at].iter().any(|word| PARTS.contains(word)))
    })
}

/// Whether a sentence of the line begins with a request to leave something out: `Leave `b.js` out of this`, `Please don't apply …`.
pub(super) fn leaves_out(line: &[u8]) -> bool {
    const VERBS: [&str; 11] =
        ["leave", "skip", "ignore", "omit", "exclude", "drop", "disregard", "discard", "forget", "undo", "revert"];
    const ACTS: [&str; 8] = ["apply", "touch", "change", "include", "use", "commit", "edit", "modify"];
    // `I would leave b.js alone` asks for the same.
    const MODALS: [&str; 12] =
        ["i'd", "we'd", "you'd", "would", "should", "could", "can", "may", "might", "rather", "better", "let's"];
    const PERSONS: [&str; 3] = ["i", "we", "you"];
    let text = lowercase(line);
    text.split_inclusive(". ").flat_map(|sentence| sentence.split(['(', ';', ':'])).any(|sentence| {
        let said: Vec<&str> = words(sentence).skip_while(|word| OPENINGS.contains(word)).collect();
        let said = match said.as_slice() {
            [person, rest @ ..]
                if PERSONS.contains(person) && rest.first().is_some_and(|word| MODALS.contains(word)) =>
            {
                rest
            }
            said => said,
        };
        let all: Vec<&str> = said.iter().copied().skip_while(|word| MODALS.contains(word)).take(3).collect();
        match all.as_slice() {
            ["do", "not", act, ..] | ["don't" | "never", act, ..] => ACTS.contains(act),
            [verb, ..] => VERBS.contains(verb),
            [] => false,
        }
    })
}

/// The text of a clause that begins with a file and says that it stays as it is: `` `b.js` must stay exactly as it is``.
pub(super) fn stays(line: &[u8], is_edited: impl Fn(&str) -> bool) -> bool {
    const SAME: [&str; 4] = ["unchanged", "untouched", "unmodified", "is"];
    const VERBS: [&str; 6] = ["stay", "stays", "remain", "remains", "left", "leave"];
    let text = line.to_str_lossy();
    text.split([';', ',']).flat_map(|clause| clause.split(". ")).any(|clause| {
        let mut all = clause.split_whitespace().map(|word| word.trim_matches(['`', '*', '"', '\'', ':', '.']));
        let begins = all.next().is_some_and(&is_edited);
        let rest: Vec<String> = all.map(str::to_lowercase).collect();
        let has = |words: &[&str]| rest.iter().any(|word| words.contains(&word.as_str()));
        begins && has(&VERBS) && has(&SAME) && rest.len() < SHORT
    })
}

/// Words of a clause that says nothing else.
const SHORT: usize = 9;
