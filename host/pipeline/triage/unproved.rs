//! Why nothing is proved.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unproved {
    /// In words.
    Because(String),
    /// The work was stopped, or the machine lacks something.
    Stopped(String),
}

pub(super) fn because<T>(why: &str) -> Result<T, Unproved> {
    Err(Unproved::Because(why.to_owned()))
}
