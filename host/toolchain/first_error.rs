//! Why a tool that reported nothing did not: the first line of its output in which it names an error.

use super::linters::error_at_a_place;

/// What names an error, at the end of a word: `ModuleNotFoundError: …`, `error[E0432]: …`, `[ERROR] …`, `panic: …`, `CMake Error at …`.
const NAMES: [&str; 4] = ["error", "exception", "fatal", "panic"];
const BEHIND: [&str; 5] = [":", "[", "]", " at ", " ts"];
/// Gradle's heading.
const HEADING: &str = "* what went wrong:";
/// Bytes of a reason that one line has room for.
const MOST: usize = 400;

/// The reason in one line, without terminal escape sequences: what names an error, or else what stands at a line of a file. None when there
/// is neither.
pub fn first_error(output: &[u8]) -> Option<String> {
    let text = plain(output);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let at = lines().position(names_an_error).or_else(|| lines().position(error_at_a_place))?;
    let first = lines().nth(at)?;
    // A heading says it on the next line.
    let most = if first.ends_with(':') { 2 } else { 1 };
    Some(cut(lines().skip(at).take(most).collect::<Vec<_>>().join(" ")))
}

/// The same, or the last line of a tool that names no error. None when it says nothing.
pub fn last_words(output: &[u8]) -> Option<String> {
    let last = || plain(output).lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    first_error(output).or_else(|| last().map(cut))
}

fn plain(output: &[u8]) -> String {
    anstream::adapter::strip_str(&String::from_utf8_lossy(output)).to_string()
}

fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MOST));
    text
}

fn names_an_error(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let is_behind = |rest: &str| BEHIND.iter().any(|mark| rest.starts_with(mark));
    let names = |name: &&str| lower.match_indices(*name).any(|(at, _)| is_behind(&lower[at + name.len()..]));
    // Ruby: `cannot load such file -- x (LoadError)`.
    let is_named = line.ends_with("Error)") || lower == HEADING || NAMES.iter().any(names);
    is_named && !lower.contains("usage: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_tells_most() {
        #[rustfmt::skip]
        let outputs = [
            // Go 1.19.
            ("b.go:2:8: missing go.sum entry for module providing package a.b/c; to add:\n\tgo get x.y/b\n", "b.go:2:8: missing go.sum entry for module providing package a.b/c; to add: go get x.y/b"),
            ("go: errors parsing go.mod:\ngo.mod:4: unknown directive: toolchain\n", "go.mod:4: unknown directive: toolchain"),
            ("# x.y/c [x.y/c.test]\n./a_test.go:3:27: undefined: x\n", "./a_test.go:3:27: undefined: x"),
            // Cargo.
            ("    Updating index\nerror: no matching package named `x` found\nlocation searched: y\n", "error: no matching package named `x` found"),
            ("warning: unused variable: `error`\n\u{1b}[31merror[E0425]\u{1b}[0m: cannot find value `y`\n", "error[E0425]: cannot find value `y`"),
            // pytest.
            ("ImportError while loading conftest '/t/conftest.py'.\nconftest.py:1: in <module>\nE   ModuleNotFoundError: No module named 'x'\n", "E   ModuleNotFoundError: No module named 'x'"),
            ("ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --cov\n", "pytest: error: unrecognized arguments: --cov"),
            // Node.
            ("node:internal/modules/cjs/loader:1148\n  throw err;\n\nError: Cannot find module 'x'\n", "Error: Cannot find module 'x'"),
            ("● Validation Error:\n\n  Module ts-jest was not found.\n", "● Validation Error: Module ts-jest was not found."),
            // Configured runners.
            ("a.c:1:2: warning: unused\na.c:3:4: error: 'x' undeclared\n", "a.c:3:4: error: 'x' undeclared"),
            ("CMake Error at CMakeLists.txt:5 (x):\n  Unknown CMake command \"x\".\n", "CMake Error at CMakeLists.txt:5 (x): Unknown CMake command \"x\"."),
            ("[INFO] Scanning\n[ERROR] Failed to execute goal\n", "[ERROR] Failed to execute goal"),
            ("FAILURE: Build failed with an exception.\n\n* What went wrong:\nCould not resolve x:1.\n", "* What went wrong: Could not resolve x:1."),
            ("<internal:x>:85:in `require': cannot load such file -- minitest (LoadError)\n", "<internal:x>:85:in `require': cannot load such file -- minitest (LoadError)"),
            ("PHP Fatal error:  Uncaught Error: Class \"X\" not found\n", "PHP Fatal error:  Uncaught Error: Class \"X\" not found"),
        ];
        for (output, expected) in outputs {
            assert_eq!(first_error(output.as_bytes()).as_deref(), Some(expected), "{output}");
        }
    }

    #[test]
    fn what_names_no_error_is_none() {
        for output in ["", "0 errors, 3 warnings\n", "ok: 3 passed\n12:30:01: started\n", "a.py:1: note: see above\n"] {
            assert_eq!(first_error(output.as_bytes()), None, "{output}");
        }
        let pattern = "pattern ./...: directory prefix . does not contain main module";
        assert_eq!(last_words(format!("\n{pattern}\n\n").as_bytes()).as_deref(), Some(pattern));
        assert_eq!(last_words(b" \n"), None);
        assert_eq!(last_words("ä".repeat(MOST).as_bytes()).map(|text| text.len()), Some(MOST));
    }
}
