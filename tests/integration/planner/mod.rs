//! Plans: what their layers do (60 with a planted fault, 60 without), that every door does the same, and how `host plan` asks.

mod ask;
mod doors;
mod improve;
mod layers;
pub mod leftovers;
mod projects;
