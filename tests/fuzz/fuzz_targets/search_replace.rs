//! SEARCH/REPLACE blocks.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("src/a.rs\n<<<<<<< SEARCH\n", data));
