//! Guards that had another id before the first release. Files and command lines that still have such an id are read; this is the one list
//! of them.

/// A former id, and the one of today.
const RENAMED: [(&str, &str); 9] = [
    ("callers-agree", "calls-match-signatures"),
    ("frameworks-grounded", "known-frameworks"),
    ("history-heeded", "no-repeated-failures"),
    ("names-bound", "no-undefined-names"),
    ("no-residue", "no-leftovers"),
    ("packages-grounded", "known-packages"),
    ("secrets-out", "no-secrets"),
    ("tests-awake", "no-skipped-tests"),
    ("tests-hold", "no-test-regressions"),
];

/// The id that the embedded guard has today. An id that is not in the list is its own.
pub fn current_id(written: &str) -> &str {
    RENAMED.iter().find(|(former, _)| *former == written).map_or(written, |(_, current)| current)
}

/// The id that the guard had before.
pub fn former_id(id: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(_, current)| *current == id).map(|(former, _)| *former)
}

/// Whether an id in a file or on a command line means this guard. A guard of a user's own that has a former id means itself.
pub fn means(written: &str, id: &str) -> bool {
    written == id || former_id(id) == Some(written)
}

/// What its author reads about a former id. `origin` names the file or the option that has it.
pub fn notice(origin: &str, former: &str) -> String {
    format!("{origin}: the guard `{former}` is called `{}` now; write that id", current_id(former))
}

#[cfg(test)]
mod tests {
    use super::{RENAMED, current_id, former_id, means};

    #[test]
    fn each_id_leads_to_the_other_and_none_is_both() {
        for (former, current) in RENAMED {
            assert_eq!((current_id(former), former_id(current)), (current, Some(former)));
            assert_eq!((current_id(current), former_id(former)), (current, None));
            assert!(means(former, current) && means(current, current) && !means(current, former));
        }
        assert_eq!(current_id("house-style"), "house-style");
    }
}
