//! Linux and macOS.

pub mod access;
pub mod inherited;
pub mod machine;
pub mod memory;
pub mod names;
pub mod open;
pub mod process;
pub mod stat;
pub mod swap;
