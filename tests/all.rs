//! The one test binary.

mod way;
