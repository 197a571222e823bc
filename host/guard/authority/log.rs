//! `log`: lines for people, figures for records.

use wasmtime::Result;

use crate::change::LogLine;
use crate::guard::bindings::log::{Host, Level};
use crate::guard::call::Call;
use crate::guard::limits::{LOG, LOG_LINE, METRICS, Stop};
use crate::guard::plain::plain_line;

/// A call's log, bounded; what no longer fits is counted.
#[derive(Default)]
pub struct Log {
    lines: Vec<LogLine>,
    bytes: usize,
    dropped: u64,
    /// The last line of standard error, which has not ended yet; never longer than a line may be.
    pending: Vec<u8>,
}

impl Log {
    fn line(&mut self, level: &'static str, text: &str) {
        let text = plain_line(text, LOG_LINE);
        if self.bytes + text.len() > LOG {
            self.dropped += 1;
            return;
        }
        self.bytes += text.len();
        self.lines.push(LogLine { level, text });
    }

    /// A runtime writes its last words in many pieces.
    fn stderr(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LOG_LINE.saturating_sub(self.pending.len());
            self.pending.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.pending);
        self.line("stderr", String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']));
    }

    pub fn finish(mut self) -> Vec<LogLine> {
        if !self.pending.is_empty() {
            self.end_line();
        }
        if self.dropped > 0 {
            let text = format!("{} more lines, past the limit of {} KiB, were dropped", self.dropped, LOG >> 10);
            self.lines.push(LogLine { level: "warn", text });
        }
        self.lines
    }
}

impl Host for Call {
    fn line(&mut self, level: Level, text: String) -> Result<()> {
        self.meter.call()?;
        self.meter.bytes(text.len() as u64)?;
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
        };
        self.log.line(level, &text);
        Ok(())
    }

    fn stderr(&mut self, bytes: Vec<u8>) -> Result<()> {
        self.meter.call()?;
        self.meter.bytes(bytes.len() as u64)?;
        self.log.stderr(&bytes);
        Ok(())
    }

    fn metric(&mut self, name: String, value: f64) -> Result<()> {
        self.meter.call()?;
        if !value.is_finite() {
            return Err(Stop::Misuse(format!("it reported {value} as a figure")).into());
        }
        let name = plain_line(&name, 64);
        if self.metrics.len() == METRICS && !self.metrics.contains_key(&name) {
            return Err(Stop::Count(format!("it reported more than {METRICS} figures")).into());
        }
        self.metrics.insert(name, value);
        Ok(())
    }
}
