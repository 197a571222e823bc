//! From the bytes of a text to its lines.

/// Where the lines of a text start.
pub struct LineStarts(Vec<usize>);

impl LineStarts {
    pub fn new(text: &str) -> Self {
        LineStarts(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    pub fn at(&self, byte: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= byte)).unwrap_or(u32::MAX)
    }

    /// First and last line of a run of bytes.
    pub fn span(&self, start: usize, end: usize) -> (u32, u32) {
        (self.at(start), self.at(end.max(start + 1) - 1))
    }

    /// The text of some lines, without the last line's ending.
    pub fn slice<'t>(&self, text: &'t str, (first, last): (u32, u32)) -> &'t str {
        let start = |line: u32| self.0.get((line as usize).saturating_sub(1)).copied().unwrap_or(text.len());
        text[start(first)..start(last + 1)].trim_end_matches(['\r', '\n'])
    }
}
