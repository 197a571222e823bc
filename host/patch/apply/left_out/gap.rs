//! Whether a line that may stand for others stands where lines of the file are missing.

use super::placeholder::Shape;
use super::text::{self, TextKind};

/// A place in a new text at which a line may stand for others.
pub(super) struct Gap<'l> {
    pub shape: Shape,
    pub line: &'l [u8],
    /// The new lines around it.
    pub above: Option<&'l [u8]>,
    pub below: Option<&'l [u8]>,
    /// It is below a line of Python's interpreter, with no blank line between.
    pub is_example: bool,
    /// Lines of the file that are gone here, and lines that are new here; blank ones and placeholders not counted.
    pub removed: usize,
    pub added: usize,
    /// It is added where a hunk removes lines, be they blank.
    pub is_instead: bool,
    pub text: GapText,
}

/// What the new text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GapText {
    NewFile,
    /// In place of a file that exists.
    WholeFile,
    /// Lines that a hunk adds: without them, nothing would be missing.
    Edit,
}

/// Lines that a body of `...` may replace: a stub takes the place of `pass` or of an exception, not of a function.
const STUB: usize = 3;

impl Gap<'_> {
    /// Whether the line can only stand for lines that were left out.
    pub fn is_elision(&self, kind: TextKind) -> bool {
        let is_lossy = self.removed > self.added;
        let lost = self.removed.saturating_sub(self.added);
        // A comment in a document is no text of it.
        let is_hidden = self.line.trim_ascii().starts_with(b"<!--");
        let is_instead = self.is_instead;
        let is_over = self.text != GapText::NewFile;
        let are_code = || self.are_code(kind, lost);
        match self.shape {
            // Documents show code in which lines are left out.
            Shape::Phrase if kind == TextKind::Prose => {
                is_lossy || is_over && is_hidden || is_instead && !text::has_comment_mark(self.line)
            }
            Shape::Phrase => true,
            Shape::Hint => is_lossy && (lost > 3 || !self.continues_comment()),
            Shape::Stub => self.text == GapText::WholeFile && lost > 1,
            Shape::Promise => kind != TextKind::Prose && is_lossy,
            Shape::Words if kind == TextKind::Prose => (is_instead || is_lossy) && is_hidden,
            Shape::Remark if kind == TextKind::Prose => is_lossy && is_hidden,
            Shape::Words | Shape::Remark => is_lossy && lost > 1,
            Shape::CommentDots if is_lossy => lost > 1 || !self.continues_comment(),
            Shape::CommentDots if kind == TextKind::Prose => is_instead && is_hidden,
            Shape::CommentDots => is_over && (is_instead || !self.continues_comment()),
            Shape::Dots if kind == TextKind::Prose => {
                let is_in_list = text::is_item(self.above) && text::is_item(self.below);
                (is_lossy || is_instead && is_in_list) && !are_code()
            }
            // In a file of data, a line of dots may be new data.
            Shape::Dots if kind == TextKind::Data && self.text != GapText::Edit => is_lossy && !are_code(),
            Shape::Dots => (is_lossy || is_over) && !are_code(),
        }
    }

    /// Whether dots alone on a line are meant there: as the body of a declaration, as a parameter of C, in an example of Python's
    /// interpreter. `lost`: how many lines are missing at that place.
    fn are_code(&self, kind: TextKind, lost: usize) -> bool {
        let line = self.line;
        if line.trim_ascii() != b"..." {
            return kind == TextKind::Stubs;
        }
        let (above, below) = (self.above.unwrap_or_default(), self.below.unwrap_or_default());
        // A body is indented, and ends with its dots.
        let is_alone = text::margin(line) > 0 && (below.is_empty() || text::margin(below) < text::margin(line));
        let (above, below) = (above.trim_ascii(), below.trim_ascii());
        let is_example = self.is_example || above.starts_with(b"...");
        let is_body = is_alone && (above.ends_with(b":") || above.ends_with(b"\"\"\"") || above.ends_with(b"'''"));
        let is_parameter = above.ends_with(b",") && below.starts_with(b")");
        match kind {
            TextKind::Stubs => true,
            TextKind::Python => lost <= STUB && (is_body || is_example || is_parameter),
            TextKind::Prose | TextKind::Data => lost <= STUB && is_example,
            TextKind::Other => lost <= STUB && (is_parameter || is_example),
        }
    }

    /// Whether the line is one of several of a comment. Below the last of them, nothing is indented deeper.
    fn continues_comment(&self) -> bool {
        let is_inner = |below: &[u8]| text::margin(below) > text::margin(self.line);
        let continues = |other: Option<&[u8]>| other.is_some_and(|other| text::are_one_comment(self.line, other));
        !self.below.is_some_and(is_inner) && (continues(self.above) || continues(self.below))
    }
}
