//! What pages show, derived from a bundle: runs, rounds, stages, changes, findings, and figures over all runs.

mod audit;
mod change;
mod colours;
mod difference;
mod figures;
mod issues;
mod judgement;
mod older;
mod round;
mod run;
mod stage;
mod summary;
mod words;

pub use audit::AuditPair;
pub use change::{ChangedFileView, DiffLine, HunkView, SideView, change, with_surroundings};
pub use colours::{Colours, colours};
pub use difference::{LineCounts, line_counts};
pub use figures::{Figures, GuardFigures, percentile};
pub use issues::IssueView;
pub use judgement::{GuardView, findings_of_text};
pub use older::OlderRun;
pub use round::{Phase, RoundEnd, RoundView};
pub use run::{RunEndView, RunView, newest_first, runs};
pub use stage::{Stage, StageState, StageView};
pub use summary::RunSummary;
pub use words::marks;
