//! One file a station.
