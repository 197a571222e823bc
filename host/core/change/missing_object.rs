//! An object that a partial clone does not have.

use std::fmt;

use super::Oid;

/// The cause of an error: the object was left out when the repository was cloned (`--filter`), and is at the remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingObject(pub Oid);

impl MissingObject {
    /// What brings all of them.
    pub const REMEDY: &str = "git fetch --refetch --no-filter";
}

impl fmt::Display for MissingObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingObject(oid) = self;
        write!(f, "the object {oid} is not in this partial clone; `{}` brings what is missing", MissingObject::REMEDY)
    }
}

impl std::error::Error for MissingObject {}
