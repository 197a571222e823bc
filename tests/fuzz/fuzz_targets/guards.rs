//! A file of any kind, in front of every embedded guard: none traps. Guests are not instrumented; the facts that the host reads are.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| host_fuzz::judges(data));
