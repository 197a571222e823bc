//! What authors of guards do: begin one from a template, build it, test it on cases, measure it, and have it certified.
//!
//! Everything here returns plain data; `observe` shows it.

mod bench;
mod build;
mod case;
mod certify;
mod embedded;
mod expect;
mod past;
mod producers;
mod recipe;
mod scaffold;
mod sources;
mod test;

pub use bench::bench;
pub use build::{Built, Workplace, build};
pub use case::{Case, cases};
pub use certify::{CertifyOptions, certify};
pub use past::past;
pub use producers::producers;
pub use recipe::Recipe;
pub use scaffold::scaffold;
pub use sources::Sources;
pub use test::test;
