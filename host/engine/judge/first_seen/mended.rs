//! Files that no reader of a language could follow in the base, and one can now: what broke them, hid them or made them too large is gone.

use guard_files::Kind;
use guardhost_core::change::{Blob, RepoPath, TreeEntry};

use super::strictness;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::limits::GuardStop;
use crate::readers::{LONGEST, NoFacts, TextAnswers, TextQuestions, TextReaders, TextSubject, Unread};
use crate::set::GuardSet;

/// The questions by whose answers guards judge.
const FACTS: [TextQuestions; 4] =
    [TextQuestions::OUTLINE, TextQuestions::NAMES, TextQuestions::SIGNATURES, TextQuestions::SURFACE];

pub(super) struct Mended<'a> {
    change: &'a ChangeView,
    set: &'a GuardSet,
    readers: &'a TextReaders,
}

/// What a reader says to one question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Facts,
    /// It cannot follow the text.
    Hidden,
    /// It has no facts of this kind for this text; if it has none of any kind, it cannot follow the text either.
    None,
}

impl<'a> Mended<'a> {
    /// None where the readers cannot be loaded, which is the failure of the guards that ask them.
    pub(super) fn new(change: &'a ChangeView, set: &'a GuardSet) -> Option<Self> {
        Some(Mended { change, set, readers: change.readers().ok().flatten()? })
    }

    /// Whether the file had no facts in the base, of some kind, and has them now. Of what nobody wrote here guards ask for none. What cannot be
    /// read now is the failure of the guards that ask for it.
    pub(super) fn brings(&self, file: usize) -> bool {
        let path = self.change.candidate.files[file].path.to_string();
        let before = self.change.candidate.files[file].before;
        strictness(self.set.kinds().kind(&path)) > 0 && before.is_some_and(|it| self.comes(file, it) == Some(true))
    }

    /// Whether all facts that the file has now could be had of this content of it, too.
    pub(super) fn could_read(&self, file: usize, content: Blob) -> bool {
        self.comes(file, content) == Some(false)
    }

    /// Whether the file has facts now that this content of it had not; None where that cannot be told.
    fn comes(&self, file: usize, content: Blob) -> Option<bool> {
        let path_of = |side| self.change.path_of(file, side);
        let before = self.answers(path_of(TreeSide::Before)?, content).ok()?;
        let after = self.answers(path_of(TreeSide::After)?, self.change.candidate.files[file].after?).ok()?;
        let is_mute = !before.contains(&Answer::Facts);
        let comes = |(was, is): (&Answer, &Answer)| {
            *is == Answer::Facts && (*was == Answer::Hidden || (is_mute && *was == Answer::None))
        };
        Some(before.iter().zip(&after).any(comes))
    }

    /// To each of [`FACTS`]; where no reader answers for such a file, all is hidden.
    fn answers(&self, path: &RepoPath, content: Blob) -> Result<[Answer; FACTS.len()], GuardStop> {
        let Blob { oid, mode, size } = content;
        let mut answers = [Answer::Hidden; FACTS.len()];
        let text = || self.change.text_of_object(TreeEntry { oid, mode });
        let is_test = self.set.kinds().kind(&path.to_string()) == Kind::Test;
        for (index, question) in FACTS.into_iter().enumerate().filter(|_| size <= LONGEST) {
            let claimed = self.readers.claim_of(path, question, || text().map(Result::ok))?;
            let Some((claimed, claim)) = claimed else { continue };
            let wanted = claim.read_with(question, size, true);
            let subject = TextSubject { claimed, wanted, blob: oid, is_test };
            answers[index] = said(&self.readers.read(&subject, self.set.stop(), text)?.answers)[index];
        }
        Ok(answers)
    }
}

/// In the order of [`FACTS`].
fn said(answers: &TextAnswers) -> [Answer; FACTS.len()] {
    let TextAnswers { problems: _, outline, names, signatures, surface } = answers;
    [kind(outline), kind(names), kind(signatures), kind(surface)]
}

fn kind<T>(answer: &Option<Result<T, NoFacts>>) -> Answer {
    match answer {
        Some(Ok(_)) => Answer::Facts,
        Some(Err(NoFacts::Failed(_) | NoFacts::NotText(_))) => Answer::Hidden,
        Some(Err(NoFacts::Unread(Unread::Broken | Unread::TooDeep | Unread::Foreign(_)))) => Answer::Hidden,
        Some(Err(NoFacts::Unread(Unread::Unsupported | Unread::Other(_)))) | None => Answer::None,
    }
}
