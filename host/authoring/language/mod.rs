//! For authors of languages: a component that reads texts is tested on cases, and certified.

mod cases;
mod certify;

pub use cases::{LanguageCase, language_cases, test_language};
pub use certify::certify_language;
