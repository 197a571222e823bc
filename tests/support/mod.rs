//! What tests share.

pub mod agents;
pub mod author;
pub mod candidate;
pub mod cases;
pub mod cli;
pub mod component;
pub mod fake_registry;
pub mod guest;
pub mod hostile_texts;
pub mod judging;
pub mod llamacpp;
pub mod mutate;
#[path = "../../host/patch/tests/support/objects.rs"]
pub mod objects;
pub mod observers;
pub mod planted;
pub mod random;
pub mod recorded;
pub mod registry;
pub mod repo;
pub mod rust_source;
pub mod server;
pub mod toolchain;
pub mod tools;
pub mod web;
