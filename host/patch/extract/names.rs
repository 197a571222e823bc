//! A file's name as models write it near a fence: alone on a line, decorated, in the fence's info string, or in a tag.

use super::lines::{Lines, blank};
use crate::fence::Fence;
use bstr::ByteSlice;
use guardhost_core::change::RepoPath;

/// Tags whose content is a path.
const ELEMENTS: [&[u8]; 5] = [b"path", b"file_path", b"filepath", b"filename", b"file"];

/// Lines above a block that may stand between it and its name: fences and tags.
const SKIPPED: usize = 3;

/// The path that a line consists of, without Markdown decoration: `**src/a.rs**`, `### a.py`, `` `a.py`: ``, `File: a.py`,
/// `<path>a.py</path>`, `<file path="a.py">`.
pub(super) fn alone(line: &[u8], hints: &[RepoPath]) -> Option<RepoPath> {
    let mut text = line.trim_ascii();
    if let Some(path) = in_element(text).or_else(|| in_tag(text)) {
        return Some(path);
    }
    // What a browser folds away has its name in the line that stays.
    let summary = text.strip_prefix(b"<summary>").and_then(|text| text.strip_suffix(b"</summary>"));
    text = undecorated(summary.map_or(text, |inner| inner.trim_ascii()));
    for comment in [&b"// "[..], b"# ", b"<!-- ", b"-- ", b"; "] {
        text = text.strip_prefix(comment).unwrap_or(text);
    }
    text = text.strip_suffix(b" -->").unwrap_or(text);
    for rule in [b'=', b'-', b'*'] {
        if text.starts_with(&[rule, rule]) && text.ends_with(&[rule, rule]) {
            text = trim(text, &[rule], &[rule]).trim_ascii();
        }
    }
    let framed = trim(text, b"#* \t", b"#*: \t");
    text = trim(text, b"#*` \t", b"#*`: \t");
    let mut is_named = false;
    for word in [&b"file:"[..], b"filename:", b"file path:", b"filepath:", b"path:", b"file"] {
        if text.len() > word.len() && text[..word.len()].eq_ignore_ascii_case(word) && is_break(text[word.len()]) {
            text = &text[word.len()..];
            is_named = word.ends_with(b":");
            // `File 1 of 2: a.py`
            if let Some((count, name)) = text.find(b": ").map(|at| (&text[..at], &text[at + 2..]))
                && count.iter().all(|byte| byte.is_ascii_digit() || b" of/".contains(byte))
            {
                text = name;
            }
            break;
        }
    }
    // A label in Chinese or Japanese ends in a colon of full width.
    let text = text.rfind("：").map_or(text, |at| &text[at + "：".len()..]);
    let name = trim(text, b"*` \t\"'", b"*`: \t\"'");
    // `(src/a.py)`
    let name = name.strip_prefix(b"(").and_then(|name| name.strip_suffix(b")")).unwrap_or(name);
    let name = without_range(name).trim_with(is_punctuation);
    plausible(name, hints).or_else(|| with_blanks(name).filter(|_| is_named || is_quoted(framed, name)))
}

/// The name without the lines of it that are meant: `a.py:10-20`, `a.py#L10`.
fn without_range(name: &[u8]) -> &[u8] {
    let ends = |mark: &[u8], rest: fn(&u8) -> bool| {
        let at = name.rfind(mark)?;
        let tail = &name[at + mark.len()..];
        (!tail.is_empty() && tail.iter().all(rest)).then_some(&name[..at])
    };
    let digits = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    ends(b":", digits).or_else(|| ends(b"#L", |byte| byte.is_ascii_digit() || b"L-".contains(byte))).unwrap_or(name)
}

/// The text without the number of a list or a picture before it, and the name of a link: `2. a.py`, `[a.py](src/a.py)`.
fn undecorated(line: &[u8]) -> &[u8] {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = match line[digits..].strip_prefix(b". ").or(line[digits..].strip_prefix(b") ")) {
        Some(rest) if digits > 0 => rest.trim_ascii(),
        _ => line,
    };
    let is_sign = |c: char| !c.is_ascii() && !c.is_alphanumeric();
    let text = match text.chars().next() {
        Some(sign) if is_sign(sign) => text.trim_start_with(is_sign).trim_ascii(),
        _ => text,
    };
    let link = || {
        let inner = text.strip_prefix(b"[")?.strip_suffix(b")")?;
        let (shown, target) = (&inner[..inner.find("](")?], &inner[inner.find("](")? + 2..]);
        let shown = trim(shown, b"`*", b"`*");
        (!shown.is_empty() && target.ends_with(shown)).then_some(shown)
    };
    link().unwrap_or(text)
}

/// Whether the text is the name between two equal marks.
fn is_quoted(text: &[u8], name: &[u8]) -> bool {
    let inner = text.strip_prefix(b"`").and_then(|text| text.strip_suffix(b"`"));
    let inner = inner.or_else(|| text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")));
    inner == Some(name)
}

fn is_break(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'`' | b'*' | b'"')
}

/// The path in `<path>a.py</path>`.
pub(super) fn in_element(line: &[u8]) -> Option<RepoPath> {
    let text = line.trim_ascii();
    const PARAMETERS: [&[u8]; 4] = [
        b"<parameter name=\"path\">",
        b"<parameter name=\"file_path\">",
        b"<parameter=path>",
        b"<parameter=file_path>",
    ];
    if let Some(inner) = text.strip_suffix(b"</parameter>")
        && let Some(inner) = PARAMETERS.iter().find_map(|open| inner.strip_prefix(*open))
    {
        return tagged(inner.trim_ascii());
    }
    ELEMENTS.iter().find_map(|tag| {
        let inner = text.strip_prefix(b"<")?.strip_prefix(*tag)?.strip_prefix(b">")?;
        let inner = inner.strip_suffix(b">")?.strip_suffix(*tag)?.strip_suffix(b"</")?.trim_ascii();
        tagged(inner)
    })
}

/// Whether a tag, given without its brackets, is for a file: `file path="…"`, `create_file path="…"`, `edit path="…"`.
pub(super) fn is_of_file(tag: &[u8]) -> bool {
    const TAGS: [&[u8]; 8] = [b"edit", b"change", b"patch", b"document", b"replace", b"create", b"update", b"write"];
    let name = tag.split(|byte| *byte == b' ').next().unwrap_or_default().to_ascii_lowercase();
    TAGS.contains(&name.as_slice()) || name.windows(4).any(|part| part == b"file")
}

/// The path in a tag that says so: any word, since `Procfile` and `gradlew` are no less a path than `a.py`, and a path with blanks.
fn tagged(text: &[u8]) -> Option<RepoPath> {
    let is_word =
        !text.is_empty() && !text.iter().any(|byte| byte.is_ascii_whitespace() || b"<>{}$\"'`".contains(byte));
    plausible(text, &[]).or_else(|| is_word.then(|| RepoPath::new(text))).or_else(|| with_blanks(text))
}

/// The path in `<file path="a.py">` or `<edit file='a.py'>`.
pub(super) fn in_tag(line: &[u8]) -> Option<RepoPath> {
    let text = line.trim_ascii().strip_prefix(b"<")?.strip_suffix(b">")?;
    [&b" path="[..], b" file=", b" name=", b" filename=", b" file_path=", b" filePath="].iter().find_map(|key| {
        let at = text.windows(key.len()).position(|part| part == *key)?;
        let value = &text[at + key.len()..];
        let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let end = value[1..].iter().position(|byte| *byte == quote)?;
        let value = &value[1..=end];
        // `name` may be that of a tool or of a person, and other tags may have a path that is none of a file.
        if *key != b" name=" && is_of_file(text) { tagged(value) } else { plausible(value, &[]) }
    })
}

/// The path in a fence's info string: ```` ```python src/a.py ````, ```` ```python:src/a.py ````, ```` ```src/a.py ````,
/// ```` ```py title="src/a.py" ````.
pub(super) fn in_info(info: &[u8], hints: &[RepoPath]) -> Option<RepoPath> {
    if info.is_empty() || is_citation(info) {
        return None;
    }
    if let Some(path) = in_attribute(info).or_else(|| blanks_in_info(info, hints)) {
        return Some(path);
    }
    let last = info.rsplit(|byte| *byte == b' ').next().unwrap_or(info);
    let value = |text: &'_ [u8], sign: u8| {
        text.iter().position(|byte| *byte == sign).map(|at| (text[..at].to_vec(), text[at + 1..].to_vec()))
    };
    if let Some((key, path)) = value(last, b'=') {
        let known = [&b"title"[..], b"file", b"filename", b"path", b"name", b"{file"].contains(&key.as_slice());
        return known.then(|| plausible(trim(&path, b"\"'", b"\"'}"), hints)).flatten();
    }
    if let Some((_, path)) = value(last, b':')
        && let Some(path) = plausible(&path, hints)
    {
        return Some(path);
    }
    plausible(trim(last, b"`\"'", b"`\"'"), hints)
}

fn is_citation(info: &[u8]) -> bool {
    cited(info).is_some()
}

/// The file of `9:20:README.md`: lines that an editor cites, which are quoted and not meant to be written.
pub(super) fn cited(info: &[u8]) -> Option<RepoPath> {
    let mut parts = info.splitn(3, |byte| *byte == b':');
    let is_number =
        |part: Option<&[u8]>| part.is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    let has_range = is_number(parts.next()) && is_number(parts.next());
    parts.next().filter(|path| has_range && !path.is_empty()).map(RepoPath::new)
}

/// The path with blanks in `title="My Notes/a.py"`.
fn in_attribute(info: &[u8]) -> Option<RepoPath> {
    const KEYS: [&[u8]; 5] = [b"title=", b"file=", b"filename=", b"path=", b"name="];
    let begins = |at: usize| at == 0 || matches!(info[at - 1], b' ' | b'{');
    let key = |at: usize| KEYS.iter().find(|key| begins(at) && info[at..].starts_with(key));
    let value = (0..info.len()).find_map(|at| Some(&info[at + key(at)?.len()..]))?;
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let end = value[1..].iter().position(|byte| *byte == quote)?;
    with_blanks(&value[1..=end])
}

/// The path with blanks that an info string is, or that is behind its language: ```` ```sql My Notes/a.sql ````. One word before
/// a path without blanks is a language, unless none is spelt so.
fn blanks_in_info(info: &[u8], hints: &[RepoPath]) -> Option<RepoPath> {
    let is_hint = |text: &[u8]| hints.iter().any(|hint| hint.as_bytes() == text);
    let end = info.iter().position(|byte| matches!(byte, b' ' | b':'))?;
    let (word, rest) = (&info[..end], info[end + 1..].trim_ascii());
    let is_language = word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+#-_".contains(byte));
    let path = match is_language && !is_hint(info) {
        true => rest,
        false => info,
    };
    let marks = [&b"file:"[..], b"File:", b"path:", b"Path:", b"filename:", b"//", b"#"];
    let path = marks.iter().find_map(|mark| path.strip_prefix(*mark)).unwrap_or(path).trim_ascii();
    with_blanks(trim(path, b"`\"'", b"`\"'"))
}

/// The name of the block whose first line is `at`: in the lines above, or in the info string of its fence.
pub(super) fn before(lines: &Lines, at: usize, fence: Option<&Fence>, hints: &[RepoPath]) -> Option<RepoPath> {
    let above = |at: usize| (0..at).rev().take(3).find(|&at| !blank(lines[at]));
    let mut line = above(at)?;
    if let Some(path) = in_parameter(lines, line, above) {
        return Some(path);
    }
    for _ in 0..SKIPPED {
        // The fence of the block, or one that a model opened for the name alone.
        let info = match fence.filter(|fence| fence.at == line) {
            Some(fence) => Some(fence.info),
            None => Fence::open(lines[line], line).map(|fence| fence.info),
        };
        match info {
            // Three marks alone close a fence, or open one around a name: "```", the name, "```".
            Some(b"") if fence.is_none_or(|fence| fence.at != line) => {
                let name = above(line)?;
                let opens = above(name).is_some_and(|at| Fence::open(lines[at], at).is_some());
                return alone(lines[name], hints).filter(|_| opens);
            }
            Some(info) => match in_info(info, hints) {
                Some(path) => return Some(path),
                None => line = above(line)?,
            },
            None if is_bare_tag(lines[line]) => line = above(line)?,
            None => return alone(lines[line], hints),
        }
    }
    None
}

/// The only name in backticks that the words right above an edit have: `In file `a.py`:`.
pub(super) fn in_words(lines: &Lines, at: usize, fence: Option<&Fence>) -> Option<RepoPath> {
    let above = |at: usize| (0..at).rev().take(3).find(|&at| !blank(lines[at]));
    let line = above(at)?;
    let line = if fence.is_some_and(|fence| fence.at == line) { above(line)? } else { line };
    let mut named = lines[line].split(|byte| *byte == b'`').skip(1).step_by(2).filter_map(|code| plausible(code, &[]));
    let only = named.next()?;
    (named.next().is_none() && lines[line].trim_ascii_end().ends_with(b":")).then_some(only)
}

/// The path with blanks that the line above a block may be, or the info string of its fence. Words of prose may end in a path, so it is
/// only for an edit, of a file that exists.
pub(super) fn bare_with_blanks(lines: &Lines, at: usize, fence: Option<&Fence>) -> Option<RepoPath> {
    let above = |at: usize| (0..at).rev().take(3).find(|&at| !blank(lines[at]));
    let line = above(at)?;
    let line = if fence.is_some_and(|fence| fence.at == line) { above(line)? } else { line };
    with_blanks(trim(lines[line].trim_ascii(), b"#*` \t\"'", b"#*`: \t\"'"))
}

/// The path in `<parameter=path>`, its line, and `</parameter>`, which is the line `close`: as Qwen's models write calls.
fn in_parameter(lines: &Lines, close: usize, above: impl Fn(usize) -> Option<usize>) -> Option<RepoPath> {
    if lines[close].trim_ascii() != b"</parameter>" {
        return None;
    }
    let name = above(close)?;
    let open = lines[above(name)?].trim_ascii().strip_prefix(b"<parameter=")?.strip_suffix(b">")?;
    ELEMENTS.contains(&open).then(|| tagged(lines[name].trim_ascii())).flatten()
}

/// `<diff>`: a tag without attributes.
fn is_bare_tag(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let text = text.strip_suffix(b"<![CDATA[").unwrap_or(text);
    let inner = text.strip_prefix(b"<").and_then(|text| text.strip_suffix(b">"));
    inner.is_some_and(|tag| !tag.is_empty() && tag.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}

/// Whether the line is a name, a tag or a fence, as they stand around an edit.
pub(super) fn is_frame(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    is_bare_tag(line)
        || text.starts_with(b"</")
        || text.starts_with(b"<parameter")
        || text.starts_with(b"<invoke ")
        || text.starts_with(b"<function=")
        || Fence::open(line, 0).is_some()
        || alone(line, &[]).is_some()
}

/// Whether the words above a block name another file than `path`, or may name one.
pub(super) fn other_named(lines: &Lines, at: usize, path: &RepoPath) -> bool {
    let above = |at: usize| (0..at).rev().take(3).find(|&at| !blank(lines[at]));
    if above(at).is_some_and(|line| Fence::open(lines[line], line).is_none() && may_be_bare(lines[line])) {
        return true;
    }
    let extension = path.file_name().rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    // The text of the edit above is no prose.
    let closes =
        |line: &[u8]| super::search_replace::closes(line).is_some() || line.trim_ascii_start().starts_with(b"</");
    let words = lines[at.saturating_sub(4)..at].iter().rev().take_while(|line| !closes(line));
    words.flat_map(|line| line.split(|byte| b" \t`*\"'(),:<>=".contains(byte))).any(|word| {
        let file_like = word.contains(&b'/') || word.rsplit(|byte| *byte == b'.').next() == Some(extension);
        word.len() > extension.len() && file_like && plausible(word, &[]).is_some_and(|named| named != *path)
    })
}

/// Whether a line is one word that may be a name without a dot, as `LICENSE-MIT` or `run-tests`. A word of prose alone has a colon behind it.
fn may_be_bare(line: &[u8]) -> bool {
    let text = trim(line.trim_ascii(), b"#*` \t\"'", b"#*` \t\"'");
    let word = text.strip_suffix(b":").unwrap_or(text);
    let is_word = word.len() > 1 && word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_+".contains(byte));
    let is_no_prose = word.iter().skip(1).any(|byte| byte.is_ascii_uppercase() || b"-_+".contains(byte));
    is_word && word.iter().any(u8::is_ascii_alphabetic) && (is_no_prose || text.len() == word.len())
}

/// The path, if `text` may name a file: it is a hint, or has no blanks and a dot or a slash, or is a known name without either.
pub(super) fn plausible(text: &[u8], hints: &[RepoPath]) -> Option<RepoPath> {
    const BARE: [&[u8]; 17] = [
        b"LICENSE",
        b"LICENCE",
        b"COPYING",
        b"NOTICE",
        b"README",
        b"CHANGELOG",
        b"ChangeLog",
        b"NEWS",
        b"HISTORY",
        b"AUTHORS",
        b"CONTRIBUTORS",
        b"MAINTAINERS",
        b"CODEOWNERS",
        b"OWNERS",
        b"VERSION",
        b"gradlew",
        b"mvnw",
    ];
    // `Makefile`, `Thorfile`: programs name them after themselves. Without the capital it is the language of a fence.
    const WORDS: [&[u8]; 5] = [b"Profile", b"Logfile", b"Lockfile", b"Outfile", b"Textfile"];
    let is_programs = text == b"justfile"
        || text.len() > 5
            && text[0].is_ascii_uppercase()
            && text.iter().all(u8::is_ascii_alphabetic)
            && text.ends_with(b"file")
            && !WORDS.contains(&text);
    let hinted = hints.iter().any(|hint| hint.as_bytes() == text);
    let dotted = text.iter().rposition(|byte| *byte == b'.').is_some_and(|dot| {
        text[dot + 1..].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            && dot + 1 < text.len()
    });
    // `app/(auth)/page.tsx`: in a folder, brackets around its name or the beginning of it.
    let count = |sign: &[u8]| text.windows(sign.len()).filter(|part| *part == sign).count();
    let is_grouped = dotted && count(b"(") == count(b")") && count(b"/(") == count(b"(");
    let path_like = !text.iter().any(|byte| b" \t<>{}|?*,;\"'`=".contains(byte))
        && (is_grouped || count(b"(") + count(b")") == 0)
        && !text.windows(3).any(|three| three == b"://")
        && !text.is_empty()
        && !text.chars().any(is_punctuation)
        // `2/2` counts parts, and `#!/bin/sh` names a program.
        && text.chars().any(char::is_alphabetic)
        && !text.starts_with(b"#!")
        && (dotted || (text.contains(&b'/') && !text.ends_with(b"/") && !text.starts_with(b"//")));
    (hinted || path_like || is_programs || BARE.contains(&text)).then(|| RepoPath::new(text))
}

/// Punctuation and signs beyond ASCII, which stand around a name and in none: `【a.py】`, `a.py：`. Marks that combine with a letter
/// belong to it.
fn is_punctuation(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric() && !('\u{300}'..='\u{36f}').contains(&c) && c != '\u{fffd}'
}

/// The path with blanks that `text` may be. Prose may end in a path too, so what is given this name must be meant to be one, and be
/// the name of a file that exists.
pub(super) fn with_blanks(text: &[u8]) -> Option<RepoPath> {
    const LONGEST: usize = 200;
    let is_spaced = text.contains(&b' ') && !text.windows(2).any(|two| two == b"  ") && text.len() <= LONGEST;
    let joined: Vec<u8> = text.iter().map(|byte| if b" (),'&".contains(byte) { b'_' } else { *byte }).collect();
    (is_spaced && text.trim_ascii() == text && plausible(&joined, &[]).is_some()).then(|| RepoPath::new(text))
}

fn trim<'a>(mut text: &'a [u8], front: &[u8], back: &[u8]) -> &'a [u8] {
    while let Some((_, rest)) = text.split_first().filter(|(first, _)| front.contains(first)) {
        text = rest;
    }
    while let Some((_, rest)) = text.split_last().filter(|(last, _)| back.contains(last)) {
        text = rest;
    }
    text
}
