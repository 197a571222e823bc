//! A Markdown document: what it links to, and what can be linked to in it.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::anchors::Anchors;
use crate::html;

pub struct Document {
    /// In order of their lines, and in a line of their targets.
    pub links: Vec<Link>,
    pub anchors: Anchors,
}

/// A link, an image, a reference definition, an `href`, or an address that stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// As written, entities resolved.
    pub target: String,
    /// From 1.
    pub line: u32,
    /// In an attribute of HTML: a site generator does not rewrite it as it rewrites Markdown's own.
    pub raw: bool,
}

/// Which files are Markdown.
pub const GLOBS: &[&str] = &["*.md", "*.MD", "*.markdown", "*.mdown", "*.mkd", "*.mdx"];

pub fn is_markdown(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        ["md", "markdown", "mdown", "mkd", "mdx"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}

impl Document {
    pub fn parse(text: &str) -> Self {
        let text = &documents::front_matter::blanked(text);
        let text = &without_admonitions(text);
        let starts = line_starts(text);
        let mut reader = Reader::new(text, &starts);
        let options = Options::ENABLE_HEADING_ATTRIBUTES | Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let events = Parser::new_ext(text, options).into_offset_iter();
        for (_, definition) in events.reference_definitions().iter() {
            reader.link(&definition.dest, definition.span.start);
        }
        for (event, range) in events {
            reader.read(event, range);
        }
        reader.end_run();
        let Reader { mut links, anchors, .. } = reader;
        // A definition and its uses are one link to whoever reads of it.
        links.sort_by(|a, b| (a.line, &a.target).cmp(&(b.line, &b.target)));
        links.dedup_by(|a, b| (a.line, &a.target) == (b.line, &b.target));
        Document { links, anchors }
    }
}

/// What MkDocs shows in a box or a tab is indented below its head, and CommonMark would take it for code: the same lines, with
/// four spaces less.
fn without_admonitions(text: &str) -> Cow<'_, str> {
    let is_head = |line: &str| ["!!! ", "??? ", "???+ ", "=== \""].iter().any(|mark| line.starts_with(mark));
    if !line_starts(text).into_iter().any(|start| is_head(&text[start..])) {
        return Cow::Borrowed(text);
    }
    let mut inside = false;
    let lines = text.split_inclusive('\n').map(|line| {
        inside = is_head(line) || (inside && (line.starts_with("    ") || line.trim().is_empty()));
        line.strip_prefix("    ").filter(|_| inside).unwrap_or(line)
    });
    Cow::Owned(lines.collect())
}

/// The byte at which each line begins.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
}

struct Reader<'t> {
    text: &'t str,
    starts: &'t [usize],
    /// Where an address may begin: looked for once, since a document has many runs.
    addresses: Vec<usize>,
    links: Vec<Link>,
    anchors: Anchors,
    /// Text of the heading that is being read.
    heading: Option<String>,
    /// The same with what is said in place of its images, which a forge leaves out of the slug, and some generators do not.
    heading_and_images: String,
    images: usize,
    /// Bytes of the HTML block that is being read.
    html: Option<Range<usize>>,
    /// Text without markup between, which the parser hands out in pieces.
    run: Range<usize>,
    /// Code blocks and links that are open: an address in them is no link of its own.
    closed: usize,
    code: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, starts: &'t [usize]) -> Self {
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let anchors = Anchors::from_text(text, starts.iter().zip(ends).map(|(start, end)| &text[*start..end]));
        let addresses = text.match_indices("http").map(|(at, _)| at).collect();
        let (links, heading, html, run) = Default::default();
        Reader {
            text,
            starts,
            addresses,
            links,
            anchors,
            heading,
            heading_and_images: String::new(),
            images: 0,
            html,
            run,
            closed: 0,
            code: 0,
        }
    }

    fn read(&mut self, event: Event, range: Range<usize>) {
        if !matches!(event, Event::Text(_)) {
            self.end_run();
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(end) => self.end(end),
            Event::Text(text) => {
                self.heading_text(&text);
                if self.code == 0 {
                    self.anchors.text(&self.text[range.clone()]);
                }
                if self.closed == 0 && self.html.is_none() {
                    self.add_to_run(range);
                }
            }
            Event::Code(code) => self.heading_text(&code),
            Event::SoftBreak => self.heading_text(" "),
            Event::InlineHtml(_) => self.html(range),
            Event::Html(_) if self.html.is_none() => self.html(range),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag, range: Range<usize>) {
        match tag {
            Tag::Link { link_type: LinkType::Email, .. } => self.closed += 1,
            Tag::Link { dest_url, .. } => {
                self.link(&dest_url, range.start);
                self.closed += 1;
            }
            Tag::Image { dest_url, .. } => {
                self.link(&dest_url, range.start);
                self.closed += 1;
                self.images += 1;
            }
            Tag::CodeBlock(_) => {
                self.closed += 1;
                self.code += 1;
            }
            Tag::Heading { id, .. } => {
                self.anchors.explicit(id.iter().map(CowStr::to_string));
                self.heading = Some(String::new());
                self.heading_and_images.clear();
            }
            Tag::HtmlBlock => self.html = Some(range),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Link => self.closed = self.closed.saturating_sub(1),
            TagEnd::Image => {
                self.closed = self.closed.saturating_sub(1);
                self.images = self.images.saturating_sub(1);
            }
            TagEnd::CodeBlock => {
                self.closed = self.closed.saturating_sub(1);
                self.code = self.code.saturating_sub(1);
            }
            TagEnd::Heading(_) => {
                let Some(heading) = self.heading.take() else { return };
                self.anchors.heading(&heading);
                if self.heading_and_images != heading {
                    self.anchors.explicit([std::mem::take(&mut self.heading_and_images)]);
                }
            }
            TagEnd::HtmlBlock => {
                let block = self.html.take();
                block.into_iter().for_each(|range| self.html(range));
            }
            _ => {}
        }
    }

    fn heading_text(&mut self, text: &str) {
        let Some(heading) = &mut self.heading else { return };
        self.heading_and_images.push_str(text);
        if self.images == 0 {
            heading.push_str(text);
        }
    }

    fn html(&mut self, range: Range<usize>) {
        let start = range.start;
        self.anchors.text(&self.text[range.clone()]);
        for (at, target) in html::targets(&self.text[range]) {
            let line = self.line(start + at);
            self.links.push(Link { target, line, raw: true });
        }
    }

    fn add_to_run(&mut self, range: Range<usize>) {
        if self.run.end == range.start && !self.run.is_empty() {
            self.run.end = range.end;
        } else {
            self.end_run();
            self.run = range;
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let text = &self.text[run.clone()];
        let [first, end] = [run.start, run.end].map(|at| self.addresses.partition_point(|address| *address < at));
        for at in first..end {
            let at = self.addresses[at];
            if let Some(url) = bare_url(text, at - run.start) {
                self.link(url, at);
            }
        }
    }

    fn link(&mut self, target: &str, at: usize) {
        let line = self.line(at);
        self.links.push(Link { target: target.to_string(), line, raw: false });
    }

    /// Of a byte, from 1.
    fn line(&self, byte: usize) -> u32 {
        self.starts.partition_point(|start| *start <= byte) as u32
    }
}

/// The address at a byte of plain text, as GitHub links it (<https://github.github.com/gfm/#autolinks-extension->): up to white space or
/// `<`, without punctuation at the end, and without a `)` that nothing opened.
fn bare_url(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at..];
    let after = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://"))?;
    let inside = text[..at].ends_with(|c: char| c.is_alphanumeric() || "=/\"'`([{<$+".contains(c) && c != '(');
    if inside || !after.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let end = rest.find(|c: char| c.is_whitespace() || "<>\"`|".contains(c)).unwrap_or(rest.len());
    let mut url = rest[..end].trim_end_matches(TRAILING);
    while url.ends_with(')') && url.matches(')').count() > url.matches('(').count() {
        url = url[..url.len() - 1].trim_end_matches(TRAILING);
    }
    Some(url)
}

const TRAILING: [char; 15] = ['?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', ']', '}', '…', '。', '、'];

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<(u32, String)> {
        Document::parse(text).links.into_iter().map(|link| (link.line, link.target)).collect()
    }

    #[test]
    fn every_kind_of_link() {
        let text = "---\nurl: https://meta.data/x\n---\n[a](b.md \"t\") ![i](<c d.png>) [r][ref] <https://auto.link/x>\n\n\
            see https://bare.url/a_b_c(d). `https://code.span` [t](x.md#y)\n\n    [code](no.md)\n\n\
            <p align=\"center\">\n  <img\n src='img/a.png'>\n<!-- <a href=\"no\"> --></p>\n\n\
            text <a href=\"in.md\">x</a> [https://inner.text](e.md)\n\n[ref]: ref.md 'T'\n\n```\nhttps://fence.d\n```\n";
        let expected = [
            (4, "b.md"),
            (4, "c d.png"),
            (4, "https://auto.link/x"),
            (4, "ref.md"),
            (6, "https://bare.url/a_b_c(d)"),
            (6, "x.md#y"),
            (12, "img/a.png"),
            (15, "e.md"),
            (15, "in.md"),
            (17, "ref.md"),
        ];
        assert_eq!(targets(text), expected.map(|(line, target)| (line, target.to_string())));
    }

    #[test]
    fn bare_urls_end_where_github_ends_them() {
        let cases = [
            ("(https://a.bc/d)", vec!["https://a.bc/d"]),
            ("https://a.bc/(d)", vec!["https://a.bc/(d)"]),
            ("https://a.bc/d, http://e.fg.", vec!["http://e.fg", "https://a.bc/d"]),
            ("x=https://a.bc git+https://b.cd https://", vec![]),
        ];
        for (text, expected) in cases {
            let found = targets(text).into_iter().map(|(_, url)| url).collect::<Vec<_>>();
            assert_eq!(found, expected, "{text}");
        }
    }
}
