//! Whether a quoted line is the file's with a typing error, or another line.

/// Characters of a line that are compared.
const LENGTH: usize = 400;

/// Whether `quoted` can only be `row`, damaged: its characters are typographic forms of the file's, or one place in it reads
/// otherwise and the words there are none that the file or the patch knows (`is_known`). A known word, a number, an operator or a
/// whole word more or less may be meant.
pub(super) fn is_typing_error(quoted: &[u8], row: &[u8], is_known: &dyn Fn(&[u8]) -> bool) -> bool {
    let (Ok(quoted), Ok(row)) = (std::str::from_utf8(quoted), std::str::from_utf8(row)) else { return false };
    let (quoted, row) = (plain(quoted), plain(row));
    if quoted == row {
        return !quoted.is_empty();
    }
    if quoted.len().max(row.len()) > LENGTH {
        return false;
    }
    TypingDifference::between(&quoted, &row).is_garbled(is_known)
}

/// Two lines that read alike before and after one place.
struct TypingDifference<'l> {
    /// What only the quoted line has there.
    put_in: &'l [char],
    /// What only the file's line has there.
    left_out: &'l [char],
    /// Letters of a word before and after the place.
    before: &'l [char],
    after: &'l [char],
}

impl<'l> TypingDifference<'l> {
    fn between(quoted: &'l [char], row: &'l [char]) -> Self {
        let alike = |pairs: &mut dyn Iterator<Item = (&char, &char)>| pairs.take_while(|(a, b)| a == b).count();
        let head = alike(&mut quoted.iter().zip(row));
        let tail = alike(&mut quoted[head..].iter().rev().zip(row[head..].iter().rev()));
        let end = quoted.len() - tail;
        let before = quoted[..head].iter().rev().take_while(|c| is_word(**c)).count();
        let after = quoted[end..].iter().take_while(|c| is_word(**c)).count();
        TypingDifference {
            put_in: &quoted[head..end],
            left_out: &row[head..row.len() - tail],
            before: &quoted[head - before..head],
            after: &quoted[end..end + after],
        }
    }

    fn is_garbled(&self, is_known: &dyn Fn(&[u8]) -> bool) -> bool {
        let around = |middle: &[char]| [self.before, middle, self.after].concat().into_iter().collect::<String>();
        let (wrong, right) = (around(self.put_in), around(self.left_out));
        let only_in = |text: &str, other: &str| -> Vec<String> {
            let missing = |word: &&[u8]| !words(other.as_bytes()).any(|other| other == *word);
            words(text.as_bytes()).filter(missing).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
        };
        let (new, lost) = (only_in(&wrong, &right), only_in(&right, &wrong));
        if let ([sign], [letter]) = (self.put_in, self.left_out)
            && !is_word(*sign)
            && letter.is_alphabetic()
        {
            // A sign for a letter of a word.
            return !self.before.is_empty() || !self.after.is_empty();
        }
        let mut telling = new.iter().filter(|word| word.len() >= 3).peekable();
        telling.peek().is_some()
            && telling.all(|word| !is_known(word.as_bytes()))
            && !wrong.chars().chain(right.chars()).any(|c| c.is_ascii_digit())
            && !lost.is_empty()
            && self.is_slip(lost.len())
    }

    /// `lost`: how many of the file's words are not in the quoted line. Where a word's beginning or end differs it may be another
    /// word: `async` for `sync`, a plural, a shorter name.
    fn is_slip(&self, lost: usize) -> bool {
        let is_within = !self.before.is_empty() && !self.after.is_empty();
        let lower = |c: Option<&char>| c.is_some_and(|c| c.is_lowercase());
        match (self.put_in, self.left_out) {
            ([], [_, _, _, ..]) if lower(self.before.last()) && self.after.is_empty() => {
                lost >= 2 || lower(self.left_out.first())
            }
            ([], [_, _, _, ..]) if self.before.is_empty() && lower(self.after.first()) => {
                lost >= 2 || lower(self.left_out.last())
            }
            ([], _) => lost >= 2 || is_within,
            ([one], []) => {
                let is_before_capital = one.is_lowercase() && self.after.first().is_some_and(|c| c.is_uppercase());
                one.is_alphabetic() && (is_within || self.before.is_empty() && is_before_capital)
            }
            ([wrong], [right]) => wrong.is_alphabetic() && right.is_alphabetic() && is_within,
            ([a, b], [c, d]) => (a, b) == (d, c),
            _ => false,
        }
    }
}

/// Runs of letters, digits and `_`; bytes beyond ASCII count as letters.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// Without outer white space, and with plain forms of the characters that word processors replace.
fn plain(line: &str) -> Vec<char> {
    let mut found = Vec::with_capacity(line.len());
    for c in line.trim().chars() {
        match plain_form(c) {
            Some(text) => found.extend(text.chars()),
            None => found.push(c),
        }
    }
    found
}

fn plain_form(c: char) -> Option<&'static str> {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => Some("'"),
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => Some("\""),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("-"),
        '\u{2026}' => Some("..."),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(" "),
        '\u{200b}'..='\u{200d}' | '\u{feff}' => Some(""),
        _ => None,
    }
}
