//! One language by itself, for its author: what it says of any text, as JSON.

use git2::ObjectType;
use guard_files::{Kind, Kinds};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::component::{ReaderComponent, ReadingCost};
use super::{CachedReadings, NoFacts, ReaderClaims, TextAnswers, TextQuestions, TextReader, TextReaders, TextSubject};
use crate::describe::language::{LanguageInspection, inspect_language};
use crate::embedded::LanguageClaim;
use crate::failure::GuardFailure;
use crate::load::runner::Runner;
use crate::set::EngineContext;
use guardhost_core::change::Oid;
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::stop::StopToken;

/// A language that is not pinned. It keeps no answers.
pub struct SingleLanguage {
    component: Component,
    inspection: LanguageInspection,
    readers: TextReaders,
    stop: StopToken,
}

/// What a language says of a text.
pub struct LanguageOutput {
    /// By question, without what is empty: `problems`, `outline`, `surface`, `signatures`, `names`. `unread` says why a question has no
    /// answer.
    pub facts: Map<String, Value>,
    /// Whether it found problems, was whole, or could not be read, each with the reason.
    pub outcome: TextOutcome,
    pub fuel: u64,
    /// Peak of linear memory, in bytes.
    pub memory: u64,
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextOutcome {
    Whole,
    /// How many problems it has.
    Broken(usize),
    /// No claim is for such a file, or its reader says nothing of it; why.
    Unread(String),
    /// The component failed on it.
    Failed(String),
}

impl SingleLanguage {
    /// Errors: it is no language, does not say its version, or cannot be loaded.
    pub fn new(component: Component, machine: &EngineContext) -> Result<Self, GuardFailure> {
        let inspection = inspect_language(&component, machine)?;
        let runner = Runner::new()?;
        let (reader, claims) = machine.loader(&runner).language(&component, None)?;
        let reader = TextReader {
            name: String::new(),
            digest: component.digest().to_owned(),
            claims: ReaderClaims::Owned(claims),
            component: reader,
            kept: CachedReadings::new(None, component.digest()),
        };
        let readers = TextReaders::from_components(vec![reader]);
        Ok(SingleLanguage { component, inspection, readers, stop: machine.stop.clone() })
    }

    pub fn inspection(&self) -> &LanguageInspection {
        &self.inspection
    }

    pub fn component(&self) -> &Component {
        &self.component
    }

    /// What another instance claims.
    ///
    /// # Errors
    /// As [`SingleLanguage::new`].
    pub fn claims_again(&self, machine: &EngineContext) -> Result<Vec<LanguageClaim>, GuardFailure> {
        Ok(inspect_language(&self.component, machine)?.claims)
    }

    /// The questions that the claim on a file answers, and that this output has no answer to.
    pub fn unanswered(&self, name: &str, output: &LanguageOutput) -> Vec<&'static str> {
        let Some((_, claim)) = self.readers.claim(name, TextQuestions::ALL) else { return Vec::new() };
        let lacks = |question: &&str| output.facts.get(*question).is_none_or(|answer| answer.get("unread").is_some());
        claim.answers.words().filter(lacks).collect()
    }

    /// In a fresh instance. `name` is the file's name, which tells the language.
    ///
    /// # Errors
    /// [`FaultKind::Git`]: this machine failed, or the work was stopped.
    pub fn read(&self, name: &str, text: &str) -> Result<LanguageOutput> {
        let claimed = self.readers.claim(name, TextQuestions::ALL);
        let claimed = claimed.or_else(|| self.readers.claim_by_first_line(text, TextQuestions::ALL));
        let Some((claimed, claim)) = claimed else {
            let outcome = TextOutcome::Unread("it is no file of this language".to_owned());
            return Ok(LanguageOutput { facts: Map::new(), outcome, fuel: 0, memory: 0 });
        };
        let machine = |why: String| Fault::new(FaultKind::Git, why);
        let blob = Oid::hash_object(ObjectType::Blob, text.as_bytes()).map_err(|error| machine(error.to_string()))?;
        let is_test = Kinds::default().kind(name) == Kind::Test;
        let subject = TextSubject { claimed, wanted: claim.answers, blob, is_test };
        let component: &ReaderComponent = &self.readers.components[0].component;
        let (answers, used) = component.read(&subject, text, &self.stop).map_err(|stop| machine(stop.to_string()))?;
        let ReadingCost { fuel, memory } = used;
        Ok(LanguageOutput { facts: facts(&answers), outcome: outcome(&answers), fuel, memory })
    }
}

fn outcome(answers: &TextAnswers) -> TextOutcome {
    let TextAnswers { problems, outline, surface, signatures, names } = answers;
    let failures = [why(problems), why(outline), why(surface), why(signatures), why(names)];
    if let Some(NoFacts::Failed(why)) = failures.into_iter().flatten().find(|why| matches!(why, NoFacts::Failed(_))) {
        return TextOutcome::Failed(why.clone());
    }
    match problems {
        Some(Ok(problems)) if problems.is_empty() => TextOutcome::Whole,
        Some(Ok(problems)) => TextOutcome::Broken(problems.len()),
        Some(Err(why)) => TextOutcome::Unread(why.to_string()),
        // A language whose problems are not asked for.
        None => {
            failures.into_iter().flatten().next().map_or(TextOutcome::Whole, |why| TextOutcome::Unread(why.to_string()))
        }
    }
}

fn why<T>(answer: &Option<Result<T, NoFacts>>) -> Option<&NoFacts> {
    answer.as_ref()?.as_ref().err()
}

fn facts(TextAnswers { problems, outline, surface, signatures, names }: &TextAnswers) -> Map<String, Value> {
    let all = [
        ("problems", answer_json(problems)),
        ("outline", answer_json(outline)),
        ("surface", answer_json(surface)),
        ("signatures", answer_json(signatures)),
        ("names", answer_json(names)),
    ];
    all.into_iter().filter_map(|(question, said)| Some((question.to_owned(), said?))).collect()
}

fn answer_json<T: Serialize>(answer: &Option<Result<T, NoFacts>>) -> Option<Value> {
    Some(match answer.as_ref()? {
        Ok(answer) => without_empty(serde_json::to_value(answer).unwrap_or_default()),
        Err(why) => json!({ "unread": why.to_string() }),
    })
}

/// Without the fields that say nothing: most facts of most texts.
fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| (key, without_empty(value)));
            let says = |value: &Value| match value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                Value::Array(list) => !list.is_empty(),
                Value::Object(fields) => !fields.is_empty(),
                Value::Bool(true) | Value::Number(_) => true,
            };
            Value::Object(fields.filter(|(_, value)| says(value)).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(without_empty).collect()),
        plain => plain,
    }
}
