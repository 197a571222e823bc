//! Edits and files in tags.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("<file path=\"src/a.rs\">\n<search>\n", data));
