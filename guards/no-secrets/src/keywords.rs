//! Finds the keywords of all patterns in one pass, so that an expression is run only where it can match.

use crate::patterns::PATTERNS;

pub struct Keywords {
    /// Keyword and the index of its pattern, by the lower case of the keyword's first byte.
    by_first: Vec<Vec<(&'static [u8], usize)>>,
    /// Bits: the second bytes of these keywords, in lower case. Most places of a text are no keyword by their second byte.
    seconds: [u64; 256],
}

impl Keywords {
    pub fn new() -> Self {
        let (mut by_first, mut seconds) = (vec![Vec::new(); 128], [0; 256]);
        for (index, pattern) in PATTERNS.iter().enumerate() {
            for keyword in pattern.keywords {
                let keyword = keyword.as_bytes();
                by_first[usize::from(keyword[0].to_ascii_lowercase() & 0x7f)].push((keyword, index));
                let (word, bit) = place(keyword[0], keyword[1]);
                seconds[word] |= bit;
            }
        }
        Keywords { by_first, seconds }
    }

    /// Indexes of patterns, with the place of the keyword.
    pub fn find(&self, line: &[u8]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        // No token is shorter.
        if line.len() < 16 {
            return found;
        }
        for (at, pair) in line.windows(2).enumerate() {
            let (word, bit) = place(pair[0], pair[1]);
            if self.seconds[word] & bit == 0 || !pair.is_ascii() {
                continue;
            }
            for (keyword, index) in &self.by_first[usize::from(pair[0].to_ascii_lowercase())] {
                if is_at(&line[at..], keyword) {
                    found.push((*index, at));
                }
            }
        }
        found
    }
}

/// Where in `seconds` two bytes stand; those that are not ASCII stand where others do.
fn place(first: u8, second: u8) -> (usize, u64) {
    let (first, second) = (first.to_ascii_lowercase() & 0x7f, second.to_ascii_lowercase() & 0x7f);
    (usize::from(first) * 2 + usize::from(second >> 6), 1 << (second & 63))
}

/// A keyword with a capital letter is compared as it is written.
fn is_at(text: &[u8], keyword: &[u8]) -> bool {
    let Some(text) = text.get(..keyword.len()) else { return false };
    text == keyword
        || (text[1].eq_ignore_ascii_case(&keyword[1])
            && !keyword.iter().any(u8::is_ascii_uppercase)
            && text.eq_ignore_ascii_case(keyword))
}
