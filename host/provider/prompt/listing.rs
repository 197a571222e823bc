//! The list of files whose content the prompt does not show.

use std::fmt::Write;

/// Sorted paths, one a line. Where the list would be longer than `max_bytes`, folders replace their files, the deepest first.
pub(super) fn listing(paths: &[String], max_bytes: usize) -> String {
    let depth = paths.iter().map(|path| path.matches('/').count()).max().unwrap_or_default();
    let fits = (0..=depth).rev().map(|depth| collapsed(paths, depth)).find(|list| list.len() <= max_bytes);
    fits.unwrap_or_else(|| format!("({} files, too many to be listed)", paths.len()))
}

/// The list with every folder below `depth` as one line.
fn collapsed(paths: &[String], depth: usize) -> String {
    let mut list = String::new();
    let mut paths = paths.iter().peekable();
    while let Some(path) = paths.next() {
        let Some((cut, _)) = path.match_indices('/').nth(depth) else {
            let _ = writeln!(list, "{path}");
            continue;
        };
        let folder = &path[..=cut];
        let mut count = 1;
        while paths.next_if(|next| next.starts_with(folder)).is_some() {
            count += 1;
        }
        let _ = writeln!(list, "{folder} ({count} files)");
    }
    list.truncate(list.trim_end().len());
    list
}
