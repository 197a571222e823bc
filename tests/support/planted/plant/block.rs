//! Definitions and tests by their layout alone: code that a formatter has seen begins a block with its first word and ends it
//! at the same depth. No parser, so that no guard's parser judges itself.

use std::ops::Range;

use super::Random;
use super::verify::Format;

pub struct Block {
    pub name: String,
    /// From its decorators, attributes and comments to its last line.
    pub lines: Range<usize>,
    /// What stands between the head and the end, without the closing brace.
    pub body: Range<usize>,
}

pub fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

pub fn joined(lines: &[impl AsRef<str>]) -> String {
    lines.iter().map(|line| format!("{}\n", line.as_ref())).collect()
}

/// The text without some lines, and without a second blank line where they were.
pub fn without(all: &[&str], gone: Range<usize>) -> String {
    let end = gone.end + usize::from(all.get(gone.end).is_some_and(|line| line.trim().is_empty()));
    joined(&[&all[..gone.start], &all[end.min(all.len())..]].concat())
}

pub fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Functions and classes that begin at the margin.
pub fn definitions(format: Format, all: &[&str]) -> Vec<Block> {
    (0..all.len())
        .filter(|at| depth(all[*at]) == 0)
        .filter_map(|at| block(format, all, at, defined(format, all[at])?))
        .collect()
}

/// Functions at any depth.
pub fn functions(format: Format, all: &[&str]) -> Vec<Block> {
    (0..all.len()).filter_map(|at| block(format, all, at, function(format, all[at])?)).collect()
}

fn function(format: Format, line: &str) -> Option<&str> {
    let line = line.trim_start();
    let plain = line.trim_start_matches("export ").trim_start_matches("default ").trim_start_matches("async ");
    let rust = plain.trim_start_matches("pub(crate) ").trim_start_matches("pub ").trim_start_matches("const ");
    word(match format {
        Format::Python => plain.strip_prefix("def ")?,
        Format::Rust => rust.strip_prefix("fn ")?,
        _ => plain.strip_prefix("function ")?,
    })
}

pub fn tests(format: Format, all: &[&str]) -> Vec<Block> {
    let test = |at: usize| match format {
        Format::Python => {
            let name = word(all[at].trim_start().trim_start_matches("async ").strip_prefix("def ")?)?;
            name.starts_with("test_").then_some(name)
        }
        Format::Rust => {
            let above = all.get(at.checked_sub(1)?)?.trim();
            let is_test = above == "#[test]" || above.starts_with("#[tokio::test");
            word(all[at].trim_start().trim_start_matches("async ").strip_prefix("fn ")?).filter(|_| is_test)
        }
        _ => {
            let line = all[at].trim_start();
            let rest = line.strip_prefix("it(").or_else(|| line.strip_prefix("test("))?;
            let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"' | '`'))?;
            rest[1..].split(quote).next().filter(|_| line.ends_with('{'))
        }
    };
    (0..all.len()).filter_map(|at| block(format, all, at, test(at)?)).collect()
}

fn defined(format: Format, line: &str) -> Option<&str> {
    let starts: &[&str] = match format {
        Format::Python => &["def ", "async def ", "class "],
        Format::Rust => &[
            "fn ",
            "pub fn ",
            "pub(crate) fn ",
            "pub async fn ",
            "struct ",
            "pub struct ",
            "enum ",
            "pub enum ",
            "pub trait ",
        ],
        _ => &["function ", "export function ", "async function ", "export async function ", "class ", "export class "],
    };
    word(starts.iter().find_map(|start| line.strip_prefix(start))?)
}

fn word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

fn block(format: Format, all: &[&str], head: usize, name: &str) -> Option<Block> {
    let level = depth(all[head]);
    let (body, end) = if format == Format::Python {
        let first = (head..all.len().min(head + 30))
            .find(|at| all[*at].split(" #").next().unwrap_or("").trim_end().ends_with(':'))?
            + 1;
        let next = |at: &usize| {
            !all[*at].trim().is_empty() && depth(all[*at]) <= level && !all[*at].trim_start().starts_with(')')
        };
        let mut end = (first..all.len()).find(next).unwrap_or(all.len());
        while end > first && all[end - 1].trim().is_empty() {
            end -= 1;
        }
        (first..end, end)
    } else {
        let first = (head..all.len().min(head + 30)).find(|at| all[*at].trim_end().ends_with('{'))? + 1;
        let close = (first..all.len()).find(|at| depth(all[*at]) <= level && !all[*at].trim().is_empty())?;
        all[close].trim_start().starts_with('}').then_some(())?;
        (first..close, close + 1)
    };
    let start = (0..head).rev().take_while(|at| !all[*at].trim().is_empty() && depth(all[*at]) >= level);
    let leads = |at: &usize| {
        let line = all[*at].trim_start();
        depth(all[*at]) == level && ["@", "#", "//", "/*"].iter().any(|sign| line.starts_with(sign))
    };
    // A decorator may take several lines; what stands above it belongs to something else.
    let start = start.filter(leads).last().unwrap_or(head);
    Some(Block { name: name.to_owned(), lines: start..end, body })
}

/// A language in which definitions are looked for, and whether the path is of it.
pub fn language(path: &str) -> Option<Format> {
    let format = Format::from_path(path)?;
    (matches!(format, Format::Python | Format::Rust) || format.is_script())
        .then_some(format)
        .filter(|_| super::is_own(path))
}

pub fn any<'b>(blocks: &'b [Block], random: &mut Random, wanted: impl Fn(&Block) -> bool) -> Option<&'b Block> {
    let suited: Vec<&Block> = blocks.iter().filter(|block| wanted(block)).collect();
    suited.get(random.below(suited.len())).copied()
}

/// How the language writes a line of comment.
pub fn comment(format: Format, text: &str) -> String {
    match format {
        Format::Python => format!("# {text}"),
        _ => format!("// {text}"),
    }
}

pub fn family(format: Format) -> &'static str {
    match format {
        Format::Python => "python",
        Format::Rust => "rust",
        _ => "javascript",
    }
}
