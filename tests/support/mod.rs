pub mod guest;
pub mod judging;
pub mod memory;
