//! Messages as lines, of bounded length.

use std::io::{self, BufRead, Read};

use crate::json_rpc::BEGINNING;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub enum StdioLine {
    /// With its line feed; only the last one may lack it.
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than the limit. The rest was read over.
    TooLong(Vec<u8>),
}

/// The next line of at most `limit` bytes; None at the end.
///
/// # Errors
/// Of the stream.
pub fn next_line(input: &mut impl BufRead, limit: u64) -> io::Result<Option<StdioLine>> {
    let mut line = Vec::new();
    input.by_ref().take(limit).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (line.len() as u64) < limit {
        return Ok(Some(StdioLine::Whole(line)));
    }
    line.truncate(BEGINNING);
    let mut rest = Vec::new();
    while input.by_ref().take(limit).read_until(b'\n', &mut rest)? > 0 && !rest.ends_with(b"\n") {
        rest.clear();
    }
    Ok(Some(StdioLine::TooLong(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_read_over() {
        let mut input = &b"ab\n12345678\n\ncd"[..];
        let mut next = || next_line(&mut input, 4).unwrap();
        assert_eq!(next(), Some(StdioLine::Whole(b"ab\n".to_vec())));
        assert_eq!(next(), Some(StdioLine::TooLong(b"1234".to_vec())));
        assert_eq!(next(), Some(StdioLine::Whole(b"\n".to_vec())));
        assert_eq!(next(), Some(StdioLine::Whole(b"cd".to_vec())));
        assert_eq!(next(), None);
    }
}
