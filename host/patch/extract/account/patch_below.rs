//! Sentences above a patch that speak of it. One that asks for something to be done with the patch asks for its use, or the patch is not
//! meant as it stands: there are few verbs for the one, and no end of verbs for the other.

use super::request::{PRONOUNS, Said};

/// Verbs with which somebody asks for a patch to be used. Those that ask for a look, or to apply it, ask for nothing else.
const USES: [&str; 14] = [
    "make",
    "use",
    "take",
    "perform",
    "implement",
    "do",
    "add",
    "put",
    "accept",
    "adopt",
    "carry",
    "copy",
    "paste",
    "save",
];

/// Words of a verb that stand behind its object: `take it back`.
const PARTICLES: [&str; 6] = ["out", "back", "away", "off", "please", "again"];

const PATCHES: [&str; 12] =
    ["hunk", "hunks", "patch", "patches", "diff", "diffs", "commit", "changeset", "edit", "edits", "change", "changes"];

/// Whether the sentence speaks of a patch that follows: `the hunk below`.
pub(super) fn points_below(said: &Said) -> bool {
    said.words().windows(3).any(is_patch_below)
}

/// Whether the sentence asks for something else to be done with the patch that follows than to use it: `Back the following hunk out`.
/// `is_told`: a sentence before it speaks of that patch, so that a pronoun means it.
pub(super) fn takes_below_back(said: &Said, is_told: bool) -> bool {
    let is_pronoun = |word: &str| PRONOUNS.contains(&word);
    said.asked().any(|(verb, rest)| {
        let is_patch = match rest.as_slice() {
            [pronoun] => is_told && is_pronoun(pronoun),
            [pronoun, particle] | [particle, pronoun] if is_pronoun(pronoun) && PARTICLES.contains(particle) => is_told,
            object => object.iter().copied().chain(["", ""]).collect::<Vec<_>>().windows(3).take(2).any(is_patch_below),
        };
        is_patch && (!USES.contains(&verb) || rest.iter().any(|word| matches!(*word, "out" | "back" | "away")))
    })
}

/// Whether three words speak of a patch that follows: `the following hunk`, `diff below`, `this patch`.
fn is_patch_below(three: &[&str]) -> bool {
    let is_patch = |word: &str| PATCHES.contains(&word);
    match three {
        ["following", noun, _] | [_, "following", noun] | [noun, "below", _] | [_, noun, "below"] => is_patch(noun),
        ["this" | "these", noun, _] => is_patch(noun),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{points_below, takes_below_back};
    use crate::extract::account::request::Said;

    #[test]
    fn what_is_to_be_done_with_the_patch_below() {
        for text in
            ["Back the following hunk out", "Please undo this diff", "Strike the edit below", "Take this hunk back"]
        {
            assert!(takes_below_back(&Said::of(text), false), "{text}");
        }
        assert!(takes_below_back(&Said::of("Please back it out"), true));
        assert!(points_below(&Said::of("It came in with the following hunk")));
        assert!(!takes_below_back(&Said::of("Please fix it"), false));
        for text in ["Make the following change", "Apply this patch", "Use the diff below", "Fix the following bug"] {
            assert!(!takes_below_back(&Said::of(text), true), "{text}");
        }
    }
}
