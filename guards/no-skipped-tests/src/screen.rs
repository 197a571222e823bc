//! Whether a change can have put a test to sleep, told from the lines that came: most need no parser.

use guard_sdk::File;
use outline::is_test;

/// `marks`: what its language's reader says of lines that put a test to sleep. Where it says nothing, every line may.
pub fn worth_reading(file: File, after: &str, marks: &[String]) -> bool {
    let is_test = is_test(file.path());
    let is_suspect = if is_test { may_end } else { may_end_beside_code };
    let comes = file
        .added_lines()
        .is_ok_and(|lines| lines.iter().any(|line| marks.is_empty() || is_suspect(line.text.trim(), marks)));
    // Some languages have their tests beside the code.
    comes && (is_test || after.contains("test") || after.contains("Test"))
}

fn may_end(line: &str, marks: &[String]) -> bool {
    // A title alone, without the function that was the test.
    let titled = ["it(", "test(", "specify("].iter().any(|call| line.starts_with(call));
    (titled && line.ends_with([')', ';'])) || marks.iter().any(|mark| line.contains(mark.as_str()))
}

fn may_end_beside_code(line: &str, marks: &[String]) -> bool {
    // A value that is returned, other than this, is none of a test.
    let ends = matches!(line, "return;" | "return Ok(());" | "return Ok(())");
    let mut marks = marks.iter().map(String::as_str).filter(|mark| *mark != "return");
    ends || if line.starts_with(['#', '@', '[']) {
        marks.any(|mark| line.contains(mark))
    } else {
        marks.any(|mark| line.starts_with(mark))
    }
}
