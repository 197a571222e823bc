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

/// The lines of some runs, each given by its first line, from 1, and its length, in order. Lines between them are only counted.
pub fn lines_in(text: &str, runs: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, &str)> {
    let (mut found, mut rest, mut next) = (Vec::new(), text, 1);
    for (first, count) in runs {
        rest = &rest[behind_lines(rest, first.saturating_sub(next))..];
        next = next.max(first);
        for line in rest.lines().take((first + count).saturating_sub(next) as usize) {
            found.push((next, line));
            next += 1;
            rest = &rest[line.len()..];
            rest = &rest[behind_lines(rest, 1)..];
        }
    }
    found
}

/// Where the text goes on behind as many of its lines.
fn behind_lines(text: &str, count: u32) -> usize {
    let (mut at, mut left) = (0, count);
    // Eight bytes at once: a zero byte stands where one is a line feed.
    for eight in text.as_bytes().chunks_exact(8) {
        let bytes =
            u64::from_le_bytes([eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]]);
        let zero = bytes ^ 0x0a0a_0a0a_0a0a_0a0a;
        let low = 0x7f7f_7f7f_7f7f_7f7f;
        let ends = (!(((zero & low) + low) | zero | low)).count_ones();
        if ends >= left {
            break;
        }
        left -= ends;
        at += 8;
    }
    let mut bytes = text.as_bytes()[at..].iter();
    while left > 0 {
        match bytes.next() {
            Some(b'\n') => left -= 1,
            Some(_) => {}
            None => return text.len(),
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::lines_in;

    #[test]
    fn only_the_lines_of_the_runs() {
        let texts = ["", "\n", "a", "a\nb", "a\r\n\nlonger than eight bytes é\n\n\n\n\n\n\n\n\nb\nc\n", "é\n\n\né"];
        for text in texts {
            let all: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
            for (first, count) in (0..14).flat_map(|first| (0..14).map(move |count| (first, count))) {
                for then in [first + count, first + count + 2] {
                    let runs = [(first, count), (then, 2)];
                    let is_in = |number: &u32| runs.iter().any(|run| (run.0..run.0 + run.1).contains(number));
                    let wanted: Vec<_> = all.iter().filter(|(number, _)| is_in(number)).copied().collect();
                    assert_eq!(lines_in(text, runs), wanted, "{text:?} {runs:?}");
                }
            }
        }
    }
}
