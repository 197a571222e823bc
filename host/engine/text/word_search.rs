//! Searches a text for whole words, all of them in one pass.

use aho_corasick::{AhoCorasick, MatchKind};

/// Bytes of a line that are returned.
const LINE: usize = 400;

/// More than any change has names; a longer list is a mistake.
const NEEDLES: usize = 1_000;

pub struct WordSearch(AhoCorasick);

impl WordSearch {
    /// Errors: a message about a needle of the wrong length, or about too many needles.
    pub fn new(needles: &[String]) -> Result<Self, String> {
        if needles.len() > NEEDLES {
            return Err(format!("it searched for {} needles; {NEEDLES} is the limit", needles.len()));
        }
        if let Some(needle) = needles.iter().find(|needle| needle.is_empty() || needle.len() > LINE) {
            return Err(format!("it searched for a needle of {} bytes; 1 to {LINE} are a needle", needle.len()));
        }
        // Overlapping matches, so that no needle hides another.
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(needles);
        automaton.map(WordSearch).map_err(|error| error.to_string())
    }

    /// Calls `hit` at most `limit` times, in the order of lines and needles, with the line's number from 1, the needle's index and the
    /// line. A needle counts once for each line. `step` is called for every place where a needle stands, whole word or not: needles that
    /// are parts of one another stand at each byte of some texts. Its error ends the search.
    pub fn hits<E>(
        &self,
        text: &str,
        limit: usize,
        mut hit: impl FnMut(u32, u32, &str),
        mut step: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut ended = Ok(());
        let (mut number, mut start, mut left) = (1, 0, limit);
        let mut needles: Vec<u32> = Vec::new();
        let words = self.0.find_overlapping_iter(text);
        let words = words.map_while(|word| match step() {
            Ok(()) => Some(word),
            Err(error) => {
                ended = Err(error);
                None
            }
        });
        let mut words = words.filter(|word| is_whole(text, word.start(), word.end())).peekable();
        // Line by line, so that only one line's needles are kept.
        while let (Some(word), 1..) = (words.peek(), left) {
            let begin = text[..word.start()].rfind('\n').map_or(0, |feed| feed + 1);
            let end = text[begin..].find('\n').map_or(text.len(), |feed| begin + feed);
            number += text[start..begin].bytes().filter(|byte| *byte == b'\n').count();
            start = begin;
            needles.clear();
            while let Some(word) = words.next_if(|word| word.start() < end) {
                needles.push(word.pattern().as_u32());
            }
            needles.sort_unstable();
            needles.dedup();
            for needle in needles.iter().take(left) {
                hit(u32::try_from(number).unwrap_or(u32::MAX), *needle, cut(&text[begin..end]));
            }
            left = left.saturating_sub(needles.len());
        }
        ended
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

#[cfg(test)]
mod tests {
    use super::WordSearch;

    #[test]
    fn whole_words_by_line() {
        let words =
            WordSearch::new(&["load".to_string(), "load_all".to_string(), "a.b".to_string(), "b".to_string()]).unwrap();
        let text = "load_all()\nreload load;load\n\nälöad xload\na.b = (b)";
        let hits = |limit| {
            let mut hits = Vec::new();
            let step = || Ok::<_, ()>(());
            words.hits(text, limit, |line, needle, text| hits.push((line, needle, text.to_string())), step).unwrap();
            hits
        };
        let expected = [(1, 1, "load_all()"), (2, 0, "reload load;load"), (5, 2, "a.b = (b)"), (5, 3, "a.b = (b)")];
        assert_eq!(hits(10), expected.map(|(line, needle, text)| (line, needle, text.to_string())));
        assert_eq!(hits(3), hits(10)[..3]);
        assert_eq!(hits(0), []);
        assert!(WordSearch::new(&[String::new()]).is_err());
    }
}
