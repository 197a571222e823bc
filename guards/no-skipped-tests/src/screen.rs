//! Whether a change can have put a test to sleep, told from the lines that came: most need no parser.

use guard_sdk::File;
use outline::is_test;

/// Parts of marks, of calls by which a test ends, and of what is left of a test without a body.
#[rustfmt::skip]
const MARKS: [&str; 26] = [
    "skip", "Skip", "only", "xfail", "expectedFailure", "todo", "fixme", "fails", "failing", ".fail(", "xit", "xtest", "xdescribe", "xspecify", "xcontext", "fit(", "fdescribe", "pending(", "return",
    "__test__", "runIf", "build ", "gnore", "isabled", "DISABLED", "ncomplete",
];

pub fn worth_reading(file: File, after: &str) -> bool {
    let is_suspect: fn(&str) -> bool = match is_test(file.path()) {
        true => may_end,
        // Some languages have their tests beside the code.
        false if after.contains("test") || after.contains("Test") => may_end_beside_code,
        false => return false,
    };
    file.added_lines().is_ok_and(|lines| lines.iter().any(|line| is_suspect(line.text.trim())))
}

fn may_end(line: &str) -> bool {
    let titled = ["it(", "test(", "specify("].iter().any(|call| line.starts_with(call));
    (titled && line.ends_with([')', ';'])) || MARKS.iter().any(|mark| line.contains(mark))
}

fn may_end_beside_code(line: &str) -> bool {
    let begins = line.starts_with(['#', '@', '[']);
    let marked =
        begins && ["ignore", "cfg(", "cfg_attr(", "Ignore", "isabled", "Skip"].iter().any(|mark| line.contains(mark));
    // A value that is returned, other than this, is none of a test.
    marked || matches!(line, "return;" | "return Ok(());" | "return Ok(())") || line.starts_with("ignore")
}
