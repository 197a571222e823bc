//! Line numbers of bytes.

/// Where the lines of a text start.
pub struct Lines(Vec<usize>);

impl Lines {
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines(std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    pub fn at(&self, byte: usize) -> u32 {
        self.0.partition_point(|start| *start <= byte) as u32
    }

    /// The text of a line, numbered from 1, without its line ending.
    pub fn text<'t>(&self, text: &'t str, line: u32) -> &'t str {
        let start = self.0.get((line as usize).wrapping_sub(1)).copied().unwrap_or(text.len());
        let end = self.0.get(line as usize).copied().unwrap_or(text.len());
        text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }
}
