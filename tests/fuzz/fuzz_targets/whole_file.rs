//! Whole files in fences.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("src/a.rs\n```rust\n", data));
