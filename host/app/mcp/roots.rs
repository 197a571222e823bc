//! The folders that a client works in, for a server that was started outside of every repository.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::service::{Peer, RoleServer};

use crate::file_address::local_path;

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
        Ok(Ok(answer)) => answer.roots.iter().filter_map(|root| local_path(&root.uri)).collect(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}
