//! Escape sequences of a terminal (ECMA-48): the colours of `git diff`, the cursor movements of a command-line agent.

use std::collections::HashMap;

use super::is_patch_header;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

const ESC: u8 = 0x1b;

/// Removed when they come before a patch's headers, or around the reply. Elsewhere they may be a file's content.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    if !text.contains(&ESC) {
        return None;
    }
    let coloured = text.split(|byte| *byte == b'\n').any(|line| {
        watch.visit();
        let plain = without(line);
        line.first() == Some(&ESC) && (is_patch_header(&plain) || plain.starts_with(b"```"))
    });
    let stripped = match coloured {
        true if !is_uniform(text, watch) => return None,
        true => without(text),
        false => trimmed(text).to_vec(),
    };
    (stripped.len() < text.len()).then(|| (stripped, Note::new("ansi", "escape sequences of a terminal")))
}

/// Whether all lines of a hunk with the same mark have the same colours, and only around their text. If not, some of the
/// sequences may be the file's content.
fn is_uniform(text: &[u8], watch: &Watch) -> bool {
    let mut frames: HashMap<u8, [&[u8]; 3]> = HashMap::new();
    text.split(|byte| *byte == b'\n').all(|line| {
        watch.visit();
        let plain = without(line);
        // An empty line has its colours in one place.
        if plain.len() < 2 || is_patch_header(&plain) || !matches!(plain[0], b'+' | b'-' | b' ') {
            return true;
        }
        let lead = leading(line);
        let after = leading(&line[lead + 1..]);
        let content = &line[lead + 1 + after..];
        let end = content.iter().position(|byte| *byte == ESC).unwrap_or(content.len());
        let frame = [&line[..lead], &line[lead + 1..lead + 1 + after], &content[end..]];
        without(frame[2]).is_empty() && *frames.entry(plain[0]).or_insert(frame) == frame
    })
}

/// Length of all sequences that `text` begins with.
fn leading(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some(more) = sequence(&text[len..]) {
        len += more;
    }
    len
}

/// Length of the sequence that `text` begins with.
fn sequence(text: &[u8]) -> Option<usize> {
    let end =
        |from: usize, ends: fn(u8) -> bool| text.iter().skip(from).position(|byte| ends(*byte)).map(|at| from + at + 1);
    match text {
        [ESC, b'[', ..] => end(2, |byte| (0x40..=0x7e).contains(&byte)),
        // Titles and links, closed by BEL or by ESC \. No other sequence is inside them.
        [ESC, b']', ..] => match end(2, |byte| matches!(byte, 7 | ESC)) {
            Some(closed) if text[closed - 1] == 7 => Some(closed),
            Some(escape) if text.get(escape) == Some(&b'\\') => Some(escape + 1),
            _ => None,
        },
        [ESC, b'(' | b')', _, ..] => Some(3),
        [ESC, 0x40..=0x5f | b'7' | b'8' | b'=' | b'>', ..] => Some(2),
        _ => None,
    }
}

fn without(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at] == ESC).then(|| sequence(&text[at..])).flatten() {
            Some(len) => at += len,
            None => {
                plain.push(text[at]);
                at += 1;
            }
        }
    }
    plain
}

/// Without the sequences at the start of the reply, and without a last line of nothing else.
fn trimmed(mut text: &[u8]) -> &[u8] {
    text = &text[leading(text)..];
    let last = text.trim_ascii_end().iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if without(&text[last..]).trim_ascii().is_empty() { &text[..last] } else { text }
}
