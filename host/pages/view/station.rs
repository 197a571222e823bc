//! The stations of one round, with the text that each one left.

use crate::{FileRef, FileText};

use super::LineCounts;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Station {
    Prompt,
    Reply,
    Mended,
    Extracted,
    Sanitized,
    Candidate,
    Fixed,
    Verdicts,
    Settle,
}

impl Station {
    pub const ALL: [Station; 9] = [
        Station::Prompt,
        Station::Reply,
        Station::Mended,
        Station::Extracted,
        Station::Sanitized,
        Station::Candidate,
        Station::Fixed,
        Station::Verdicts,
        Station::Settle,
    ];

    /// The name in ids.
    pub fn as_str(self) -> &'static str {
        match self {
            Station::Prompt => "prompt",
            Station::Reply => "reply",
            Station::Mended => "mended",
            Station::Extracted => "extracted",
            Station::Sanitized => "sanitized",
            Station::Candidate => "candidate",
            Station::Fixed => "fixed",
            Station::Verdicts => "verdicts",
            Station::Settle => "settle",
        }
    }

    /// What its text is.
    pub fn meaning(self) -> &'static str {
        match self {
            Station::Prompt => "What the provider was asked",
            Station::Reply => "The provider's answer, byte for byte",
            Station::Mended => "The answer, repaired so that a patch can be read",
            Station::Extracted => "The patch that was found in it",
            Station::Sanitized => "The patch that may be placed",
            Station::Candidate => "The change, placed on the tree",
            Station::Fixed => "The change with the guards' own fixes",
            Station::Verdicts => "What the guards said",
            Station::Settle => "What became of it",
        }
    }

    /// The file of the round that has its text.
    pub fn file(self) -> Option<&'static str> {
        match self {
            Station::Prompt => Some("prompt.txt"),
            Station::Reply => Some("reply.txt"),
            Station::Mended => Some("mended.txt"),
            Station::Extracted => Some("extracted.patch"),
            Station::Sanitized => Some("sanitized.patch"),
            Station::Candidate => Some("final.diff"),
            Station::Fixed => Some("fixed.diff"),
            Station::Settle => Some("feedback.txt"),
            Station::Verdicts => None,
        }
    }

    /// Its text is a diff.
    pub fn is_diff(self) -> bool {
        match self {
            Station::Extracted | Station::Sanitized | Station::Candidate | Station::Fixed => true,
            Station::Prompt | Station::Reply | Station::Mended | Station::Verdicts | Station::Settle => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StationState {
    Passed,
    /// The round ended here. Says why.
    Stopped(String),
    /// The run is here now.
    Busy,
    NotReached,
}

#[derive(Debug, Clone)]
pub struct StationView<'a> {
    pub station: Station,
    pub state: StationState,
    pub file: Option<&'a FileRef>,
    /// None when the records have no such file, or the bundle has not its text.
    pub text: Option<&'a FileText>,
    /// An earlier station of the round with the same bytes.
    pub same_as: Option<Station>,
    /// Lines that differ from the text before it.
    pub counts: Option<LineCounts>,
}
