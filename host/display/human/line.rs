//! A row of a table.

/// A row as text.
pub struct TextRow {
    pub text: String,
    /// Where the last column begins.
    pub last: usize,
}
