//! V4A envelopes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("*** Begin Patch\n*** Update File: src/a.rs\n", data));
