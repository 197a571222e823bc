//! The folders that a client works in, for a server that was started outside of every repository.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::service::{Peer, RoleServer};

/// A client that does not answer by then has none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Empty if the client offers none. Protocols from 2026-07-28 on have no such question.
#[expect(deprecated, reason = "clients of older protocols offer them, and newer ones have nothing in their place")]
pub(super) async fn roots(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    let asked = peer.list_roots();
    if peer.peer_info().is_none_or(|client| client.capabilities.roots.is_none()) {
        return Vec::new();
    }
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(answer)) => answer.roots.iter().filter_map(|root| folder(&root.uri)).collect(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

/// The path of a `file:` address on this machine.
fn folder(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    if !path.starts_with('/') {
        return None;
    }
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    Some(guardhost_os::absolute(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        for (uri, expected) in [
            ("file:///home/x/project", Some("/home/x/project")),
            ("file://localhost/a%20b%C3%A9", Some("/a b\u{e9}")),
            ("file:///50%/%zz%2", Some("/50%/%zz%2")),
            ("file://server/share", None),
            ("https://example.org/", None),
        ] {
            assert_eq!(folder(uri), expected.map(PathBuf::from), "{uri}");
        }
    }
}
