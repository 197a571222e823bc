//! Whether people wrote a file as part of their program: a program may have written it, which its lines tell, or tests are fed with it.
//! A guard that passes generated files by asks it of the base too, and `definitions-kept` reports the change that makes a file look
//! generated: otherwise two changes would put a file out of sight.

mod material;

pub use material::is_material;

/// Bytes. People do not write longer lines of code.
pub const LONGEST: usize = 4_000;

/// Whether more than half of a text is code in lines of more than [`LONGEST`] bytes. Comments in them do not count: their length says
/// nothing of what wrote the rest.
pub fn is_generated(text: &str) -> bool {
    let long: usize = text.lines().map(code).filter(|code| code.len() > LONGEST).map(str::len).sum();
    long * 2 > text.len()
}

/// As generators mark what they write (<https://go.dev/s/generatedcode>).
pub fn says_generated(text: &str) -> bool {
    text.lines().take(12).any(|line| line.contains("DO NOT EDIT") || line.contains("@generated"))
}

/// A line without the comments or the string that it begins with.
fn code(line: &str) -> &str {
    let mut line = line.trim_start();
    loop {
        if line.starts_with(['#', '*']) || line.starts_with("//") {
            return "";
        }
        // Minified code begins with its licence.
        let ends = [("/*", "*/"), ("\"\"\"", "\"\"\""), ("'''", "'''")].into_iter();
        let Some((rest, end)) = ends.filter_map(|(start, end)| Some((line.strip_prefix(start)?, end))).next() else {
            return line;
        };
        let Some((_, rest)) = rest.split_once(end) else { return "" };
        line = rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::is_generated;

    #[test]
    fn only_code_counts() {
        let (code, words) = ("a();".repeat(2_000), "words ".repeat(2_000));
        for text in [format!("{code}\n"), format!("/*! by x */ {code}\nb();\n")] {
            assert!(is_generated(&text));
        }
        let comments =
            [format!("# {words}"), format!("/* {words} */"), format!("\"\"\"{words}\"\"\""), format!("  // {words}")];
        for text in comments {
            assert!(!is_generated(&format!("{text}\nb()\n")), "{}", &text[..10]);
        }
        assert!(!is_generated(&format!("{code}\n{}", "b();\n".repeat(2_000))));
    }
}
