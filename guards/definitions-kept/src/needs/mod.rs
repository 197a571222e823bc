//! What still needs a definition that is gone.

mod builtin;
mod fixture;
mod import;
mod member;

pub use builtin::is_builtin;
pub use fixture::find as of_fixture;
pub use import::{Lost, find as of_imports, is_imported};
pub use member::find as of_member;

/// Where a definition is still needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub path: String,
    pub line: u32,
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Uses,
    Imports,
    Asks,
    Declares,
    Begins,
}

impl Need {
    pub fn description(&self) -> String {
        let how = match self.how {
            How::Uses => "uses",
            How::Imports => "imports",
            How::Asks => "asks for",
            How::Declares => "declares",
            How::Begins => return format!("the program of {} begins with", self.path),
        };
        format!("{}:{} still {how}", self.path, self.line)
    }
}
