//! A whole file in a fence, its name on the line above, in the info string, or known from the task's only hint.
//!
//! Format: aider's `whole`, aider.chat/docs/more/edit-formats.html.

use std::collections::HashSet;

use super::lines::{Lines, blank, joined, malformed, quote, skip_blank, truncated};
use super::{names, normal, search_replace, seen};
use crate::definition::NamedDefinition;
use crate::fence::Fence;
use crate::numbered;
use bstr::ByteSlice;
use guardhost_core::change::{Author, Existence, FileOp, FilePatch, Hunk, NoPatch, RepoPath};

/// A fenced block that is no patch in another format.
pub(super) struct Block {
    /// Index of its first line, the opening fence.
    pub at: usize,
    pub path: Option<RepoPath>,
    /// The path is in its first line only, as in an excerpt that is for the reader.
    is_named_inside: bool,
    /// The one word right above it, which is no name that is known: it may be a file's, such as `NEWS`.
    word: Option<Vec<u8>>,
    /// The line right above it, which may be a name with blanks, or prose.
    spaced: Option<RepoPath>,
    /// The line above it, which introduces it: ``Here is the updated `a.py`:``.
    introduction: Option<Vec<u8>>,
    /// The label above it says that it is this new file.
    new_file: Option<RepoPath>,
    content: Vec<u8>,
    language: Vec<u8>,
    /// Three marks close it, so that a bare fence in a Markdown file would close it too early.
    is_narrow: bool,
    /// The words above it say that it is the complete file.
    says_whole: bool,
    /// They say that the file exists.
    says_existing: bool,
    /// Its text is a diff in the normal format.
    pub normal_diff: Option<Vec<Hunk>>,
    /// What its text is, when it is no file: an ed script.
    form: Option<&'static str>,
    /// The line at which a SEARCH/REPLACE block without one of its markers is in it, and what is missing.
    pub lost_marker: Option<(usize, &'static str)>,
}

/// Fences inside one another. A document about fences has three.
const NESTED: usize = 8;

/// The language in a fence's info string: the first word.
pub(super) fn language(fence: &Fence) -> Vec<u8> {
    let ends = |byte: &u8| matches!(byte, b' ' | b':' | b',' | b'{');
    fence.info.split(ends).next().unwrap_or_default().to_ascii_lowercase()
}

/// The block that `fence` opens, and the line after it; None when it is never closed.
pub(super) fn block(lines: &Lines, fence: &Fence, hints: &[RepoPath]) -> Option<(Block, usize)> {
    let end = close(lines, fence)?;
    let inside = &lines[fence.at + 1..end];
    let language = language(fence);
    let (compared, is_inside) = normal::compared(lines, fence, hints);
    let first = if is_inside { skip_blank(lines, fence.at + 1) - fence.at } else { 0 };
    let normal_diff = normal::hunks(&inside[first..]);
    let form = match normal_diff {
        Some(_) => Some("a diff in the normal format"),
        None => seen::in_block(inside, &language),
    };
    let outer_name = names::before(lines, fence.at + 1, Some(fence), hints);
    let is_named_inside = outer_name.is_none();
    let compared = compared.filter(|_| normal_diff.is_some());
    let path = outer_name.or(compared).or_else(|| first_line_name(inside));
    let word = path.is_none().then(|| word_above(lines, fence)).flatten();
    let spaced = path.is_none().then(|| spaced_above(lines, fence)).flatten();
    let introduction = path.is_none().then(|| introduction(lines, fence)).flatten();
    let new_file = path.is_none().then(|| new_file_above(lines, fence)).flatten();
    // From the first to the last line of the file.
    let unnumbered = numbered::strip(inside).filter(|(first, _)| *first == 1);
    let content = joined(unnumbered.as_ref().map_or(inside, |(_, plain)| plain));
    let lost_marker = search_replace::lost_marker(inside).map(|(at, why)| (fence.at + 1 + at, why));
    let above = &lines[fence.at.saturating_sub(3)..fence.at];
    let (says_whole, says_existing) = (says_whole(above), says_existing(above));
    let is_narrow = fence.is_narrow();
    let block = Block {
        at: fence.at,
        path,
        is_named_inside,
        word,
        spaced,
        introduction,
        new_file,
        content,
        language,
        is_narrow,
        says_whole,
        says_existing,
        normal_diff,
        form,
        lost_marker,
    };
    Some((block, end + 1))
}

/// `# src/a.py`: a first line that is a comment with a path in a folder, and nothing else.
fn first_line_name(content: &[&[u8]]) -> Option<RepoPath> {
    let line = content.first()?.trim_ascii();
    let comment = [&b"# "[..], b"// ", b"<!-- ", b"-- ", b"/* "].iter().any(|mark| line.starts_with(mark));
    names::alone(line, &[]).filter(|path| comment && path.as_bytes().contains(&b'/'))
}

/// The only word of the line right above a fence without a language.
fn word_above(lines: &Lines, fence: &Fence) -> Option<Vec<u8>> {
    let line = lines[fence.at.checked_sub(1)?].trim_ascii();
    let is_word = line.first().is_some_and(u8::is_ascii_alphabetic)
        && line.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (is_word && fence.info.is_empty()).then(|| line.to_vec())
}

/// The line right above a fence, if it may be a name with blanks. With a colon or a full stop at its end it is prose.
fn spaced_above(lines: &Lines, fence: &Fence) -> Option<RepoPath> {
    let line = lines[fence.at.checked_sub(1)?].trim_ascii();
    names::with_blanks(line)
}

/// The last line above a fence, if it ends as one does that introduces what is below it.
fn introduction(lines: &Lines, fence: &Fence) -> Option<Vec<u8>> {
    let line = lines[..fence.at].iter().rev().take(2).find(|line| !blank(line))?;
    let text = line.to_str_lossy();
    let text = text.trim_end().trim_end_matches(['*', '_']);
    text.ends_with([':', '：', '）', ')']).then(|| line.to_vec())
}

/// The name in a label above a fence that says nothing but that it is a new file: ``### `src/a.py` (new file)``.
fn new_file_above(lines: &Lines, fence: &Fence) -> Option<RepoPath> {
    const NEW: [&str; 12] =
        ["new", "create", "created", "creates", "add", "neu", "neue", "nouveau", "nuevo", "novo", "nuovo", "новый"];
    const BESIDE: [&str; 9] = ["file", "a", "the", "this", "datei", "fichier", "archivo", "arquivo", "файл"];
    let line = lines[..fence.at].iter().rev().take(2).find(|line| !blank(line))?;
    let parts: Vec<&[u8]> = line.split(|byte| *byte == b'`').collect();
    let [before, name, behind] = parts.as_slice() else { return None };
    let words = [*before, *behind].join(&b' ').to_str_lossy().to_lowercase();
    let mut words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let words: Vec<&str> = words.collect();
    let is_known = words.iter().all(|word| NEW.contains(word) || BESIDE.contains(word));
    names::plausible(name, &[]).filter(|_| is_known && words.iter().any(|word| NEW.contains(word)))
}

/// Whether the line that introduces a text says that it is what lines of a file become. What something looked like, or may look like, is
/// no change.
fn asks_for_change(line: &[u8]) -> bool {
    const CHANGES: [&str; 11] =
        ["replac", "updat", "chang", "modif", "edit", "adjust", "adapt", "rewr", "fix", "becom", "should"];
    let text = line.to_str_lossy().to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| CHANGES.iter().any(|begin| word.starts_with(begin)))
}

/// Whether the lines above a block call it the whole of its file.
fn says_whole(above: &[&[u8]]) -> bool {
    const WHOLE: [&str; 4] = ["complete", "full", "entire", "whole"];
    const FILE: [&str; 3] = ["file", "content", "contents"];
    let text = String::from_utf8_lossy(&above.join(&b' ')).to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(3).any(|three| WHOLE.contains(&three[0]) && three[1..].iter().any(|word| FILE.contains(word)))
        || words.windows(2).any(|two| WHOLE.contains(&two[0]) && FILE.contains(&two[1]))
}

/// Whether the lines above a block say that its file exists: `I changed the existing file`.
fn says_existing(above: &[&[u8]]) -> bool {
    String::from_utf8_lossy(&above.join(&b' ')).to_lowercase().contains("the existing file")
}

/// The line that closes the fence. A fence with an info string inside it opens an inner block, as in a README with examples.
pub(super) fn close(lines: &Lines, fence: &Fence) -> Option<usize> {
    let mut open = vec![fence.clone()];
    for at in fence.at + 1..lines.len() {
        if open.last()?.closed_by(lines[at]) {
            open.pop();
            if open.is_empty() {
                return Some(at);
            }
        } else if let Some(inner) =
            Fence::open(lines[at], at).filter(|inner| !inner.info.is_empty() && fence.may_contain(inner))
        {
            open.push(inner);
            if open.len() > NESTED {
                return None;
            }
        }
    }
    None
}

impl Block {
    fn file(&self, path: RepoPath) -> Result<FilePatch, NoPatch> {
        if let Some(form) = self.form {
            let why = format_args!("the block for {path} is {form}; send a unified diff, or the complete file");
            return Err(malformed(self.at, why));
        }
        let written_by = Author::Model { says_whole: self.says_whole };
        Ok(FilePatch {
            written_by,
            existence: if self.says_existing { Existence::MustExist } else { Existence::Unsaid },
            ..FilePatch::new(path, FileOp::Write(self.content.clone()))
        })
    }

    /// The form in which its text is a change that is not read.
    pub fn unread_form(&self) -> Option<&'static str> {
        self.form.filter(|form| *form != seen::NO_DIFF)
    }

    /// Only its first line names a file.
    pub fn is_named_inside(&self) -> bool {
        self.is_named_inside
    }

    /// It is called a text, as output is and any file may be.
    pub fn is_text(&self) -> bool {
        self.language == b"text"
    }

    /// The words above it say that it is the complete file.
    pub fn says_whole(&self) -> bool {
        self.says_whole
    }

    /// It is one definition, and the line above it has its name.
    pub fn is_introduced_by_its_name(&self) -> bool {
        let lines: Vec<&[u8]> = self.content.lines().collect();
        let name = NamedDefinition::in_text(&lines).map(|definition| definition.name);
        let has_name = |line: &Vec<u8>| name.is_some_and(|name| line.contains_str(name));
        self.introduction.as_ref().is_some_and(has_name)
    }

    /// Nothing says what its text is.
    pub fn has_no_language(&self) -> bool {
        self.language.is_empty() || self.is_text()
    }

    /// Its text is for a shell.
    pub fn is_command(&self) -> bool {
        const INPUT: [&[u8]; 8] =
            [b"bash", b"sh", b"shell", b"zsh", b"fish", b"console", b"shell-session", b"powershell"];
        INPUT.contains(&self.language.as_slice())
    }

    /// Commands and output are for the reader; they are a file only when they have a file's name.
    pub fn is_shown_only(&self) -> bool {
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

/// The new files that blocks are beside edits in another format, each with the number of its block.
pub(super) fn new_files(blocks: &[Block], is_free: impl Fn(&RepoPath) -> bool) -> Vec<(usize, FilePatch)> {
    let made = |(number, block): (usize, &Block)| {
        let path = block.new_file.clone().filter(|path| is_free(path))?;
        // Where the text of a document ends is unclear, if it may have fences of its own.
        let is_certain = block.form.is_none() && block.lost_marker.is_none() && !(block.is_narrow && is_markup(&path));
        is_certain.then(|| (number, FilePatch::new(path, FileOp::Create(block.content.clone()))))
    };
    blocks.iter().enumerate().filter_map(made).collect()
}

/// The files that blocks give when the reply has no other patch. None when no block can be meant as a file.
/// Each comes with the number of its block.
/// `only_named`: the only file of the repository that the words of a line can mean.
pub(super) fn files(
    blocks: &[Block],
    hints: &[RepoPath],
    only_named: impl Fn(&[u8]) -> Option<RepoPath>,
    defined: impl Fn(&Block) -> Option<RepoPath>,
) -> Result<Option<Vec<(usize, FilePatch)>>, NoPatch> {
    refuse_unclear_end(blocks)?;
    if blocks.iter().any(|block| block.path.is_some()) {
        // Left out, it could be half of the change.
        if let Some((at, word)) = blocks.iter().find_map(|block| Some((block.at, block.word.as_deref()?))) {
            let why = format_args!(
                "{} may be the name of the file below it, or a word; write ./ before a name, and a word in a sentence",
                quote(word)
            );
            return Err(malformed(at, why));
        }
        if let Some((at, name)) = blocks.iter().find_map(|block| Some((block.at, block.spaced.as_ref()?))) {
            let why = format_args!(
                "{} may be the name of the file below it, or words; write a name with blanks in backticks, and words with a colon",
                quote(name.as_bytes())
            );
            return Err(malformed(at, why));
        }
        let named = blocks.iter().enumerate().filter_map(|(number, block)| Some((number, block.path.clone()?, block)));
        let file = |(number, path, block): (usize, RepoPath, &Block)| {
            let file = vouched(block.file(path)?, hints);
            Ok((number, FilePatch { may_be_part: true, ..file }))
        };
        return named.map(file).collect::<Result<_, _>>().map(Some);
    }
    let nameless: Vec<(usize, &Block)> =
        blocks.iter().enumerate().filter(|(_, block)| !block.is_shown_only()).collect();
    // Each of them is introduced as a file of its own. `apply` decides whether it is all of it.
    let introduced: Vec<(usize, &Block, RepoPath)> = nameless
        .iter()
        .filter_map(|(number, block)| {
            let named =
                only_named(block.introduction.as_ref()?).or_else(|| defined(block).filter(|_| nameless.len() == 1));
            Some((*number, *block, named?))
        })
        .collect();
    let paths: HashSet<&RepoPath> = introduced.iter().map(|(_, _, path)| path).collect();
    if !nameless.is_empty() && introduced.len() == nameless.len() && paths.len() == nameless.len() {
        let file = |(number, block, path): (usize, &Block, RepoPath)| {
            let may_be_part = block.introduction.as_deref().is_some_and(asks_for_change);
            Ok((number, FilePatch { may_be_part, ..block.file(path)? }))
        };
        return introduced.into_iter().map(file).collect::<Result<_, _>>().map(Some);
    }
    match (nameless.as_slice(), hints) {
        ([], _) | (_, []) => Ok(None),
        ([(number, block)], [only]) => Ok(Some(vec![(*number, vouched(block.file(only.clone())?, hints))])),
        ([(_, block)], _) => {
            Err(malformed(block.at, "a file without its name; write the path alone on the line before the fence"))
        }
        ([(_, block), ..], _) => {
            let why =
                "several code blocks, none with a file name; write each file's path alone on the line before its fence";
            Err(malformed(block.at, why))
        }
    }
}

/// The file, which may be a new one if the task gives its name: then blanks in it do not leave open where it begins.
fn vouched(file: FilePatch, hints: &[RepoPath]) -> FilePatch {
    match file.path.as_bytes().contains(&b' ') && hints.contains(&file.path) {
        true => FilePatch { existence: Existence::AsOperation, ..file },
        false => file,
    }
}

fn is_markup(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    [&b".md"[..], b".mdx", b".markdown", b".rst", b".txt", b".adoc"].iter().any(|end| name.ends_with(end))
}

/// A Markdown file with bare fences, in a fence of three marks, cannot be told from a shorter file and text after it.
fn refuse_unclear_end(blocks: &[Block]) -> Result<(), NoPatch> {
    for pair in blocks.windows(2) {
        if let Some(path) = pair[0].path.as_ref().filter(|path| pair[0].is_narrow && is_markup(path))
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
