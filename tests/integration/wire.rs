//! What programs read, byte for byte: the JSON of commands, traces, records, and exit codes, each compared with a recording in
//! `tests/wire`. Times, costs, ids that the host makes up and digests of components have placeholders; everything else counts:
//! every key and its order, every word, every null.

mod apply;
mod check;
mod ends;
mod guard;
mod install;
#[cfg(feature = "lsp")]
mod lsp;
mod mask;
#[cfg(feature = "mcp")]
mod mcp;
mod place;
mod plan;
mod pull;
mod run;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::recorded::{lines, names};

const CODE: &str = "def x():\n    return 1\n";
/// A document that `docs-kept` protects.
const DOC: &str =
    "# x\n\nSome text.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";
/// A few guards only, so that recordings stay short.
const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n\n[[guard]]\nid = \"scope-kept\"\n\n[[guard]]\nid = \"syntax-holds\"\n";

/// A recording that no test compares is dead.
#[test]
fn every_recording_is_compared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(Path::new(file!()).with_extension(""));
    let sources: String = fs::read_dir(folder)
        .expect("the scenarios")
        .map(|file| fs::read_to_string(file.expect("an entry").path()).expect("a source"))
        .collect();
    let whole: BTreeSet<String> = ends::WHOLE.iter().map(|name| format!("{name}.json")).collect();
    let others = ["ends.txt"].map(str::to_owned);
    assert_eq!(names(), whole.into_iter().chain(others).collect());
    for name in lines("ends.txt").keys().map(String::as_str).chain(ends::WHOLE) {
        assert!(sources.contains(&format!("\"{name}\"")), "{name} is compared with nothing");
    }
}
