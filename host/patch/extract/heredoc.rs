//! A whole file in a shell command: `cat > src/a.py <<'EOF'`, its lines, `EOF`; with `>>` or `tee -a` the lines go below those of the file.

use super::account::Surroundings;
use super::lines::{Lines, joined, malformed, quote, split, truncated};
use super::names;
use guardhost_core::change::{Author, Existence, FileOp, FilePatch, Hunk, Line, NoPatch, PatchFormat, RepoPath};

/// The command's file, and the line that ends it. `is_quoted`: the shell replaces nothing in the text.
pub(super) struct HeredocCommand {
    path: RepoPath,
    delimiter: Vec<u8>,
    is_quoted: bool,
    appends: bool,
}

/// `cat > PATH <<WORD`, `cat <<WORD > PATH`, `tee PATH <<WORD`; a file of patches is none that the repository gets.
pub(super) fn starts(lines: &[&[u8]], at: usize) -> Option<HeredocCommand> {
    let line = lines.get(at)?.trim_ascii();
    let text = line.strip_prefix(b"$ ").unwrap_or(line);
    let rest = text.strip_prefix(b"cat ").or_else(|| text.strip_prefix(b"tee "))?;
    let words: Vec<&[u8]> = rest.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
    let is_tee = text.starts_with(b"tee ");
    let (sign, path, word) = match words.as_slice() {
        [sign @ (b">" | b">>"), path, b"<<", word] | [b"<<", word, sign @ (b">" | b">>"), path] => {
            (*sign, *path, *word)
        }
        [sign @ (b">" | b">>"), path, word] | [word, sign @ (b">" | b">>"), path] => {
            (*sign, *path, word.strip_prefix(b"<<")?)
        }
        [b"-a" | b"--append", path, word] if is_tee => (&b">>"[..], *path, word.strip_prefix(b"<<")?),
        [path, word] if is_tee => (&b">"[..], *path, word.strip_prefix(b"<<")?),
        [path, word] => match path.strip_prefix(b">>") {
            Some(path) => (&b">>"[..], path, word.strip_prefix(b"<<")?),
            None => (&b">"[..], path.strip_prefix(b">")?, word.strip_prefix(b"<<")?),
        },
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
        appends: sign == b">>",
    })
}

/// Reads the file of the command at `at`, and gives the line after it.
pub(super) fn parse(
    lines: &Lines,
    at: usize,
    command: HeredocCommand,
    files: &Surroundings,
) -> Result<(PatchFormat, FilePatch, usize), NoPatch> {
    let HeredocCommand { path, delimiter, is_quoted, appends } = command;
    let end = (at + 1..lines.len()).find(|&at| lines[at].trim_ascii_end() == delimiter.as_slice());
    let end = end.ok_or_else(|| truncated(at, format_args!("the line {} is missing", quote(&delimiter))))?;
    let text = joined(&lines[at + 1..end]);
    let content = if is_quoted { Some(text) } else { unescaped(&text) };
    let content = content.ok_or_else(|| {
        let word = String::from_utf8_lossy(&delimiter);
        malformed(at, format_args!("a shell would replace parts of this text; write <<'{word}'"))
    })?;
    let written_by = Author::Model { says_whole: true };
    let whole = FilePatch {
        written_by,
        existence: Existence::Unsaid,
        ..FilePatch::new(path.clone(), FileOp::Write(content.clone()))
    };
    if !appends {
        return Ok((PatchFormat::WholeFile, whole, end + 1));
    }
    let unreadable = |error| malformed(at, format_args!("{path} cannot be read: {error}"));
    let file = match files.content(&path).map_err(unreadable)? {
        Some(existing) if existing.is_empty() => return Ok((PatchFormat::WholeFile, whole, end + 1)),
        Some(existing) => {
            let hunk = below(&existing, &content).ok_or_else(|| {
                malformed(
                    at,
                    format_args!("{path} has no line feed at its end, so that a shell would go on in its last line"),
                )
            })?;
            FilePatch { written_by, ..FilePatch::new(path, FileOp::Modify(vec![hunk])) }
        }
        // Then the name may be that of another file, written wrong.
        None if !files.paths_named(path.file_name()).map_err(unreadable)?.is_empty() => {
            return Err(malformed(at, format_args!("there is no file {path} to which lines could be appended")));
        }
        None => FilePatch { written_by, ..FilePatch::new(path, FileOp::Create(content)) },
    };
    Ok((PatchFormat::UnifiedDiff, file, end + 1))
}

/// Lines of the file above those that are appended, which show where its end is.
const CONTEXT: usize = 3;

/// The hunk that puts `content` below the last line of the file; None where that has no line feed.
fn below(existing: &[u8], content: &[u8]) -> Option<Hunk> {
    let existing = existing.ends_with(b"\n").then(|| split(existing))?;
    let first = existing.len().saturating_sub(CONTEXT);
    let plain = |line: &&[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let context = existing[first..].iter().map(plain).map(Line::Context);
    Some(Hunk {
        old_start: u32::try_from(first + 1).ok(),
        lines: context.chain(split(content).iter().map(|line| Line::Add(line.to_vec()))).collect(),
        at_end: true,
        ..Hunk::default()
    })
}

/// What the shell makes of an unquoted text (POSIX, "Here-Document"): a backslash is taken from before `$`, a backquote, another one and
/// a line feed, with which it goes. None where it would replace something.
fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(b'$' | b'`' | b'\\')) => plain.extend(bytes.next()),
            (b'\\', Some(b'\n')) => drop(bytes.next()),
            // A dollar sign before a blank is one.
            (b'$', Some(b' ' | b'\n')) => plain.push(byte),
            (b'$' | b'`', _) => return None,
            _ => plain.push(byte),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::{below, unescaped};

    #[test]
    fn a_shell_takes_backslashes_off() {
        let read = |text: &str| unescaped(text.as_bytes()).map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!(read("a \\$b \\`c\\` \\\\ \\n \\\nd $ \n").as_deref(), Some("a $b `c` \\ \\n d $ \n"));
        assert_eq!((read("a $b"), read("`c`"), read("$(d)")), (None, None, None));
    }

    #[test]
    fn lines_go_below_the_last_one() {
        let hunk = below(b"a\nb\nc\nd\n", b"e\n").expect("the file ends in a line feed");
        assert_eq!((hunk.old_start, hunk.lines.len(), hunk.at_end), (Some(2), 4, true));
        assert!(below(b"a", b"e\n").is_none());
    }
}
