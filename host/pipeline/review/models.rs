//! Asks providers for guards.

use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::change::Usage;
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_engine::model::{ModelAnswer, ModelFailure, ModelQuestion, Models};
use guardhost_provider::{Chain, ProviderRuntime};

use super::answer_log::AnswerLog;
use super::ask::Asker;

type ModelResult = Result<ModelAnswer, ModelFailure>;

/// Members of a panel, each a chain of providers. Those that differ are asked in parallel, one that is asked twice in turn.
pub struct ProviderModels {
    members: Vec<Mutex<Asker>>,
    runtime: ProviderRuntime,
    log: Arc<AnswerLog>,
}

impl ProviderModels {
    /// Of at least one chain.
    pub fn new(members: Vec<Chain>, runtime: ProviderRuntime, log: Arc<AnswerLog>) -> Self {
        ProviderModels {
            members: members.into_iter().map(|chain| Mutex::new(Asker::new(chain))).collect(),
            runtime,
            log,
        }
    }

    /// What the answers of each member took so far.
    pub fn spent(&self) -> Vec<Usage> {
        self.members.iter().map(|member| member.lock().unwrap_or_else(PoisonError::into_inner).spent()).collect()
    }

    fn answer(
        &self,
        guard: &str,
        question: &ModelQuestion,
        stop: &StopToken,
    ) -> Result<Result<ModelAnswer, ModelFailure>, Stopped> {
        let question = self.log.masked(question);
        let Some(member) = self.members.get(question.member as usize % self.members.len().max(1)) else {
            return Ok(Err(ModelFailure::NoAnswer("no provider is configured".to_owned())));
        };
        if let Some(known) = self.log.known(guard, &question) {
            return Ok(Ok(known));
        }
        let text = format!("{}\n\n{}", question.role, question.text);
        let mut asker = member.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = asker.ask(&text, &question.schema, &self.runtime, stop)?;
        self.log.write(guard, &question, &answer);
        Ok(answer)
    }
}

impl Models for ProviderModels {
    fn ask(
        &self,
        guard: &str,
        questions: &[ModelQuestion],
        stop: &StopToken,
    ) -> Result<Vec<Result<ModelAnswer, ModelFailure>>, Stopped> {
        let count = self.members.len().max(1);
        let mut answers: Vec<Option<ModelResult>> = vec![None; questions.len()];
        // A thread a member: the questions to one are asked in their order, as a recording has them.
        let asked: Vec<Result<Vec<(usize, ModelResult)>, Stopped>> = std::thread::scope(|scope| {
            let of_member = |member: usize| {
                let mine = questions
                    .iter()
                    .enumerate()
                    .filter(move |(_, question)| question.member as usize % count == member);
                move || mine.map(|(at, question)| Ok((at, self.answer(guard, question, stop)?))).collect()
            };
            let threads: Vec<_> = (0..count).map(|member| scope.spawn(of_member(member))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        for (at, answer) in asked.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            answers[at] = Some(answer);
        }
        let none = || Err(ModelFailure::NoAnswer("it was not asked".to_owned()));
        Ok(answers.into_iter().map(|answer| answer.unwrap_or_else(none)).collect())
    }
}
