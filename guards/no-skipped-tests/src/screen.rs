//! Whether a change can have put a test to sleep, told from the lines that came: most need no parser.

use guard_sdk::File;
use outline::language::{Language, is_test};

/// Parts of marks, of calls by which a test ends, and of what is left of a test without a body.
#[rustfmt::skip]
const MARKS: [&str; 22] = [
    "skip", "Skip", "only", "xfail", "expectedFailure", "todo", "fixme", "fails", "failing", ".fail(", "xit", "xtest", "xdescribe", "xspecify", "xcontext", "fit(", "fdescribe", "pending(", "return",
    "__test__", "runIf", "build ",
];

pub fn worth_reading(file: File, after: &str) -> bool {
    let is_suspect: fn(&str) -> bool = match Language::of(file.path()) {
        // Rust has its tests beside the code.
        Some(Language::Rust) if after.contains("test") => may_end_rust,
        Some(Language::Rust) => return false,
        _ if is_test(file.path()) => may_end,
        _ => return false,
    };
    file.added_lines().is_ok_and(|lines| lines.iter().any(|line| is_suspect(line.text.trim())))
}

fn may_end(line: &str) -> bool {
    let titled = ["it(", "test(", "specify("].iter().any(|call| line.starts_with(call));
    (titled && line.ends_with([')', ';'])) || MARKS.iter().any(|mark| line.contains(mark))
}

fn may_end_rust(line: &str) -> bool {
    let marked = line.starts_with('#') && ["ignore", "cfg(", "cfg_attr("].iter().any(|mark| line.contains(mark));
    // A value that is returned, other than this, is none of a test.
    marked || matches!(line, "return;" | "return Ok(());" | "return Ok(())") || line.starts_with("ignore")
}
