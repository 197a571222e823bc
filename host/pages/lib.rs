//! Recorded runs as pages for people.
//!
//! [`Bundle`] holds what the records of runs hold, as JSON with a version; bundles of several machines merge. `view` derives runs,
//! rounds, stations, findings and statistics from it, and `page` renders them. The same templates give the one file of `host report`
//! ([`report`]) and the pages of a server ([`document`]).
//!
//! Everything in a bundle is untrusted: texts of models, guards, files and other machines. The template engine escapes them, and the pages
//! run no script but their own.

mod bundle;
mod page;
mod view;

pub use bundle::{Bundle, FileRef, GuardNote, Moment, RunData, Text, VERSION};
pub use page::{Document, Limits, Mount, Page, document, report};
