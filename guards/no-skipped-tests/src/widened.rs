//! Tests that expected one kind of error and take any now.

use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding};

/// How tests say which error they expect: what stands before the kind, and what ends it. Without a kind any error will do.
#[rustfmt::skip]
const FORMS: [(&str, &[char]); 14] = [
    ("pytest.raises(", &[',', ')']), ("self.assertRaises(", &[',', ')']), ("self.assertRaisesRegex(", &[',', ')']), ("assertThrows(", &[',', ')']), ("assertFailsWith<", &['>']), ("assertFailsWith(", &[',', ')']),
    ("Assert.Throws<", &['>']), ("Assert.ThrowsAsync<", &['>']), ("Assert.ThrowsAny<", &['>']), (".toThrow(", &[')']), (".toThrowError(", &[')']), ("raise_error", &['}', ',']), ("#[should_panic", &[']']),
    ("expectException(", &[')']),
];
const BROAD: [&str; 9] =
    ["", "Exception", "BaseException", "Throwable", "RuntimeException", "Error", "StandardError", "object", "AnyError"];

/// The form of a line that expects an error, and the kind. None where it expects that there is none.
fn expected(line: &str) -> Option<(&'static str, &str)> {
    let text = line.trim();
    if text.starts_with(['#', '/', '*']) && !text.starts_with("#[") || text.contains("not_to") || text.contains(".not.")
    {
        return None;
    }
    let (form, end, rest) = FORMS.iter().find_map(|(form, end)| Some((*form, *end, text.split_once(form)?.1)))?;
    // A kind in the next line is not known here.
    if form.ends_with(['(', '<']) && !rest.contains(end) {
        return None;
    }
    let kind = rest.split(end).next().unwrap_or_default();
    let kind = kind
        .trim_matches(|c: char| " ()\\".contains(c))
        .trim_end_matches("::class.java")
        .trim_end_matches("::class")
        .trim_end_matches(".class");
    Some((form, kind.rsplit(['.', '\\']).next().unwrap_or(kind)))
}

/// In a hunk in which a kind went and no kind came.
pub fn find(file: &File, before: &str, after: &str) -> Vec<Finding> {
    if !outline::is_test(file.path()) && !file.path().ends_with(".rs") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for hunk in file.hunks().into_iter().filter(|hunk| hunk.old_lines > 0 && hunk.new_lines > 0) {
        let old = lines_in(before, [(hunk.old_start, hunk.old_lines)]);
        let new = lines_in(after, [(hunk.new_start, hunk.new_lines)]);
        let of = |lines: &[(u32, &str)]| {
            lines.iter().filter(|(_, line)| expected(line).is_some_and(|(_, kind)| !BROAD.contains(&kind))).count()
        };
        let fewer = of(&old).saturating_sub(of(&new));
        let widened = new.iter().filter_map(|(number, line)| {
            let (form, kind) = expected(line)?;
            let was = old
                .iter()
                .find(|(_, was)| expected(was).is_some_and(|(other, had)| other == form && !BROAD.contains(&had)))?;
            BROAD.contains(&kind).then_some((*number, was.1.trim(), line.trim()))
        });
        findings.extend(widened.take(fewer).map(|(number, was, is)| {
            Finding::error("assertion-weakened", format!("the test expected `{was}`, and takes any error by `{is}`"))
                .at(file.path(), number)
                .help("Name the kind of error that the code is to raise. If it raises another one, fix the code, or name that one.")
        }));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn which_error_is_expected() {
        for (line, kind) in [
            ("with pytest.raises(ValueError, match=\"x\"):", Some("ValueError")),
            ("with pytest.raises(errors.Wrong) as caught:", Some("Wrong")),
            ("with self.assertRaises(Exception):", Some("Exception")),
            ("assertThrows(IOException.class, () -> load());", Some("IOException")),
            ("assertFailsWith<IllegalStateException> { load() }", Some("IllegalStateException")),
            ("Assert.Throws<ArgumentException>(() => Load());", Some("ArgumentException")),
            ("expect(() => load()).toThrow(RangeError);", Some("RangeError")),
            ("expect(() => load()).toThrow();", Some("")),
            ("expect { load }.to raise_error(ArgumentError)", Some("ArgumentError")),
            ("expect { load }.to raise_error", Some("")),
            ("expect { load }.not_to raise_error", None),
            ("#[should_panic(expected = \"too long\")]", Some("expected = \"too long\"")),
            ("#[should_panic]", Some("")),
            ("$this->expectException(\\App\\WrongKey::class);", Some("WrongKey")),
            ("expect(() => load()).toThrow(", None),
            ("load(3)", None),
        ] {
            assert_eq!(expected(line).map(|(_, kind)| kind), kind, "{line}");
        }
    }
}
