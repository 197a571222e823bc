//! The JSON between a client and the observer. Fields may be added; a reader skips those that it does not know.

mod claim;
mod event;
mod fingerprint;
mod history;
mod observation;
mod problem;

pub use claim::{ClaimRequest, ClaimState, HeldClaim, Released, TTL_DEFAULT, TTL_MAX, TTL_MIN};
pub use event::{Appended, EventBatch, EventSource, RunEvent, StoredEvent};
pub use fingerprint::{DeclaredDependencies, LanguageCount, TreeFacts};
pub use history::{
    AgentIdentity, BlameLine, ChangedDefinition, Churn, ChurnEntry, DefinitionDelta, Definitions, Diff, DiffFile,
    ExportedName, FileChurn, FileExports, FileFingerprint, ImportedName, RepositoryContext, Symbol, SymbolCallee,
    SymbolCaller, SymbolParameter,
};
pub use observation::{ClaimFence, NewObservation, Observation, Posted};
pub use problem::{Problem, ProblemCode};
