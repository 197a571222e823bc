//! Promise 5, and what keeps it: guards.lock, the sources of components, signatures, and the commands that write them.

mod commands;
mod contract;
mod https;
mod lock;
mod many;
mod registry;
mod schema;
mod signed;
mod tampered;
