//! Files that are no part of the program.

use guard_sdk::files::{Kind, kind_of};

/// Whether a file is what tests are fed with, a template, or what others wrote: its imports need not resolve here.
pub fn is_test_data(path: &str) -> bool {
    match kind_of(path) {
        Kind::TestData | Kind::Template | Kind::Vendored => true,
        Kind::Code
        | Kind::Test
        | Kind::Example
        | Kind::Generated
        | Kind::Document
        | Kind::Configuration
        | Kind::Lock
        | Kind::Other => false,
    }
}
