//! A reply that was escaped once too often, as a whole: as a JSON string, or for a web page.

use super::is_patch_header;
use crate::{formats, html};
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// The reply is one JSON string, quotes included.
pub(super) fn json_string(text: &[u8], _: &Watch) -> Option<(Vec<u8>, Note)> {
    let bare = text.trim_ascii();
    if bare.len() < 2 || !bare.starts_with(b"\"") || !bare.ends_with(b"\"") {
        return None;
    }
    let decoded: String = serde_json::from_slice(bare).ok()?;
    let note = Note::new("json-string", "the whole reply was one JSON string");
    (decoded.contains('\n') || decoded.trim_start().starts_with(['{', '['])).then(|| (decoded.into_bytes(), note))
}

/// A whole patch on one line, with `\n` written out where its lines end.
pub(super) fn literal_newlines(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let starts = |line: &[u8]| line.starts_with(b"```") || is_patch_header(line);
    // What follows each written-out newline of the line.
    let parts = |line: &[u8]| (0..line.len()).filter_map(|at| line[at..].strip_prefix(b"\\n")).any(is_inner_line);
    let glued = |line: &[u8]| {
        watch.visit();
        starts(line) && parts(line)
    };
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let at = lines.iter().position(|line| glued(line))?;
    // Where the patch has headers on other lines, a written-out newline is content.
    if lines.iter().enumerate().any(|(other, line)| other != at && is_patch_header(line)) {
        return None;
    }
    let decoded = decode(lines[at])?;
    let whole = [lines[..at].join(&b'\n'), decoded, lines[at + 1..].join(&b'\n')];
    let whole = whole.into_iter().enumerate().filter(|(part, _)| match part {
        0 => at > 0,
        2 => at + 1 < lines.len(),
        _ => true,
    });
    let whole = whole.map(|(_, part)| part).collect::<Vec<_>>().join(&b'\n');
    Some((whole, Note::new("literal-newlines", "the patch was on one line, with \\n written out")))
}

fn is_inner_line(text: &[u8]) -> bool {
    formats::begins_with(text, |row| row.inner_lines)
}

/// Reads a line as the inside of a JSON string; quotes in it may be escaped or not.
fn decode(line: &[u8]) -> Option<Vec<u8>> {
    let mut quoted = vec![b'"'];
    let mut escaped = false;
    for &byte in line {
        if byte == b'"' && !escaped {
            quoted.push(b'\\');
        }
        escaped = byte == b'\\' && !escaped;
        quoted.push(byte);
    }
    quoted.push(b'"');
    serde_json::from_slice::<String>(&quoted).ok().map(String::into_bytes)
}

/// A reply that was escaped for HTML. Certain only when a header of the patch is escaped, since that is no file's content, and
/// nothing in the reply is unescaped.
pub(super) fn html_entities(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let markers: [&[u8]; 2] = [b"&lt;&lt;&lt;&lt;&lt;", b"&lt;&lt;&lt;AI_DIFF_START&gt;&gt;&gt;"];
    let names: [&[u8]; 4] = [b"diff --git ", b"--- a/", b"+++ b/", b"*** Update File: "];
    let evident = text.split(|byte| *byte == b'\n').any(|line| {
        watch.visit();
        markers.iter().any(|marker| line.starts_with(marker))
            || (names.iter().any(|name| line.starts_with(name)) && line.windows(5).any(|text| text == b"&amp;"))
            || arrow_in_heading(line)
    });
    if !evident || text.iter().any(|byte| matches!(byte, b'<' | b'>')) {
        return None;
    }
    let (plain, is_escaped) = html::decode(text);
    is_escaped.then(|| (plain, Note::new("html-escaped", "the whole patch was escaped for HTML")))
}

/// `@@ -1,3 +1,3 @@ fn f() -&gt; T`: a line of code, not of a web page.
fn arrow_in_heading(line: &[u8]) -> bool {
    line.starts_with(b"@@ ") && [&b"-&gt;"[..], b"=&gt;"].iter().any(|arrow| line.windows(5).any(|text| text == *arrow))
}
