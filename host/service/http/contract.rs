//! What the server can be asked, as OpenAPI.

pub const CONTRACT: &str = include_str!("contract.json");
