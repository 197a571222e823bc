//! Marks by which a test does not run, or may fail, whatever the platform. A mark with a condition is none.

/// A mark, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asleep {
    pub how: How,
    pub line: u32,
    /// As a programmer would name it: `@pytest.mark.skip`, `it.only`, `return`.
    pub mark: String,
    /// The reason that is given with it; empty if there is none.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It is not run.
    Skipped,
    /// It is run, and may fail.
    MayFail,
    /// It has a title and no body.
    Empty,
    /// Its body ends before its last statements.
    Cut,
    /// The others of its file are not run.
    Focused,
}

impl Asleep {
    pub fn new(how: How, line: u32, mark: impl Into<String>) -> Self {
        Asleep { how, line, mark: mark.into(), reason: String::new() }
    }

    pub fn because(self, reason: impl Into<String>) -> Self {
        Asleep { reason: reason.into(), ..self }
    }
}
