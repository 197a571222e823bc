//! What the task, or the message of a commit, says that shall happen to tests.

/// Sentences of the task and of the messages, in lower case.
pub struct TestWishes(Vec<String>);

#[rustfmt::skip]
const AWAY: [&str; 23] = [
    "remov", "delet", "drop", "prun", "obsolet", "duplicat", "dedup", "merg", "consolidat", "rewrit", "rewrote", "parametri", "clean", "redundan", "replac", "refactor", "rework", "overhaul", "migrat",
    "convert", "restructur", "reorganiz", "revert",
];
#[rustfmt::skip]
const ASLEEP: [&str; 11] =
    ["skip", "ignor", "disabl", "mute", "todo", "pending", "fixme", "unstabl", "deactivat", "comment", "suspend"];
/// Words that speak of tests that do not run, and of nothing else.
const ALONE: [&str; 3] = ["xfail", "flak", "quarantin"];

impl TestWishes {
    pub fn from_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let sentences = texts.flat_map(str::lines).flat_map(|line| line.split(". ")).flat_map(|part| part.split("; "));
        let sentences = sentences.map(str::to_ascii_lowercase);
        // Of a merge, the name of a branch says what somebody worked on.
        TestWishes(
            sentences.filter(|sentence| !sentence.trim().is_empty() && !sentence.starts_with("merge ")).collect(),
        )
    }

    /// Whether one sentence speaks of tests and of taking something away.
    fn to_remove(&self) -> bool {
        self.0.iter().any(|sentence| says(sentence, &["test", "spec"]) && says(sentence, &AWAY))
    }

    /// Whether one begins with taking away something that a test is called after: "Remove the old `ipc` syntax".
    pub fn to_remove_what_is_called(&self, name: &str) -> bool {
        const NOTHING: [&str; 16] = [
            "the", "and", "for", "from", "with", "not", "use", "used", "old", "new", "now", "can", "test", "tests",
            "when", "should",
        ];
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
            words.map(str::to_ascii_lowercase).filter(|word| !NOTHING.contains(&word.as_str())).collect()
        };
        let name = words(name);
        self.0.iter().any(|sentence| {
            let words = words(sentence);
            let away =
                |word: &String| ["remov", "delet", "drop", "deprecat"].iter().any(|start| word.starts_with(start));
            words.iter().take(3).any(away) && words.iter().any(|word| name.contains(word))
        })
    }

    /// Whether a test may be missing.
    pub fn to_lose(&self) -> bool {
        self.to_remove() || self.to_put_asleep() || self.to_take_back()
    }

    /// Whether a commit is taken back, in the words of `git revert`: its tests go with it.
    fn to_take_back(&self) -> bool {
        let is_id = |word: &str| word.len() >= 7 && word.chars().all(|c| c.is_ascii_hexdigit());
        let of = |sentence: &String| {
            Some(is_id(sentence.strip_prefix("this reverts commit ")?.split(['.', ',', ' ']).next()?))
        };
        self.0.iter().any(|sentence| of(sentence) == Some(true))
    }

    /// Whether one names the circumstance that a mark gives as its reason, such as a platform. The reason alone counts for nothing: who
    /// puts a test to sleep writes it, and a model always gives one.
    pub fn explains(&self, reason: &str) -> bool {
        #[rustfmt::skip]
        const CIRCUMSTANCES: [&str; 16] = [
            "flaky", "flakey", "flakiness", "intermittent", "intermittently", "unstable", "ci", "windows", "macos", "osx", "linux", "infra", "network", "platform", "slow", "pypy",
        ];
        let lower = reason.to_ascii_lowercase();
        let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
        let mut named = words(&lower).into_iter().filter(|word| CIRCUMSTANCES.contains(&word.as_str()));
        named.any(|word| self.0.iter().any(|sentence| words(sentence).contains(&word)))
    }

    /// Whether one speaks of tests that shall not run, or may fail.
    pub fn to_put_asleep(&self) -> bool {
        let of_tests = |sentence: &str| says(sentence, &["test", "spec", "suite"]) && says(sentence, &ASLEEP);
        self.0.iter().any(|sentence| says(sentence, &ALONE) || of_tests(sentence))
    }
}

fn says(sentence: &str, starts: &[&str]) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    words.any(|word| starts.iter().any(|start| word.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::TestWishes;

    #[test]
    fn in_one_sentence() {
        let of = |text: &'static str| TestWishes::from_texts([text].into_iter());
        assert!(of("Remove the obsolete tests").to_remove());
        assert!(of("Drop Python 3.8\n\n- also drops its tests").to_remove());
        assert!(!of("Remove the cache. Add a test").to_remove());
        assert!(
            of("refactor: remove the old `stdio: [..., 'ipc']` syntax").to_remove_what_is_called("Cannot set \"ipc\"")
        );
        assert!(
            !of("Remove the cache").to_remove_what_is_called("test_total")
                && !of("Add ipc").to_remove_what_is_called("ipc")
        );
        assert!(!of("Add a test").to_remove() && !of("").to_remove());
        assert!(of("Skip the slow test").to_put_asleep() && of("mark as xfail").to_put_asleep());
        assert!(of("ci: ignore test_x").to_put_asleep() && of("Flaky").to_put_asleep());
        assert!(!of("Merge pull request #1 from a/test-x").to_remove());
        assert!(!of("Skip empty lines\n\nA test is added").to_put_asleep());
        assert!(!of("Fix a bug, with a test").to_put_asleep());
        assert!(of("Make the pipeline green on Windows").explains("fails on Windows"));
        assert!(!of("Make the pipeline green").explains("fails on Windows") && !of("On Windows").explains("later"));
        assert!(of("Take it back\n\nThis reverts commit 7075369e1f.").to_lose());
        assert!(!of("This reverts commit after commit").to_lose());
    }
}
