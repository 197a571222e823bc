//! Lines in place of content that the model left out: `# ... existing code ...`.

use super::lines::quote;
use guardhost_core::change::{NoPatch, NoPatchKind, RepoPath};

const LEFT_OUT: [&str; 16] = [
    "rest of",
    "remaining",
    "existing code",
    "existing content",
    "existing implementation",
    "existing imports",
    "unchanged",
    "remains the same",
    "remain the same",
    "stays the same",
    "same as before",
    "as before",
    "previous code",
    "omitted",
    "truncated",
    "no changes",
];

/// The first such line: a comment, or a line in brackets, that begins or ends with dots and contains one of [`LEFT_OUT`].
pub(super) fn find(content: &[u8]) -> Option<Vec<u8>> {
    content.split(|byte| *byte == b'\n').find(|line| elides(line)).map(|line| line.trim_ascii().to_vec())
}

fn elides(line: &[u8]) -> bool {
    // Long lines are prose or data, and most lines have no dots: neither are decoded.
    if line.len() > 160 || !(line.windows(3).any(|three| three == b"..." || three == "…".as_bytes())) {
        return false;
    }
    let line = String::from_utf8_lossy(line).to_lowercase();
    let text = line.trim().trim_end_matches("*/").trim_end_matches("-->").trim();
    let bare = text.trim_start_matches(['#', '/', '*', '-', ';', '%', '<', '!', '(', '[', '{', '"', '\'', ' ']);
    let framed = bare.len() < text.len() || bare.starts_with("...") || bare.starts_with('…');
    let dots =
        |text: &str| text.starts_with("...") || text.starts_with('…') || text.ends_with("...") || text.ends_with('…');
    let inner = bare.trim_end_matches([')', ']', '}', '"', '\'', ' ']);
    framed && dots(inner) && LEFT_OUT.iter().any(|words| inner.contains(words))
}

pub(super) fn refusal(path: &RepoPath, line: &[u8]) -> NoPatch {
    let message = format!(
        "The content of {path} leaves lines out: {}. Send the complete file, or a diff of what changes.",
        quote(line)
    );
    NoPatch { kind: NoPatchKind::Malformed, message }
}
