//! Globs that are matched with every file of a tree in turn. What a folder decides is decided once for the files in it: an audit makes some
//! hundred searches of the same tree, which may have fifty thousand files.

use guardhost_core::change::RepoPath;

use super::{Glob, Globs, Shape};

/// The last path's folder, and what is left to decide for a file in it.
pub struct Walked<'g> {
    globs: &'g Globs,
    /// Of a path's cost: what each of its bytes costs once, and what it costs once for each of its folders.
    each: u64,
    each_folder: u64,
    folder: Folder,
    /// Which globs may match a file of the folder, the last one first: that is the one that wins.
    left: Vec<(&'g Glob, Left<'g>)>,
}

#[derive(Default, PartialEq)]
enum Folder {
    /// No path was asked for yet.
    #[default]
    None,
    Root,
    Of(Vec<u8>),
}

/// What decides whether a glob matches a file.
enum Left<'g> {
    /// The folder, or one above it, is matched, and so is everything in it.
    Nothing,
    /// The file's name alone, by this part of the glob.
    Name(&'g str),
    /// The path, if this part of the glob takes the file's name.
    PathIfName(&'g str),
    Path,
}

impl Globs {
    /// For paths of which neighbours mostly stand in the same folder. Each answer is that of [`Globs::matches`], in any order.
    pub fn walked(&self) -> Walked<'_> {
        let cost = |anchored| {
            let globs = self.0.iter().filter(|glob| glob.anchored == anchored);
            globs.map(|glob| 1 + glob.stars as u64).sum()
        };
        Walked { globs: self, each: cost(false), each_folder: cost(true), folder: Folder::None, left: Vec::new() }
    }
}

impl Walked<'_> {
    /// As [`Globs::cost`].
    pub fn cost(&self, path: &RepoPath) -> u64 {
        let bytes = path.as_bytes();
        let folders = match self.each_folder {
            0 => 0,
            _ => 1 + bytes.iter().filter(|byte| **byte == b'/').count() as u64,
        };
        bytes.len() as u64 * (self.each + self.each_folder * folders)
    }

    /// As [`Globs::matches`].
    pub fn matches(&mut self, path: &RepoPath) -> bool {
        let path = path.as_bytes();
        let slash = path.iter().rposition(|byte| *byte == b'/');
        let is_last = match (&self.folder, slash) {
            (Folder::Root, None) => true,
            (Folder::Of(last), Some(slash)) => *last == path[..slash],
            _ => false,
        };
        if !is_last {
            self.enter(slash.map(|slash| &path[..slash]));
        }
        let name = &path[slash.map_or(0, |slash| slash + 1)..];
        let decisive = self.left.iter().find(|(glob, left)| match left {
            Left::Nothing => true,
            Left::Name(last) => glob.last.matches(last, name),
            Left::PathIfName(last) => glob.last.matches(last, name) && glob.matches_part(path),
            Left::Path => glob.matches_part(path),
        });
        decisive.is_some_and(|(glob, _)| !glob.negative)
    }

    fn enter(&mut self, folder: Option<&[u8]>) {
        self.left.clear();
        for glob in self.globs.0.iter().rev() {
            let left = glob.left(folder);
            let is_decided = matches!(left, Some(Left::Nothing));
            self.left.extend(left.map(|left| (glob, left)));
            if is_decided {
                break;
            }
        }
        self.folder = folder.map_or(Folder::Root, |folder| Folder::Of(folder.to_vec()));
    }
}

impl Glob {
    /// None when no file of the folder can match.
    fn left(&self, folder: Option<&[u8]>) -> Option<Left<'_>> {
        if folder.is_some_and(|folder| self.matches_folder(folder)) {
            return Some(Left::Nothing);
        }
        match () {
            // The file itself is no folder.
            () if self.folders_only => None,
            () if !self.anchored => Some(Left::Name(&self.pattern)),
            // The library alone says what they come to where they take a slash.
            () if !self.is_plain_in_parts() => Some(Left::Path),
            () => self.left_in_parts(folder),
        }
    }

    /// Whether each part of the pattern is a `**`, or matches within one part of a path.
    fn is_plain_in_parts(&self) -> bool {
        !self.pattern.contains(['[', ']', '\\', '!'])
            && self.pattern.split('/').all(|part| part == "**" || !part.contains("**"))
    }

    fn left_in_parts(&self, folder: Option<&[u8]>) -> Option<Left<'_>> {
        let (above, last) = self.pattern.rsplit_once('/').map_or((None, &*self.pattern), |(above, last)| (Some(above), last));
        let globs = above.into_iter().flat_map(|above| above.split('/'));
        let mut parts = folder.into_iter().flat_map(|folder| folder.split(|byte| *byte == b'/'));
        if self.pattern.split('/').any(|part| part == "**") {
            // Parts without a star stand in the folder, in the order of the glob.
            let mut named = globs.filter(|glob| !glob.contains(['*', '?']));
            let may = named.all(|glob| parts.any(|part| part == glob.as_bytes()));
            return may.then_some(if last == "**" { Left::Path } else { Left::PathIfName(last) });
        }
        // As many parts as the glob has, each matched by its own.
        let mut globs = globs.fuse();
        loop {
            match (globs.next(), parts.next()) {
                (None, None) => return Some(Left::Name(last)),
                (Some(glob), Some(part)) if Shape::of(glob).matches(glob, part) => {}
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A walk over all the paths, forth and back, says of each what a question by itself says.
    fn same(globs: &[String], paths: &[String]) -> Result<(), proptest::test_runner::TestCaseError> {
        let Ok(globs) = Globs::new(globs) else { return Ok(()) };
        let mut walked = globs.walked();
        for path in paths.iter().chain(paths.iter().rev()).map(|path| RepoPath::from(path.as_str())) {
            proptest::prop_assert_eq!(walked.matches(&path), globs.matches(&path), "{:?} on {}", globs, path);
            proptest::prop_assert_eq!(walked.cost(&path), globs.cost(&path), "{:?} on {}", globs, path);
        }
        Ok(())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]
        /// Globs as people write them, on paths that they are near to.
        #[test]
        fn a_walk_says_what_single_questions_say(
            globs in proptest::collection::vec(r"!?/?((a|b|ab|\*|\*\*|a\*|\*b|\?|a\?b)/){0,4}(a|b|ab|\*|\*\*|a\*|\*b|\*\.b|a\*b)/?", 1..5),
            paths in proptest::collection::vec(r"((a|b|ab|aab)/){0,4}(a|b|ab|a\.b|aab)", 1..12),
        ) {
            same(&globs, &paths)?;
        }

        /// Whatever may stand in a glob and in a path.
        #[test]
        fn a_walk_says_the_same_of_odd_globs(
            globs in proptest::collection::vec(r"[*?!\[\]{},/\\ab\-^]{1,9}", 1..4),
            paths in proptest::collection::vec(r"[ab/\\\[*!]{0,8}", 1..8),
        ) {
            same(&globs, &paths)?;
        }
    }
}
