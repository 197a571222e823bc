//! The stages of one round, with the text that each one left.

use crate::{FileRef, FileText};

use super::LineCounts;
use super::round::Phase;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    Prompt,
    Reply,
    Repaired,
    Account,
    Extracted,
    Sanitized,
    Candidate,
    Fixed,
    Verdicts,
    Part,
    Settle,
}

impl Stage {
    pub const ALL: [Stage; 11] = [
        Stage::Prompt,
        Stage::Reply,
        Stage::Repaired,
        Stage::Account,
        Stage::Extracted,
        Stage::Sanitized,
        Stage::Candidate,
        Stage::Fixed,
        Stage::Verdicts,
        Stage::Part,
        Stage::Settle,
    ];

    /// The name in ids.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Prompt => "prompt",
            Stage::Reply => "reply",
            Stage::Repaired => "repaired",
            Stage::Account => "account",
            Stage::Extracted => "extracted",
            Stage::Sanitized => "sanitized",
            Stage::Candidate => "candidate",
            Stage::Fixed => "fixed",
            Stage::Verdicts => "verdicts",
            Stage::Part => "part",
            Stage::Settle => "settle",
        }
    }

    /// What a run that is at it is at.
    pub fn phase(self) -> Phase {
        match self {
            Stage::Prompt | Stage::Reply => Phase::Answer,
            Stage::Repaired | Stage::Account | Stage::Extracted | Stage::Sanitized | Stage::Candidate => Phase::Patch,
            Stage::Fixed | Stage::Verdicts | Stage::Part => Phase::Guards,
            Stage::Settle => Phase::Settle,
        }
    }

    /// What its text is.
    pub fn meaning(self) -> &'static str {
        match self {
            Stage::Prompt => "What the provider was asked",
            Stage::Reply => "The provider's answer, byte for byte",
            Stage::Repaired => "The answer, repaired so that a patch can be read",
            Stage::Account => "What each line of it was read as",
            Stage::Extracted => "The patch that was found in it",
            Stage::Sanitized => "The patch that may be placed",
            Stage::Candidate => "The change, placed on the tree",
            Stage::Fixed => "The change with the guards' own fixes",
            Stage::Verdicts => "What the guards said",
            Stage::Part => "The part of the change that the guards accept",
            Stage::Settle => "What became of it",
        }
    }

    /// The file of the round that has its text.
    pub fn file(self) -> Option<&'static str> {
        match self {
            Stage::Prompt => Some("prompt.txt"),
            Stage::Reply => Some("reply.txt"),
            Stage::Repaired => Some("mended.txt"),
            Stage::Account => Some("account.json"),
            Stage::Extracted => Some("extracted.patch"),
            Stage::Sanitized => Some("sanitized.patch"),
            Stage::Candidate => Some("final.diff"),
            Stage::Fixed => Some("fixed.diff"),
            Stage::Part => Some("part.diff"),
            Stage::Settle => Some("feedback.txt"),
            Stage::Verdicts => None,
        }
    }

    /// Its text is a diff.
    pub fn is_diff(self) -> bool {
        match self {
            Stage::Extracted | Stage::Sanitized | Stage::Candidate | Stage::Fixed | Stage::Part => true,
            Stage::Prompt | Stage::Reply | Stage::Repaired | Stage::Account | Stage::Verdicts | Stage::Settle => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageState {
    Passed,
    /// The round ended here. Says why.
    Stopped(String),
    /// The run is here now.
    Busy,
    NotReached,
}

#[derive(Debug, Clone)]
pub struct StageView<'a> {
    pub stage: Stage,
    pub state: StageState,
    pub file: Option<&'a FileRef>,
    /// None when the records have no such file, or the bundle has not its text.
    pub text: Option<&'a FileText>,
    /// An earlier stage of the round with the same bytes.
    pub same_as: Option<Stage>,
    /// Lines that differ from the text before it.
    pub counts: Option<LineCounts>,
}
