//! What each line of a reply was read as.

use std::ops::Range;

/// A partition of the lines of a reply. It has no part for a line that looks like an edit and was not read, so a reply
/// with such a line has no account, and no [`Patch`](super::Patch).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    parts: Vec<AccountPart>,
}

/// Lines that follow one another and were read as the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPart {
    /// Counted from 0, in the reply as `repair` left it.
    pub lines: Range<usize>,
    pub role: LineRole,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineRole {
    /// A part of the edit with this number, from 0, in the order of the reply.
    Edit(usize),
    /// A name, a fence, a tag or a marker around an edit.
    Frame,
    /// Text outside of the markers that a prompt asks for.
    Outside,
    /// A fenced text that is no edit: a quotation, an example, output, commands that change no file.
    Shown,
    /// The call of a tool that changes nothing.
    Reading,
    /// Text without lines that look like an edit, and blank lines.
    Prose,
    /// Lines that may be an edit, and that nobody read. No [`Account`] has them.
    Rest,
}

impl LineRole {
    pub fn label(self) -> &'static str {
        match self {
            LineRole::Edit(_) => "edit",
            LineRole::Frame => "frame",
            LineRole::Outside => "outside",
            LineRole::Shown => "shown",
            LineRole::Reading => "reading",
            LineRole::Prose => "prose",
            LineRole::Rest => "rest",
        }
    }
}

impl Account {
    /// The account of a reply with so many lines; None unless every line is in exactly one part, and none is rest.
    pub fn closed(lines: usize, parts: Vec<AccountPart>) -> Option<Self> {
        let mut next = 0;
        let follows = |part: &AccountPart| {
            let is_next = part.lines.start == next && part.lines.end > next;
            next = part.lines.end;
            is_next && part.role != LineRole::Rest
        };
        let is_partition = parts.iter().all(follows);
        (is_partition && next == lines).then_some(Account { parts })
    }

    /// Of a patch that a program made: there is no reply.
    pub fn made_by_program() -> Self {
        Account::default()
    }

    pub fn parts(&self) -> &[AccountPart] {
        &self.parts
    }
}
