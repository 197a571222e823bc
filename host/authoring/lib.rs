//! For authors of guards: create one from a template, build it, test it on cases, measure it, and certify it.
//!
//! Everything here returns plain data; the application renders it.

mod bench;
mod build;
mod case;
mod case_models;
mod certify;
mod embedded;
mod expect;
mod language;
mod producers;
mod recipe;
mod replay;
mod scaffold;
mod sources;
mod test;

pub use bench::bench;
pub use build::{BuildEnv, Built, build};
pub use case::{LoadedCase, cases};
pub use certify::{CertifyOptions, certify};
pub use language::{LanguageCase, certify_language, language_cases, test_language};
pub use producers::producers;
pub use recipe::Recipe;
pub use replay::replay;
pub use scaffold::{GuardKind, scaffold};
pub use sources::SourceStamps;
pub use test::test;
