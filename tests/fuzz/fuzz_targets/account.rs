//! What stands below a diff is an edit, harmless, or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::accounts(data));
