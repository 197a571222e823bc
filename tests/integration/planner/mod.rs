//! Plans: what their layers do (60 with a planted fault, 60 without), that every door does the same with each of them, a layer of a team's
//! own, and how `host plan` asks.

mod ask;
mod doors;
mod every_plan;
mod improve;
mod layers;
pub mod leftovers;
mod migration;
mod own_layer;
mod projects;
