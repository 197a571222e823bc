//! Mistakes planted among the files of a tree. The benchmark `judging` plants them in clones of real repositories, a test in
//! `tests/judging/corpus`.

pub mod files;
pub mod lay;
pub mod plant;
pub mod verify;
