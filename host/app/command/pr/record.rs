//! The record of a command at a forge: a run of its own, whose end says what came of it.

use guardhost_core::change::{RunEnd, RunOutcome};
use guardhost_core::error::{Context as _, Result, kind};
use guardhost_core::process_env::ProcessEnv;
use guardhost_forge::ForgeToken;
use guardhost_git::Repo;
use guardhost_report::journal::{
    Actor, Decision, Object, ObjectBody, RecordedPull, Records, Run, RunCommand, Secrets, Trace,
};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Instant;

use crate::command::start_run::create_records;

/// What came of the command.
pub struct PullEnd {
    pub outcome: RunOutcome,
    /// For `host log`.
    pub said: String,
    /// What was opened, or brought up to date.
    pub pull: Option<RecordedPull>,
}

impl PullEnd {
    pub fn new(outcome: RunOutcome, said: String) -> Self {
        PullEnd { outcome, said, pull: None }
    }
}

pub struct PullRecord {
    pub id: String,
    records: Records,
    /// What was done, as it was done.
    pub trace: Trace,
    begun: Instant,
}

impl PullRecord {
    /// The token is masked in everything that is written.
    pub fn start(
        repo: &Repo,
        task: String,
        base: Option<String>,
        token: &ForgeToken,
        process: &ProcessEnv,
    ) -> Result<Self> {
        let id = uuid::Uuid::now_v7().to_string();
        let records = create_records(repo, &id, Secrets::new(token.secrets()), process)?;
        let (_, file) = records.trace()?;
        let trace = Trace::new(file, &id, Secrets::new(token.secrets()), Arc::new(Timestamp::now));
        let run = Run { command: RunCommand::Pr, task, commit: base, ..Run::default() };
        records.record(&Object::named(id.clone(), ObjectBody::Run(run), Actor::host()))?;
        Ok(PullRecord { id, records, trace, begun: Instant::now() })
    }

    pub fn end<T>(&self, done: Result<T>, of: impl Fn(&T) -> PullEnd) -> Result<T> {
        let (end, rationale, pull_request) = match &done {
            Err(error) => (RunEnd::Failed(kind(error)), format!("{error:#}"), None),
            Ok(report) => {
                let PullEnd { outcome, said, pull } = of(report);
                (RunEnd::Result(outcome), said, pull)
            }
        };
        let micros = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let decision = Decision { rationale: Some(rationale), pull_request, ..Decision::end_of(&self.id, end, micros) };
        let traced = self.trace.finish();
        let recorded = self.records.record(&Object::new(ObjectBody::Decision(decision), Actor::host()));
        let done = done?;
        recorded.context("cannot record the end of the command")?;
        traced?;
        Ok(done)
    }
}
