//! Lines of which only one part is left.

use crate::Language;
use crate::lines::{Part, parts};

/// A line, and the same with blanks in place of what is something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'t> {
    /// From 1.
    pub number: u32,
    pub text: &'t str,
    /// Without strings and comments.
    pub code: String,
    /// Comments alone.
    pub comment: String,
    /// It begins in code: no string and no comment is open from a line above.
    pub begins_in_code: bool,
}

/// None when the text ends in a string or a comment: it was then misread somewhere, and nothing of it is certain.
pub fn masked(text: &str, language: Language) -> Option<Vec<Line<'_>>> {
    let all = parts(text, language)?;
    let in_code = crate::lines_in_code(text, language)?;
    let lines = (1..).zip(text.lines()).zip(all).zip(in_code);
    // A byte for a byte, so that places in one are places in the other.
    let only = |line: &str, parts: &[Part], part: Part| -> String {
        let mut only = String::with_capacity(line.len());
        for (at, c) in line.char_indices() {
            match parts[at] == part {
                true => only.push(c),
                false => (0..c.len_utf8()).for_each(|_| only.push(' ')),
            }
        }
        only
    };
    let line = |(((number, text), parts), begins_in_code): (((u32, &'_ str), Vec<Part>), bool)| {
        let (code, comment) = (only(text, &parts, Part::Code), only(text, &parts, Part::Comment));
        (number, code, comment, begins_in_code)
    };
    let texts = text.lines();
    Some(
        lines
            .map(line)
            .zip(texts)
            .map(|((number, code, comment, begins_in_code), text)| Line { number, text, code, comment, begins_in_code })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::masked;
    use crate::Language;

    #[test]
    fn code_and_comments_apart() {
        let text = "x = \"# no\"  # yes\n\"\"\"doc\nexcept: pass\n\"\"\"\n";
        let lines = masked(text, Language::Python).unwrap();
        assert_eq!(lines[0].code.trim(), "x =");
        assert_eq!(lines[0].comment.trim(), "# yes");
        assert_eq!((lines[2].code.trim(), lines[2].begins_in_code), ("", false));
        let lines = masked("a('//'); /* b */ c() // d\n", Language::Backtick).unwrap();
        assert_eq!(lines[0].code.split_whitespace().collect::<Vec<_>>(), ["a(", ");", "c()"]);
        assert_eq!(lines[0].comment.split_whitespace().collect::<Vec<_>>(), ["/*", "b", "*/", "//", "d"]);
        assert!(masked("x = \"\"\"open\n", Language::Python).is_none());
    }
}
