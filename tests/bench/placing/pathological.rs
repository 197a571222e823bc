//! How the time grows with inputs that are made to take long.

pub fn measure() {}
