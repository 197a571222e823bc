//! What a pin may set for one call of a guard.

/// Limits of one call of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Instructions, about. Deterministic: the same call burns the same fuel on every machine.
    pub fuel: u64,
    /// Linear memory in bytes, all memories of the component together.
    pub memory: u64,
    /// Wall clock of one build or one test run that the guard asks for, in seconds.
    pub seconds: u64,
}

impl Default for Limits {
    /// Fuel for about two seconds of one core. The heaviest guard known, a check of 54 files (1.4 MB) in an interpreted language,
    /// takes a fifth of that. Memory: a parser holds a file about ten times over, and files are 16 MiB at most only in theory; the
    /// largest runtime known (Python) starts with 13 MiB. Seconds: two minutes are known to be too short for real suites, five to do.
    fn default() -> Self {
        Limits { fuel: 2_000_000_000, memory: 64 << 20, seconds: 600 }
    }
}

impl Limits {
    /// Half a minute; a gate that takes longer is no gate.
    pub const MAX_FUEL: u64 = 30_000_000_000;
    /// Guards run in parallel: eight of these are 4 GiB.
    pub const MAX_MEMORY: u64 = 512 << 20;
    /// Two hours; who waits longer has something else than a gate.
    pub const MAX_SECONDS: u64 = 7_200;
}
