//! `guardhost:modules`: what modules import, offer, define and call, of the paths that `repo` may show.

use wasmtime::Result;

use crate::bindings::guardhost::modules::modules::{Call, Function, Host, Imported, Offered, Side, Unknown};
use crate::call::store_data::StoreData;
use crate::capability::readings::{NoReading, Visible};
use crate::readers::{NoFacts, TextAnswers, TextQuestions};

impl Host for StoreData {
    fn imports(&mut self, side: Side, path: String) -> Result<Result<Vec<Imported>, Unknown>> {
        let take = |answers: &TextAnswers| {
            let surface = answers.surface.as_ref()?;
            Some(surface.as_ref().map(|surface| surface.imports.clone()).map_err(NoFacts::clone))
        };
        self.module(side, &path, TextQuestions::SURFACE, take)
    }

    fn offers(&mut self, side: Side, path: String) -> Result<Result<Offered, Unknown>> {
        let take = |answers: &TextAnswers| {
            let surface = answers.surface.as_ref()?;
            Some(surface.as_ref().map(|surface| surface.offered.clone()).map_err(NoFacts::clone))
        };
        self.module(side, &path, TextQuestions::SURFACE, take)
    }

    fn functions(&mut self, side: Side, path: String) -> Result<Result<Vec<Function>, Unknown>> {
        let take = |answers: &TextAnswers| {
            let signatures = answers.signatures.as_ref()?;
            Some(signatures.as_ref().map(|signatures| signatures.functions.clone()).map_err(NoFacts::clone))
        };
        self.module(side, &path, TextQuestions::SIGNATURES, take)
    }

    fn calls(&mut self, side: Side, path: String) -> Result<Result<Vec<Call>, Unknown>> {
        let take = |answers: &TextAnswers| {
            let signatures = answers.signatures.as_ref()?;
            Some(signatures.as_ref().map(|signatures| signatures.calls.clone()).map_err(NoFacts::clone))
        };
        self.module(side, &path, TextQuestions::SIGNATURES, take)
    }
}

impl StoreData {
    fn module<T>(
        &mut self,
        side: Side,
        path: &str,
        question: TextQuestions,
        take: impl FnOnce(&TextAnswers) -> Option<Result<T, NoFacts>>,
    ) -> Result<Result<T, Unknown>> {
        Ok(self.facts_of(side, path, Visible::ByGrant, question, take)?.map_err(|why| match why {
            NoReading::Absent => Unknown::Absent,
            NoReading::NotGranted => Unknown::NotGranted,
            NoReading::BeyondLimit => Unknown::BeyondLimit,
            NoReading::Unclaimed => {
                Unknown::Unreadable("no language of modules that are known has this ending".to_owned())
            }
            NoReading::TooLarge(why) => Unknown::Unreadable(why),
            NoReading::NoFacts(why) => Unknown::Unreadable(why.to_string()),
            NoReading::NoGuard => Unknown::Other(NoReading::NO_GUARD.to_owned()),
        }))
    }
}
