//! The one test binary: every test file is a module here.

mod support;
mod way;
