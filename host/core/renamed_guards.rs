//! Guards that had another id before the first release, and guards of which others took over what they judged. Files and command lines that
//! still have such an id are read; this is the one list of them.

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

/// A guard that is no more, and the one that judges the same of its language.
const ABSORBED: [AbsorbedGuard; 3] = [
    AbsorbedGuard { former: "go-parses", current: "syntax-holds", language: "go" },
    AbsorbedGuard { former: "php-parses", current: "syntax-holds", language: "php" },
    AbsorbedGuard { former: "ruby-parses", current: "syntax-holds", language: "ruby" },
];

/// A guard whose one language another guard judges now, among others.
#[derive(Debug, Clone, Copy)]
pub struct AbsorbedGuard {
    pub former: &'static str,
    pub current: &'static str,
    /// As the setting `languages` of that one calls it.
    pub language: &'static str,
}

/// The id that the embedded guard has today. An id that is not in the list is its own.
pub fn current_id(written: &str) -> &str {
    RENAMED.iter().find(|(former, _)| *former == written).map_or(written, |(_, current)| current)
}

/// What became of a guard that is no more.
pub fn absorbed(written: &str) -> Option<AbsorbedGuard> {
    ABSORBED.into_iter().find(|guard| guard.former == written)
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
    match absorbed(former) {
        Some(AbsorbedGuard { current, .. }) => {
            format!(
                "{origin}: the guard `{former}` is no more, and `{current}` judges what it judged; pin that one alone"
            )
        }
        None => format!("{origin}: the guard `{former}` is called `{}` now; write that id", current_id(former)),
    }
}

#[cfg(test)]
mod tests {
    use super::{ABSORBED, RENAMED, absorbed, current_id, former_id, means};

    #[test]
    fn each_id_leads_to_the_other_and_none_is_both() {
        for (former, current) in RENAMED {
            assert_eq!((current_id(former), former_id(current)), (current, Some(former)));
            assert_eq!((current_id(current), former_id(former)), (current, None));
            assert!(means(former, current) && means(current, current) && !means(current, former));
        }
        // To skip one of them is not to skip the guard that judges other languages too.
        for guard in ABSORBED {
            assert!(absorbed(guard.former).is_some() && absorbed(guard.current).is_none());
            assert!(!means(guard.former, guard.current));
        }
        assert_eq!(current_id("house-style"), "house-style");
    }
}
