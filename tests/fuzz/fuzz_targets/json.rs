//! JSON lists, almost valid.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::extracts("{\"patches\": [{\"path\": \"a\", \"content\": \"", data));
