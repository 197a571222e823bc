//! Sentences outside of a patch that keep it from being meant, however many patches there are: they hold it back, doubt it, or call it
//! a guess.
//!
//! There are more ways to say so than a list of phrases has. But each of them puts a word that denies or defers beside one for what is
//! done with a patch, or for its being right. Both sets are small, and what a change does is told without a pair of them.

use super::doubt::{lowercase, words};

/// What is done with a patch, as somebody asks for it or forbids it.
const ACTS: [&str; 9] = ["apply", "merge", "commit", "ship", "land", "accept", "submit", "deploy", "push"];

/// What it is done to. `the discount does not apply to them` is about code.
const OBJECTS: [&str; 9] = ["this", "that", "it", "these", "those", "them", "anything", "above", "any"];

/// Nouns for the patch behind an article.
const NOUNS: [&str; 9] = ["patch", "patches", "change", "changes", "diff", "edit", "edits", "fix", "above"];

/// Words that deny or defer what stands beside them.
const DEFERRALS: [&str; 12] =
    ["not", "never", "no", "nor", "cannot", "until", "unless", "before", "yet", "without", "once", "hold"];

/// What was done with a patch that was used: `must not be merged`.
const USED: [&str; 8] = ["applied", "merged", "committed", "shipped", "accepted", "used", "pasted", "copied"];

/// What a patch that is meant has to be, or to do.
const VALUES: [&str; 18] = [
    "compile",
    "solve",
    "work",
    "build",
    "sure",
    "convinced",
    "certain",
    "confident",
    "correct",
    "right",
    "ready",
    "final",
    "finished",
    "complete",
    "happy",
    "settled",
    "decided",
    "working",
];

/// What no patch is that is meant.
const FAULTS: [&str; 8] = ["wrong", "broken", "incorrect", "flawed", "buggy", "incomplete", "mistaken", "useless"];

/// Who or what a judgement of the patch is about, in the first words of its sentence.
const SUBJECTS: [&str; 14] =
    ["i", "i'm", "we", "this", "that", "it", "it's", "above", "patch", "change", "changes", "diff", "edit", "version"];

/// Agreement that is still to come from whoever reads the reply.
const CONSENTS: [&str; 9] =
    ["confirm", "confirmation", "approve", "approval", "decision", "go-ahead", "permission", "sign-off", "consent"];

/// Words of something tried out.
const TENTATIVE: [&str; 7] =
    ["tentative", "tentatively", "speculative", "pseudo", "pseudocode", "guesses", "guesswork"];

/// The same behind one of [`DETERMINERS`]: a class may be called `Sketch`.
const SKETCHES: [&str; 5] = ["sketch", "guess", "draft", "mock-up", "outline"];
const DETERMINERS: [&str; 9] = ["a", "my", "this", "rough", "first", "quick", "best", "just", "tentative"];

/// Where a sentence stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Above the first edit.
    Above,
    /// Below the last one.
    Below,
}

/// Whether a sentence of the line holds the patch back, doubts it, or calls it a guess.
pub(super) fn is_reserved(line: &[u8], side: Side) -> bool {
    let text = lowercase(line);
    sentences(&text).map(without_purpose).any(|sentence| {
        let words: Vec<&str> = words(sentence).collect();
        is_held_back(&words)
            || is_tentative(&words)
            || side == Side::Below && (is_doubted(&words) || is_undone(&words))
            || side == Side::Above && is_asked_first(&words)
    })
}

fn denies(words: &[&str]) -> bool {
    words.iter().any(|word| DEFERRALS.contains(word) || word.ends_with("n't"))
}

/// `please don't merge it yet`, `hold off and apply nothing`.
fn is_held_back(words: &[&str]) -> bool {
    let is_object = |behind: &[&str]| match behind {
        ["the" | "my", noun, ..] => NOUNS.contains(noun),
        [object, ..] => OBJECTS.contains(object),
        [] => false,
    };
    let acts = |at: usize| ACTS.contains(&words[at]) && is_object(&words[at + 1..]);
    let is_used = |at: usize| USED.contains(&words[at]) && words[..at].last() == Some(&"be");
    let is_use = |at: usize| {
        let before = &words[at.saturating_sub(2)..at];
        words[at] == "use"
            && is_object(&words[at + 1..])
            && before.iter().any(|word| *word == "not" || word.ends_with("n't"))
    };
    let is_of_patch = words.iter().any(|word| SUBJECTS.contains(word));
    denies(words) && (0..words.len()).any(|at| acts(at) || is_use(at) || is_of_patch && is_used(at))
}

/// Whether a sentence of the line says that its writer has not seen a file: `I do not have access to it`, `I assume that it roughly is
/// so`. What it then gives as the whole of the file is a guess.
pub(super) fn is_blind(line: &[u8]) -> bool {
    let text = lowercase(line);
    sentences(&text).any(|sentence| is_unseen(&words(sentence).collect::<Vec<_>>()))
}

fn is_unseen(words: &[&str]) -> bool {
    let is_mine = words.iter().any(|word| matches!(*word, "i" | "i'm" | "we"));
    let sees = |word: &&str| matches!(*word, "access" | "see" | "seen" | "seeing" | "view");
    let guesses = words.iter().any(|word| word.starts_with("assum") || word.starts_with("guess"));
    let is_rough = words.iter().any(|word| matches!(*word, "roughly" | "probably" | "presumably" | "something"));
    is_mine && (denies(words) && words.iter().any(sees) || guesses && is_rough)
}

/// `I am not convinced this is right`, `so the above is not correct as it stands`.
fn is_doubted(words: &[&str]) -> bool {
    let is_near = |at: usize| {
        let before = &words[at.saturating_sub(3)..at];
        before.iter().any(|word| matches!(*word, "not" | "never" | "hardly") || word.ends_with("n't"))
    };
    // Who reads the reply may be unsure as well: `if you are not sure, …`.
    let is_of_patch = words.iter().any(|word| SUBJECTS.contains(word)) && !words.contains(&"you");
    let is_noun = |word: &&str| NOUNS.contains(word) || matches!(*word, "solution" | "attempt" | "version");
    let is_advised = words.windows(2).any(|two| {
        two[1] == "against" && ["advise", "advised", "advising", "recommend", "argue", "decided"].contains(&two[0])
    });
    let judged = is_advised || words.iter().take(6).any(is_noun) && words.iter().any(|word| FAULTS.contains(word));
    judged || is_of_patch && (0..words.len()).any(|at| VALUES.contains(&words[at]) && is_near(at))
}

/// `Please revert the change above`; not how it could be undone.
fn is_undone(words: &[&str]) -> bool {
    const RETREATS: [&str; 6] = ["revert", "undo", "discard", "ignore", "disregard", "withdraw"];
    let is_offer = words.iter().any(|word| matches!(*word, "if" | "to" | "can" | "could" | "want" | "will" | "you"));
    let is_object = |behind: &[&str]| match behind {
        ["the" | "my" | "that" | "this", noun, ..] => NOUNS.contains(noun),
        _ => false,
    };
    !is_offer && (0..words.len()).any(|at| RETREATS.contains(&words[at]) && is_object(&words[at + 1..]))
}

fn is_tentative(words: &[&str]) -> bool {
    let is_sketch = |pair: &[&str]| DETERMINERS.contains(&pair[0]) && SKETCHES.contains(&pair[1]);
    words.iter().any(|word| TENTATIVE.contains(word)) || words.windows(2).any(is_sketch)
}

/// `before I change anything I need one decision from you`.
fn is_asked_first(words: &[&str]) -> bool {
    let is_yours = words.iter().any(|word| matches!(*word, "you" | "your"));
    let is_due = words.iter().any(|word| matches!(*word, "before" | "until" | "once" | "unless" | "need" | "first"));
    is_yours && is_due && words.iter().any(|word| CONSENTS.contains(word))
}

/// What stands behind the clause that says what a patch is for: `To never return a negative area, apply this:`.
fn without_purpose(sentence: &str) -> &str {
    match sentence.trim_start().starts_with("to ") {
        true => sentence.rsplit_once(", ").map_or(sentence, |(_, rest)| rest),
        false => sentence,
    }
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ").flat_map(|part| part.split(['!', ';', '?']))
}

#[cfg(test)]
mod tests {
    use super::{Side, is_blind, is_reserved};

    #[test]
    fn what_holds_a_patch_back() {
        for line in [
            "Please don't merge it yet.",
            "Hold off: do not apply any of these until the tests are green.",
            "Here is a rough sketch of how it could go.",
        ] {
            assert!(is_reserved(line.as_bytes(), Side::Above) && is_reserved(line.as_bytes(), Side::Below), "{line}");
        }
        assert!(is_reserved(b"To be safe, do not apply this.", Side::Above));
        assert!(is_reserved(b"It breaks older clients, so I advise against it.", Side::Below));
        assert!(is_reserved(b"So the above is not correct as it stands.", Side::Below));
        assert!(is_reserved(b"**Self-review:** This patch is wrong: it breaks callers.", Side::Below));
        assert!(is_reserved(b"It does not solve the task, please do not use it.", Side::Below));
        assert!(is_blind(b"I don't have access to `a.py`, so I assumed that it looks like this."));
        assert!(is_reserved(b"I'm not convinced that this is right.", Side::Below));
        assert!(is_reserved(b"Sorry about that. Please revert the change above.", Side::Below));
        assert!(is_reserved(b"Before I go on I need your approval.", Side::Above));
    }

    #[test]
    fn what_a_change_does() {
        for line in [
            "This change does not affect other callers.",
            "To reject counts that are not positive, apply this:",
            "This guards against it.",
            "If you want to undo this change, run `git revert HEAD`.",
            "You can use this script without an account.",
            "The discount is not applied twice any more.",
            "This makes sure that a user without a name cannot commit.",
            "If you are not sure which version you have, run `tool --version`.",
            "You can now commit the changes.",
            "Don't forget to apply the migration.",
            "The cache is not complete until the first request.",
        ] {
            assert!(!is_reserved(line.as_bytes(), Side::Above) && !is_reserved(line.as_bytes(), Side::Below), "{line}");
        }
    }
}
