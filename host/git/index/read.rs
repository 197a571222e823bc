//! The whole index, as gix reads it.

use std::path::Path;

use guardhost_core::error::{Error, Fault, FaultKind, Result};

/// Every entry, decoded. The checksum is not verified, as in [`super::Index::read`].
pub(crate) fn read_index(index: &Path) -> Result<gix_index::File> {
    let options = gix_index::decode::Options { thread_limit: Some(1), ..Default::default() };
    gix_index::File::at_or_default(index, gix_index::hash::Kind::Sha1, true, options).map_err(|cause| {
        Error::msg(cause.to_string()).context(
            Fault::new(FaultKind::Git, format!("cannot read the index at {}", index.display()))
                .hint("does `git status` read it? if so, rewrite it: git update-index --index-version 2"),
        )
    })
}
