//! A span, as it is sent.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use crate::parent::SpanParent;

/// Characters of a text that an attribute has. Some come from servers and from components.
const LONGEST: usize = 200;

/// Who asked, and who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// A part of this program.
    Internal,
    /// An answer to another program.
    Server,
    /// A question to another program.
    Client,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    Text(String),
    Number(i64),
    Flag(bool),
}

impl From<&str> for Attribute {
    fn from(text: &str) -> Self {
        Attribute::Text(text.chars().take(LONGEST).collect())
    }
}

impl From<u64> for Attribute {
    fn from(number: u64) -> Self {
        Attribute::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Attribute {
    fn from(flag: bool) -> Self {
        Attribute::Flag(flag)
    }
}

/// Something that took time. Its attributes hold names, numbers and verdicts: no secret, no text of a change, no prompt.
#[derive(Debug, Clone)]
pub struct Span {
    /// 16 bytes, not all zero.
    pub trace: [u8; 16],
    /// 8 bytes, not all zero.
    pub id: [u8; 8],
    /// None: nothing is around it.
    pub parent: Option<[u8; 8]>,
    pub name: String,
    pub kind: SpanKind,
    /// Nanoseconds since 1970.
    pub start: u64,
    pub end: u64,
    pub attributes: Vec<(&'static str, Attribute)>,
    /// The kind of failure, where the work itself failed. A rejection is no failure.
    pub failed: Option<String>,
}

impl Span {
    /// One that begins now and ends when it is told to.
    pub fn begin(name: impl Into<String>, kind: SpanKind, around: SpanParent, now: u64) -> Self {
        let id = new_id();
        let SpanParent { trace, span } = around;
        let (name, attributes) = (name.into(), Vec::new());
        Span { trace, id, parent: span, name, kind, start: now, end: now, attributes, failed: None }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Attribute>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    /// What is around the spans below it.
    pub fn as_parent(&self) -> SpanParent {
        SpanParent { trace: self.trace, span: Some(self.id) }
    }
}

/// Random, and never zero: a random UUID has bits that are set.
fn new_id() -> [u8; 8] {
    let [_, _, _, _, _, _, _, _, id @ ..] = Uuid::new_v4().into_bytes();
    id
}

/// Tells nanoseconds since 1970, and never goes back while a program runs.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    wall: Duration,
    since: Instant,
}

impl Clock {
    pub fn start() -> Self {
        Clock { wall: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), since: Instant::now() }
    }

    pub fn now(&self) -> u64 {
        u64::try_from((self.wall + self.since.elapsed()).as_nanos()).unwrap_or(u64::MAX)
    }
}
