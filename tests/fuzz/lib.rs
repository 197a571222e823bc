//! What the targets share. The parsers are private, so each target leads the reply to the parser that it is about.

use host::change::{RepoPath, Reply};
use host::{extract::extract, repair::repair};

/// A reply that begins with `head` ends in a patch or in none, with a hint and without.
pub fn extracts(head: &str, data: &[u8]) {
    let reply = Reply { bytes: [head.as_bytes(), data].concat(), ..Reply::default() };
    let mended = repair(&reply);
    let _ = extract(mended.clone(), &[]);
    let _ = extract(mended, &[RepoPath::from("src/a.rs")]);
}
