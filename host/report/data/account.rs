//! What every line of a reply was read as, for people and programs.

use guardhost_core::change::{AccountPart, LineRole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines of a reply that follow one another and were read as the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "readLines")]
pub struct ReadLines {
    /// From 1, in the repaired reply.
    pub from: usize,
    /// The last of them.
    pub to: usize,
    /// `edit`, `frame` (around an edit), `outside` (of the markers), `shown` (quoted, output, harmless commands), `reading` (a
    /// call that only reads), `prose`, or `rest` (may be an edit: the reply is refused).
    pub part: String,
    /// Its number, from 1.
    pub edit: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExplainedLines {
    #[serde(flatten)]
    pub read: ReadLines,
    /// Each line with a line feed.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "explainedReply")]
pub struct ExplainedReply {
    /// From 1.
    pub round: u32,
    pub lines: Vec<ExplainedLines>,
}

impl ReadLines {
    /// What is recorded of the parts of a reply.
    pub fn from_parts(parts: &[AccountPart]) -> Vec<Self> {
        let read = |part: &AccountPart| ReadLines {
            from: part.lines.start + 1,
            to: part.lines.end,
            part: part.role.label().to_owned(),
            edit: match part.role {
                LineRole::Edit(number) => Some(number + 1),
                LineRole::Frame
                | LineRole::Outside
                | LineRole::Shown
                | LineRole::Reading
                | LineRole::Prose
                | LineRole::Rest => None,
            },
        };
        parts.iter().map(read).collect()
    }

    /// `edit 2`, `prose`.
    pub fn label(&self) -> String {
        self.edit.map_or_else(|| self.part.clone(), |number| format!("{} {number}", self.part))
    }
}

impl ExplainedLines {
    /// The parts with their lines of `reply`, which is the reply as it was repaired. Lines that it does not have are left out.
    pub fn from_reply(reply: &str, read: Vec<ReadLines>) -> Vec<Self> {
        let lines: Vec<&str> = reply.split('\n').collect();
        let explained = |read: ReadLines| {
            let own = lines.get(read.from.checked_sub(1)?..read.to.min(lines.len()))?;
            Some(ExplainedLines { text: own.iter().map(|line| format!("{line}\n")).collect(), read })
        };
        read.into_iter().filter_map(explained).collect()
    }
}
