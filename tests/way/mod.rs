//! One file a station.

mod facts;
mod observe;
