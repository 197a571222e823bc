//! The trace: every event as one line of JSON, written at once, so that a run that is killed leaves all but its last line.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::{Value, json};

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{Fault, Kind, Result};

use super::secrets::Secrets;
use crate::escape;
use crate::json::event;

/// What time it is; tests bring their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Each line is `{"ts","run","round","seq","event",…}`: `ts` is RFC 3339 in UTC with microseconds, `round` counts from 1 (0
/// before the first), `seq` from 0 without gaps.
pub struct Trace {
    run: String,
    secrets: Secrets,
    clock: Clock,
    state: Mutex<State>,
}

struct State {
    out: Box<dyn Write + Send>,
    round: u32,
    seq: u64,
    /// Lines that could not be written, and why not the first of them.
    lost: Option<(u64, std::io::Error)>,
}

impl Trace {
    /// `out` should not buffer: a line is one write.
    pub fn new(out: impl Write + Send + 'static, run: impl Into<String>, secrets: Secrets, clock: Clock) -> Self {
        let state = State { out: Box::new(out), round: 0, seq: 0, lost: None };
        Trace { run: run.into(), secrets, clock, state: Mutex::new(state) }
    }

    /// An error if any line could not be written. To be asked at the end: observers do not fail.
    pub fn finish(&self) -> Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.lost.take() {
            None => Ok(()),
            Some((lines, error)) => {
                Err(Fault::new(Kind::Git, format!("the trace lacks {lines} of its lines: {error}"))
                    .hint("look at the free space and the permissions of the state folder")
                    .into())
            }
        }
    }

    fn write(&self, state: &mut State, name: &str, data: Value) {
        let ts = format!("{:.6}", (self.clock)());
        let mut line = json!({ "ts": ts, "run": self.run, "round": state.round, "seq": state.seq, "event": name });
        if let (Value::Object(line), Value::Object(data)) = (&mut line, data) {
            // What the line itself says is not for an event's data to change.
            data.into_iter().for_each(|(key, value)| {
                line.entry(key).or_insert(value);
            });
        }
        state.seq += 1;
        let line = escape::json(&self.secrets.json(line));
        if let Err(error) = state.out.write_all(&line).and_then(|()| state.out.flush()) {
            let (lines, _) = state.lost.get_or_insert((0, error));
            *lines += 1;
        }
    }
}

impl Observer for Trace {
    fn see(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Event::RoundStarted { round, .. } = event {
            state.round = *round;
        }
        if let Some((name, data)) = event::entry(event) {
            self.write(&mut state, name, data);
        }
        if let Event::Judged { evidence } = event
            && let Some((name, data)) = event::of_guard(evidence)
        {
            self.write(&mut state, name, data);
        }
    }
}
