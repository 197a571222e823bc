//! Gitignore-style globs, by git's own matcher: no slash means any depth, a directory covers what lies in it, the last match
//! wins and `!` turns it round. Nothing is compiled; a glob is ready when it is read.

use bstr::{BStr, ByteSlice};
use gix_glob::pattern::Case;
use gix_glob::{Pattern, wildmatch};

use crate::change::RepoPath;

#[derive(Debug, Clone, Default)]
pub struct Globs(Vec<Pattern>);

impl Globs {
    /// Errors: a glob that is empty or white space, in words.
    pub fn new<G: AsRef<str>>(globs: &[G]) -> Result<Self, String> {
        let parse = |glob: &G| {
            Pattern::from_bytes(glob.as_ref().as_bytes())
                .ok_or_else(|| format!("the glob {:?} is empty", glob.as_ref()))
        };
        globs.iter().map(parse).collect::<Result<_, _>>().map(Globs)
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
}
