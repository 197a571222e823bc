//! One file a station, and one for each promise that spans them.

mod apply;
mod cli;
mod house;
mod kill;
mod provide;
mod repo;
mod rules;
mod run;
mod settle;
