//! Why there is no answer, in words.

pub use crate::bindings::guardhost::guard::types::{Denied, SizeLimit, Unreadable};

/// Reads as the end of a sentence: "the tests were not run: it did not end within 600 s".
impl Denied {
    /// The reason, in words.
    pub fn reason(&self) -> String {
        match self {
            Denied::NotGranted => "the pin does not grant it".into(),
            Denied::Unavailable(what) | Denied::Invalid(what) | Denied::Other(what) => what.clone(),
            Denied::TimedOut(millis) => format!("it did not end within {} s", millis.div_ceil(1000)),
        }
    }
}

/// Reads as the rest of a sentence: "README.md cannot be read: it is 9 bytes large and the limit is 8".
impl Unreadable {
    /// The reason, in words.
    pub fn reason(&self) -> String {
        match self {
            Unreadable::Absent => "it does not exist on that side".into(),
            Unreadable::NotText(why) => format!("it is not text ({why})"),
            Unreadable::TooLarge(SizeLimit { size, limit }) => {
                format!("it is {size} bytes large and the limit is {limit}")
            }
            Unreadable::NotGranted => "the pin does not grant it".into(),
            Unreadable::Other(why) => why.clone(),
        }
    }
}
