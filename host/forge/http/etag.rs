//! Answers that are known, with the ETags by which a forge says that nothing changed.

use std::collections::VecDeque;

/// Paths that are remembered.
const ENTRIES: usize = 64;
/// Bytes of an answer that is remembered.
const BODY: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Etags(VecDeque<Known>);

struct Known {
    path: String,
    etag: String,
    body: Vec<u8>,
}

impl Etags {
    /// The ETag and the answer.
    pub fn get(&self, path: &str) -> Option<(String, Vec<u8>)> {
        self.0.iter().find(|known| known.path == path).map(|known| (known.etag.clone(), known.body.clone()))
    }

    /// The oldest is forgotten.
    pub fn keep(&mut self, path: &str, etag: &str, body: &[u8]) {
        self.0.retain(|known| known.path != path);
        if body.len() > BODY {
            return;
        }
        if self.0.len() == ENTRIES {
            self.0.pop_front();
        }
        self.0.push_back(Known { path: path.to_owned(), etag: etag.to_owned(), body: body.to_vec() });
    }
}
