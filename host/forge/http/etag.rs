//! Answers that are known, with the ETags by which a forge says that nothing changed.

use std::collections::VecDeque;

use super::HttpAnswer;

/// Paths that are remembered.
const ENTRIES: usize = 64;
/// Bytes of an answer that is remembered.
const BODY: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Etags(VecDeque<CachedAnswer>);

#[derive(Clone)]
pub(super) struct CachedAnswer {
    path: String,
    pub etag: String,
    body: Vec<u8>,
    /// An answer without a body need not repeat where the next page is.
    link: Option<String>,
}

impl CachedAnswer {
    /// What was answered then, with the limits of the answer that nothing changed.
    pub fn answer(&self, unchanged: HttpAnswer) -> HttpAnswer {
        HttpAnswer { status: 200, body: self.body.clone(), link: self.link.clone(), ..unchanged }
    }
}

impl Etags {
    pub fn get(&self, path: &str) -> Option<CachedAnswer> {
        self.0.iter().find(|known| known.path == path).cloned()
    }

    /// The oldest is forgotten.
    pub fn keep(&mut self, path: &str, answer: &HttpAnswer) {
        self.0.retain(|known| known.path != path);
        let Some(etag) = answer.etag.clone().filter(|_| answer.body.len() <= BODY) else { return };
        if self.0.len() == ENTRIES {
            self.0.pop_front();
        }
        self.0.push_back(CachedAnswer {
            path: path.to_owned(),
            etag,
            body: answer.body.clone(),
            link: answer.link.clone(),
        });
    }
}
