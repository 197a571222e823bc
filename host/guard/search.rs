//! Whole words in text, all needles in one pass.

use aho_corasick::{AhoCorasick, MatchKind};

/// A line that is shown is cut here, in bytes.
const LINE: usize = 400;

/// More needles than a change has names are a mistake; so is a needle longer than a line.
const NEEDLES: usize = 1_000;

pub struct Words(AhoCorasick);

impl Words {
    /// Errors: a needle that is no word, or too many, in words.
    pub fn new(needles: &[String]) -> Result<Self, String> {
        if needles.len() > NEEDLES {
            return Err(format!("it searched for {} needles; {NEEDLES} is the limit", needles.len()));
        }
        if let Some(needle) = needles.iter().find(|needle| needle.is_empty() || needle.len() > LINE) {
            return Err(format!("it searched for a needle of {} bytes; 1 to {LINE} are a needle", needle.len()));
        }
        // Overlapping matches, so that no needle hides another.
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(needles);
        automaton.map(Words).map_err(|error| error.to_string())
    }

    /// At most `limit` hits, by line and needle: the line's number from 1, the needle's index, the line. A needle counts once a line.
    pub fn hits(&self, text: &str, limit: usize, mut hit: impl FnMut(u32, u32, &str)) {
        let mut found: Vec<(usize, usize, u32)> = Vec::new();
        let (mut line, mut start) = (1, 0);
        for word in self.0.find_overlapping_iter(text).filter(|word| is_whole(text, word.start(), word.end())) {
            let lines = text[start..word.start()].bytes().filter(|byte| *byte == b'\n').count();
            if lines > 0 {
                if found.len() >= limit {
                    break;
                }
                line += lines;
                start = text[..word.start()].rfind('\n').map_or(0, |feed| feed + 1);
            }
            let hit = (line, start, word.pattern().as_u32());
            if !found.contains_in_line(&hit) {
                found.push(hit);
            }
        }
        found.sort();
        for (line, start, needle) in found.into_iter().take(limit) {
            let end = text[start..].find('\n').map_or(text.len(), |feed| start + feed);
            hit(u32::try_from(line).unwrap_or(u32::MAX), needle, cut(&text[start..end]));
        }
    }
}

trait Found {
    fn contains_in_line(&self, hit: &(usize, usize, u32)) -> bool;
}

impl Found for Vec<(usize, usize, u32)> {
    fn contains_in_line(&self, hit: &(usize, usize, u32)) -> bool {
        self.iter().rev().take_while(|other| other.0 == hit.0).any(|other| other == hit)
    }
}

/// Neither neighbour is a letter, a digit or `_`.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    !text[..start].ends_with(in_word) && !text[end..].starts_with(in_word)
}

fn cut(line: &str) -> &str {
    &line[..line.floor_char_boundary(LINE)]
}
