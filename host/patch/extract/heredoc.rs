//! A whole file in a shell command: `cat > src/a.py <<'EOF'`, its lines, `EOF`.

use super::lines::{Lines, joined, malformed, quote, truncated};
use super::names;
use guardhost_core::change::{Author, Existence, FileOp, FilePatch, NoPatch, RepoPath};

/// The command's file, and the line that ends it. `is_quoted`: the shell replaces nothing in the text.
pub(super) struct HeredocCommand {
    path: RepoPath,
    delimiter: Vec<u8>,
    is_quoted: bool,
}

/// `cat > PATH <<WORD`, `cat <<WORD > PATH`, `tee PATH <<WORD`; a file of patches is none that the repository gets.
pub(super) fn starts(lines: &[&[u8]], at: usize) -> Option<HeredocCommand> {
    let line = lines.get(at)?.trim_ascii();
    let text = line.strip_prefix(b"$ ").unwrap_or(line);
    let rest = text.strip_prefix(b"cat ").or_else(|| text.strip_prefix(b"tee "))?;
    let words: Vec<&[u8]> = rest.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
    let (path, word) = match words.as_slice() {
        [b">", path, b"<<", word] | [b"<<", word, b">", path] => (*path, *word),
        [b">", path, word] | [word, b">", path] => (*path, word.strip_prefix(b"<<")?),
        [path, word] if text.starts_with(b"tee ") => (*path, word.strip_prefix(b"<<")?),
        [path, word] => (path.strip_prefix(b">")?, word.strip_prefix(b"<<")?),
        _ => return None,
    };
    let bare = |text: &[u8]| -> (Vec<u8>, bool) {
        let inner = [b'\'', b'"'].iter().find_map(|mark| text.strip_prefix(&[*mark])?.strip_suffix(&[*mark]));
        (inner.unwrap_or(text).to_vec(), inner.is_some())
    };
    let (delimiter, is_quoted) = bare(word);
    let path = names::plausible(&bare(path).0, &[])?;
    let is_patch = [&b".patch"[..], b".diff"].iter().any(|end| path.as_bytes().ends_with(end));
    let is_word = !delimiter.is_empty() && delimiter.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (is_word && !is_patch && !path.as_bytes().starts_with(b"/tmp/")).then_some(HeredocCommand {
        path,
        delimiter,
        is_quoted,
    })
}

/// Reads the file of the command at `at`, and gives the line after it.
pub(super) fn parse(lines: &Lines, at: usize, command: HeredocCommand) -> Result<(FilePatch, usize), NoPatch> {
    let HeredocCommand { path, delimiter, is_quoted } = command;
    let end = (at + 1..lines.len()).find(|&at| lines[at].trim_ascii_end() == delimiter.as_slice());
    let end = end.ok_or_else(|| truncated(at, format_args!("the line {} is missing", quote(&delimiter))))?;
    let content = joined(&lines[at + 1..end]);
    if !is_quoted && content.iter().any(|byte| matches!(byte, b'$' | b'`' | b'\\')) {
        let why =
            format_args!("a shell would replace parts of this text; write <<'{}'", String::from_utf8_lossy(&delimiter));
        return Err(malformed(at, why));
    }
    let written_by = Author::Model { says_whole: true };
    Ok((
        FilePatch { written_by, existence: Existence::Unsaid, ..FilePatch::new(path, FileOp::Write(content)) },
        end + 1,
    ))
}
