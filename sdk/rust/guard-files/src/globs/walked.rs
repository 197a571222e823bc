//! Globs that are matched with every file of a tree in turn. What a folder decides is decided once for the files in it: an audit makes some
//! hundred searches of the same tree, which may have fifty thousand files.

use super::{Glob, Globs, Shape};

/// The last path's folder, and what is left to decide for a file in it.
pub struct Walked<'g> {
    globs: &'g Globs,
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
        Walked { globs: self, folder: Folder::None, left: Vec::new() }
    }
}

impl Walked<'_> {
    /// As [`Globs::matches`]; and what it cost, in bytes compared: never more than [`Globs::cost`].
    pub fn matches(&mut self, path: impl AsRef<[u8]>) -> (bool, u64) {
        let whole = path.as_ref();
        let slash = whole.iter().rposition(|byte| *byte == b'/');
        let is_last = match (&self.folder, slash) {
            (Folder::Root, None) => true,
            (Folder::Of(last), Some(slash)) => *last == whole[..slash],
            _ => false,
        };
        let mut cost = 0;
        if !is_last {
            let folder = slash.map(|slash| &whole[..slash]);
            self.enter(folder);
            cost += folder.map_or(0, |folder| self.globs.cost(folder));
        }
        let name = &whole[slash.map_or(0, |slash| slash + 1)..];
        let decisive = self.left.iter().find(|(glob, left)| {
            let mut compared = |part: &[u8]| cost += (part.len() * (1 + glob.stars)) as u64;
            match left {
                Left::Nothing => true,
                Left::Name(last) => {
                    compared(name);
                    glob.last.matches(last, name)
                }
                Left::PathIfName(last) if !glob.last.matches(last, name) => {
                    compared(name);
                    false
                }
                Left::PathIfName(_) | Left::Path => {
                    compared(whole);
                    glob.matches_part(whole)
                }
            }
        });
        (decisive.is_some_and(|(glob, _)| !glob.negative), cost)
    }

    fn enter(&mut self, folder: Option<&[u8]>) {
        self.left.clear();
        let parts = folder.map_or(0, |folder| 1 + folder.iter().filter(|byte| **byte == b'/').count());
        for glob in self.globs.0.iter().rev() {
            let left = glob.left(folder, parts);
            let is_decided = matches!(left, Some(Left::Nothing));
            self.left.extend(left.map(|left| (glob, left)));
            if is_decided {
                break;
            }
        }
        self.folder = folder.map_or(Folder::Root, |folder| Folder::Of(folder.to_vec()));
    }
}

/// What a glob tells by itself.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// It matches names, at any depth.
    Name,
    /// It matches paths with as many slashes.
    Path(usize),
    /// It matches paths of many depths: some of its parts are `**`.
    AnyDepth,
    /// The library alone says what it comes to: a part of it may take a slash.
    Unknown,
}

impl Kind {
    pub fn new(pattern: &str, anchored: bool) -> Self {
        let parts = || pattern.split('/');
        match anchored {
            false => Kind::Name,
            true if pattern.contains(['[', ']', '\\', '!']) => Kind::Unknown,
            true if parts().any(|part| part != "**" && part.contains("**")) => Kind::Unknown,
            true if parts().any(|part| part == "**") => Kind::AnyDepth,
            true => Kind::Path(parts().count() - 1),
        }
    }
}

impl Glob {
    /// None when no file of the folder, which has so many parts, can match.
    fn left(&self, folder: Option<&[u8]>, parts: usize) -> Option<Left<'_>> {
        // A path of another depth does not match, and neither does a folder.
        let of_depth = |slashes: usize| {
            let folder = folder.unwrap_or_default();
            let mut ends = folder.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
            let end = ends.nth(slashes).unwrap_or(folder.len());
            self.matches_part(&folder[..end])
        };
        match self.kind {
            Kind::Path(slashes) if parts < slashes => None,
            Kind::Path(slashes) if parts > slashes => of_depth(slashes).then_some(Left::Nothing),
            Kind::Path(_) if self.folders_only => None,
            Kind::Path(_) => self.left_of_path(folder),
            _ if folder.is_some_and(|folder| self.matches_folder(folder)) => Some(Left::Nothing),
            // The file itself is no folder.
            _ if self.folders_only => None,
            Kind::Name => Some(Left::Name(&self.pattern)),
            Kind::AnyDepth => self.left_of_any_depth(folder),
            Kind::Unknown => Some(Left::Path),
        }
    }

    /// The folder has one part less than the glob: each part is matched by its own.
    fn left_of_path(&self, folder: Option<&[u8]>) -> Option<Left<'_>> {
        let Some((above, last)) = self.pattern.rsplit_once('/') else { return Some(Left::Name(&self.pattern)) };
        let mut parts = folder?.split(|byte| *byte == b'/');
        above
            .split('/')
            .all(|glob| parts.next().is_some_and(|part| Shape::new(glob).matches(glob, part)))
            .then_some(Left::Name(last))
    }

    fn left_of_any_depth(&self, folder: Option<&[u8]>) -> Option<Left<'_>> {
        let (above, last) =
            self.pattern.rsplit_once('/').map_or((None, &*self.pattern), |(above, last)| (Some(above), last));
        let mut parts = folder.into_iter().flat_map(|folder| folder.split(|byte| *byte == b'/'));
        // Parts without a star stand in the folder, in the order of the glob.
        let mut named = above.into_iter().flat_map(|above| above.split('/')).filter(|glob| !glob.contains(['*', '?']));
        let may = named.all(|glob| parts.any(|part| part == glob.as_bytes()));
        may.then_some(if last == "**" { Left::Path } else { Left::PathIfName(last) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A walk over all the paths, forth and back, says of each what a question by itself says.
    fn same(globs: &[String], paths: &[String]) -> Result<(), proptest::test_runner::TestCaseError> {
        let Ok(globs) = Globs::new(globs) else { return Ok(()) };
        let mut walked = globs.walked();
        for path in paths.iter().chain(paths.iter().rev()) {
            let (matches, cost) = walked.matches(path);
            proptest::prop_assert_eq!(matches, globs.matches(path), "{:?} on {}", globs, path);
            proptest::prop_assert!(cost <= globs.cost(path), "{:?} on {}", globs, path);
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
