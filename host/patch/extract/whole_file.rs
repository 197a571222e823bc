//! A whole file in a fence, its name on the line above, in the info string, or known from the task's only hint.
//!
//! Format: aider's `whole`, aider.chat/docs/more/edit-formats.html.

use super::elision;
use super::lines::{Fence, Lines, malformed, quote, truncated};
use super::names;
use guardhost_core::change::{Existence, FileOp, FilePatch, NoPatch, NoPatchKind, RepoPath};

/// A fenced block that is no patch in another format.
pub(super) struct Block {
    /// Index of its first line, the opening fence.
    pub at: usize,
    pub path: Option<RepoPath>,
    content: Vec<u8>,
    language: Vec<u8>,
    /// Three marks close it, so that a bare fence in a Markdown file would close it too early.
    is_narrow: bool,
}

/// The block that `fence` opens, and the line after it; None when it is never closed.
pub(super) fn block(lines: &Lines, fence: &Fence, hints: &[RepoPath]) -> Option<(Block, usize)> {
    let end = close(lines, fence)?;
    let content = lines[fence.at + 1..end].iter().flat_map(|line| [*line, b"\n"].concat()).collect();
    let language = fence.info.split(|byte| matches!(byte, b' ' | b':')).next().unwrap_or_default().to_ascii_lowercase();
    let path = names::before(lines, fence.at + 1, Some(fence), hints);
    Some((Block { at: fence.at, path, content, language, is_narrow: fence.is_narrow() }, end + 1))
}

/// The line that closes the fence. A fence with an info string inside it opens an inner block, as in a README with examples.
fn close(lines: &Lines, fence: &Fence) -> Option<usize> {
    let mut open = vec![fence.clone()];
    for at in fence.at + 1..lines.len() {
        if open.last()?.closed_by(lines[at]) {
            open.pop();
            if open.is_empty() {
                return Some(at);
            }
        } else if let Some(inner) =
            Fence::open(lines, at).filter(|inner| !inner.info.is_empty() && fence.may_contain(inner))
        {
            open.push(inner);
        }
    }
    None
}

impl Block {
    fn file(self, path: RepoPath) -> Result<FilePatch, NoPatch> {
        if let Some(line) = elision::find(&self.content) {
            return Err(elision::refusal(&path, &line));
        }
        Ok(FilePatch { existence: Existence::Unsaid, ..FilePatch::new(path, FileOp::Write(self.content)) })
    }

    /// Commands and output are for the reader; they are a file only when they have a file's name.
    fn is_shown_only(&self) -> bool {
        const SHOWN: [&[u8]; 12] = [
            b"bash",
            b"sh",
            b"shell",
            b"zsh",
            b"fish",
            b"console",
            b"terminal",
            b"shell-session",
            b"powershell",
            b"output",
            b"text",
            b"mermaid",
        ];
        SHOWN.contains(&self.language.as_slice())
    }
}

/// The files that blocks give when the reply has no other patch. None when no block can be meant as a file.
pub(super) fn files(blocks: Vec<Block>, hints: &[RepoPath]) -> Result<Option<Vec<FilePatch>>, NoPatch> {
    refuse_unclear_end(&blocks)?;
    if blocks.iter().any(|block| block.path.is_some()) {
        let named = blocks.into_iter().filter_map(|block| Some((block.path.clone()?, block)));
        return named.map(|(path, block)| block.file(path)).collect::<Result<_, _>>().map(Some);
    }
    let mut nameless: Vec<Block> = blocks.into_iter().filter(|block| !block.is_shown_only()).collect();
    match (nameless.len(), hints) {
        (0, _) => Ok(None),
        (1, [only]) => Ok(Some(vec![nameless.remove(0).file(only.clone())?])),
        (1, []) => Ok(None),
        (1, _) => {
            Err(malformed(nameless[0].at, "a file without its name; write the path alone on the line before the fence"))
        }
        (_, []) => Ok(None),
        _ => {
            let why =
                "several code blocks, none with a file name; write each file's path alone on the line before its fence";
            Err(malformed(nameless[0].at, why))
        }
    }
}

/// A Markdown file with bare fences, in a fence of three marks, cannot be told from a shorter file and text after it.
fn refuse_unclear_end(blocks: &[Block]) -> Result<(), NoPatch> {
    let markup = |path: &RepoPath| {
        let name = path.file_name().to_ascii_lowercase();
        [&b".md"[..], b".mdx", b".markdown", b".rst", b".txt", b".adoc"].iter().any(|end| name.ends_with(end))
    };
    for pair in blocks.windows(2) {
        if let Some(path) = pair[0].path.as_ref().filter(|path| pair[0].is_narrow && markup(path))
            && pair[1].path.is_none()
            && pair[1].language.is_empty()
        {
            let why = format_args!(
                "it is unclear where {} ends; put it in a fence of four backticks",
                quote(path.as_bytes())
            );
            return Err(malformed(pair[1].at, why));
        }
    }
    Ok(())
}

/// The error for a block that is never closed, when it has a file's name.
pub(super) fn unclosed(lines: &Lines, fence: &Fence, hints: &[RepoPath]) -> Option<NoPatch> {
    let path = names::before(lines, fence.at + 1, Some(fence), hints)?;
    Some(truncated(fence.at, format_args!("the fence around {} is never closed", quote(path.as_bytes()))))
}

/// Blocks beside a patch in another format: the copies of files that the patch changes. Another file is an error, since it
/// would be lost.
pub(super) fn beside(blocks: &[Block], files: &[FilePatch]) -> Result<Vec<RepoPath>, NoPatch> {
    let touched = |path: &RepoPath| files.iter().any(|file| file.path == *path);
    let mut copies = Vec::new();
    for block in blocks {
        match &block.path {
            Some(path) if touched(path) => copies.push(path.clone()),
            Some(path) if !block.is_shown_only() => {
                let why = format_args!(
                    "{path} is given whole beside a patch in another format; use one format for all files"
                );
                return Err(NoPatch { kind: NoPatchKind::Malformed, ..malformed(block.at, why) });
            }
            _ => {}
        }
    }
    Ok(copies)
}
