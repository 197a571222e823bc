//! Bearer tokens. The server keeps their digests, so that who reads its disk can use none.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::storage::{Storage, StorageError, TokenRow};

/// What a request may read and write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All repositories.
    All,
    /// These, by id.
    Repositories(Vec<String>),
}

impl Scope {
    pub fn allows(&self, repo: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Repositories(ids) => ids.iter().any(|id| id == repo),
        }
    }
}

impl From<&TokenRow> for Scope {
    fn from(row: &TokenRow) -> Self {
        row.repos.clone().map_or(Scope::All, Scope::Repositories)
    }
}

/// SHA-256 in hex. A token has 244 random bits, so its digest needs no salt.
pub fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes a token and keeps its digest. The text is returned once, and is nowhere else.
pub async fn create(storage: &dyn Storage, name: &str, repos: Option<Vec<String>>) -> Result<String, StorageError> {
    let token = format!("gho_{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    storage.add_token(TokenRow { name: name.to_owned(), hash: hash(&token), repos }).await?;
    Ok(token)
}
