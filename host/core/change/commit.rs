//! A commit as guards see it: its message and author.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Oid;
use crate::error;

/// A commit, or one that would be made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitInfo {
    /// None for a commit that is not made yet.
    #[serde(serialize_with = "as_hex", deserialize_with = "from_hex")]
    pub oid: Option<Oid>,
    /// The whole message.
    pub message: String,
    /// Empty when it is not known.
    pub author_name: String,
    pub author_email: String,
}

impl CommitInfo {
    /// A commit that would be made with this message.
    pub fn proposed(message: impl Into<String>) -> Self {
        CommitInfo { message: message.into(), ..CommitInfo::default() }
    }

    /// The `key: value` lines at the end of the message, as `git interpret-trailers --parse` finds them.
    pub fn trailers(&self) -> Vec<(String, String)> {
        // Fails only for a message with NUL, which no commit has.
        let Ok(trailers) = git2::message_trailers_strs(&self.message) else { return Vec::new() };
        trailers.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }
}

fn as_hex<S: Serializer>(oid: &Option<Oid>, serializer: S) -> Result<S::Ok, S::Error> {
    oid.map(|oid| oid.to_string()).serialize(serializer)
}

fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Oid>, D::Error> {
    let hex = Option::<String>::deserialize(deserializer)?;
    hex.map(|hex| Oid::from_str(&hex).map_err(serde::de::Error::custom)).transpose()
}

/// What a commit made of files, beside its first parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitEdits {
    pub commit: CommitInfo,
    /// Whole days from the commit to the base, by the dates that they bear; 0 for one that claims to be later.
    pub days_before: u32,
    pub files: Vec<EditedFile>,
}

/// A file that a commit edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedFile {
    /// In the form of the contract.
    pub path: String,
    /// Hex id of the content before the commit.
    pub before: String,
    /// None where a side is no text, is too large or is not in this clone.
    pub lines: Option<Vec<ReplacedLines>>,
}

/// Lines that a commit put in the place of others, without context and without their ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplacedLines {
    pub old: Vec<String>,
    pub new: Vec<String>,
}

/// Which commits [`CommitLog::recent_edits`] looks at.
#[derive(Debug, Clone, Copy)]
pub struct RecentCommits {
    /// At most that many days older than the base.
    pub days: u32,
    /// The newest ones, at most that many.
    pub most: usize,
}

/// The commits of one repository.
pub trait CommitLog: Send + Sync {
    /// Commits reachable from `from` by first parents that changed `path` (empty: any commit), newest first; at most `limit`, among the
    /// newest `window` commits.
    fn touching(
        &self,
        from: Oid,
        path: &super::RepoPath,
        limit: usize,
        window: usize,
    ) -> error::Result<Vec<CommitInfo>>;

    /// What stood at `path` in the commits before `from`, by first parents and newest first: regular files, each content once where it lasted,
    /// without the content that `from` has. At most `limit`, among the newest `window` commits, and none from before a commit without such a file.
    fn versions(
        &self,
        from: Oid,
        path: &super::RepoPath,
        limit: usize,
        window: usize,
    ) -> error::Result<Vec<super::TreeEntry>>;

    /// What commits reachable from `from` by first parents made of these files, newest first. None: no commit before `from` is in this shallow
    /// clone, so that nothing is known.
    fn recent_edits(
        &self,
        from: Oid,
        paths: &[super::RepoPath],
        looked_at: RecentCommits,
    ) -> error::Result<Option<Vec<CommitEdits>>>;
}

#[cfg(test)]
mod tests {
    use super::CommitInfo;

    #[test]
    fn trailers_as_git_finds_them() {
        let commit = CommitInfo::proposed("Subject\n\nBody: no trailer\nmore\n\nSigned-off-by: A <a@b>\nFixes: #3\n");
        let pairs = [("Signed-off-by", "A <a@b>"), ("Fixes", "#3")].map(|(key, value)| (key.into(), value.into()));
        assert_eq!(commit.trailers(), pairs);
        assert_eq!(CommitInfo::proposed("Subject: no trailer").trailers(), []);
    }
}
