//! The one dialect of globs, in guards.toml and in the contract: that of `.gitignore`, and `{a,b}` for either. Without a slash a glob matches
//! at any depth, a directory matches everything in it, the last match wins and `!` negates. Globs are not compiled, so reading them is cheap. No glob takes exponential time, as `**/**/…` does in git's matcher: guards
//! write globs too.

mod braces;
mod walked;

use walked::Kind;

/// In the order of the list.
#[derive(Debug, Clone, Default)]
pub struct Globs(Vec<Glob>);

#[derive(Debug, Clone)]
struct Glob {
    /// For `fast_glob`.
    pattern: String,
    negative: bool,
    /// Matched against the whole path, not the name alone.
    anchored: bool,
    folders_only: bool,
    shape: Shape,
    /// The shape of what follows the last slash.
    last: Shape,
    stars: usize,
    kind: Kind,
}

/// What most globs come down to. An audit of a large tree matches some hundred of them with every name.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// No special character.
    Literal,
    /// `*.rs`, without a slash.
    Suffix,
    /// `.eslintrc*`, without a slash.
    Prefix,
    Other,
}

impl Shape {
    fn new(pattern: &str) -> Self {
        let pattern = pattern.as_bytes();
        let is_plain = |text: &[u8]| !text.iter().any(|byte| b"*?[]{}\\!".contains(byte));
        let is_name = |text: &[u8]| is_plain(text) && !text.is_empty() && !text.contains(&b'/');
        match pattern {
            [b'*', name @ ..] if is_name(name) => Shape::Suffix,
            [name @ .., b'*'] if is_name(name) => Shape::Prefix,
            text if is_plain(text) => Shape::Literal,
            _ => Shape::Other,
        }
    }

    /// Whether a pattern of this shape matches the whole of `part`.
    fn matches(self, pattern: &str, part: &[u8]) -> bool {
        let bytes = pattern.as_bytes();
        match self {
            Shape::Literal => part == bytes,
            // No star takes a slash, so that only a name can match.
            Shape::Suffix => part.ends_with(&bytes[1..]) && !part.contains(&b'/'),
            Shape::Prefix => part.starts_with(&bytes[..bytes.len() - 1]) && !part.contains(&b'/'),
            Shape::Other => fast_glob::glob_match(pattern, part),
        }
    }
}

/// Most globs of one list: every glob is matched with every file.
const MAX_GLOBS: usize = 200;
/// Bytes of one glob.
const MAX_LENGTH: usize = 500;

impl Globs {
    /// Errors: a message about a glob that is empty, malformed or too long, or about too many globs.
    pub fn new<G: AsRef<str>>(globs: &[G]) -> Result<Self, String> {
        if globs.len() > MAX_GLOBS {
            return Err(format!("there are {} globs; {MAX_GLOBS} are the limit", globs.len()));
        }
        let mut read = Vec::with_capacity(globs.len());
        for glob in globs {
            read.extend(one_by_one(glob.as_ref())?);
        }
        Ok(Globs(read))
    }

    /// The first glob that [`Globs::new`] refuses by itself; None: it refuses their number, or nothing.
    pub fn first_wrong<G: AsRef<str>>(globs: &[G]) -> Option<usize> {
        globs.iter().position(|glob| one_by_one(glob.as_ref()).is_err())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What matching this path costs, in bytes compared: each glob is matched with the path, or with each of its folders.
    pub fn cost(&self, path: impl AsRef<[u8]>) -> u64 {
        let bytes = path.as_ref();
        let folders = 1 + bytes.iter().filter(|byte| **byte == b'/').count();
        // A glob without stars compares each byte once; one with stars may compare it again for each star.
        let compared = |glob: &Glob| {
            let folders = if glob.anchored { folders } else { 1 };
            bytes.len() * folders * (1 + glob.stars)
        };
        self.0.iter().map(|glob| compared(glob) as u64).sum()
    }

    pub fn matches(&self, path: impl AsRef<[u8]>) -> bool {
        let path = path.as_ref();
        self.0.iter().rev().find(|glob| glob.matches(path)).is_some_and(|glob| !glob.negative)
    }

    /// Whether some path below `folder` matches, as far as the globs alone can tell. Below the root, the empty path, some always may.
    pub fn may_match_below(&self, folder: impl AsRef<[u8]>) -> bool {
        let folder = folder.as_ref();
        let decisive = self.0.iter().rev().find(|glob| match glob.negative {
            true => glob.covers(folder),
            false => glob.may_match_below(folder),
        });
        folder.is_empty() || decisive.is_some_and(|glob| !glob.negative)
    }
}

/// For settings of guards: a list of texts.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Globs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let globs = Vec::<String>::deserialize(deserializer)?;
        Globs::new(&globs).map_err(serde::de::Error::custom)
    }
}

impl Glob {
    fn new(text: &str) -> Result<Self, String> {
        let (negative, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let (folders_only, rest) = rest.strip_suffix('/').map_or((false, rest), |rest| (true, rest));
        let anchored = rest.contains('/');
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        if rest.trim().is_empty() {
            return Err(format!("the glob {text:?} is empty"));
        }
        let stars = rest.bytes().filter(|byte| *byte == b'*').count();
        let shape = Shape::new(rest);
        let pattern = match shape {
            // Nothing in it has to be escaped or can be wrong.
            Shape::Literal | Shape::Suffix | Shape::Prefix => rest.to_owned(),
            Shape::Other => {
                let pattern = for_library(rest);
                fast_glob::validate(&pattern).map_err(|error| format!("the glob {text:?} cannot be read: {error}"))?;
                pattern
            }
        };
        let last = Shape::new(pattern.rsplit('/').next().unwrap_or_default());
        let kind = Kind::new(&pattern, anchored);
        Ok(Glob { pattern, negative, anchored, folders_only, shape, last, stars, kind })
    }

    /// Matches every path below the folder, whatever its name.
    fn covers(&self, folder: &[u8]) -> bool {
        // One child stands for all of them: no file has this name, so only a glob that takes any name matches it.
        self.matches(&[folder, b"/\0"].concat())
    }

    /// Matches some path below the folder.
    fn may_match_below(&self, folder: &[u8]) -> bool {
        // Without a slash a glob matches at any depth.
        if !self.anchored || self.matches(folder) {
            return true;
        }
        let mut parts = folder.split(|byte| *byte == b'/');
        for glob in self.pattern.split('/') {
            match (glob, parts.next()) {
                // The folder is above what the glob is about.
                ("**", _) | (_, None) => return true,
                (glob, Some(part)) if fast_glob::glob_match(glob, part) => {}
                (_, Some(_)) => return false,
            }
        }
        false
    }

    /// Matches the path or one of its folders.
    fn matches(&self, path: &[u8]) -> bool {
        self.matches_some(path, !self.folders_only)
    }

    /// Matches the folder or one above it.
    fn matches_folder(&self, folder: &[u8]) -> bool {
        self.matches_some(folder, true)
    }

    /// Matches the path, if it `may`, or one of its folders.
    fn matches_some(&self, path: &[u8], may: bool) -> bool {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| (end, true));
        let mut begin = 0;
        ends.chain([(path.len(), may)]).any(|(end, may)| {
            let part = if self.anchored { &path[..end] } else { &path[begin..end] };
            begin = end + 1;
            may && self.matches_part(part)
        })
    }

    /// The whole of a path up to one of its slashes; of a glob that is not anchored, one name.
    fn matches_part(&self, part: &[u8]) -> bool {
        self.shape.matches(&self.pattern, part)
    }
}

/// The globs that one with braces stands for.
fn one_by_one(glob: &str) -> Result<Vec<Glob>, String> {
    if glob.len() > MAX_LENGTH {
        return Err(format!("a glob has {} bytes; {MAX_LENGTH} are the limit", glob.len()));
    }
    braces::spelled_out(glob)?.iter().map(|glob| Glob::new(glob)).collect()
}

/// To git, braces and a second `!` are ordinary characters.
fn for_library(glob: &str) -> String {
    let mut pattern = glob.replace('{', "\\{").replace('}', "\\}");
    if pattern.starts_with('!') {
        pattern.insert(0, '\\');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_gitignore_says() {
        let cases: &[(&[&str], &str, bool)] = &[
            (&["*.md"], "docs/deep/a.md", true),
            (&["/*.md"], "docs/a.md", false),
            (&["**/*.md"], "a.md", true),
            (&["docs/*.md"], "docs/deep/a.md", false),
            (&["docs/**"], "docs/deep/a.md", true),
            (&["docs/"], "docs/deep/a.md", true),
            (&["docs/"], "docs", false),
            (&["vendor"], "lib/vendor/x.rs", true),
            (&["/lib"], "lib/vendor/x.rs", true),
            (&["/vendor"], "lib/vendor/x.rs", false),
            (&["lib/*/x.rs"], "lib/vendor/x.rs", true),
            (&["{a,b}.md"], "docs/a.md", true),
            (&["{a,b}.md"], "c.md", false),
            (&["/src/{a,b/**}"], "src/b/c.md", true),
            (&["*", "!*.{lock,sum}"], "go.sum", false),
            (&["{{cookiecutter.slug}}/**"], "{{cookiecutter.slug}}/a.py", true),
            (&["{a}.md"], "{a}.md", true),
            (&["[ab].md"], "docs/a.md", true),
            (&["*", "!*.lock"], "Cargo.lock", false),
            (&["!*.lock", "*"], "Cargo.lock", true),
            (&[], "a", false),
        ];
        for (globs, path, expected) in cases {
            assert_eq!(Globs::new(globs).unwrap().matches(path), *expected, "{globs:?} on {path}");
        }
    }

    #[test]
    fn folders_below_which_something_may_match() {
        let cases: &[(&[&str], &str, bool)] = &[
            (&["*.md"], "docs/deep", true),
            (&["docs/*.md"], "docs", true),
            (&["docs/*.md"], "docs/deep", false),
            (&["docs/*.md"], "secret", false),
            (&["docs/**/a.md"], "docs/deep", true),
            (&["docs/**/a.md"], "doc", false),
            (&["docs/"], "docs/deep", true),
            (&["/a/b/c.md"], "a/b", true),
            (&["/a/b/c.md"], "a/b/c", false),
            (&["/a/*/c.md"], "a/b", true),
            (&["**/x.md"], "a/b", true),
            (&["docs/**", "!docs/private/**"], "docs", true),
            (&["docs/**", "!docs/private/**"], "docs/private", false),
            (&["docs/**", "!docs/private/"], "docs/private/deep", false),
            (&["docs/**", "!docs/private/*.key"], "docs/private", true),
            (&["*.md", "!vendor"], "vendor/x", false),
            (&["docs/**"], "", true),
            (&[], "docs", false),
        ];
        for (globs, folder, expected) in cases {
            assert_eq!(Globs::new(globs).unwrap().may_match_below(folder), *expected, "{globs:?} below {folder}");
        }
    }

    /// A guard may write any glob, so matching must not backtrack without bound.
    #[test]
    fn globs_that_would_take_for_ever() {
        let path = "a/".repeat(2000) + "a";
        for glob in [
            "*a".repeat(100) + "b",
            "**/a/".repeat(80) + "b",
            "**/*a".repeat(90) + "b",
            "*/".repeat(200) + "**/b",
            "a*".repeat(200) + "b",
        ] {
            assert!(!Globs::new(&[glob]).unwrap().matches(&path));
        }
        let path = "a".repeat(4000);
        assert!(!Globs::new(&["*a".repeat(100) + "b"]).unwrap().matches(&path));
        for broken in ["*".repeat(501).as_str(), "", " ", "!", "/", "[a"] {
            assert!(Globs::new(&[broken]).is_err(), "{broken}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]
        /// Literals, prefixes and suffixes are matched by comparing bytes: as the library would.
        #[test]
        fn the_short_way_comes_to_the_same(
            glob in r"/?(\*[a.]{1,3}|[a.]{1,3}\*|[a./]{1,5}|\*\*|\*)",
            path in r"[a.b/]{0,8}",
        ) {
            if let Ok(glob) = Glob::new(&glob) {
                let slow = Glob { shape: Shape::Other, ..glob.clone() };
                proptest::prop_assert_eq!(glob.matches(path.as_bytes()), slow.matches(path.as_bytes()), "{:?} on {}", glob, path);
            }
        }

        #[test]
        fn no_star_means_more_here_than_there(glob in r"[*a.]{1,4}", name in r"[a.]{0,5}") {
            if let Ok(glob) = Glob::new(&glob) {
                proptest::prop_assert_eq!(glob.matches_part(name.as_bytes()), fast_glob::glob_match(&glob.pattern, name.as_bytes()));
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(256))]
        #[test]
        fn no_glob_is_a_panic(globs in proptest::collection::vec(r"[*?!\[\]{},/\\a\-^ä]{0,12}", 1..4), path in "[a/ä\\[*]{0,20}") {
            if let Ok(globs) = Globs::new(&globs) {
                globs.matches(path);
            }
        }
    }
}
