//! The paths in a patch in the form of `apply_patch`.

/// Lines that name a file.
const HEADERS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

fn path(line: &str) -> Option<(&str, &str)> {
    HEADERS.iter().find_map(|header| Some((*header, line.strip_prefix(header)?.trim_end())))
}

/// Every file that the patch names.
pub(super) fn named(patch: &str) -> Vec<&str> {
    patch.lines().filter_map(path).map(|(_, path)| path).collect()
}

/// The patch with other paths; one for which there is None stays.
pub(super) fn rebased(patch: &str, rename: impl Fn(&str) -> Option<String>) -> String {
    patch
        .split_inclusive('\n')
        .map(|line| match path(line).and_then(|(header, path)| Some((header, rename(path)?))) {
            Some((header, path)) => format!("{header}{path}\n"),
            None => line.to_owned(),
        })
        .collect()
}
