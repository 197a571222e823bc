//! Thinking that a server without a reasoning parser leaves in the answer: `<think>…</think>` before the patch.

use crate::fence::Fence;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// The marks of the beginning and the end; the last ones are those of Kimi.
const TAGS: [(&str, &str); 3] = [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("◁think▷", "◁/think▷")];

/// Removed when it comes before the patch and outside of every fence: inside one it is content. Some chat templates put the
/// opening tag into the prompt, so that the reply has only the closing one; then all text before it is thinking.
/// `extract` refuses thinking that never ends.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let lower = text.to_ascii_lowercase();
    let (start, end) = TAGS.iter().find_map(|(open, close)| block(&lower, open, close, watch))?;
    let note = Note::new("thinking", "the model's thinking was before its answer");
    Some(([&text[..start], &text[end..]].concat(), note))
}

/// The bytes of the first block.
fn block(lower: &[u8], open: &str, close: &str, watch: &Watch) -> Option<(usize, usize)> {
    let find = |from: usize, what: &str| {
        lower[from..].windows(what.len()).position(|text| text == what.as_bytes()).map(|at| from + at)
    };
    let mut fence: Option<Fence> = None;
    let mut blocks = 0usize;
    let mut at = 0;
    let mut is_first = true;
    for line in lower.split_inclusive(|byte| *byte == b'\n') {
        watch.visit();
        let bare = line.trim_ascii();
        let is_free = fence.is_none() && blocks == 0;
        // After a blank it may be a context line of a diff, unless it is the first word of the reply.
        if is_free && (line.starts_with(open.as_bytes()) || (is_first && bare.starts_with(open.as_bytes()))) {
            return find(at, close).map(|end| (at, end + close.len()));
        }
        if is_free && line.trim_ascii_end() == close.as_bytes() {
            let has_answer = !lower[at + line.len()..].trim_ascii_start().is_empty();
            return has_answer.then_some((0, at + line.len()));
        }
        match bare {
            _ if fence.as_ref().is_some_and(|fence| fence.closed_by(line)) => fence = None,
            _ if bare.starts_with(b"<<<<<<< search") => blocks += 1,
            _ if bare.starts_with(b">>>>>>> replace") => blocks = blocks.saturating_sub(1),
            // The patch begins here, and all lines below belong to it.
            _ if line.starts_with(b"{") || line.starts_with(b"[{") || bare == b"<<<ai_diff_start>>>" => return None,
            _ if fence.is_none() => fence = Fence::open(line, 0).filter(|fence| !fence.is_tag()),
            _ => {}
        }
        is_first &= bare.is_empty();
        at += line.len();
    }
    None
}
