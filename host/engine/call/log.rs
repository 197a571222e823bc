//! The log of one call.

use crate::limits::{LOG, LOG_LINE};
use crate::text::escape::escape_line;
use guardhost_core::change::LogLine;

/// Bytes that a line costs beside its text.
const LINE: usize = size_of::<LogLine>();

/// Bounded; lines that no longer fit are counted.
#[derive(Default)]
pub struct CallLog {
    lines: Vec<LogLine>,
    bytes: usize,
    dropped: u64,
    /// The unfinished last line of standard error, at most [`LOG_LINE`] bytes.
    unfinished: Vec<u8>,
}

impl CallLog {
    pub fn line(&mut self, level: &'static str, text: &str) {
        // Counted before it is copied: a guard may send millions of lines. An empty line takes memory too.
        if self.is_full() {
            self.dropped += 1;
            return;
        }
        let text = escape_line(text, LOG_LINE);
        if self.bytes + LINE + text.len() > LOG {
            self.dropped += 1;
            self.bytes = LOG;
            return;
        }
        self.bytes += LINE + text.len();
        self.lines.push(LogLine { level, text });
    }

    fn is_full(&self) -> bool {
        self.bytes + LINE > LOG
    }

    /// Adds the line unless the log has it already.
    pub fn line_once(&mut self, level: &'static str, text: &str) {
        let escaped = escape_line(text, LOG_LINE);
        if !self.lines.iter().any(|line| line.text == escaped) {
            self.line(level, text);
        }
    }

    /// Bytes of standard error, in pieces of any size: language runtimes write an error message in many.
    pub fn stderr(&mut self, bytes: &[u8]) {
        if self.is_full() {
            self.dropped += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            return;
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LOG_LINE.saturating_sub(self.unfinished.len());
            self.unfinished.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.unfinished);
        self.line("stderr", String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']));
    }

    pub fn finish(mut self) -> Vec<LogLine> {
        if !self.unfinished.is_empty() {
            self.end_line();
        }
        if self.dropped > 0 {
            let text = format!("{} more lines, past the limit of {} KiB, were dropped", self.dropped, LOG >> 10);
            self.lines.push(LogLine { level: "warn", text });
        }
        self.lines
    }
}
