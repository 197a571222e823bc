//! The sections of a patch on a tree: what each makes of its file, and the candidate of them all.

mod builder;
mod merge;
mod missing;
mod rewrite;
mod section;
mod similar_names;

pub use builder::TreeBuilder;
pub use section::Section;
