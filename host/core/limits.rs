//! Limits that a pin may set for one call of a guard.

/// Limits of one call of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// About one unit an instruction. Deterministic: the same call uses the same fuel on every machine.
    pub fuel: u64,
    /// Linear memory in bytes, all memories of the component together.
    pub memory: u64,
    /// Wall clock of one build or one test run that the guard asks for, in seconds.
    pub seconds: u64,
}

impl Default for Limits {
    /// Fuel for about two seconds of one core. The heaviest guard known, a check of 54 files (1.4 MB) in an interpreted language,
    /// takes a fifth of that. Memory: a parser needs about ten times the size of a file, and files near the limit of 16 MiB are rare;
    /// the largest runtime known (Python) starts with 13 MiB. Seconds: real test suites need more than two minutes, and five suffice.
    fn default() -> Self {
        Limits { fuel: 2_000_000_000, memory: 64 << 20, seconds: 600 }
    }
}

impl Limits {
    /// About half a minute. A check before a commit must not take longer.
    pub const MAX_FUEL: u64 = 30_000_000_000;
    /// Guards run in parallel: eight of these are 4 GiB.
    pub const MAX_MEMORY: u64 = 512 << 20;
    /// Two hours: longer than any check before a commit should take.
    pub const MAX_SECONDS: u64 = 7_200;
}
