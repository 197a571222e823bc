//! Repairing twice is repairing once.
#![no_main]

use guardhost_core::change::Reply;
use guardhost_core::stop::StopToken;
use guardhost_patch::repair::repair;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let once = repair(&Reply { bytes: data.to_vec(), ..Reply::default() }, &StopToken::default()).unwrap();
    let twice = repair(&Reply { bytes: once.bytes.clone(), ..Reply::default() }, &StopToken::default()).unwrap();
    assert_eq!(once.bytes, twice.bytes);
});
