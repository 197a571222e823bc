//! Any bytes, placed on a tree.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::places(data));
