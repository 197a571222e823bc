//! Which lines of a file begin in code, and not in a string or a comment that a line above opened.

use std::ops::Range;

use guard_sdk::files::Language;
use guard_sdk::files::syntax::{Open, Scanner, Syntax, SyntaxPart};

/// One entry a line. None when the file ends in a string or a comment: it was then misread somewhere, and no line of it is certain.
pub fn lines_in_code(text: &str, language: Language) -> Option<Vec<bool>> {
    let lexer = Lexer::of_language(language)?;
    if !lexer.crosses_lines {
        return Some(vec![true; text.lines().count()]);
    }
    let (mut open, mut runs, mut in_code) = (Open::Code, Runs::new(), Vec::new());
    for line in text.lines() {
        in_code.push(open == Open::Code);
        lexer.runs(&mut open, line, &mut runs);
    }
    lexer.may_end(&open).then_some(in_code)
}

/// Whether a text has the line, without what is around it, where it begins in code: in a string or a comment it says something else. Where nothing
/// is certain of the text, it may stand anywhere.
pub fn has_line(text: &str, language: Option<Language>, line: &str) -> bool {
    let is_it = |other: &str| other.trim() == line;
    if !text.contains(line) {
        return false;
    }
    match language.and_then(|language| lines_in_code(text, language)) {
        Some(in_code) => text.lines().zip(in_code).any(|(other, in_code)| in_code && is_it(other)),
        None => text.lines().any(is_it),
    }
}

/// The runs of a line's bytes that are no code, in order; the signs around a string are its own.
pub(crate) type Runs = Vec<(Range<usize>, SyntaxPart)>;

/// What tells the lines of one language apart.
pub(crate) struct Lexer {
    scanner: Scanner<'static>,
    pub crosses_lines: bool,
}

impl Lexer {
    /// None where nothing of a text is certain. One of PHP may begin outside of code.
    pub fn of_language(language: Language) -> Option<Self> {
        let syntax = Syntax::of(language).filter(|_| language != Language::Php)?;
        Some(Lexer { scanner: Scanner::new(syntax), crosses_lines: syntax.crosses_lines() })
    }

    /// Gives the runs of a line in place of those that are there; `open` is what is open before it, and then what is open behind it.
    pub fn runs(&self, open: &mut Open, text: &str, runs: &mut Runs) {
        runs.clear();
        self.scanner.line(open, text, &mut |range, part, _| match runs.last_mut() {
            Some((last, of)) if *of == part && last.end == range.start => last.end = range.end,
            Some(_) | None if range.is_empty() => {}
            Some(_) | None => runs.push((range, part)),
        });
    }

    /// Whether a text may end so.
    pub fn may_end(&self, open: &Open) -> bool {
        self.scanner.may_end(open)
    }
}
