//! Paths of the repository, put together.

use guard_sdk::files;

/// `relative` seen from `folder`. None when it leaves the repository, or is no plain path.
pub fn join(folder: &str, relative: &str) -> Option<String> {
    if relative.starts_with(['/', '~'])
        || relative.contains(['$', '*', '{', '`', '\\', '?', '%', '<', '>', '"', '\'', '('])
    {
        return None;
    }
    files::relative::join(folder, relative)
}
