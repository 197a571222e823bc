//! `guardhost:model`: questions to a model.

use wasmtime::Result;

use crate::bindings::guardhost::guard::types::Denied;
use crate::bindings::guardhost::model::model::{Answer, Failure, Host, Question};
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::limits::{GuardStop, QUESTION_ROLE, QUESTION_SCHEMA, QUESTION_TEXT};
use crate::model::{ModelAnswer, ModelFailure, ModelQuestion};
use guardhost_core::change::Service;

type ModelAnswers = Vec<Result<Answer, Failure>>;

impl Host for StoreData {
    fn ask(&mut self, questions: Vec<Question>) -> Result<Result<ModelAnswers, Denied>> {
        self.change()?;
        if !self.offers(Service::Model, |services| services.models.is_some()) {
            let unavailable = "no model is asked here: `host review` asks one";
            let reply = self
                .consult::<[(); 0], ()>(Service::Model, &[], |_| Ok(ServiceReply::Unavailable(unavailable.into())))?;
            self.unanswered.not_offered();
            return Ok(reply.granted().map(|()| Vec::new()));
        }
        for question in &questions {
            let lengths = [
                ("role", question.role.len(), QUESTION_ROLE),
                ("text", question.text.len(), QUESTION_TEXT),
                ("schema", question.schema.len(), QUESTION_SCHEMA),
            ];
            self.meter.bytes(lengths.iter().map(|(_, length, _)| *length as u64).sum())?;
            if let Some((name, length, most)) = lengths.into_iter().find(|(_, length, most)| length > most) {
                let what = format!("the {name} of a question has {length} bytes; {most} are the most");
                return Err(GuardStop::Misuse(what).into());
            }
        }
        let asked = self.meter.questions(questions.len());
        let mut questions: Vec<ModelQuestion> = questions.into_iter().map(Into::into).collect();
        let past = questions.split_off(asked).len();
        let watch = self.meter.watch().clone();
        let guard = self.guard.clone();
        let reply = self.consult(Service::Model, &questions, |services| {
            let Some(models) = &services.models else { return Ok(ServiceReply::Given(Vec::new())) };
            let answers = watch.wait(|| models.ask(&guard, &questions, watch.token()));
            answers.map(ServiceReply::Given).map_err(GuardStop::Ended)
        })?;
        let answers: Vec<Result<ModelAnswer, ModelFailure>> = match reply.granted() {
            Ok(answers) => answers,
            Err(denied) => return Ok(Err(denied)),
        };
        self.meter.still_running()?;
        if let Some(Err(why)) = answers.first().filter(|_| answers.iter().all(Result::is_err)) {
            self.unanswered.lacks(format!("no model answered: {}", why.why()));
        }
        let mut given: ModelAnswers = Vec::with_capacity(answers.len() + past);
        for answer in answers {
            if let Ok(answer) = &answer {
                self.meter.bytes(answer.json.len() as u64)?;
            }
            given.push(answer.map(Into::into).map_err(Into::into));
        }
        let what = "a judgement may ask no more questions";
        given.resize_with(given.len() + past, || Err(Failure::Exhausted(what.into())));
        Ok(Ok(given))
    }
}

impl From<Question> for ModelQuestion {
    fn from(Question { role, text, schema, member }: Question) -> Self {
        ModelQuestion { role, text, schema, member }
    }
}

impl From<ModelAnswer> for Answer {
    fn from(ModelAnswer { json, by }: ModelAnswer) -> Self {
        Answer { json, by }
    }
}

impl From<ModelFailure> for Failure {
    fn from(failure: ModelFailure) -> Self {
        match failure {
            ModelFailure::Unreadable(why) => Failure::Unreadable(why),
            ModelFailure::NoAnswer(why) => Failure::NoAnswer(why),
            ModelFailure::Exhausted(why) => Failure::Exhausted(why),
        }
    }
}
