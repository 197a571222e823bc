//! Whether a line that may stand for others stands where lines of the file are missing.

use super::language::{self, Language};
use super::placeholder::Shape;

/// A place in a new text at which a line may stand for others.
pub(super) struct Gap<'l> {
    pub shape: Shape,
    pub line: &'l [u8],
    /// The new lines around it.
    pub above: Option<&'l [u8]>,
    pub below: Option<&'l [u8]>,
    /// Lines of the file that are gone here, and lines that are new here; blank ones and placeholders not counted.
    pub removed: usize,
    pub added: usize,
    /// A line that a hunk adds: without it, nothing would be missing.
    pub is_edit: bool,
}

impl Gap<'_> {
    /// Whether the line can only stand for lines that were left out.
    pub fn is_elision(&self, language: Language) -> bool {
        let is_lossy = self.removed > self.added;
        let lost = self.removed.saturating_sub(self.added);
        // A comment in a document is no text of it.
        let is_hidden = self.line.trim_ascii().starts_with(b"<!--");
        let is_instead = self.is_edit && self.removed > 0;
        match self.shape {
            // Documents show code in which lines are left out.
            Shape::Phrase if language == Language::Prose => {
                is_lossy || is_instead && !language::has_comment_mark(self.line)
            }
            Shape::Phrase => true,
            Shape::Hint => is_lossy && (lost > 3 || !self.continues_comment()),
            Shape::Words if language == Language::Prose => is_instead && is_hidden,
            Shape::Words => is_lossy && lost > 1,
            Shape::CommentDots if is_lossy => lost > 1 || !self.continues_comment(),
            Shape::CommentDots if language == Language::Prose => is_instead && is_hidden,
            Shape::CommentDots => self.is_edit && !self.continues_comment(),
            Shape::Dots if language == Language::Prose => {
                let is_in_list = language::is_item(self.above) && language::is_item(self.below);
                (is_lossy || is_instead && is_in_list) && !language::are_code(language, self.above, self.below, lost)
            }
            Shape::Dots => (is_lossy || self.is_edit) && !language::are_code(language, self.above, self.below, lost),
        }
    }

    fn continues_comment(&self) -> bool {
        language::is_comment(self.above) || language::is_comment(self.below)
    }
}
