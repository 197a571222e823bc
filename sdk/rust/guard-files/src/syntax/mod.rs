//! How comments, strings and other literals of a language look, and where they stand in a text: what colours need, who asks what a change
//! brings to life, and rules that look at words. A reader of the language knows better, and only reads whole texts that have no mistake.

mod parts;
mod scan;
mod signs;
mod table;

use std::borrow::Cow;

pub use parts::SyntaxParts;
pub use scan::{LineEnd, Open, Scanner};

/// Static for what is built in, and owned for what a component claims.
pub type Sign = Cow<'static, str>;

/// Of one language. Of two signs that fit, the longer one counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Syntax {
    pub line_comments: Cow<'static, [Sign]>,
    /// A line comment begins a word: in `a#b` is none.
    pub comments_stand_apart: bool,
    /// What opens and what closes one. An opening that ends in a letter (`=begin`) stands at the beginning of a line, as what closes it does.
    pub block_comments: Cow<'static, [(Sign, Sign)]>,
    pub comments_nest: bool,
    pub literals: Cow<'static, [Literal]>,
}

/// What holds no code: a string, a regular expression, a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// One that begins with a letter (`r"`) is not looked for behind a letter.
    pub open: Sign,
    /// Empty where the form says what it means.
    pub close: Sign,
    /// What hides the sign behind it: a backslash, or in languages that double it, what closes the literal. Empty where nothing does.
    pub escape: Sign,
    pub crosses_lines: bool,
    pub form: LiteralForm,
}

/// How a literal opens and closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralForm {
    /// Between its signs. Without `close`, from the beginning of a line to the end of the text: `__END__`.
    Plain,
    /// As many `#` as stand between `open` and the first `close` stand behind the last: `r#"…"#`.
    Fenced,
    /// One character or escape, on one line; anything else is code: `'a'`, and not the lifetime `'a`. Without `close`, that alone: `?a`.
    Character,
    /// Only where a value may begin, since its sign is an operator elsewhere: `/…/`.
    Value,
    /// Until the sign behind `open` comes again, or the bracket that closes it, in which others nest: `%q(…)`.
    Delimited,
    /// Behind `open` stands a word; from the next line on, until a line of that word: `<<EOF`.
    HereDocument,
}

/// What a part of a text is. The rest is code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxPart {
    Comment,
    /// With its signs.
    Quoted,
}

impl Syntax {
    /// Whether something may be open where a line begins.
    pub fn crosses_lines(&self) -> bool {
        !self.block_comments.is_empty() || self.literals.iter().any(|literal| literal.crosses_lines)
    }

    /// Whether the line may hold the beginning or the end of something that crosses lines.
    pub fn may_cross_at(&self, line: &str) -> bool {
        let mut blocks = self.block_comments.iter();
        let mut literals = self.literals.iter().filter(|literal| literal.crosses_lines);
        // What closes the others, their beginning says.
        literals.any(|literal| match literal.form {
            LiteralForm::Plain | LiteralForm::Fenced => line.contains(&*literal.open) || line.contains(&*literal.close),
            LiteralForm::Character | LiteralForm::Value | LiteralForm::Delimited | LiteralForm::HereDocument => true,
        }) || blocks.any(|(open, close)| line.contains(&**open) || line.contains(&**close))
    }
}

/// Three backticks, and at most the name of a language.
pub fn is_fence(line: &str) -> bool {
    let Some(info) = line.trim_end().strip_prefix("```") else { return false };
    info.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-_.#`".contains(&byte))
}
