//! Issues that are fixed: where they come from, which are fixed together, who works on them, and what became of each.
//!
//! - `source` reads lists of issues; `issue` is one of them. `batch` decides what is fixed together, `brief` and `guidelines` say it to a
//!   provider, which answers as in every run.
//! - `claim` keeps two hosts from the same issue. `detect` tells whether its detector is silent, `reviewer` what a reviewer says of it, and
//!   `iteration` what follows from both. The status of an issue follows from recorded facts: `guardhost_core::issue`, `earlier`.

pub mod batch;
pub mod brief;
pub mod claim;
pub mod detect;
pub mod earlier;
pub mod guidelines;
pub mod issue;
pub mod iteration;
pub mod reviewer;
pub mod source;

use guardhost_core::change::RepoPath;
use guardhost_policy::config::FixSettings;

/// Whether a file belongs to the frontend, by the extension table of the settings.
pub fn is_frontend(path: &RepoPath, settings: &FixSettings) -> bool {
    let name = String::from_utf8_lossy(path.file_name()).to_lowercase();
    name.rsplit_once('.').is_some_and(|(_, extension)| settings.frontend.iter().any(|known| known == extension))
}
