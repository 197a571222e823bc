//! What guards ask of builds and tests, as it is recorded.

use serde::Serialize;

use crate::bindings::guardhost::toolchain::toolchain::{Replaced, Replacement};
use guardhost_core::canonical::sha256;
use guardhost_core::change::RepoPath;

/// What is to be run, and of which tree.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolchainCommand<'a> {
    TestsOfBase,
    TestsOfCandidate,
    /// The tests of the base, on the code of the candidate.
    BaseTestsOnCandidate,
    BuildOfBase,
    BuildOfCandidate,
    LintersOfBase,
    LintersOfCandidate,
    /// Tests of a side in which some files stand otherwise.
    #[serde(rename_all = "kebab-case")]
    TestsWith {
        of_base: bool,
        replaced: &'a [Replacing],
        paths: &'a [String],
        until_failure: bool,
        seconds: u32,
    },
    /// Which lines the tests of a side go over.
    #[serde(rename_all = "kebab-case")]
    TestsCovered {
        of_base: bool,
        paths: &'a [String],
        until_failure: bool,
        seconds: u32,
    },
}

/// A file that does not stand as the tree has it. The question is recorded with the digest of its content.
#[derive(Clone, Serialize)]
pub struct Replacing {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// None: as the other side has it.
    #[serde(skip)]
    content: Option<Vec<u8>>,
}

impl Replacing {
    pub fn size(&self) -> u64 {
        (self.path.len() + self.content.as_ref().map_or(0, Vec::len)) as u64
    }

    pub fn file(&self) -> guardhost_toolchain::Replaced {
        let by = match &self.content {
            None => guardhost_toolchain::Replacement::AsOtherSide,
            Some(content) => guardhost_toolchain::Replacement::Content(content.clone()),
        };
        guardhost_toolchain::Replaced { path: RepoPath::from_form(&self.path), by }
    }
}

impl From<Replaced> for Replacing {
    fn from(Replaced { path, by }: Replaced) -> Self {
        let content = match by {
            Replacement::AsOtherSide => None,
            Replacement::Content(content) => Some(content),
        };
        Replacing { path, digest: content.as_deref().map(sha256), content }
    }
}
