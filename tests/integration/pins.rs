//! Promise 5, and what keeps it: guards.lock, the sources of components, signatures, and the commands that write them.

mod cache;
mod clients;
mod commands;
mod compile_child;
mod contract;
mod extends;
mod https;
mod kept;
mod languages;
mod lock;
mod lying;
mod many;
mod refused;
mod registry;
mod schema;
mod signed;
mod tampered;
mod trust;
