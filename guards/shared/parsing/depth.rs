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
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end_of_line = || rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let mut next = Last::Other;
        match rest[0] {
            b'\n' => {
                line += 1;
                next = last;
            }
            // `#{` opens an interpolation.
            b'#' if rest.get(1) != Some(&b'{') => {
                at += end_of_line() - 1;
                next = last;
            }
            b'/' if rest.starts_with(b"//") => {
                at += end_of_line() - 1;
                next = last;
            }
            b'/' if rest.starts_with(b"/*") => {
                let length = text[at + 2..].find("*/").map_or(rest.len(), |end| end + 4);
                line += rest[..length].iter().filter(|byte| **byte == b'\n').count() as u32;
                at += length - 1;
                next = last;
            }
            quote @ (b'"' | b'\'' | b'`') => at += string_length(&rest[..end_of_line()], quote),
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

/// Bytes up to the closing quote; 0 when the string does not end on its line.
fn string_length(line: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < line.len() {
        match line[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    0
}
