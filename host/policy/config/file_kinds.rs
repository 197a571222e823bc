//! `[paths]`: what files are, where their paths alone do not tell.

use guardhost_core::error::{Fault, FaultKind};
use guardhost_core::setting::SettingPath;
use guardhost_engine::{Kinds, PathGlobs};

/// # Errors
/// [`FaultKind::Config`]: a glob that cannot be read, with its place.
pub fn kinds(paths: &PathGlobs) -> Result<Kinds, Fault> {
    Kinds::new(paths.clone()).map_err(|wrong| {
        let list = SettingPath::default().key("paths").key(wrong.key);
        let place = match wrong.index {
            Some(index) => list.index(index),
            None => list,
        };
        Fault::new(FaultKind::Config, format!("`paths.{}` has a wrong path: {}", wrong.key, wrong.why))
            .hint("paths are globs as in .gitignore")
            .setting(place)
    })
}
