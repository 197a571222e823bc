//! What the proxy remembers of a conversation: the folder of each session, which answers are waited for, and what an agent was denied.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A request that the agent has to answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Awaited {
    Initialize,
    /// The answer names the session.
    NewSession {
        cwd: PathBuf,
    },
    Prompt {
        session: String,
    },
    /// The proxy's own, in the name of the client's request `of`.
    Mending {
        session: String,
        of: Value,
    },
    /// The answer is handed on.
    Other,
}

#[derive(Default)]
pub struct Sessions {
    folders: HashMap<String, PathBuf>,
    awaited: HashMap<String, Awaited>,
    /// Sessions whose turn the client has cancelled.
    cancelled: HashSet<String>,
    /// Denials of a session that its agent has not shown to have read.
    untold: VecDeque<(String, String)>,
}

/// Denials that wait to be told; the oldest are forgotten.
const KEPT_DENIALS: usize = 16;

/// Bytes by which a denial is known again in what an agent says.
const KNOWN_BY: usize = 20;

impl Sessions {
    pub fn begin(&mut self, session: &str, cwd: &Path) {
        self.folders.insert(session.to_owned(), cwd.to_owned());
    }

    /// None for a session that nobody opened here.
    pub fn folder(&self, session: &str) -> Option<&Path> {
        self.folders.get(session).map(PathBuf::as_path)
    }

    pub fn await_answer(&mut self, id: &Value, awaited: Awaited) {
        self.awaited.insert(key(id), awaited);
    }

    /// None: nobody waits for an answer to this id, or it came already.
    pub fn answered(&mut self, id: &Value) -> Option<Awaited> {
        self.awaited.remove(&key(id))
    }

    /// A turn begins that nobody has cancelled.
    pub fn begin_turn(&mut self, session: &str) {
        self.cancelled.remove(session);
    }

    pub fn cancel(&mut self, session: &str) {
        self.cancelled.insert(session.to_owned());
    }

    pub fn is_cancelled(&self, session: &str) -> bool {
        self.cancelled.contains(session)
    }

    /// An agent may hand an error on to its model, or drop its words.
    pub fn denied(&mut self, session: &str, why: &str) {
        self.untold.push_back((session.to_owned(), why.to_owned()));
        if self.untold.len() > KEPT_DENIALS {
            self.untold.pop_front();
        }
    }

    /// What an agent says: a denial that it quotes it has read.
    pub fn heard(&mut self, mut line: &[u8]) {
        let quoted = |untold: &VecDeque<(String, String)>, line: &[u8]| {
            untold.iter().enumerate().find_map(|(at, (_, why))| Some((at, end_of(known_by(why).as_bytes(), line)?)))
        };
        while let Some((at, end)) = quoted(&self.untold, line) {
            self.untold.remove(at);
            line = &line[end..];
        }
    }

    /// The denials of a session that were not read, as far as is known. They are told now.
    pub fn take_unread(&mut self, session: &str) -> Vec<String> {
        let (own, others) = std::mem::take(&mut self.untold).into_iter().partition(|(of, _)| of == session);
        self.untold = others;
        let own: VecDeque<(String, String)> = own;
        own.into_iter().map(|(_, why)| why).collect()
    }
}

/// One for all spellings of an id: to many clients `3`, `3.0` and `3e0` are the same number.
fn key(id: &Value) -> String {
    // A zero has no sign there, either.
    id.as_f64().map_or_else(|| id.to_string(), |number| (number + 0.0).to_string())
}

/// The first words of a denial that JSON writes as they are, however often.
fn known_by(why: &str) -> &str {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " ,.-".contains(c);
    why.split(|c| !is_plain(c)).find(|words| words.len() >= KNOWN_BY).unwrap_or(why)
}

/// Where the first of these parts of a line ends.
fn end_of(part: &[u8], line: &[u8]) -> Option<usize> {
    Some(line.windows(part.len().max(1)).position(|here| here == part)? + part.len())
}
