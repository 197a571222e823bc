//! git and unified diffs.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("diff --git a/src/a.rs b/src/a.rs\n", data));
