//! Sends the lines of a trace to the observer, beside the run, which does not wait for it. What cannot be sent goes to the outbox.

use std::fs::File;
use std::io::Write;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use guardhost_observer::client::{Absence, AbsenceReason, Client};
use guardhost_observer::outbox::{Letter, Outbox};
use guardhost_observer::wire::{EventBatch, EventSource, RunEvent};
use serde_json::Value;

/// How long lines are gathered before they are sent: what is seen live is not older.
const GATHER: Duration = Duration::from_millis(100);
/// Lines of one batch.
const BATCH: usize = 500;

/// Takes the lines of one run.
pub struct EventSender {
    lines: Option<Sender<Vec<u8>>>,
    sending: Option<JoinHandle<Vec<Absence>>>,
}

/// A trace's file, whose lines go to the observer too.
pub struct Tee {
    file: File,
    lines: Option<Sender<Vec<u8>>>,
}

impl Tee {
    pub fn new(file: File, events: &EventSender) -> Self {
        Tee { file, lines: events.lines.clone() }
    }
}

impl Write for Tee {
    /// A trace writes each line at once.
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        self.file.write_all(line)?;
        if let Some(lines) = &self.lines {
            // It ends before the trace only when it could not be started.
            let _ = lines.send(line.to_vec());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// What tells the sender that no line follows: the trace keeps its end of the channel.
const LAST: &[u8] = b"";

impl EventSender {
    pub fn start(
        client: Result<Client, Absence>,
        outbox: Outbox,
        repo: String,
        run: String,
        from: EventSource,
    ) -> Self {
        let (lines, waiting) = mpsc::channel();
        let sending = std::thread::Builder::new().name("observer-events".to_owned());
        let sending = sending.spawn(move || match client {
            Ok(client) => Sending { client, outbox, repo, run, from, absences: Vec::new(), left_out: 0 }.run(&waiting),
            Err(absence) => vec![absence],
        });
        EventSender { lines: Some(lines), sending: sending.ok() }
    }

    /// Waits until all lines are sent, or lie in the outbox. What went wrong.
    pub fn finish(&mut self) -> Vec<Absence> {
        if let Some(lines) = self.lines.take() {
            let _ = lines.send(LAST.to_vec());
        }
        self.sending.take().and_then(|sending| sending.join().ok()).unwrap_or_default()
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        self.finish();
    }
}

struct Sending {
    client: Client,
    outbox: Outbox,
    repo: String,
    run: String,
    from: EventSource,
    absences: Vec<Absence>,
    /// Events that are too large.
    left_out: u64,
}

impl Sending {
    fn run(mut self, waiting: &Receiver<Vec<u8>>) -> Vec<Absence> {
        let mut is_last = false;
        while !is_last {
            let Ok(first) = waiting.recv() else { break };
            let mut lines = vec![first];
            let end = Instant::now() + GATHER;
            while lines.len() < BATCH && lines.last().is_none_or(|line| line != LAST) {
                match waiting.recv_timeout(end.saturating_duration_since(Instant::now())) {
                    Ok(line) => lines.push(line),
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
                }
            }
            is_last = lines.last().is_some_and(|line| line == LAST);
            let (events, left_out) = sendable(&lines);
            self.left_out += left_out;
            self.send(events);
        }
        if self.left_out > 0 {
            self.absences.push(Absence { question: "events".into(), reason: AbsenceReason::LeftOut(self.left_out) });
        }
        self.absences
    }

    fn send(&mut self, events: Vec<RunEvent>) {
        if events.is_empty() {
            return;
        }
        let batch = EventBatch { repo: self.repo.clone(), run: self.run.clone(), events, from: self.from.clone() };
        // An observer that was away once is not waited for again in this run.
        if self.absences.is_empty() {
            match self.client.append(&batch) {
                Ok(_) => return,
                Err(absence) => {
                    let is_final = absence.reason.is_final();
                    self.absences.push(absence);
                    if is_final {
                        return;
                    }
                }
            }
        }
        if let Err(absence) = self.outbox.put(&Letter::Events(batch)) {
            let is_said = |known: &Absence| matches!(known.reason, AbsenceReason::NotKept(_));
            if !self.absences.iter().any(is_said) {
                self.absences.push(absence);
            }
        }
    }
}

/// The events of these lines that an observer takes, and how many are too large for one.
fn sendable(lines: &[Vec<u8>]) -> (Vec<RunEvent>, u64) {
    let events = lines.iter().filter_map(|line| event(line));
    let (sent, left_out): (Vec<_>, Vec<_>) = events.partition(|event| event.data_bytes() <= RunEvent::MAX_DATA_BYTES);
    (sent, left_out.len() as u64)
}

/// None for what is no line of a trace.
fn event(line: &[u8]) -> Option<RunEvent> {
    let data: Value = serde_json::from_slice(line).ok()?;
    let (n, name) = (data.get("seq")?.as_u64()?, data.get("event")?.as_str()?.to_owned());
    Some(RunEvent { n, name, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_counted() {
        let line = |n: u64, bytes: usize| {
            let data = serde_json::json!({ "seq": n, "event": "reply", "text": "x".repeat(bytes) });
            data.to_string().into_bytes()
        };
        let around = line(0, 0).len();
        let largest = RunEvent::MAX_DATA_BYTES - around;
        let lines =
            [line(0, 3), line(1, largest), line(2, largest + 1), b"no line of a trace".to_vec(), line(4, 2 << 20)];
        let (sent, left_out) = sendable(&lines);
        assert_eq!(sent.iter().map(|event| event.n).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(left_out, 2);
        assert_eq!(AbsenceReason::LeftOut(1).to_string(), "one event is larger than it takes, and was not sent");
    }
}
