//! Where in a text a JSON value may end.

/// One bit for each byte and one for the end.
pub(super) struct Ends(Vec<u64>);

impl Ends {
    /// Reads the text once, from its end.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut ends = Ends(vec![0; bytes.len() / 64 + 1]);
        ends.set(bytes.len());
        let mut quote_in_line = false;
        // The smallest sum of brackets over all beginnings of the rest: below 0, it closes what is not open.
        let mut lowest = 0i64;
        let mut line_end = bytes.len();
        // Only white space stands between here and the marks of a fence.
        let mut before_fence = false;
        for at in (0..bytes.len()).rev() {
            match bytes[at] {
                b'\n' => {
                    lowest = at_line_start(&bytes[at + 1..line_end], lowest);
                    (quote_in_line, line_end) = (false, at);
                }
                b'"' => quote_in_line = true,
                b'{' | b'[' => lowest = 0.min(lowest + 1),
                b'}' | b']' => lowest -= 1,
                _ => {}
            }
            before_fence = bytes[at..].starts_with(b"```") || before_fence && bytes[at].is_ascii_whitespace();
            if (lowest == 0 || before_fence) && !quote_in_line {
                ends.set(at);
            }
        }
        ends
    }

    fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Whether a value may end before the byte `at`: nothing after it closes what is not open, up to the next fence, and no quote
    /// follows in its line.
    pub fn may_end(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// A line that is a fence ends the text that is looked at.
fn at_line_start(line: &[u8], lowest: i64) -> i64 {
    if line.trim_ascii_start().starts_with(b"```") { 0 } else { lowest }
}
