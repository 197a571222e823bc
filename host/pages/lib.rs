//! Recorded runs as pages for people.
//!
//! [`Bundle`] holds what the records of runs hold, as JSON with a version; bundles of several machines merge. `view` derives runs,
//! rounds, stages, findings and statistics from it, and `page` renders them. The same templates give the one file of `host report`
//! ([`report`]) and the pages of a server ([`document`]).
//!
//! A server answers `GET` of a path with [`Page::of_path`] and [`document`], sends [`Document::policy`] as `content-security-policy`, and names in
//! [`Mount`] where its events come from. It makes the bundle of a page from what it keeps: journal objects ([`Bundle::add_object`]), lines of
//! traces ([`Bundle::add_event`]), or folders of runs ([`Bundle::add_history`]); [`Bundle::assume_alive`] says which runs are at work. Events are
//! server-sent, with ids, and named as in the trace. A page that hears one asks for itself again and lays the answer over what is there: an event
//! that is lost or heard twice does no harm, and `resync` is an event like the others.
//!
//! Everything in a bundle is untrusted: texts of models, guards, files and other machines. The template engine escapes them, and the pages
//! run no script but their own.

mod bundle;
mod page;
mod view;

pub use bundle::{Bundle, FileRef, FileText, GuardNote, Moment, RunData, VERSION};
pub use guardhost_report::{FleetAlarm, FleetDead, FleetLane, FleetReport, FleetWorker};
pub use page::{
    Board, BoardRow, Counted, Document, ListCursor, ListGroup, ListKey, ListSort, Mount, OtherPages, Page,
    PageSettings, RunList, backtest_document, board_document, document, fleet_document, report, report_with_older,
};
pub use view::{OlderRun, RunEndView, RunSummary};
