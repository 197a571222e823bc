//! Reasons for which a test does not run.

use guard_sdk::language::Skip;

/// Whether the reason is where the test runs, and not what it tests: a condition in words.
pub fn is_conditional(skip: &Skip) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 16] = [
        "flaky", "flakey", "flakiness", "intermittent", "intermittently", "unstable", "ci", "windows", "macos", "osx", "linux", "infra", "network", "platform", "slow", "pypy",
    ];
    let lower = skip.reason.to_ascii_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
