//! A guard's component: its bytes together with their hash, so that the bytes that run are those that were hashed.

use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

/// Cheap to clone; hashed at most once.
#[derive(Debug, Clone)]
pub struct Component(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bytes: Arc<[u8]>,
    digest: OnceLock<String>,
}

impl Component {
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// `sha256:` and 64 lower-case hexadecimal digits.
    pub fn digest(&self) -> &str {
        let digest = || {
            let hex: String = Sha256::digest(self.bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
            format!("sha256:{hex}")
        };
        self.0.digest.get_or_init(digest)
    }

    /// The digest, if it was computed already.
    pub fn known_digest(&self) -> Option<&str> {
        self.0.digest.get().map(String::as_str)
    }
}

impl<B: Into<Arc<[u8]>>> From<B> for Component {
    fn from(bytes: B) -> Self {
        Component(Arc::new(Inner { bytes: bytes.into(), digest: OnceLock::new() }))
    }
}
