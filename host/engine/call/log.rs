//! What a guard logs during one call.

use crate::limits::{LOG, LOG_LINE};
use crate::text::escape::escape_line;
use guardhost_core::change::LogLine;

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
    pub fn line(&mut self, level: &'static str, text: &str) {
        let text = escape_line(text, LOG_LINE);
        if self.bytes + text.len() > LOG {
            self.dropped += 1;
            return;
        }
        self.bytes += text.len();
        self.lines.push(LogLine { level, text });
    }

    /// A runtime writes its last words in many pieces.
    pub fn stderr(&mut self, bytes: &[u8]) {
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
