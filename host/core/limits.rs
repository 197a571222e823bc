//! Limits that a pin may set for one call of a guard.

use schemars::JsonSchema;
use serde::Serialize;

/// Limits of one call of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "limits")]
pub struct Limits {
    /// About one an instruction.
    pub fuel: u64,
    /// Bytes.
    pub memory: u64,
    /// Of one build or test run.
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

    /// Bytes of touched files, both sides together, for which a call gets as much fuel again. The dearest parser known (Rust) takes some
    /// 2,000 units for a byte, and this gives 3,800.
    pub const FUEL_STEP: u64 = 512 << 10;
    /// How many times its fuel a call gets at most: for the default fuel, [`Limits::MAX_FUEL`].
    pub const MOST_TIMES: u64 = 15;
    /// Bytes of memory for each byte of touched files. A syntax tree takes about ten.
    pub const MEMORY_PER_BYTE: u64 = 16;

    /// For a call that judges so many bytes of touched files, both sides together: a guard that is linear in them never lacks fuel or
    /// memory below the bounds, whatever the size of the change.
    #[must_use]
    pub fn for_bytes(self, bytes: u64) -> Limits {
        let times = (u128::from(self.fuel) * u128::from(bytes) / u128::from(Limits::FUEL_STEP))
            .min(u128::from(u64::MAX)) as u64;
        let most_fuel = self.fuel.saturating_mul(Limits::MOST_TIMES).min(Limits::MAX_FUEL).max(self.fuel);
        let memory = self.memory.saturating_add(bytes.saturating_mul(Limits::MEMORY_PER_BYTE));
        Limits {
            fuel: self.fuel.saturating_add(times).min(most_fuel),
            memory: memory.min(Limits::MAX_MEMORY.max(self.memory)),
            ..self
        }
    }
}
