//! Whether somebody says that earlier work is to be taken back.

use guard_sdk::{Change, Commit};

/// Beginnings of words by which people say it.
const WORDS: [&str; 12] = [
    "revert",
    "undo",
    "undid",
    "roll back",
    "rollback",
    "rolled back",
    "back out",
    "restor",
    "reinstat",
    "put back",
    "bring back",
    "take back",
];

/// By those who asked for the change: the text of the task, or the messages of commits that no agent made.
pub fn is_said(change: &Change, earlier: &Commit) -> bool {
    change.wishes().iter().any(|wish| speaks_of(&wish.to_lowercase(), earlier))
}

/// Whether a commit of the change names the one that it takes back, whoever made it: work that is lost by memory, or by a conflict that was
/// resolved for one side, cannot name what it undoes.
pub fn is_named(change: &Change, earlier: &Commit) -> bool {
    change.commits().iter().any(|commit| names(&commit.message.to_lowercase(), earlier))
}

/// A word for taking back, or the name of the commit.
fn speaks_of(wish: &str, earlier: &Commit) -> bool {
    let is_word =
        |start: &&str| wish.match_indices(*start).any(|(at, _)| !wish[..at].ends_with(|c: char| c.is_alphanumeric()));
    WORDS.iter().any(is_word) || names(wish, earlier)
}

/// The id of the commit, or the number of its pull request.
fn names(text: &str, earlier: &Commit) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '#');
    let oid = earlier.oid.as_deref().unwrap_or_default();
    let is_id = |word: &str| (7..=40).contains(&word.len()) && oid.starts_with(word);
    let number = earlier.subject().rsplit_once("(#").and_then(|(_, rest)| rest.strip_suffix(')'));
    let is_number = |word: &str| number.is_some_and(|number| word.strip_prefix('#') == Some(number));
    words.any(|word| is_id(word) || is_number(word))
}

#[cfg(test)]
mod tests {
    use super::speaks_of;
    use guard_sdk::{Commit, Person};

    #[test]
    fn words_and_names_of_commits() {
        let earlier = Commit {
            oid: Some("4f1e2d3c4b5a69788796a5b4c3d2e1f001122334".into()),
            message: "Cache the answers (#41)\n\nMore.".into(),
            author: Person { name: String::new(), email: String::new() },
            trailers: Vec::new(),
        };
        for wish in
            ["revert the cache", "please roll back that", "undoes 4f1e2d3c", "without #41", "restore the old list"]
        {
            assert!(speaks_of(wish, &earlier), "{wish}");
        }
        for wish in ["add a cache", "irrevertible words", "see #4", "4f1e2", "mend #412"] {
            assert!(!speaks_of(wish, &earlier), "{wish}");
        }
    }
}
