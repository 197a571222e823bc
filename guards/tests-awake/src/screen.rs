//! Whether a change can have put a test to sleep, told from the lines that came: most need no parser.

use guard_sdk::File;
use outline::language::is_test;

/// Parts of marks; a `return` may end a body, and a title alone may be what is left of a test.
const MARKS: [&str; 16] = [
    "skip",
    "Skip",
    "only",
    "ignore",
    "xfail",
    "expectedFailure",
    "todo",
    "fixme",
    "fails",
    "failing",
    "xit",
    "xtest",
    "xdescribe",
    "fit(",
    "fdescribe",
    "pending(",
];
const LESS_LIKELY: [&str; 8] = ["return", "__test__", "cfg(", "cfg_attr(", "xspecify", "xcontext", "it('", "build "];

pub fn worth_reading(file: File, after: &str) -> bool {
    let path = file.path();
    // Rust has its tests beside the code.
    let may_hold = is_test(path) || (path.ends_with(".rs") && after.contains("test"));
    may_hold && file.added_lines().is_ok_and(|lines| lines.iter().any(|line| is_suspect(&line.text)))
}

fn is_suspect(line: &str) -> bool {
    let has = |mark: &&str| line.contains(*mark);
    let line_ = line.trim();
    let title = ["it(", "test(", "specify("].iter().any(|call| line_.starts_with(call)) && line_.ends_with([')', ';']);
    title || MARKS.iter().any(|mark| has(&mark)) || LESS_LIKELY.iter().any(|mark| has(&mark))
}
