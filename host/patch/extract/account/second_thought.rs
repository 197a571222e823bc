//! Words below a patch with which its writer thinks better of it: a correction of a line, or a mistake that was seen too late.

use super::doubt::{has_any, lowercase, prose};

/// How such a line begins, whatever it goes on with.
const OPENINGS: [&str; 9] =
    ["wait", "oops", "correction", "on second thought", "hold on", "scratch", "scrap", "let me correct", "i misread"];
/// How it may begin. It may as well go on with praise, or with a next step.
const HESITATIONS: [&str; 7] = ["actually", "hmm", "sorry", "no,", "looking at it again", "my bad", "apologies"];
/// What it then says of the patch.
const FAULTS: [&str; 14] = [
    "wrong",
    "incorrect",
    "not correct",
    "not right",
    "mistake",
    "misread",
    "should be",
    "should have been",
    "should read",
    "would break",
    "breaks",
    "typo",
    "must be",
    "don't apply",
];

/// Whether the line, somewhere below a patch, corrects it or takes it back.
pub(super) fn is_second_thought(line: &[u8]) -> bool {
    let text = lowercase(line);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let begins = |with: &&str| {
        text.strip_prefix(*with).is_some_and(|rest| with.ends_with(',') || !rest.starts_with(char::is_alphanumeric))
    };
    OPENINGS.iter().any(begins) || HESITATIONS.iter().any(begins) && has_any(&prose(line), &FAULTS)
}

#[cfg(test)]
mod tests {
    use super::is_second_thought;

    #[test]
    fn corrections_and_plain_words() {
        for line in [
            "Wait, a correction: line 17, `a`, should be `b`.",
            "Hmm, looking at it again, `768Mi` in that patch is wrong and would break things.",
            "**Correction:** the limit is 4.",
            "Actually, that is a typo: it must be `x`.",
            "On second thought, leave it as it is.",
        ] {
            assert!(is_second_thought(line.as_bytes()), "{line}");
        }
        for line in [
            "Actually, this also makes the second test faster.",
            "Waiting for the lock was what made it slow.",
            "No further change is needed.",
            "Sorry for the confusion before.",
            "The value should be 3 now.",
            "Scratchpads are left alone.",
        ] {
            assert!(!is_second_thought(line.as_bytes()), "{line}");
        }
    }
}
