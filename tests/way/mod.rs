//! One file a station.

mod repo;
mod settle;
