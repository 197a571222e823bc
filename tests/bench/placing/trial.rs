//! One question to a placing tool: a tree, a reply, and what ought to come of it.

use std::collections::BTreeMap;

use super::edit::Edit;

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub bytes: Vec<u8>,
    pub is_executable: bool,
}

pub type Files = BTreeMap<String, File>;

/// What the generator, which knows what it damaged, decides for each trial. A reply that gives two results is a `Refusal`.
#[derive(Clone, Debug)]
pub enum Want {
    /// The reply gives one result: this tree, byte for byte.
    Result(Files),
    /// The reply gives none, or asks for something that cannot be done: any result is a guess.
    Refusal,
    /// All of this, or a refusal: anything else is wrong.
    AllOrNothing(Files),
}

#[derive(Clone, Debug)]
pub struct Trial {
    pub reply: Vec<u8>,
    pub tree: Files,
    pub want: Want,
    /// What the provider was shown, where the tree has moved on since.
    pub shown: Option<Files>,
    /// The paths that the task names.
    pub hints: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Right,
    /// Refused, as it ought to be.
    RightlyRefused,
    /// Refused, though the reply gives a result.
    Refused,
    /// Another tree than the wanted one, or any tree where a refusal was wanted.
    Wrong,
}

pub fn file(text: impl Into<Vec<u8>>) -> File {
    File { bytes: text.into(), is_executable: false }
}

impl Trial {
    /// The edit's file before it is the tree, the file after it the result.
    pub fn right(edit: &Edit, reply: impl Into<Vec<u8>>) -> Self {
        Self::all_right(std::slice::from_ref(edit), reply)
    }

    pub fn all_right(edits: &[Edit], reply: impl Into<Vec<u8>>) -> Self {
        let side = |text: fn(&Edit) -> &String| -> Files {
            edits.iter().map(|edit| (edit.path.clone(), file(text(edit).as_bytes()))).collect()
        };
        Trial {
            reply: reply.into(),
            tree: side(|edit| &edit.before),
            want: Want::Result(side(|edit| &edit.after)),
            shown: None,
            hints: Vec::new(),
        }
    }

    pub fn refused(edit: &Edit, reply: impl Into<Vec<u8>>) -> Self {
        Trial { want: Want::Refusal, ..Self::right(edit, reply) }
    }

    /// The edit, or a refusal: a careful reader may call either right.
    pub fn right_or_refused(edit: &Edit, reply: impl Into<Vec<u8>>) -> Self {
        let trial = Self::right(edit, reply);
        match trial.want {
            Want::Result(files) => Trial { want: Want::AllOrNothing(files), ..trial },
            Want::AllOrNothing(_) | Want::Refusal => trial,
        }
    }

    pub fn all_refused(edits: &[Edit], reply: impl Into<Vec<u8>>) -> Self {
        Trial { want: Want::Refusal, ..Self::all_right(edits, reply) }
    }

    /// A file that the reply does not touch.
    pub fn beside(mut self, path: &str, text: &str) -> Self {
        self.tree.insert(path.to_owned(), file(text));
        if let Want::Result(files) | Want::AllOrNothing(files) = &mut self.want {
            files.insert(path.to_owned(), file(text));
        }
        self
    }

    pub fn hinting(mut self, path: &str) -> Self {
        self.hints.push(path.to_owned());
        self
    }

    /// The verdict on what a tool made of it.
    pub fn judge(&self, outcome: &Result<Files, String>) -> Verdict {
        match (outcome, &self.want) {
            (Ok(files), Want::Result(wanted) | Want::AllOrNothing(wanted)) if files == wanted => Verdict::Right,
            // A change of nothing is told as such, and nothing is committed.
            (Ok(files), Want::Refusal) if *files == self.tree => Verdict::RightlyRefused,
            (Ok(_), _) => Verdict::Wrong,
            (Err(_), Want::Result(_)) => Verdict::Refused,
            (Err(_), Want::Refusal | Want::AllOrNothing(_)) => Verdict::RightlyRefused,
        }
    }
}
