//! The differing runs of lines between two texts.

use git2::DiffOptions;

use crate::bindings::guardhost::guard::change::Hunk;
use crate::limits::GuardStop;

/// Without context. Made by libgit2: its heuristics keep hostile input from taking quadratic time, and the contract asks for the
/// numbers of git's hunk headers.
pub fn hunks(before: &str, after: &str) -> Result<Vec<Hunk>, GuardStop> {
    let git = |error: git2::Error| GuardStop::Repository(error.message().to_string());
    let mut options = DiffOptions::new();
    options.context_lines(0).interhunk_lines(0).force_text(true);
    let patch =
        git2::Patch::from_buffers(before.as_bytes(), None, after.as_bytes(), None, Some(&mut options)).map_err(git)?;
    (0..patch.num_hunks())
        .map(|index| {
            let (hunk, _) = patch.hunk(index).map_err(git)?;
            Ok(Hunk {
                old_start: hunk.old_start(),
                old_lines: hunk.old_lines(),
                new_start: hunk.new_start(),
                new_lines: hunk.new_lines(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::hunks;

    #[test]
    fn hunks_as_the_contract_says() {
        let cases: &[(&str, &str, &[[u32; 4]])] = &[
            ("a\nb\nc\n", "a\nB\nc\n", &[[2, 1, 2, 1]]),
            ("a\nb\n", "a\nx\ny\nb\n", &[[1, 0, 2, 2]]),
            ("a\nb\nc\n", "a\nc\n", &[[2, 1, 1, 0]]),
            ("", "a\nb\n", &[[0, 0, 1, 2]]),
            ("a\nb", "", &[[1, 2, 0, 0]]),
            ("a\nb\nc\n", "x\nb\ny\n", &[[1, 1, 1, 1], [3, 1, 3, 1]]),
            ("a\n", "a", &[[1, 1, 1, 1]]),
            ("a\n", "a\n", &[]),
        ];
        for (before, after, expected) in cases {
            let hunks = hunks(before, after).unwrap();
            let hunks: Vec<_> =
                hunks.iter().map(|hunk| [hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines]).collect();
            assert_eq!(hunks, *expected, "{before:?} to {after:?}");
        }
    }
}
