//! Lines of which only one part is left.

use guard_sdk::files::Language;
use guard_sdk::files::syntax::SyntaxPart;

use crate::lines::Runs;
use crate::told::Lines;

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

impl Line<'_> {
    /// Whether it holds nothing, or comments alone. A line of a string alone has no code either, and says something all the same.
    pub fn is_blank(&self) -> bool {
        self.code.trim().is_empty() && self.text.split_whitespace().eq(self.comment.split_whitespace())
    }
}

/// None when strings of the language are not known, and when the text ends in a string or a comment: it was then misread somewhere, and nothing of it is certain.
pub fn masked(text: &str, language: Language) -> Option<Vec<Line<'_>>> {
    let mut all = Vec::new();
    Lines::read_each(text, language, |line| all.push(line.masked()))?;
    Some(all)
}

/// A line with blanks in place of its runs, and its comments alone.
pub(crate) fn parts_of(text: &str, runs: &Runs) -> (String, String) {
    // A byte for a byte, so that places in one are places in the other.
    let (mut code, mut comment) = (text.as_bytes().to_vec(), vec![b' '; text.len()]);
    for (range, part) in runs {
        code[range.clone()].fill(b' ');
        if *part == SyntaxPart::Comment {
            comment[range.clone()].copy_from_slice(&text.as_bytes()[range.clone()]);
        }
    }
    (whole(code), whole(comment))
}

/// A part never ends inside of a character but behind a backslash, which hides a byte of it.
fn whole(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let blank = |byte: u8| if byte.is_ascii() { byte } else { b' ' };
        String::from_utf8_lossy(&error.into_bytes().into_iter().map(blank).collect::<Vec<u8>>()).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::{Line, masked};
    use guard_sdk::files::Language;

    #[test]
    fn code_and_comments_apart() {
        let text = "x = \"# no\"  # yes\n\"\"\"doc\nexcept: pass\n\"\"\"\n";
        let lines = masked(text, Language::Python).unwrap();
        assert_eq!(lines[0].code.trim(), "x =");
        assert_eq!(lines[0].comment.trim(), "# yes");
        assert_eq!(lines.iter().map(Line::is_blank).collect::<Vec<_>>(), [false; 4]);
        let blank = masked("\n  # a  b\n", Language::Python).unwrap();
        assert!(blank.iter().all(Line::is_blank));
        assert_eq!((lines[2].code.trim(), lines[2].begins_in_code), ("", false));
        let lines = masked("a('//'); /* b */ c() // d\n", Language::JavaScript).unwrap();
        assert_eq!(lines[0].code.split_whitespace().collect::<Vec<_>>(), ["a(", ");", "c()"]);
        assert_eq!(lines[0].comment.split_whitespace().collect::<Vec<_>>(), ["/*", "b", "*/", "//", "d"]);
        let lines = masked("f(\"\\é\", b) // é\n", Language::JavaScript).unwrap();
        assert_eq!((lines[0].code.trim_end(), lines[0].code.len()), ("f(     , b)", lines[0].text.len()));
        assert_eq!(lines[0].comment.trim(), "// é");
        assert!(masked("x = \"\"\"open\n", Language::Python).is_none());
    }
}
