//! The limits of a guard, each with its reason, and the meter of one call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use wasmtime::ResourceLimiter;

use crate::failure::{machine_lack, machine_message};
use guardhost_core::change::MissingObject;
pub use guardhost_core::limits::Limits;
use guardhost_core::stop::{StopToken, Stopped, Watch};

/// Bytes of a component. The largest known, with Python's whole interpreter, has 18.5 MB.
pub const COMPONENT: usize = 64 << 20;

/// Bytes of one blob that is handed out or searched. Larger files are data that no model writes, and a guest of 64 MiB has room for such
/// a blob and one decoded copy.
pub const BLOB: u64 = 16 << 20;

/// Bytes of the arguments of one host call, and of everything that a guard says in one call: a thousand findings with 2 KiB of text each
/// are 2 MiB.
pub const OUTPUT: usize = 4 << 20;

/// Findings of one call. A person fixes a few dozen, a model a few hundred.
pub const FINDINGS: usize = 1_000;

/// Log bytes of one call. Further lines are dropped and counted.
pub const LOG: usize = 64 << 10;
pub const LOG_LINE: usize = 4 << 10;
pub const METRICS: usize = 64;

/// Host calls of one guard call. A guard needs a few for each touched file; at a few microseconds each, this is under a second.
const HOST_CALLS: u32 = 100_000;

/// Bytes that the host reads, searches, hands out or takes in for one guard call: ten times the work tree of a large repository, about a
/// second.
pub const HOST_BYTES: u64 = 1 << 30;

/// Bytes that one step of a loop costs, and the number of steps for one look at the clock.
pub const STEP: u64 = 8;
const STEPS: u32 = 1024;

/// Files of a walk for one look at the clock: looking takes longer than to match a file's name.
const VISITS: u32 = 64;

/// Addresses that may be checked for one change. A document with sixty new links is rare; a thousand requests would be an attack on a
/// server.
pub const URLS: usize = 64;

/// Questions to models of one judgement. Each takes seconds to minutes, and costs money: three personas that are asked twice, or one
/// question for each of two dozen files.
pub const QUESTIONS: usize = 32;
/// Bytes of the parts of a question. A prompt of 512 KiB has about 130,000 tokens, near what most models take.
pub const QUESTION_ROLE: usize = 16 << 10;
pub const QUESTION_TEXT: usize = 512 << 10;
pub const QUESTION_SCHEMA: usize = 16 << 10;

/// Core instances, tables and memories: components of interpreted languages consist of dozens of modules, and one has three memories.
const INSTANCES: usize = 200;
const TABLES: usize = 200;
const MEMORIES: usize = 10;

/// An element is a pointer of the host, so this is 8 MB.
const TABLE_ELEMENTS: usize = 1_000_000;

/// Why the host stopped a guard. Raised as a trap, and recognised by its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuardStop {
    /// More linear memory than the limit, in bytes.
    Memory(u64),
    /// More of something else that is counted; the message.
    Count(String),
    /// More findings, or more text in them, than a call may have; the message.
    Output(String),
    /// A call that breaks the contract, such as an index out of range.
    Misuse(String),
    /// An export that is missing, or has another type than in the contract.
    Export(String),
    /// The repository could not be read. Not the guard's fault.
    Repository(String),
    /// What was to be read is not in this partial clone. Not the guard's fault either.
    PartialClone(MissingObject),
    /// A build or a test run could not be made. Not the guard's fault.
    Toolchain(String),
    /// This machine lacks memory, disk or threads. Not the guard's fault.
    Machine(String),
    /// In a replay: a question that has no recorded answer. Not the guard's fault.
    NotRecorded(String),
    /// The call was ended before it was done.
    Ended(Stopped),
}

impl fmt::Display for GuardStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuardStop::Memory(limit) => write!(f, "it wanted more than its {} MiB of memory", limit >> 20),
            GuardStop::Count(what) | GuardStop::Output(what) | GuardStop::Misuse(what) | GuardStop::Export(what) => {
                f.write_str(what)
            }
            GuardStop::Repository(what) => write!(f, "the repository could not be read: {what}"),
            GuardStop::PartialClone(missing) => write!(f, "{missing}"),
            GuardStop::Toolchain(what) => write!(f, "the host could not run it: {what}"),
            GuardStop::Machine(what) => f.write_str(&machine_message(what)),
            GuardStop::NotRecorded(what) => write!(f, "no answer is recorded: {what}"),
            GuardStop::Ended(stopped) => write!(f, "{stopped}"),
        }
    }
}

impl std::error::Error for GuardStop {}

/// What a guard's call made the host do, as its limits count it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostWork {
    pub calls: u32,
    pub bytes: u64,
}

/// Counts the use of one call.
pub struct Meter {
    memory_limit: u64,
    memory: u64,
    calls: u32,
    bytes: u64,
    said: usize,
    urls: usize,
    questions: usize,
    steps: u32,
    visits: u32,
    /// Fuel of readings of modules, and the most that may be asked for: as much as the guard itself has.
    indexed: u64,
    indexing: u64,
    watch: Arc<Watch>,
}

/// Wall clock of a call beside that of its fuel, and the slowest machine that fuel is priced for, in units a second. Fuel bounds the
/// guest, and `HOST_BYTES` what is read; this bounds what neither foresees. An eighth of a core does 100 million units in a second, so
/// that no honest guard comes near it. Builds, tests and requests have limits of their own and do not count.
const CALL: Duration = Duration::from_secs(100);
const SLOWEST: u64 = 100_000_000;

/// For the default fuel, two minutes; for the most, less than seven.
fn wall(limits: &Limits) -> Duration {
    CALL + Duration::from_secs(limits.fuel / SLOWEST)
}

impl Meter {
    pub fn new(limits: &Limits, stop: &StopToken) -> Self {
        Meter {
            memory_limit: limits.memory,
            memory: 0,
            calls: 0,
            bytes: 0,
            said: 0,
            urls: 0,
            questions: 0,
            steps: 0,
            visits: 0,
            indexed: 0,
            indexing: limits.fuel,
            watch: Arc::new(stop.watch(wall(limits))),
        }
    }

    /// Peak of linear memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Host calls, and the bytes that the host processed for them.
    pub fn host_work(&self) -> HostWork {
        HostWork { calls: self.calls, bytes: self.bytes }
    }

    /// Counts one host call, before it is answered.
    pub fn call(&mut self) -> Result<(), GuardStop> {
        self.calls += 1;
        if self.calls > HOST_CALLS {
            return Err(GuardStop::Count(format!("it asked the host more than {HOST_CALLS} times")));
        }
        self.still_running()
    }

    /// Counts bytes that the host processes.
    pub fn bytes(&mut self, bytes: u64) -> Result<(), GuardStop> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > HOST_BYTES {
            return Err(GuardStop::Count(format!("it made the host read more than {} MiB", HOST_BYTES >> 20)));
        }
        Ok(())
    }

    /// Counts one step of a loop that neither the calls nor the bytes bound.
    pub fn step(&mut self) -> Result<(), GuardStop> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS) {
            self.still_running()?;
        }
        self.bytes(STEP)
    }

    /// Counts one file of a walk over a tree, and the bytes that looking at it costs.
    pub fn visit(&mut self, bytes: u64) -> Result<(), GuardStop> {
        self.visits = self.visits.wrapping_add(1);
        if self.visits.is_multiple_of(VISITS) {
            self.still_running()?;
        }
        self.bytes(bytes)
    }

    /// Counts bytes of findings and descriptions.
    pub fn count_output(&mut self, bytes: usize) -> Result<(), GuardStop> {
        // What holds a text, however short, takes memory too.
        self.said = self.said.saturating_add(bytes + 64);
        if self.said > OUTPUT {
            return Err(GuardStop::Output(format!("it said more than {} MiB in one call", OUTPUT >> 20)));
        }
        self.bytes(bytes as u64)
    }

    /// Whether further modules may be read. To want more is no error: the questions are answered as beyond the limit.
    pub fn may_index(&self) -> bool {
        self.indexed < self.indexing
    }

    /// Counts the fuel of one reading, whoever made it first.
    pub fn indexed(&mut self, fuel: u64) {
        self.indexed = self.indexed.saturating_add(fuel);
    }

    /// The wall clock of this call.
    pub fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// For loops of the host: ends them when the call is to end.
    pub fn still_running(&self) -> Result<(), GuardStop> {
        self.watch.check().map_err(GuardStop::Ended)
    }

    /// How many of the wanted addresses may still be checked. To want more is no error: the others are answered as unchecked.
    pub fn urls(&mut self, wanted: usize) -> usize {
        let granted = wanted.min(URLS - self.urls);
        self.urls += granted;
        granted
    }

    /// How many of the wanted questions may still be asked of models. The others are answered as exhausted.
    pub fn questions(&mut self, wanted: usize) -> usize {
        let granted = wanted.min(QUESTIONS - self.questions);
        self.questions += granted;
        granted
    }
}

impl ResourceLimiter for Meter {
    /// Too much growth ends the call at once: if the guest were told, its own abort would look like any other trap.
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let memory = self.memory.saturating_add((desired - current) as u64);
        if memory > self.memory_limit {
            return Err(GuardStop::Memory(self.memory_limit).into());
        }
        self.memory = memory;
        Ok(true)
    }

    /// Ends the call, as above. A memory that reached the maximum of its own type is the guest's concern.
    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        machine_lack(&error).map_or(Ok(()), |why| Err(GuardStop::Machine(why).into()))
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > TABLE_ELEMENTS {
            return Err(GuardStop::Count(format!("it wanted a table of more than {TABLE_ELEMENTS} elements")).into());
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn tables(&self) -> usize {
        TABLES
    }

    fn memories(&self) -> usize {
        MEMORIES
    }
}
