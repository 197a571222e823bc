//! The fences around code blocks: three or more backticks or tildes as CommonMark defines them (§4.5), and aider's tags.

/// Tags that aider uses for fences when the files themselves have backticks.
const TAGS: [&str; 5] = ["source", "code", "pre", "codeblock", "sourcecode"];

/// The line that opens a fence, at any indentation.
#[derive(Debug, Clone)]
pub(crate) struct Fence<'a> {
    /// Index of its line.
    pub at: usize,
    indent: usize,
    kind: FenceKind,
    /// What follows the marks, trimmed: a language, often a path.
    pub info: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FenceKind {
    Marks { mark: u8, len: usize },
    Tag(&'static str),
}

impl<'a> Fence<'a> {
    /// The fence that `line` opens, which is the line `at` of its text.
    pub fn open(line: &'a [u8], at: usize) -> Option<Self> {
        let text = line.trim_ascii_start();
        let indent = line.len() - text.len();
        let mark = *text.first().filter(|mark| matches!(mark, b'`' | b'~' | b'<'))?;
        if mark == b'<' {
            let (tag, info) = TAGS.iter().find_map(|tag| Some((*tag, after_tag(text, tag)?)))?;
            return Some(Fence { at, indent, kind: FenceKind::Tag(tag), info });
        }
        let len = text.iter().take_while(|byte| **byte == mark).count();
        let info = text[len..].trim_ascii();
        let is_open = len >= 3 && !(mark == b'`' && info.contains(&b'`'));
        is_open.then_some(Fence { at, indent, kind: FenceKind::Marks { mark, len }, info })
    }

    /// Whether `line` closes this fence. It is not indented deeper than the opening, so that a fence in a context line does not
    /// close the diff around it.
    pub fn closed_by(&self, line: &[u8]) -> bool {
        let text = line.trim_ascii();
        let indent = line.len() - line.trim_ascii_start().len();
        indent <= self.indent
            && match self.kind {
                FenceKind::Marks { mark, len } => {
                    let marks = text.iter().take_while(|byte| **byte == mark).count();
                    // A server may leave the tokens of a chat template behind the marks.
                    let rest = &text[marks..];
                    marks >= len && (rest.is_empty() || rest.starts_with(b"<|") || rest.starts_with("<｜".as_bytes()))
                }
                FenceKind::Tag(tag) => {
                    text.strip_prefix(b"</").and_then(|text| text.strip_suffix(b">")) == Some(tag.as_bytes())
                }
            }
    }

    /// Whether it has only three marks, as most fences have.
    pub fn is_narrow(&self) -> bool {
        matches!(self.kind, FenceKind::Marks { len: 3, .. })
    }

    /// Whether it is a tag, which is a fence only around a patch or below a file's name.
    pub fn is_tag(&self) -> bool {
        matches!(self.kind, FenceKind::Tag(_))
    }

    /// Whether `inner` could be a fence inside this one.
    pub fn may_contain(&self, inner: &Fence) -> bool {
        let nests = match (self.kind, inner.kind) {
            (FenceKind::Marks { mark, len }, FenceKind::Marks { mark: inner, len: inner_len }) => {
                mark == inner && inner_len >= len
            }
            _ => false,
        };
        nests && inner.indent <= self.indent
    }
}

/// What follows `<tag>`, a language: nothing with a blank or a tag in it.
fn after_tag<'t>(text: &'t [u8], tag: &str) -> Option<&'t [u8]> {
    let info = text.strip_prefix(b"<")?.strip_prefix(tag.as_bytes())?.strip_prefix(b">")?.trim_ascii();
    (!info.iter().any(|byte| matches!(byte, b' ' | b'<' | b'>'))).then_some(info)
}
