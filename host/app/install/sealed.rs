//! Files that are ours alone: the first line holds the digest of all that follows. So any version knows what another one wrote, and that
//! nobody edited it.

use guardhost_core::component::Component;

/// Who wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorship {
    Ours,
    /// It was ours.
    Edited,
    Other,
}

impl Authorship {
    /// Whether the host may write the file anew.
    ///
    /// # Errors
    /// A sentence: somebody else wrote or edited it.
    pub fn may_be_written(self) -> Result<(), String> {
        match self {
            Authorship::Ours => Ok(()),
            Authorship::Edited => Err("it was edited since it was written: delete it, or take the edit out".to_owned()),
            Authorship::Other => Err("another file has this name".to_owned()),
        }
    }

    /// The file as it was before: None when there was none, and the same text for one of somebody else.
    ///
    /// # Errors
    /// A sentence: somebody edited the file.
    pub fn removed(self, text: &str) -> Result<Option<String>, String> {
        match self {
            Authorship::Ours => Ok(None),
            Authorship::Edited => Err("it was edited since it was written: delete it yourself".to_owned()),
            Authorship::Other => Ok(Some(text.to_owned())),
        }
    }
}

/// What the first line says.
#[derive(Debug, Clone, Copy)]
pub(super) struct SealedFile {
    /// What begins a comment: `#` or `//`.
    pub comment: &'static str,
    /// The word of the command line.
    pub target: &'static str,
}

impl SealedFile {
    /// The whole file.
    pub fn sealed(self, text: &str) -> String {
        format!("{}{}\n{text}", self.first_words(), Component::from(text.as_bytes()).digest())
    }

    pub fn authorship(self, text: &str) -> Authorship {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        match first.strip_prefix(&self.first_words()) {
            Some(digest) if digest == Component::from(rest.as_bytes()).digest() => Authorship::Ours,
            Some(_) => Authorship::Edited,
            None => Authorship::Other,
        }
    }

    /// The file as it was before: None when there was none, and the same text for one of somebody else.
    ///
    /// # Errors
    /// A sentence: somebody edited the file.
    pub fn removed(self, text: &str) -> Result<Option<String>, String> {
        self.authorship(text).removed(text)
    }

    fn first_words(self) -> String {
        let SealedFile { comment, target } = self;
        format!(
            "{comment} Written by `host install {target}`; `host install {target} --remove` deletes it. What follows: "
        )
    }
}
