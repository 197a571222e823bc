//! Server-sent events, as far as chat servers use them: the `data` of each event.
//!
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>. Event names are ignored: the data
//! holds the same information.

/// Splits a stream of bytes into events, wherever the chunks end.
#[derive(Default)]
pub(super) struct Decoder {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// A line that ended in CR may end in CR LF.
    after_cr: bool,
    data: Option<Vec<u8>>,
}

impl Decoder {
    /// The data of every event that these bytes complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, *byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(*byte),
            }
        }
        events
    }

    /// The event that the end of the stream completes. The standard drops it; some servers leave out the last empty line.
    pub(super) fn finish(&mut self) -> Option<Vec<u8>> {
        self.end_line().or_else(|| self.data.take())
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line);
        if line.is_empty() {
            return self.data.take();
        }
        if let Some(value) = line.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => data.extend([b"\n", value].concat()),
                data => *data = Some(value.to_vec()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &[u8] =
        "\u{feff}: hello\nevent: x\r\ndata: {\"a\":\r\ndata:\"é\"}\r\rid: 1\n\ndata: [DONE]\n\ndata: last".as_bytes();

    #[test]
    fn events_do_not_depend_on_where_the_chunks_end() {
        for size in 1..STREAM.len() {
            let mut decoder = Decoder::default();
            let mut events: Vec<_> = STREAM.chunks(size).flat_map(|chunk| decoder.feed(chunk)).collect();
            events.extend(decoder.finish());
            let events: Vec<_> = events.iter().map(|event| String::from_utf8_lossy(event)).collect();
            assert_eq!(events, ["{\"a\":\n\"é\"}", "[DONE]", "last"], "in chunks of {size}");
        }
    }
}
