//! Where marks of comments stand: in a comment of the language, or in a string that only shows one.

use std::sync::Arc;

use git2::ObjectType;
use guard_files::Kind;
use guardhost_core::change::Oid;
use guardhost_core::error::{Error, Result};

use super::comment;
use crate::embedded::ClaimText;
use crate::readers::{LONGEST, TextQuestions, TextReaders, TextSubject};
use crate::set::GuardSet;

/// What the reader of a file's language says of its text.
pub struct CommentMarks<'a> {
    pub set: &'a GuardSet,
    /// Of the repository.
    pub path: &'a str,
}

impl CommentMarks<'_> {
    fn readers(&self) -> Result<Arc<TextReaders>> {
        Ok(self.set.readers().map_err(|failure| failure.into_fault(self.path))?)
    }

    /// What opens a comment of the language, and what closes it. `text` tells the language where the path does not.
    ///
    /// # Errors
    /// A pinned language cannot be loaded.
    pub fn signs(&self, text: &str) -> Result<Option<(ClaimText, String)>> {
        let readers = self.readers()?;
        let wanted = TextQuestions::OUTLINE;
        let claimed = readers.claim(self.path, wanted).or_else(|| readers.claim_by_first_line(text, wanted));
        let Some((_, claim)) = claimed else { return Ok(None) };
        Ok(match (claim.syntax.line_comments.first(), claim.syntax.block_comments.first()) {
            (Some(open), _) => Some((open.clone(), String::new())),
            (None, Some((open, close))) => Some((open.clone(), format!(" {close}"))),
            (None, None) => None,
        })
    }

    /// Whether the mark of a line, from 1, stands in a comment that begins on this line; None where that is not known.
    ///
    /// # Errors
    /// The work was stopped, or the machine lacks something.
    pub fn is_comment(&self, text: &str, line: u32) -> Result<Option<bool>> {
        let start: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let Some(at) = comment::mark(&text[start..]).map(|at| start + at) else { return Ok(Some(false)) };
        // A string that is a statement does nothing either, and is no comment.
        let signs = self.signs(text)?;
        let opens = |span: &str| signs.as_ref().is_some_and(|(open, _)| span.starts_with(&**open));
        let holds = |spans: Vec<(usize, usize)>| {
            let mut around = spans.into_iter().filter(|(from, to)| (*from..*to).contains(&at));
            around.any(|(from, _)| {
                text.get(from..at).is_some_and(|before| !before.contains('\n')) && opens(&text[from..])
            })
        };
        Ok(self.dead_spans(text)?.map(holds))
    }

    /// Bytes that no program runs. None where that is not known.
    fn dead_spans(&self, text: &str) -> Result<Option<Vec<(usize, usize)>>> {
        let (readers, wanted) = (self.readers()?, TextQuestions::OUTLINE);
        let claimed = readers.claim(self.path, wanted).or_else(|| readers.claim_by_first_line(text, wanted));
        let Some((claimed, _)) = claimed.filter(|_| text.len() as u64 <= LONGEST) else { return Ok(None) };
        let blob =
            Oid::hash_object(ObjectType::Blob, text.as_bytes()).map_err(|error| Error::msg(error.to_string()))?;
        let is_test = self.set.kinds().kind(self.path) == Kind::Test;
        let subject = TextSubject { claimed, wanted, blob, is_test };
        let read = readers.read(&subject, self.set.stop(), || Ok(Ok(text.into())));
        let read = read.map_err(|stop| Error::msg(format!("{}: {stop:?}", self.path)))?;
        let Some(Ok(outline)) = &read.answers.outline else { return Ok(None) };
        Ok(Some(outline.dead.iter().map(|span| (span.start as usize, span.end as usize)).collect()))
    }
}
