//! The sentences of a document, without code, comments, quotations and addresses.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A paragraph, a list's item, a table's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub text: String,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// The headings above it, the nearest last.
    pub headings: Vec<String>,
    pub listed: bool,
}

pub fn blocks(path: &str, text: &str) -> Vec<Block> {
    let lower = path.to_ascii_lowercase();
    let markdown = [".md", ".mdx", ".markdown", ".mdown", ".mkd"].iter().any(|end| lower.ends_with(end));
    if markdown { from_markdown(text) } else { from_plain(text) }
}

fn from_markdown(text: &str) -> Vec<Block> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |byte: usize| starts.partition_point(|start| *start <= byte) as u32;
    let text = &documents::front_matter::blanked(text);
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let (mut blocks, mut headings): (Vec<Block>, Vec<(usize, String)>) = (Vec::new(), Vec::new());
    let (mut current, mut begun, mut last) = (String::new(), 0, 0);
    let (mut silent, mut lists) = (0usize, 0usize);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let ends = matches!(
            event,
            Event::Start(
                Tag::Paragraph | Tag::Item | Tag::List(_) | Tag::Heading { .. } | Tag::TableRow | Tag::TableHead
            ) | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead)
        );
        if ends && !current.trim().is_empty() {
            let headings = headings.iter().map(|(_, text)| text.clone()).collect();
            let text = std::mem::take(&mut current);
            blocks.push(Block { text, lines: (line(begun), line(last)), headings, listed: lists > 0 });
        }
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::BlockQuote(_) | Tag::HtmlBlock | Tag::Image { .. }) => silent += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::BlockQuote(_) | TagEnd::HtmlBlock | TagEnd::Image) => {
                silent = silent.saturating_sub(1);
            }
            Event::Start(Tag::List(_)) => lists += 1,
            Event::End(TagEnd::List(_)) => lists = lists.saturating_sub(1),
            Event::Start(Tag::Heading { level, .. }) => {
                headings.retain(|(above, _)| *above < level as usize);
                current.clear();
            }
            Event::End(TagEnd::Heading(level)) => {
                headings.push((level as usize, std::mem::take(&mut current).to_lowercase()))
            }
            Event::End(TagEnd::TableCell) => current.push_str(" | "),
            Event::Text(piece) if silent == 0 => {
                if current.is_empty() {
                    begun = range.start;
                }
                last = range.start;
                current.push_str(&piece);
            }
            // What stands for a name in a sentence must keep its place, and is not a name that is claimed.
            Event::Code(_) if silent == 0 => current.push('`'),
            Event::SoftBreak | Event::HardBreak => current.push(' '),
            _ => {}
        }
    }
    blocks.iter_mut().for_each(|block| block.text = without_addresses(&block.text));
    blocks
}

/// Paragraphs of reStructuredText, AsciiDoc and plain text: code there is indented, or marked by two backticks.
fn from_plain(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim();
        let listed = bare.starts_with("- ") || bare.starts_with("* ");
        let silent = bare.is_empty()
            || bare.starts_with("..")
            || bare.starts_with("//")
            || (line.starts_with([' ', '\t']) && !open && !listed);
        if silent {
            open = false;
            continue;
        }
        match blocks.last_mut().filter(|_| open && !listed) {
            Some(block) => {
                block.text.push(' ');
                block.text.push_str(bare);
                block.lines.1 = number;
            }
            None => blocks.push(Block {
                text: bare.trim_start_matches(['-', '*', ' ']).to_string(),
                lines: (number, number),
                headings: Vec::new(),
                listed,
            }),
        }
        open = true;
    }
    for block in &mut blocks {
        let parts: Vec<&str> = block.text.split("``").step_by(2).collect();
        block.text = without_addresses(&parts.join("`"));
    }
    blocks
}

fn without_addresses(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().map(|word| if word.contains("://") { "`" } else { word }).collect();
    words.join(" ")
}

/// Sentences, as far as punctuation tells.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ")
        .flat_map(|part| part.split_inclusive("? "))
        .flat_map(|part| part.split_inclusive("! "))
        .flat_map(|part| part.split("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_alone() {
        let text = "# Title\n\nOne `React` two.\nthree\n\n```\nReact\n```\n> React\n\n<!-- React -->\n## Stack\n- Vue https://react.dev\n\n| a | b |\n|---|---|\n| UI | Svelte |\n";
        let found: Vec<_> = blocks("a.md", text)
            .into_iter()
            .map(|block| (block.text, block.lines, block.headings.join("/"), block.listed))
            .collect();
        let expected = [
            ("One ` two. three", (3, 4), "title", false),
            ("Vue `", (13, 13), "title/stack", true),
            ("a | b |", (15, 15), "title/stack", false),
            ("UI | Svelte |", (17, 17), "title/stack", false),
        ];
        assert_eq!(
            found,
            expected.map(|(text, lines, headings, listed)| (text.to_string(), lines, headings.to_string(), listed))
        );
        let plain = blocks(
            "README.rst",
            "Title\n=====\n\nA ``React`` word\nhere::\n\n    React\n\n.. React\n\n- item\n- two\n",
        );
        let texts: Vec<_> = plain.iter().map(|block| block.text.as_str()).collect();
        assert_eq!(texts, ["Title =====", "A ` word here::", "item", "two"]);
    }
}
