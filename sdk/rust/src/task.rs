//! What the model was asked to do.

/// What the model was asked to do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Task {
    pub text: String,
    /// Paths that the task names as its scope; empty means that none were given.
    pub hints: Vec<String>,
    /// The build was broken and only that is to be fixed.
    pub is_compile_fix: bool,
}
