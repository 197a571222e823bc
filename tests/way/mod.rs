//! One file a station.

mod facts;
