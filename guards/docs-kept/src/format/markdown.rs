//! CommonMark, by its own parser: fences of either kind and of any length, indented code, code in lists and quotes, and
//! `<pre>`.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

pub fn code(text: &str, indented: bool) -> Vec<(Range<usize>, String)> {
    let text = &documents::front_matter::blanked(text);
    let options = Options::ENABLE_FOOTNOTES;
    let mut blocks = Vec::new();
    let mut open: Option<(Range<usize>, String)> = None;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented))
                if !indented || is_admonition(&text[..range.start]) => {}
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if holds_text(&info, &text[range.clone()]) => {}
            Event::Start(Tag::CodeBlock(_)) => open = Some((range, String::new())),
            Event::Start(Tag::HtmlBlock) if is_pre(&text[range.clone()]) => open = Some((range, String::new())),
            Event::Text(piece) | Event::Html(piece) => {
                if let Some((_, code)) = &mut open {
                    code.push_str(&piece);
                }
            }
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

fn is_pre(html: &str) -> bool {
    html.trim_start().get(..4).is_some_and(|tag| tag.eq_ignore_ascii_case("<pre"))
}

/// The directives of docutils and Sphinx that hold text. MyST writes them as fences: "```{note}".
#[rustfmt::skip]
const ADMONITIONS: [&str; 16] = [
    "admonition", "attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning", "seealso", "todo", "versionadded", "versionchanged", "versionremoved", "deprecated",
];

/// Whether a fence is such a directive, and no code stands in a fence within it.
fn holds_text(info: &str, block: &str) -> bool {
    let name = info.trim().strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
    let is_fence = |line: &str| ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
    let fences = block.lines().filter(|line| is_fence(line)).count();
    name.is_some_and(|name| ADMONITIONS.contains(&name)) && fences <= 2
}

/// Whether text ends with the head of an admonition or a tab, as MkDocs writes them: what is indented below it is text.
fn is_admonition(above: &str) -> bool {
    let marks = ["!!!", "???", "===", "///"];
    let is_head = |line: &str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
    // Its paragraphs stand below one another, each indented.
    let mut lines = above.lines().rev().filter(|line| !line.trim().is_empty());
    lines.find(|line| is_head(line) || !line.starts_with([' ', '\t'])).is_some_and(is_head)
}
