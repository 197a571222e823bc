//! Calls of editing tools as JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("{\"command\": \"str_replace\", \"path\": \"src/a.rs\", \"old_str\": \"", data));
