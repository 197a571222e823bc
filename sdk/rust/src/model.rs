//! Questions to models. Whoever uses this imports `model`.

pub use crate::bindings::guardhost::model::model::{Answer, Failure, Question};
use crate::{Denied, Source};

/// Models, asked by the host: it chooses the providers, masks secrets, and records questions and answers. What a model says is an
/// opinion: check what can be checked.
#[derive(Clone, Copy)]
pub struct Models<'c>(pub(crate) &'c Source);

impl Models<'_> {
    /// One answer a question, in order. Ask what does not depend on one another at once: the host asks several providers in parallel. A
    /// judgement may ask 32 questions.
    pub fn ask(&self, questions: &[Question]) -> Result<Vec<Result<Answer, Failure>>, Denied> {
        self.0.ask(questions)
    }
}
