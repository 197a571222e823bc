//! Guests that mean harm.

mod cache;
mod claims;
mod load;
mod run;
