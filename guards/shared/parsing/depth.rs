//! How deep a parser would recurse, told without parsing: a guard's stack ends in a trap.

/// Brackets that a file may open without closing one. The parsers recurse, and no file that people write comes near it.
pub const BRACKETS: usize = 200;

/// Links of `if … else if …` chains that stand inside of one another: a parser that reads the rest of a chain as the body of `else`
/// recurses for each. Twice as many end the stack.
pub const ELSES: usize = 300;

/// What a parser recurses for, as far as it does not bound that itself.
#[derive(Clone, Copy, PartialEq)]
pub enum Recursion {
    None,
    Brackets,
    BracketsAndElses,
}

/// What there is too much of, and the line where.
pub enum Excess {
    Brackets(u32),
    Elses(u32),
}

/// What stood last before a word, as far as it tells whether `if` begins a chain.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Else,
    /// Of a condition, perhaps: `if` is its statement.
    Parenthesis,
    Other,
}

/// Brackets and words in strings and comments are left out, as far as one scan for all languages can tell them: a quote that closes on
/// its line, `//` and `#` to the end of the line, `/* */`.
pub fn excess(text: &str, recursion: Recursion) -> Option<Excess> {
    if recursion == Recursion::None {
        return None;
    }
    let bytes = text.as_bytes();
    // For each open bracket, and for the file: links of the chain that is not ended there.
    let (mut chains, mut elses) = (vec![0usize], 0usize);
    let (mut last, mut line, mut at) = (Last::Other, 1, 0);
    let mut strings = Strings::new(bytes);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let mut next = Last::Other;
        match rest[0] {
            b'\n' => {
                line += 1;
                next = last;
            }
            // `#{` opens an interpolation.
            b'#' if rest.get(1) != Some(&b'{') => {
                at = strings.end_of_line(at) - 1;
                next = last;
            }
            b'/' if rest.starts_with(b"//") => {
                at = strings.end_of_line(at) - 1;
                next = last;
            }
            b'/' if rest.starts_with(b"/*") => {
                let length = text[at + 2..].find("*/").map_or(rest.len(), |end| end + 4);
                line += rest[..length].iter().filter(|byte| **byte == b'\n').count() as u32;
                at += length - 1;
                next = last;
            }
            b'"' | b'\'' | b'`' => at = strings.end_of_string(at),
            b'(' | b'[' | b'{' => chains.push(0),
            close @ (b')' | b']' | b'}') => {
                if chains.len() > 1 {
                    elses -= chains.pop().unwrap_or(0);
                }
                if close == b')' {
                    next = Last::Parenthesis;
                }
            }
            byte if byte.is_ascii_whitespace() => next = last,
            byte if is_of_word(byte) => {
                let word = &rest[..rest.iter().take_while(|byte| is_of_word(**byte)).count()];
                at += word.len() - 1;
                let chain = chains.last_mut().filter(|_| !word.starts_with(b"$"));
                match chain {
                    Some(chain) if word.eq_ignore_ascii_case(b"else") => {
                        *chain += 1;
                        elses += 1;
                        next = Last::Else;
                    }
                    // A chain of its own begins.
                    Some(chain) if word.eq_ignore_ascii_case(b"if") && last == Last::Other => {
                        elses -= std::mem::take(chain);
                    }
                    Some(_) | None => {}
                }
            }
            _ => {}
        }
        last = next;
        if chains.len() > BRACKETS + 1 {
            return Some(Excess::Brackets(line));
        }
        if elses > ELSES && recursion == Recursion::BracketsAndElses {
            return Some(Excess::Elses(line));
        }
        at += 1;
    }
    None
}

/// Of a name, a word of the language, or a variable of PHP.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Where lines and strings end. Lines may be as long as the file, so no byte of a line is looked at once for each quote in it.
struct Strings<'t> {
    text: &'t [u8],
    /// The end of the line that was asked for last: its line feed, or the end of the text.
    line_end: usize,
    /// Quotes for which a string was found not to end on that line. A later quote of the line is then none that closes: the search that
    /// found none passed it as escaped, and would pass the same bytes again.
    unclosed: Vec<u8>,
}

impl<'t> Strings<'t> {
    fn new(text: &'t [u8]) -> Self {
        Strings { text, line_end: 0, unclosed: Vec::new() }
    }

    fn end_of_line(&mut self, at: usize) -> usize {
        if at >= self.line_end {
            let rest = &self.text[at..];
            self.line_end = at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            self.unclosed.clear();
        }
        self.line_end
    }

    /// The place of the closing quote; that of the quote itself when the string does not end on its line.
    fn end_of_string(&mut self, at: usize) -> usize {
        let (quote, end) = (self.text[at], self.end_of_line(at));
        if self.unclosed.contains(&quote) {
            return at;
        }
        let mut next = at + 1;
        while next < end {
            match self.text[next] {
                b'\\' => next += 1,
                byte if byte == quote => return next,
                _ => {}
            }
            next += 1;
        }
        self.unclosed.push(quote);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a scan of each string by itself finds its end.
    fn plain(line: &[u8], at: usize) -> usize {
        let mut next = at + 1;
        while next < line.len() {
            match line[next] {
                b'\\' => next += 1,
                byte if byte == line[at] => return next,
                _ => {}
            }
            next += 1;
        }
        at
    }

    #[test]
    fn strings_end_where_a_scan_of_each_finds_the_end() {
        // Every text of eight signs, walked as `excess` walks.
        for mut number in 0..4u32.pow(8) {
            let mut line = Vec::new();
            for _ in 0..8 {
                line.push(b"\"'\\a"[(number % 4) as usize]);
                number /= 4;
            }
            let mut strings = Strings::new(&line);
            let mut at = 0;
            while at < line.len() {
                if matches!(line[at], b'"' | b'\'') {
                    let end = strings.end_of_string(at);
                    assert_eq!(end, plain(&line, at), "{:?} at {at}", String::from_utf8_lossy(&line));
                    at = end;
                }
                at += 1;
            }
        }
    }

    #[test]
    fn a_long_line_of_quotes_is_read_once() {
        // Each quote with a scan of its own would be 10^12 steps.
        for unit in ["\"a\" ", "\\\"", "' \" ", "# \"\n"] {
            let text = unit.repeat(1_000_000);
            assert!(excess(&text, Recursion::BracketsAndElses).is_none());
        }
    }
}
