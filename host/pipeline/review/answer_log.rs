//! Questions and answers, a line each, so that a judgement can be repeated without a model.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_engine::model::{ModelAnswer, ModelFailure, ModelQuestion, Models};
use guardhost_report::journal::Secrets;
use serde::{Deserialize, Serialize};

/// In the folder of a run.
const FILE: &str = "answers.jsonl";

/// Bytes of a record that is read.
const MOST: u64 = 64 << 20;

/// One question, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LoggedAnswer {
    /// Of guard and question: what finds the answer again.
    key: String,
    guard: String,
    member: u32,
    role: String,
    text: String,
    schema: String,
    #[serde(flatten)]
    came: Came,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Came {
    Answer { json: String, by: String },
    Unreadable(String),
    NoAnswer(String),
    Exhausted(String),
}

impl LoggedAnswer {
    fn came(self) -> (String, Result<ModelAnswer, ModelFailure>) {
        let came = match self.came {
            Came::Answer { json, by } => Ok(ModelAnswer { json, by }),
            Came::Unreadable(why) => Err(ModelFailure::Unreadable(why)),
            Came::NoAnswer(why) => Err(ModelFailure::NoAnswer(why)),
            Came::Exhausted(why) => Err(ModelFailure::Exhausted(why)),
        };
        (self.key, came)
    }
}

/// Writes what is asked and answered, keys of providers masked.
pub struct AnswerLog {
    file: Mutex<File>,
    secrets: Secrets,
    /// What was answered in the runs that this one goes on with.
    known: HashMap<String, ModelAnswer>,
}

impl AnswerLog {
    /// In the folder of a run.
    ///
    /// # Errors
    /// The file cannot be made, or is there already.
    pub fn create(dir: &Path, secrets: Secrets) -> Result<Self> {
        let path = dir.join(FILE);
        let file = File::options().append(true).create_new(true).open(&path).with_context(|| cannot("write", &path))?;
        Ok(AnswerLog { file: Mutex::new(file), secrets, known: HashMap::new() })
    }

    /// With the answers in the folders of runs that this one goes on with, the newest first. What was not answered there, or cannot be read, is asked again.
    pub fn knowing(mut self, earlier: impl IntoIterator<Item = PathBuf>) -> Self {
        for dir in earlier {
            let path = dir.join(FILE);
            let text = match std::fs::metadata(&path) {
                Ok(file) if file.len() <= MOST => std::fs::read_to_string(&path).unwrap_or_default(),
                Ok(_) | Err(_) => continue,
            };
            // A host that was killed may have left half a line.
            for line in text.lines().filter_map(|line| serde_json::from_str::<LoggedAnswer>(line).ok()) {
                if let (key, Ok(answer)) = line.came() {
                    self.known.entry(key).or_insert(answer);
                }
            }
        }
        self
    }

    /// What the same question of the same guard, masked already, was answered in an earlier run; recorded in this one too.
    pub fn known(&self, guard: &str, question: &ModelQuestion) -> Option<ModelAnswer> {
        let answer = self.known.get(&key(guard, question))?.clone();
        self.write(guard, question, &Ok(answer.clone()));
        Some(answer)
    }

    /// The question as it is sent and recorded.
    pub fn masked(&self, question: &ModelQuestion) -> ModelQuestion {
        let mask = |text: &str| self.secrets.text(text).into_owned();
        ModelQuestion { role: mask(&question.role), text: mask(&question.text), ..question.clone() }
    }

    /// Of a question that is masked already. What cannot be written is lost, and the review goes on: it is judged by what was answered.
    pub fn write(&self, guard: &str, question: &ModelQuestion, answer: &Result<ModelAnswer, ModelFailure>) {
        let ModelQuestion { role, text, schema, member } = question.clone();
        let came = match answer.clone() {
            Ok(ModelAnswer { json, by }) => Came::Answer { json: self.secrets.text(&json).into_owned(), by },
            Err(ModelFailure::Unreadable(why)) => Came::Unreadable(self.secrets.text(&why).into_owned()),
            Err(ModelFailure::NoAnswer(why)) => Came::NoAnswer(self.secrets.text(&why).into_owned()),
            Err(ModelFailure::Exhausted(why)) => Came::Exhausted(why),
        };
        let line =
            LoggedAnswer { key: key(guard, question), guard: guard.to_owned(), member, role, text, schema, came };
        if let Ok(mut line) = serde_json::to_string(&line) {
            line.push('\n');
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = file.write_all(line.as_bytes());
        }
    }
}

fn key(guard: &str, question: &ModelQuestion) -> String {
    let mut hasher = blake3::Hasher::new();
    let member = question.member.to_le_bytes();
    for part in
        [guard.as_bytes(), question.role.as_bytes(), question.text.as_bytes(), question.schema.as_bytes(), &member]
    {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex().to_string()
}

fn cannot(what: &str, path: &Path) -> Fault {
    Fault::new(FaultKind::Usage, format!("cannot {what} the record of answers {}", path.display()))
}

/// Answers from a record: the same judgement again, byte for byte, and no model is asked.
pub struct RecordedModels(HashMap<String, Result<ModelAnswer, ModelFailure>>);

impl RecordedModels {
    /// # Errors
    /// [`FaultKind::Usage`]: the file cannot be read, or is none of [`AnswerLog`].
    pub fn read(path: &Path) -> Result<Self> {
        let size = std::fs::metadata(path).with_context(|| cannot("read", path))?.len();
        if size > MOST {
            return Err(cannot("read", path).hint(format!("it has {size} bytes; {MOST} are the most")).into());
        }
        let text = std::fs::read_to_string(path).with_context(|| cannot("read", path))?;
        let mut answers = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line: LoggedAnswer = serde_json::from_str(line).with_context(|| {
                cannot("read", path)
                    .hint(format!("line {number} is no question with its answer, as `host review` records them"))
            })?;
            answers.extend([line.came()]);
        }
        Ok(RecordedModels(answers))
    }
}

impl Models for RecordedModels {
    fn ask(
        &self,
        guard: &str,
        questions: &[ModelQuestion],
        stop: &StopToken,
    ) -> Result<Vec<Result<ModelAnswer, ModelFailure>>, Stopped> {
        stop.check()?;
        let answer = |question| {
            let none = || Err(ModelFailure::NoAnswer("the record has no answer to this question".to_owned()));
            self.0.get(&key(guard, question)).cloned().unwrap_or_else(none)
        };
        Ok(questions.iter().map(answer).collect())
    }
}
