//! Both versions of a file.

use std::ops::RangeInclusive;

use crate::kind::{Kind, Syntax};

/// A file that is in the candidate, with what is asked of the base only when something is wrong.
pub struct Sides<'t> {
    pub path: &'t str,
    pub kind: Kind,
    pub syntax: Syntax,
    pub after: &'t str,
    /// The base's text, when it is of the same kind.
    pub before: &'t dyn Fn() -> Option<(Syntax, String)>,
    /// Lines of `after` that the change brings in.
    pub changed: &'t dyn Fn() -> Vec<RangeInclusive<u32>>,
    /// Bytes of the file before `after` begins, those of a byte order mark. None when the bytes are not those of `after` at all:
    /// then no edit can be told.
    pub mark: Option<usize>,
}
