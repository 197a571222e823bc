//! A path that passes has no part that leads elsewhere.
#![no_main]

use guardhost_core::change::RepoPath;
use guardhost_patch::sanitize::{Rules, check_paths};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let path = RepoPath::new(data);
    let open = Rules { protect: Vec::new(), allow: vec!["**".into()], ..Rules::default() };
    if check_paths(std::slice::from_ref(&path), &open).is_ok() {
        let elsewhere = |part: &[u8]| part.is_empty() || part == b"." || part == b".." || part.eq_ignore_ascii_case(b".git");
        assert!(!path.parts().any(elsewhere));
    }
});
