//! Paths of the repository as seen from one another. All have `/` between their parts and begin at the root, which is the empty path.
//!
//! ```
//! use guard_files::relative::{above, folder, join};
//!
//! assert_eq!(folder("src/data/table.py"), "src/data");
//! assert_eq!(join("src/data", "../lib.py").as_deref(), Some("src/lib.py"));
//! assert_eq!(join("src", "../../lib.py"), None);
//! assert_eq!(above("src/data").collect::<Vec<_>>(), ["src/data", "src", ""]);
//! ```

/// The folder that a path stands in.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder, and those that it stands in, the innermost first; the root is the last.
pub fn above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |at| (!at.is_empty()).then(|| self::folder(at)))
}

/// `relative` as seen from a folder; None when it leads out of the repository. A relative path that begins with `/` is taken as if it did not:
/// what that means, each format says for itself.
pub fn join(folder: &str, relative: &str) -> Option<String> {
    let is_name = |part: &&str| !matches!(*part, "" | ".");
    let mut parts: Vec<&str> = folder.split('/').filter(is_name).collect();
    for part in relative.split('/').filter(is_name) {
        match part {
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}
