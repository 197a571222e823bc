//! Escape sequences of a terminal (ECMA-48): colours of `git diff`, cursor movements of a command-line agent.

use super::is_patch_header;
use crate::change::Note;

const ESC: u8 = 0x1b;

/// Taken out when they stand before a patch's headers, or around the reply. Elsewhere a file may well hold them.
pub(super) fn strip(text: &[u8]) -> Option<(Vec<u8>, Note)> {
    if !text.contains(&ESC) {
        return None;
    }
    let coloured = text.split(|byte| *byte == b'\n').any(|line| {
        let plain = without(line);
        line.first() == Some(&ESC) && (is_patch_header(&plain) || plain.starts_with(b"```"))
    });
    let stripped = if coloured { without(text) } else { trimmed(text).to_vec() };
    (stripped.len() < text.len()).then(|| (stripped, Note::new("ansi", "escape sequences of a terminal")))
}

/// Length of the sequence that `text` begins with.
fn sequence(text: &[u8]) -> Option<usize> {
    let end =
        |from: usize, ends: fn(u8) -> bool| text.iter().skip(from).position(|byte| ends(*byte)).map(|at| from + at + 1);
    match text {
        [ESC, b'[', ..] => end(2, |byte| (0x40..=0x7e).contains(&byte)),
        // Titles and links, closed by BEL or by ESC \.
        [ESC, b']', ..] => {
            let bell = end(2, |byte| byte == 7);
            let string = text.windows(2).skip(2).position(|two| two == [ESC, b'\\']).map(|at| at + 4);
            bell.into_iter().chain(string).min()
        }
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

/// Without the sequences that the reply begins with and ends in.
fn trimmed(mut text: &[u8]) -> &[u8] {
    while let Some(len) = sequence(text) {
        text = &text[len..];
    }
    while let Some(at) = text.iter().rposition(|byte| *byte == ESC)
        && sequence(&text[at..]).is_some_and(|len| text[at + len..].trim_ascii().is_empty())
    {
        text = &text[..at];
    }
    text
}
