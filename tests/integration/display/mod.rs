//! The formats of reports: snapshots, schemas, and hostile text in all of them.

mod for_tools;
pub mod hostile_text;
mod reports;
mod sarif;

use guardhost_display::{Appearance, OutputFormat};

pub const LOOK: Appearance =
    Appearance { color: false, width: None, unicode: true, verbose: false, rules: guardhost_display::NO_RULES };
pub const FORMATS: [OutputFormat; 10] = [
    OutputFormat::Human,
    OutputFormat::Json,
    OutputFormat::Sarif,
    OutputFormat::Junit,
    OutputFormat::Github,
    OutputFormat::Gitlab,
    OutputFormat::Rdjson,
    OutputFormat::Rdjsonl,
    OutputFormat::AgentTrace,
    OutputFormat::Short,
];
