//! Finds the keywords of all patterns in one pass, so that an expression is run only where it can match.

use crate::patterns::PATTERNS;

pub struct Keywords {
    /// Keyword and the index of its pattern, by the lower case of the keyword's first byte.
    by_first: Vec<Vec<(&'static [u8], usize)>>,
}

impl Keywords {
    pub fn new() -> Self {
        let mut by_first = vec![Vec::new(); 128];
        for (index, pattern) in PATTERNS.iter().enumerate() {
            for keyword in pattern.keywords {
                let keyword = keyword.as_bytes();
                by_first[usize::from(keyword[0].to_ascii_lowercase() & 0x7f)].push((keyword, index));
            }
        }
        Keywords { by_first }
    }

    /// Indexes of patterns, with the place of the keyword.
    pub fn find(&self, line: &[u8]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        // No token is shorter.
        if line.len() < 16 {
            return found;
        }
        for at in 0..line.len() {
            let first = line[at].to_ascii_lowercase();
            if first >= 128 {
                continue;
            }
            for (keyword, index) in &self.by_first[usize::from(first)] {
                if is_at(&line[at..], keyword) {
                    found.push((*index, at));
                }
            }
        }
        found
    }
}

/// A keyword with a capital letter is compared as it is written.
fn is_at(text: &[u8], keyword: &[u8]) -> bool {
    let Some(text) = text.get(..keyword.len()) else { return false };
    text == keyword
        || (text[1].eq_ignore_ascii_case(&keyword[1])
            && !keyword.iter().any(u8::is_ascii_uppercase)
            && text.eq_ignore_ascii_case(keyword))
}
