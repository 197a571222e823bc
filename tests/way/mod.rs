//! One file a station, and one for each promise that spans them.

mod apply;
mod cli;
mod facts;
mod house;
mod kill;
mod observe;
mod provide;
mod repo;
mod rules;
mod run;
mod settle;
