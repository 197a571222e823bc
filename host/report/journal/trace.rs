//! The trace: every event as one line of JSON. Each line is written when it happens, so that a killed run loses at most the last.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::{Value, json};

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{Error, Fault, FaultKind, Result};

use super::event;
use super::guard_events::GuardEvents;
use super::secrets::Secrets;
use crate::escape;

/// The current time; tests hand in their own clock.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Each line is `{"ts","run","round","seq","event",…}`: `ts` is RFC 3339 in UTC with microseconds, `round` counts from 1 (0
/// before the first), `seq` from 0 without gaps.
pub struct Trace {
    run: String,
    secrets: Secrets,
    clock: Clock,
    state: Mutex<TraceState>,
}

struct TraceState {
    out: Box<dyn Write + Send>,
    round: u32,
    seq: u64,
    guards: GuardEvents,
    /// Number of lines that could not be written, and the error of the first.
    lost: Option<(u64, std::io::Error)>,
}

impl Trace {
    /// `out` should not buffer: each line is one write.
    pub fn new(out: impl Write + Send + 'static, run: impl Into<String>, secrets: Secrets, clock: Clock) -> Self {
        let state = TraceState { out: Box::new(out), round: 0, seq: 0, guards: GuardEvents::default(), lost: None };
        Trace { run: run.into(), secrets, clock, state: Mutex::new(state) }
    }

    /// To be called at the end, since observers cannot fail.
    ///
    /// # Errors
    /// When any line could not be written.
    pub fn finish(&self) -> Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.lost.take() {
            None => Ok(()),
            Some((lines, error)) => Err(Error::new(error).context(
                Fault::new(FaultKind::Git, format!("the trace lacks {lines} lines"))
                    .hint("check the free space and the permissions of the state folder"),
            )),
        }
    }

    /// A line that cannot be written is counted, and the error of the first is kept.
    fn lose(state: &mut TraceState, error: impl Into<std::io::Error>) {
        let (lines, _) = state.lost.get_or_insert((0, error.into()));
        *lines += 1;
    }

    fn write(&self, state: &mut TraceState, name: &str, data: Value) {
        let ts = format!("{:.6}", (self.clock)());
        let mut line = json!({ "ts": ts, "run": self.run, "round": state.round, "seq": state.seq, "event": name });
        if let (Value::Object(line), Value::Object(data)) = (&mut line, data) {
            // An event's data must not overwrite the fields of the line itself.
            data.into_iter().for_each(|(key, value)| {
                line.entry(key).or_insert(value);
            });
        }
        state.seq += 1;
        let line = escape::json(&self.secrets.json(line));
        if let Err(error) = state.out.write_all(&line).and_then(|()| state.out.flush()) {
            Self::lose(state, error);
        }
    }
}

impl Observer for Trace {
    fn see(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Event::RoundStarted { round, .. } = event {
            state.round = *round;
        }
        match event::entry(event) {
            Ok(Some((name, data))) => self.write(&mut state, &name, data),
            Ok(None) => {}
            Err(error) => Self::lose(&mut state, error),
        }
        if let Event::Judged { evidence } = event {
            let round = state.round;
            for (name, data) in state.guards.events(evidence, round) {
                self.write(&mut state, &name, data);
            }
        }
    }
}
