//! What the guard says of the folders in `cases/`.

use guard_sdk::testing;
use schema_holds::SchemaHolds;

#[test]
fn cases() {
    testing::cases::<SchemaHolds>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    testing::settings::<SchemaHolds>();
}
