//! `guardhost:language`: what files are written in, and what their texts say.

use wasmtime::Result;

use crate::bindings::guardhost::guard::types::Side;
use crate::bindings::guardhost::language::languages::{Host, Language, Names, Outline, Problem, Unknown};
use crate::call::store_data::StoreData;
use crate::capability::readings::{NoReading, Visible};
use crate::embedded::ClaimText;
use crate::readers::bindings::guardhost::language::text_facts::Unread;
use crate::readers::{NoFacts, TextAnswers, TextQuestions};

impl crate::bindings::guardhost::language::text_facts::Host for StoreData {}

impl Host for StoreData {
    fn language_of(&mut self, path: String) -> Result<Option<Language>> {
        let change = self.change()?;
        self.meter.bytes(path.len() as u64)?;
        let Some(readers) = change.readers()? else { return Ok(None) };
        let has = |question| readers.claim(&path, question).is_some();
        let (has_syntax, has_outline) = (has(TextQuestions::PROBLEMS), has(TextQuestions::OUTLINE));
        let (has_names, has_signatures) = (has(TextQuestions::NAMES), has(TextQuestions::SIGNATURES));
        let claim = |question| readers.claim(&path, question);
        let claim = claim(TextQuestions::PROBLEMS).or_else(|| claim(TextQuestions::ALL));
        Ok(claim.map(|(claimed, claim)| {
            self.record_language(readers.identity(&claimed));
            let texts = |texts: &[ClaimText]| texts.iter().map(|text| text.to_string()).collect();
            let blocks = claim.syntax.block_comments.iter();
            Language {
                name: claim.language.to_string(),
                endings: texts(&claim.endings),
                line_comments: texts(&claim.syntax.line_comments),
                block_comments: blocks.map(|(open, close)| (open.to_string(), close.to_string())).collect(),
                sleep_marks: texts(&claim.sleep_marks),
                error_marks: texts(&claim.error_marks),
                has_syntax,
                has_outline,
                has_names,
                has_signatures,
            }
        }))
    }

    fn problems_of(&mut self, side: Side, path: String) -> Result<Result<Vec<Problem>, Unknown>> {
        let answer = self.facts_of(side, &path, Visible::ByChange, TextQuestions::PROBLEMS, problems)?;
        Ok(answer.map_err(Unknown::from))
    }

    fn problems_of_text(&mut self, path: String, text: String) -> Result<Result<Vec<Problem>, Unknown>> {
        let answer = self.facts_of_text(&path, text, TextQuestions::PROBLEMS, problems)?;
        Ok(answer.map_err(Unknown::from))
    }

    fn outline_of(&mut self, side: Side, path: String) -> Result<Result<Outline, Unknown>> {
        let outline = |answers: &TextAnswers| answers.outline.clone();
        let answer = self.facts_of(side, &path, Visible::ByChange, TextQuestions::OUTLINE, outline)?;
        Ok(answer.map_err(Unknown::from))
    }

    fn names_of(&mut self, side: Side, path: String) -> Result<Result<Names, Unknown>> {
        let names = |answers: &TextAnswers| answers.names.clone();
        let answer = self.facts_of(side, &path, Visible::ByChange, TextQuestions::NAMES, names)?;
        Ok(answer.map_err(Unknown::from))
    }
}

fn problems(answers: &TextAnswers) -> Option<Result<Vec<Problem>, NoFacts>> {
    answers.problems.clone()
}

impl From<NoReading> for Unknown {
    fn from(why: NoReading) -> Self {
        match why {
            NoReading::Absent => Unknown::Absent,
            NoReading::NotGranted => Unknown::NotGranted,
            NoReading::BeyondLimit => Unknown::BeyondLimit,
            NoReading::Unclaimed | NoReading::NoFacts(NoFacts::Unread(Unread::Unsupported)) => Unknown::Unsupported,
            NoReading::TooLarge(why) | NoReading::NoFacts(NoFacts::NotText(why)) => Unknown::Unreadable(why),
            NoReading::NoFacts(NoFacts::Failed(why)) => Unknown::Failed(why),
            NoReading::NoFacts(NoFacts::Unread(Unread::Broken)) => Unknown::Broken,
            NoReading::NoFacts(NoFacts::Unread(Unread::TooDeep)) => Unknown::TooDeep,
            NoReading::NoFacts(NoFacts::Unread(Unread::Foreign(language))) => Unknown::Foreign(language),
            NoReading::NoFacts(NoFacts::Unread(Unread::Other(why))) => Unknown::Other(why),
            NoReading::NoGuard => Unknown::Other(NoReading::NO_GUARD.to_owned()),
        }
    }
}
