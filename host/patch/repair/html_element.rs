//! A patch that was copied from the source of a web page: the text of `<pre>` or `<code>`, in which HTML escapes `<`, `>` and `&`.

use bstr::ByteSlice;

use super::is_patch_header;
use crate::html;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// Elements whose text is shown as it is.
const ELEMENTS: [(&[u8], &[u8]); 2] = [(b"<code", b"</code>"), (b"<pre", b"</pre>")];

/// Decodes what stands in such an element, if it holds a patch and nothing in it is unescaped, and puts it on lines of its own.
pub(super) fn decode(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let mut spans: Vec<(usize, usize)> =
        ELEMENTS.iter().flat_map(|(open, close)| spans(text, open, close, watch)).collect();
    spans.sort_unstable();
    let mut decoded = Vec::with_capacity(text.len());
    let mut done = 0;
    let mut is_changed = false;
    for (start, end) in spans {
        let (plain, is_escaped) = html::decode(&text[start..end]);
        let is_whole = is_escaped && text[start..end].find_byteset(b"<>").is_none();
        if start >= done && is_whole && plain != text[start..end] && plain.lines().any(is_patch_header) {
            decoded.extend_from_slice(&text[done..start]);
            decoded.push(b'\n');
            decoded.extend_from_slice(&plain);
            done = end;
            is_changed = true;
        }
    }
    decoded.extend_from_slice(&text[done..]);
    is_changed.then(|| (decoded, Note::new("html-element", "the patch was the text of an element of HTML")))
}

/// The bytes between each opening tag and the next one that closes it.
fn spans(text: &[u8], open: &[u8], close: &[u8], watch: &Watch) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(open).map(|at| from + at) {
        watch.visit();
        let Some(start) = text[start..].find_byte(b'>').map(|at| start + at + 1) else { break };
        let Some(end) = text[start..].find(close).map(|at| start + at) else { break };
        spans.push((start, end));
        from = end;
    }
    spans
}
