//! What is said of an edit in a word or two: on its fence, in its tag, in a member beside it, in the subject of its mail, or in a line
//! without more below it.
//!
//! Such a label is no sentence that tells what a change does. It says what the edit is, or what became of it, and is harmless only if
//! that is not that it was not used.

use super::doubt::lowercase;
use bstr::ByteSlice;

/// What an edit is, or what became of it, if it is not in force.
const STATES: [&str; 44] = [
    "rejected",
    "declined",
    "denied",
    "refused",
    "reverted",
    "withdrawn",
    "superseded",
    "obsolete",
    "outdated",
    "abandoned",
    "dropped",
    "discarded",
    "draft",
    "wip",
    "rfc",
    "poc",
    "strawman",
    "sketch",
    "pending",
    "awaiting",
    "blocked",
    "postponed",
    "shelved",
    "stashed",
    "hypothetical",
    "illustrative",
    "illustration",
    "demonstration",
    "nack",
    "nak",
    "nacked",
    "nope",
    "nvm",
    "no-go",
    "undone",
    "closed",
    "skipped",
    "ignored",
    "disabled",
    "excluded",
    "failed",
    "failing",
    "deferred",
    "kidding",
];

/// States in which code and its tests are too: `it was failing because of the lock`, `disabled by default`. In a sentence they say nothing of
/// a patch.
const STATES_OF_CODE: [&str; 20] = [
    "rejected",
    "denied",
    "refused",
    "obsolete",
    "outdated",
    "dropped",
    "discarded",
    "pending",
    "awaiting",
    "blocked",
    "undone",
    "closed",
    "skipped",
    "ignored",
    "disabled",
    "excluded",
    "failed",
    "failing",
    "deferred",
    "draft",
];

/// The same where no sentence can stand, so that a word is not about code.
const LABELS: [&str; 20] = [
    "old",
    "previous",
    "before",
    "original",
    "attempt",
    "example",
    "sample",
    "alternative",
    "optional",
    "reject",
    "revert",
    "drop",
    "skip",
    "ignore",
    "bad",
    "wrong",
    "not",
    "no",
    "never",
    "false",
];

/// What a label is of that names a result.
const RESULTS: [&str; 9] = ["status", "verdict", "result", "ci", "decision", "outcome", "state", "review", "apply"];

/// What may stand behind a state at the end of a sentence about a patch. Behind `dropped support` code is told of.
const BEHIND: [&str; 16] = [
    "by",
    "for",
    "on",
    "in",
    "since",
    "at",
    "from",
    "again",
    "upstream",
    "later",
    "last",
    "yesterday",
    "today",
    "and",
    "because",
    "entirely",
];

/// Who or what is not in force.
const SUBJECTS: [&str; 5] = ["it", "this", "that", "these", "they"];
/// What a patch is called, which stands above or below.
const PATCHES: [&str; 5] = ["patch", "commit", "change", "diff", "edit"];

/// Agreement that is still to come.
const CONSENTS: [&str; 8] =
    ["approval", "review", "discussion", "sign-off", "decision", "confirmation", "consensus", "signoff"];

/// Marks that say no.
const MARKS: [char; 10] = ['❌', '🚫', '👎', '⛔', '🛑', '✗', '✘', '✖', '🗑', '🙅'];

/// Whether a label beside an edit, which is no sentence, says that it is not in force.
pub(in super::super) fn is_out_of_force(label: &str) -> bool {
    let label = label.to_lowercase();
    words(&label).any(|word| STATES.contains(&word) || LABELS.contains(&word) || word.ends_with("n't"))
}

/// Whether a sentence of the line says that a patch beside it was not used, or is not to be.
pub(super) fn is_verdict(line: &[u8]) -> bool {
    has_verdict(line, false)
}

/// The same; where the line goes on with a sentence of the line above, its first words are no sentence.
pub(super) fn has_verdict(line: &[u8], goes_on: bool) -> bool {
    let text = lowercase(line);
    let prose: String = text.split('`').step_by(2).collect();
    prose
        .split(". ")
        .skip(usize::from(goes_on))
        .flat_map(|part| part.split(['!', ';', '?', '(', ')', '—']))
        .any(judges_patch)
}

/// Whether the line is a mark that says no, and nothing else.
pub(super) fn is_mark(line: &[u8]) -> bool {
    let text = line.to_str_lossy();
    let text = text.trim();
    text.starts_with(MARKS) && !text.contains(char::is_alphanumeric) || text == "-1" || text.starts_with("-1 from ")
}

fn judges_patch(sentence: &str) -> bool {
    let sentence = sentence.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
    if let Some((label, rest)) = sentence.split_once(':') {
        let label = label.trim_matches(|c: char| !c.is_alphanumeric());
        let is_short = words(rest).count() <= 3;
        return RESULTS.contains(&label) && is_short && is_out_of_force(rest)
            || label.strip_suffix("-by").is_some_and(is_state);
    }
    let all: Vec<&str> = words(sentence).collect();
    // A word alone, or one beside the number of another change, is a label.
    let is_label = all.len() == 1 || sentence.contains('#');
    let is_state = |word: &str| is_state(word) && (is_label || !STATES_OF_CODE.contains(&word));
    let ends = |behind: &[&str]| behind.first().is_none_or(|word| BEHIND.contains(word));
    let has = |before: &[&str], list: &[&str]| before.iter().any(|word| list.contains(word));
    // `It`, or `the commit below`. `The old one was superseded by this` is about another patch.
    let is_about = |before: &[&str]| {
        before.first().is_some_and(|word| SUBJECTS.contains(word))
            || has(before, &PATCHES) && has(before, &["below", "above"])
    };
    let is_being = |word: &&str| matches!(*word, "was" | "were" | "is" | "are" | "been" | "got" | "merely" | "purely");
    match all.as_slice() {
        ["never", "mind"] | ["forget", "it"] | ["just", "kidding"] | ["not", "for", "production", ..] => {
            return true;
        }
        [.., "only" | "just" | "merely", "a" | "an", "example" | "illustration" | "demo" | "draft"] => return true,
        ["for", what, .., "only"] if matches!(*what, "demonstration" | "illustration" | "reference") => return true,
        ["pending" | "awaiting" | "needs", what, ..] if CONSENTS.contains(what) => return true,
        ["nobody", "should", "use" | "apply" | "merge", what, ..] if SUBJECTS.contains(what) => return true,
        ["consider" | "treat", what, rest @ ..]
            if SUBJECTS.contains(what) && rest.iter().any(|word| is_state(word)) =>
        {
            return true;
        }
        // `Blocked on #123`, `Depends on #99, which has to land first`
        ["blocked" | "depends", "on" | "by", ..] if sentence.contains('#') => return true,
        [first, rest @ ..] if is_state(first) && ends(rest) => return true,
        _ => {}
    }
    (1..all.len()).any(|at| {
        let (before, behind) = (&all[..at], &all[at + 1..]);
        let is_pair = matches!((all[at], behind.first()), ("rolled", Some(&"back")) | ("backed", Some(&"out")));
        // `It was reverted`, `This has been rolled back`
        let is_passive = before.iter().any(is_being) && is_about(before) && at < 5;
        let rest = if is_pair { &behind[1..] } else { behind };
        // `CI rejected it`, `I backed this out again`, `which I declined`
        let is_object = |rest: &[&str]| match rest {
            ["it" | "this" | "that" | "them", rest @ ..] => rest.first() == Some(&"out") || ends(rest),
            _ => false,
        };
        let is_done = is_state(all[at]) || is_pair;
        is_done && is_passive && ends(rest)
            || (is_state(all[at]) || matches!(all[at], "backed" | "rolled")) && at < 4 && is_object(behind)
    }) || is_relative(&all)
}

/// `…, which I declined`
fn is_relative(all: &[&str]) -> bool {
    let is_person = |word: &str| matches!(word, "i" | "we" | "they" | "he" | "she" | "maintainers" | "reviewers");
    matches!(all, [.., "which", who, done] if is_person(who) && is_state(done))
}

fn is_state(word: &str) -> bool {
    STATES.contains(&word)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-' | '#'))
        .map(|word| word.trim_matches(['-', '\'']))
        .filter(|word| !word.is_empty())
}

/// Verbs of one who is told of.
const OTHERS: [&str; 3] = ["suggest", "propose", "submit"];

/// Whether the line, which introduces a patch, reports or supposes it.
pub(super) fn is_report(line: &[u8]) -> bool {
    let text = lowercase(line);
    let prose: String = text.split('`').step_by(2).collect();
    let last = prose.trim().trim_end_matches([':', '.']);
    let last = last.rsplit(". ").next().unwrap_or_default();
    let all: Vec<&str> = words(last).collect();
    let has = |list: &[&str]| all.iter().any(|word| list.contains(word));
    let is_mine = has(&["i", "i'd", "we", "you", "my", "our"]);
    let introduces = prose.trim_end().ends_with(':');
    let is_supposed = matches!(all.first(), Some(&"suppose" | &"imagine" | &"quiz"))
        || matches!(all.as_slice(), ["what", "if" | "would" | "happens", ..] | ["given", "patch" | "diff"]);
    let is_other = has(&["would", "might", "could", "may"]) && has(&OTHERS) && !is_mine;
    let is_cause = has(&["diff", "commit", "change", "patch"])
        && has(&["introduced", "caused", "broke"])
        && has(&["bug", "regression", "issue", "problem", "failure", "build", "tests"])
        && has(&["that", "which"]);
    is_other || introduces && (is_supposed || is_cause) || last.contains("looked like before")
}

#[cfg(test)]
mod tests {
    use super::{has_verdict, is_mark, is_out_of_force, is_report, is_verdict};

    #[test]
    fn labels() {
        for label in ["draft", "rejected approach", "do not apply", "# old attempt", "{.superseded}", "before review"] {
            assert!(is_out_of_force(label), "{label}");
        }
        for label in ["completed", "in progress", "showLineNumbers", "title of the page", "python"] {
            assert!(!is_out_of_force(label), "{label}");
        }
    }

    #[test]
    fn what_became_of_a_patch() {
        for line in [
            "It was reverted.",
            "This has been rolled back.",
            "I backed this out again.",
            "Superseded by #44.",
            "Pending approval.",
            "Verdict: rejected",
            "Nacked-by: Ada",
            "NAK",
            "This one is only an example.",
            "Not for production.",
            "Never mind.",
            "For demonstration purposes only.",
            "Copilot suggested this, which I declined:",
            "The commit below was reverted last week:",
        ] {
            assert!(is_verdict(line.as_bytes()), "{line}");
        }
        for line in [
            "Rejected logins are counted.",
            "Dropped support for 3.8.",
            "It was dropped too early, before the lock.",
            "The request is rejected with 400.",
            "Pending requests are cancelled.",
            "Failed tests are listed first.",
            "Status: done",
            "Closed files are not read.",
            "It reaches the catch-all — which marks the run failed. That is new.",
            "Now it rejects empty names.",
            "Now it is closed.",
            "It was failing because the lock was missing.",
            "Disabled by default.",
            "The old code ignored it.",
            "This is skipped on Windows.",
            "It was rejected by the parser before.",
            "This fixes the deprecated call that was dropped in 3.12.",
            "The old one was superseded by this.",
            "Never mind the formatting.",
            "Done.",
        ] {
            assert!(!is_verdict(line.as_bytes()), "{line}");
        }
        assert!(!has_verdict(b"failed on resume, so it was kept. The rest is new.", true));
        assert!(is_mark("👎".as_bytes()) && !is_mark("❌ was shown twice.".as_bytes()) && !is_mark("✅".as_bytes()));
    }

    #[test]
    fn reports() {
        for line in [
            "The linter would suggest",
            "Suppose somebody sends the following:",
            "This is the diff that introduced the bug:",
        ] {
            assert!(is_report(line.as_bytes()), "{line}");
        }
        for line in [
            "I would change it like this:",
            "This change fixes the bug:",
            "Here is what I propose:",
            "What if the list is empty?",
            "An attacker could pass 1; this fixes it:",
        ] {
            assert!(!is_report(line.as_bytes()), "{line}");
        }
    }
}
