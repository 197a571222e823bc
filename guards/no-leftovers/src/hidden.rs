//! Characters in code that nobody sees, that turn the order of what follows, or that look like letters of another alphabet.
//!
//! They come with text that was pasted from a page or a chat, and hide what a line really says (CVE-2021-42574, CVE-2021-42694).

use guard_sdk::Finding;

use crate::added::Added;
use crate::encoding::is_about_encodings;
use crate::place::{Kind, has_entries};

/// Letters of the Cyrillic and of the Greek alphabet that look like those of the Latin one.
const LOOK_ALIKE: [(&str, &str); 2] = [("Cyrillic", "асеорухіјѕԁһАВСЕНІЈКМОРЅТХ"), ("Greek", "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")];

pub fn judge(added: &Added) -> Option<Finding> {
    if !matches!(added.kind, Kind::Code(_)) || is_about_encodings(added.path()) {
        return None;
    }
    let stood = |sign: &str| added.before().contains(sign);
    let is_plain = matches!(added.kind, Kind::Code(language) if has_entries(language));
    let of = |line: &str| hidden(line).or_else(|| unbroken(line).filter(|_| is_plain));
    let found = added.new_lines().find_map(|(at, line)| Some((at, of(line).filter(|found| !stood(&found.sign))?)));
    let (at, found) = found?;
    let help = "Remove the character; where it is meant, write it as an escape, which a reader sees.";
    Some(Finding::error("hidden-character", found.message).at(added.path(), at as u32 + 1).help(help))
}

struct Hidden {
    /// The character, or the word.
    sign: String,
    message: String,
}

fn hidden(line: &str) -> Option<Hidden> {
    if line.is_ascii() {
        return None;
    }
    let unseen = line.char_indices().find(|(at, c)| turns(*c) || (is_unseen(*c) && is_among_ascii(line, *at, *c)));
    if let Some((_, c)) = unseen {
        let what = if turns(c) { "turns the order in which a line is shown" } else { "is not shown" };
        return Some(Hidden {
            sign: c.to_string(),
            message: format!("the line has the character U+{:04X}, which {what}", c as u32),
        });
    }
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    let (word, alphabet) = words.find_map(|word| Some((word, disguise(word)?)))?;
    Some(Hidden {
        sign: word.to_owned(),
        message: format!(
            "`{word}` is written with {alphabet} letters that look like Latin ones: {}",
            word.escape_unicode()
        ),
    })
}

/// A blank that does not part words, in a file whose words are parted by blanks: a rule of make, an instruction, an entry of a list.
fn unbroken(line: &str) -> Option<Hidden> {
    let is_said = line.contains('\u{a0}') && !line.trim_start().starts_with(['#', ';']);
    let message = "the line has the character U+00A0, which looks like a blank and parts no words".to_owned();
    is_said.then(|| Hidden { sign: "\u{a0}".to_owned(), message })
}

/// Embeddings, overrides and isolates of direction.
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Of no width: spaces, joiners, and what begins a file elsewhere.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Emoji and the scripts of Persian and India need joiners between their letters.
fn is_among_ascii(line: &str, at: usize, c: char) -> bool {
    let (before, after) = (line[..at].chars().next_back(), line[at + c.len_utf8()..].chars().next());
    before.is_none_or(|c| c.is_ascii()) && after.is_none_or(|c| c.is_ascii())
}

/// The alphabet of a word's letters that are not Latin, where there are only those that a reader takes for the Latin ones beside them.
fn disguise(word: &str) -> Option<&'static str> {
    let others = || word.chars().filter(|c| c.is_alphabetic() && !c.is_ascii());
    let is_mixed = word.chars().filter(char::is_ascii_alphabetic).count() >= 2 && others().next().is_some();
    let of = LOOK_ALIKE.iter().find(|(_, letters)| others().all(|c| letters.contains(c)))?;
    is_mixed.then_some(of.0)
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn what_nobody_sees_is_named() {
        for line in [
            "x = \"a\u{200b}\"",
            "if admin: \u{202e} # \u{2066}",
            "j\u{430}vascript",
            "na\u{200d}me = 1",
            "\u{feff}x = 1",
            "sec\u{3bf}nd",
        ] {
            assert!(hidden(line).is_some(), "{line:?}");
        }
        for line in [
            "// привет, мир",
            "let μs = 1;",
            "print('👩\u{200d}💻')",
            "# می\u{200c}خواهم",
            "USB-порт",
            "naïve = 'é'",
            "λx",
            "dΩ",
            "xΑ1",
            "Тест1",
        ] {
            assert!(hidden(line).is_none(), "{line:?}");
        }
    }
}
