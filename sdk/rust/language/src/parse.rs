//! From a text to its blocks, with the places where it leaves the grammar.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Function,
    Test,
}

pub struct Block<'t> {
    pub kind: Kind,
    pub name: &'t str,
    pub is_skipped: bool,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Lines inside that do something.
    pub statements: u32,
    /// Of them, those that begin with `check`.
    pub checks: u32,
}

pub struct Comment<'t> {
    pub line: u32,
    /// Without its sign.
    pub text: &'t str,
    pub bytes: Range<usize>,
}

pub struct Problem {
    pub line: u32,
    pub message: String,
    pub advice: String,
    /// The word that opens a block which is never closed.
    pub unclosed: Option<Range<usize>>,
}

#[derive(Default)]
pub struct Parsed<'t> {
    pub blocks: Vec<Block<'t>>,
    /// Modules, with their lines.
    pub imports: Vec<(&'t str, u32)>,
    /// Names that statements read, with their lines.
    pub uses: Vec<(&'t str, u32)>,
    pub comments: Vec<Comment<'t>>,
    pub problems: Vec<Problem>,
}

pub fn parse(text: &str) -> Parsed<'_> {
    let mut parsed = Parsed::default();
    let mut open: Option<(Block<'_>, Range<usize>)> = None;
    let (mut at, mut number) = (0, 0);
    for whole in text.split_inclusive('\n') {
        let start = at;
        at += whole.len();
        number += 1;
        let line = whole.trim_end_matches(['\r', '\n']);
        let (code, comment) = line.split_once('#').map_or((line, None), |(code, comment)| (code, Some(comment)));
        parsed.comments.extend(comment.map(|text| Comment {
            line: number,
            text: text.trim(),
            bytes: start + code.len()..start + line.len(),
        }));
        let words: Vec<&str> = code.split_whitespace().collect();
        let wrong = |message: String, advice: &str| Problem { line: number, message, advice: advice.to_owned(), unclosed: None };
        match (words.as_slice(), &mut open) {
            ([], _) => {}
            (["use", module], None) => parsed.imports.push((module, number)),
            ([.., "fn", name] | [.., "test", name], None) if begins(&words) => {
                let kind = if words.contains(&"fn") { Kind::Function } else { Kind::Test };
                let is_skipped = words[0] == "skip";
                let block = Block { kind, name, is_skipped, lines: (number, number), statements: 0, checks: 0 };
                let indent = code.len() - code.trim_start().len();
                open = Some((block, start + indent..start + code.trim_end().len()));
            }
            (["end"], Some((block, _))) => {
                block.lines.1 = number;
                parsed.blocks.extend(open.take().map(|(block, _)| block));
            }
            (["end"], None) => {
                parsed.problems.push(wrong("this `end` closes nothing".to_owned(), "Remove it, or open its block."));
            }
            ([first, rest @ ..], Some((block, _))) if !begins(&words) => {
                block.statements += 1;
                block.checks += u32::from(*first == "check");
                parsed.uses.extend(rest.iter().map(|name| (*name, number)));
            }
            (_, Some((block, _))) => {
                let message = format!("a block begins inside of `{}`", block.name);
                parsed.problems.push(wrong(message, "Close the block before with `end`."));
            }
            ([first, ..], None) => {
                let message = format!("`{first}` stands in no block");
                parsed.problems.push(wrong(message, "A text has `use NAME`, and blocks from `fn NAME` or `test NAME` to `end`."));
            }
        }
    }
    if let Some((block, bytes)) = open {
        parsed.problems.push(Problem {
            line: block.lines.0,
            message: format!("the block `{}` is never closed", block.name),
            advice: "Write `end` behind its last line.".to_owned(),
            unclosed: Some(bytes),
        });
    }
    parsed
}

/// Whether a line of these words begins a block.
fn begins(words: &[&str]) -> bool {
    matches!(words, ["fn", _] | ["test", _] | ["skip", "test", _])
}
