//! Gitignore-style globs, by git's own matcher: no slash means any depth, a directory covers what lies in it, the last match
//! wins and `!` turns it round. Nothing is compiled; a glob is ready when it is read.

use bstr::{BStr, ByteSlice};
use gix_glob::pattern::Case;
use gix_glob::{Pattern, wildmatch};

use crate::change::RepoPath;

#[derive(Debug, Clone, Default)]
pub struct Globs(Vec<Pattern>);

/// Globs come from guards too; matching costs time for each glob and each file.
const MANY: usize = 200;
const LONG: usize = 500;

impl Globs {
    /// Errors: a glob that is empty or far too long, or far too many, in words.
    pub fn new<G: AsRef<str>>(globs: &[G]) -> Result<Self, String> {
        if globs.len() > MANY {
            return Err(format!("there are {} globs; {MANY} are the limit", globs.len()));
        }
        let parse = |glob: &G| {
            let glob = glob.as_ref();
            if glob.len() > LONG {
                return Err(format!("a glob has {} bytes; {LONG} are the limit", glob.len()));
            }
            Pattern::from_bytes(glob.as_bytes()).ok_or_else(|| "a glob is empty".to_string())
        };
        globs.iter().map(parse).collect::<Result<_, _>>().map(Globs)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn matches(&self, path: &RepoPath) -> bool {
        let path = path.as_bytes().as_bstr();
        let hit = self.0.iter().rev().find(|pattern| {
            let folders = path.find_iter("/").map(|end| (&path[..end], true));
            folders.chain([(path, false)]).any(|(part, is_dir)| matches(pattern, part, is_dir))
        });
        hit.is_some_and(|pattern| !pattern.is_negative())
    }
}

fn matches(pattern: &Pattern, path: &BStr, is_dir: bool) -> bool {
    // A model or a hostile index may write any path; the matcher wants a relative one.
    if path.starts_with(b"/") {
        return false;
    }
    let name = path.rfind_byte(b'/').map(|slash| slash + 1);
    pattern.matches_repo_relative_path(
        path,
        name,
        Some(is_dir),
        Case::Sensitive,
        wildmatch::Mode::NO_MATCH_SLASH_LITERAL,
    )
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
            (&["*", "!*.lock"], "Cargo.lock", false),
            (&["!*.lock", "*"], "Cargo.lock", true),
            (&[], "a", false),
        ];
        for (globs, path, expected) in cases {
            assert_eq!(Globs::new(globs).unwrap().matches(&(*path).into()), *expected, "{globs:?} on {path}");
        }
    }

    /// A guard may write any glob; each step back is paid for, or there is none.
    #[test]
    fn globs_that_would_take_for_ever() {
        let path = RepoPath::new("a/".repeat(2000) + "a");
        for glob in
            ["*a".repeat(100) + "b", "**/a/".repeat(80) + "b", "*/".repeat(200) + "**/b", "a*".repeat(200) + "b"]
        {
            assert!(!Globs::new(&[glob]).unwrap().matches(&path));
        }
        let path = RepoPath::new("a".repeat(4000));
        assert!(!Globs::new(&["*a".repeat(100) + "b"]).unwrap().matches(&path));
        assert!(Globs::new(&["*".repeat(501)]).is_err());
    }
}
