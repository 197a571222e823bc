//! Messages between the headers of the Language Server Protocol's base protocol, of bounded length: the protocol's library makes room for as
//! many bytes as a header says, before there are any.

use std::io::{self, BufRead, Read};

use crate::json_rpc::{BEGINNING, MAX_MESSAGE};

/// Bytes of the headers of one message. The protocol has two, of less than 100 bytes each.
const MAX_HEADERS: u64 = 4 << 10;

/// What is between two headers.
#[derive(Debug, PartialEq, Eq)]
pub enum LspFrame {
    Whole(Vec<u8>),
    /// The beginning of a message that is longer than the limit. The rest is read over before the next one.
    TooLong(Vec<u8>),
}

pub struct Frames<R> {
    input: R,
    /// Bytes of the last message that are still to be read over.
    rest: u64,
}

impl<R: BufRead> Frames<R> {
    pub fn new(input: R) -> Self {
        Frames { input, rest: 0 }
    }

    /// The next message; None at the end of the input.
    ///
    /// # Errors
    /// Of the stream; [`io::ErrorKind::InvalidData`] for headers that do not say where the message ends, after which nothing can be read;
    /// [`io::ErrorKind::UnexpectedEof`] within a message.
    pub fn next(&mut self) -> io::Result<Option<LspFrame>> {
        io::copy(&mut self.input.by_ref().take(self.rest), &mut io::sink())?;
        self.rest = 0;
        let Some(length) = self.length()? else { return Ok(None) };
        let is_too_long = length > MAX_MESSAGE;
        let kept = if is_too_long { BEGINNING as u64 } else { length };
        // The room grows with what comes.
        let mut bytes = Vec::new();
        if (self.input.by_ref().take(kept).read_to_end(&mut bytes)? as u64) < kept {
            let why = format!("the input ends within a message, which was to have {length} bytes");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
        }
        self.rest = length - kept;
        Ok(Some(if is_too_long { LspFrame::TooLong(bytes) } else { LspFrame::Whole(bytes) }))
    }

    /// What the headers say of the message after them; None at the end of the input.
    fn length(&mut self) -> io::Result<Option<u64>> {
        let invalid = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidData, why));
        let mut headers = self.input.by_ref().take(MAX_HEADERS);
        let (mut length, mut is_first) = (None, true);
        loop {
            let mut line = Vec::new();
            headers.read_until(b'\n', &mut line)?;
            match line.strip_suffix(b"\r\n") {
                None if line.is_empty() && is_first => return Ok(None),
                None => {
                    return invalid("a header does not end with CR and LF, or the headers of a message are too long");
                }
                Some([]) => break,
                Some(header) => {
                    let header = String::from_utf8_lossy(header);
                    let Some((name, value)) = header.split_once(':') else {
                        return invalid("a header is no `NAME: VALUE`");
                    };
                    if name.eq_ignore_ascii_case("Content-Length") {
                        length = Some(value.trim().parse());
                    }
                }
            }
            is_first = false;
        }
        match length {
            Some(Ok(length)) => Ok(Some(length)),
            Some(Err(_)) => invalid("`Content-Length` is no number of bytes"),
            None => invalid("a message has no `Content-Length`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_one_by_one_and_long_ones_over() {
        let long = usize::try_from(MAX_MESSAGE).unwrap() + 1;
        let text = [
            b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}".as_slice(),
            format!("content-length: {long}\r\n\r\n").as_bytes(),
            &vec![b'x'; long],
            b"Content-Length: 0\r\n\r\n",
        ]
        .concat();
        let mut frames = Frames::new(text.as_slice());
        assert_eq!(frames.next().unwrap(), Some(LspFrame::Whole(b"{}".to_vec())));
        assert_eq!(frames.next().unwrap(), Some(LspFrame::TooLong(vec![b'x'; BEGINNING])));
        assert_eq!(frames.next().unwrap(), Some(LspFrame::Whole(Vec::new())));
        assert_eq!(frames.next().unwrap(), None);
    }

    /// The first of these would end the process, if room were made for what is said.
    #[test]
    fn what_is_said_and_does_not_come_ends_the_input() {
        let end = io::ErrorKind::UnexpectedEof;
        let invalid = io::ErrorKind::InvalidData;
        for (text, kind) in [
            ("Content-Length: 9223372036854775807\r\n\r\n{}", end),
            ("Content-Length: 60000000\r\n\r\n{}", end),
            ("Content-Length: 18446744073709551616\r\n\r\n{}", invalid),
            ("Content-Length: -1\r\n\r\n{}", invalid),
            ("Content-Length: 2\n\n{}", invalid),
            ("X: 1\r\n\r\n{}", invalid),
            ("X\r\n\r\n{}", invalid),
            ("Content-Length: 2\r\n", invalid),
            (&format!("X: {}", "1".repeat(10_000)), invalid),
            (&"X: 1\r\n".repeat(1_000), invalid),
        ] {
            let error = Frames::new(text.as_bytes()).next().unwrap_err();
            assert_eq!(error.kind(), kind, "{text}: {error}");
        }
    }
}
