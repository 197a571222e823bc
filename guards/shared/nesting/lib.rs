//! How deep a text nests, told without parsing it: parsers recurse, and a guard's stack ends in a trap.

pub mod javascript;
mod never_closed;
pub mod python;
pub mod rust;

pub use never_closed::never_closed;

/// A bracket that is code: not one in a string, a comment or a template's text.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    /// Its byte in the text.
    pub at: usize,
    /// One of `(`, `[`, `{`, `)`, `]`, `}`.
    pub sign: u8,
}

impl Bracket {
    /// The bracket that it closes; None for one that opens.
    pub fn opened_by(self) -> Option<u8> {
        match self.sign {
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            _ => None,
        }
    }

    /// What closes it.
    pub fn closer(self) -> char {
        match self.sign {
            b'(' => ')',
            b'[' => ']',
            _ => '}',
        }
    }
}
