//! Paths of the repository, put together.

/// `relative` seen from `folder`. None when it leaves the repository, or is no plain path.
pub fn join(folder: &str, relative: &str) -> Option<String> {
    if relative.starts_with(['/', '~'])
        || relative.contains(['$', '*', '{', '`', '\\', '?', '%', '<', '>', '"', '\'', '('])
    {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
