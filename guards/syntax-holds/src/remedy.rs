//! What to do about a file that does not parse, in words that a model can act on.

use guard_sdk::Finding;
use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

use crate::chatter::Chatter;
use crate::parse::{self, Problem};
use crate::rules;
use crate::sides::{Piece, Sides};
use crate::syntax::Syntax;
use guard_nesting::{Bracket, never_closed};

const LOOK_ABOVE: &str = "The cause may stand a few lines above: the parser stops where it can no longer go on.";

pub fn finding(sides: &Sides, syntax: &Syntax, problem: Problem) -> Finding {
    let Problem { line, column, message, advice: known, unclosed, whole_as: _ } = problem;
    let at = column.map(|column| format!(" (column {column})")).unwrap_or_default();
    let finding = Finding::error(&rules::rule(syntax), format!("{message}{at}")).at(sides.path, line);
    if sides.after.trim().is_empty() {
        return finding.help("The file is empty. Write its whole content, or leave the file as it was.");
    }
    if let Some(advice) = known {
        return finding.help(advice);
    }
    if column.is_some_and(|column| is_typographic_quote(sides.after, line, column)) {
        return finding.help("Write a straight quote, `\"` or `'`: in code, a typographic one quotes nothing.");
    }
    match trailing_commas(sides, syntax) {
        Some(commas) => sides.deleting(
            finding.help("JSON has no trailing commas: remove the comma before the closing bracket."),
            "Remove the trailing commas",
            commas.into_iter().map(|at| at..at + 1),
        ),
        None => match (
            Chatter::find(sides.after, &|text| parse::read(sides, syntax, Piece::Altered(text)).is_ok()),
            open_bracket(syntax, sides.after, unclosed),
        ) {
            (Some(chatter), _) => chatter.finding(finding, sides),
            (None, Some(open)) if !finding.message.contains("nterminated") => open.unclosed_finding(finding, sides),
            _ => finding.help(format!("{} {LOOK_ABOVE}", advice(sides, syntax))),
        },
    }
}

/// Of a word processor, and of an answer that was set like a text.
fn is_typographic_quote(text: &str, line: u32, column: u32) -> bool {
    let line = text.lines().nth(line as usize - 1).unwrap_or_default();
    line.chars().nth(column as usize - 1).is_some_and(|c| "“”„‟‘’‚‛«»".contains(c))
}

fn advice(sides: &Sides, syntax: &Syntax) -> &'static str {
    let is = |other: Syntax| parse::read(sides, &other, Piece::After).is_ok();
    match syntax {
        Syntax::Json if is(Syntax::Jsonc) => "This file is plain JSON, which has no comments: remove them.",
        Syntax::Json if is(Syntax::Json5) => {
            "This file is plain JSON: put keys and strings in double quotes, and no comments."
        }
        Syntax::Json => {
            "Fix this line so that the file is valid JSON: double quotes, commas between entries, every bracket closed, nothing after the end."
        }
        Syntax::Jsonc | Syntax::Json5 => {
            "Fix this line: commas between entries, every string, comment and bracket closed."
        }
        Syntax::JsonLines => "Each line must be one whole JSON value.",
        Syntax::Toml => {
            "Fix this line: strings in quotes, one `key = value` a line, no key or table twice, every bracket closed."
        }
        Syntax::Yaml => {
            "Fix this line: indent with spaces, in step with its neighbours; quote values that hold `: `, ` #` or begin with a special character; close quotes and brackets."
        }
        Syntax::Ini | Syntax::AnyIni => {
            "Put every `key = value` under a [section], and each section and key only once."
        }
        Syntax::EditorConfig => "Each line is a [glob], a `key = value` or a comment.",
        Syntax::Code(_) => {
            "Fix this line so that the file compiles: brackets, quotes, tags, commas, semicolons; every line must be code."
        }
    }
}

/// The one bracket that was never closed.
struct Lost {
    bracket: Bracket,
    /// From 1.
    line: u32,
    says: String,
}

/// Bytes of a file whose brackets are listed; those of a larger one take more memory than the parser left.
const LISTED: usize = 256 << 10;

/// `known`: what the parser says of it.
fn open_bracket(syntax: &Syntax, text: &str, known: Option<(usize, String)>) -> Option<Lost> {
    let known = known.and_then(|(at, _)| Some(Bracket { at, sign: *text.as_bytes().get(at)? }));
    let listed = || (text.len() <= LISTED).then(|| never_closed(text, &parse::brackets(syntax, text))).flatten();
    let bracket = known.or_else(listed)?;
    let start = text[..bracket.at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[..start].bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
    let says = text[start..].lines().next().unwrap_or_default().trim().chars().take(60).collect();
    Some(Lost { bracket, line, says })
}

impl Lost {
    /// With the place where the parser stopped, which may be far below.
    fn unclosed_finding(self, finding: Finding, sides: &Sides) -> Finding {
        let (stopped, why) = (finding.line.unwrap_or(self.line), finding.message.clone());
        let (sign, closer, line) = (char::from(self.bracket.sign), self.bracket.closer(), self.line);
        let message = format!("the `{sign}` of `{}` is never closed; line {stopped}: {why}", self.says);
        Finding { message, ..finding.at(sides.path, line) }
            .help(format!(
                "Write the `{closer}` that belongs to line {line}. By the indentation, every other bracket is closed."
            ))
            .related(sides.path, stopped..=stopped, "the parser stopped here")
    }
}

/// The bytes of the commas that strict JSON would not have there, when without them the text is JSON.
fn trailing_commas(sides: &Sides, syntax: &Syntax) -> Option<Vec<usize>> {
    if *syntax != Syntax::Json {
        return None;
    }
    let text = sides.after;
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    let (mut commas, mut comma) = (Vec::new(), None);
    while let Some(token) = scanner.scan().ok()? {
        if matches!(token, Token::CloseBrace | Token::CloseBracket) {
            commas.extend(comma);
        }
        comma = matches!(token, Token::Comma).then(|| scanner.token_start());
    }
    let mut mended = String::with_capacity(text.len());
    let mut taken = 0;
    for at in &commas {
        mended.push_str(&text[taken..*at]);
        taken = at + 1;
    }
    mended.push_str(&text[taken..]);
    (!commas.is_empty() && parse::read(sides, syntax, Piece::Altered(&mended)).is_ok()).then_some(commas)
}
