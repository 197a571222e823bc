//! Comparisons of numbers that let more pass than before.

use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding};

use crate::check::split;

/// What stands before a number that says how far two values may lie apart.
#[rustfmt::skip]
const WIDER: [&str; 17] = [
    "abs=", "rel=", "atol=", "rtol=", "delta=", "abs_tol=", "rel_tol=", "tolerance=", "accuracy: ", "epsilon = ", "epsilon=", "be_within(", "within(", "offset(", ".Within(", ".abs() < ", ".abs() <= ",
];
/// What stands before a number of digits in which two values have to agree.
const DIGITS: [&str; 3] = ["places=", "decimal=", "precision="];
/// Calls whose last argument is how far two values may lie apart, and how many they have then.
#[rustfmt::skip]
const LAST: [(&str, usize); 7] = [
    ("assertEquals(", 3), ("assertEqualsWithDelta(", 3), ("assertArrayEquals(", 3), ("InDelta(", 4), ("InEpsilon(", 4), ("EXPECT_NEAR(", 3), ("ASSERT_NEAR(", 3),
];
/// Calls whose second argument is a number of digits.
const CLOSE: &str = ".toBeCloseTo(";

/// How loose a line compares, form by form: the greater, the more passes.
fn looseness(line: &str) -> Vec<(&'static str, f64)> {
    let behind = |sign: &str| -> Option<f64> {
        line.match_indices(sign).find_map(|(at, _)| {
            let is_whole = !sign.starts_with(char::is_alphabetic)
                || !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            number(&line[at + sign.len()..]).filter(|_| is_whole)
        })
    };
    let mut found: Vec<(&str, f64)> = WIDER.iter().filter_map(|sign| Some((*sign, behind(sign)?))).collect();
    found.extend(DIGITS.iter().filter_map(|sign| Some((*sign, -behind(sign)?))));
    for (call, count) in LAST {
        let Some((_, inside)) = line.split_once(call) else { continue };
        let given = split(inside, ',').0;
        let last = given.last().filter(|_| given.len() == count).and_then(|last| whole_number(last));
        found.extend(last.map(|last| (call, last)));
    }
    if let Some((_, inside)) = line.split_once(CLOSE) {
        let given = split(inside, ',').0;
        found.extend(given.get(1).and_then(|digits| whole_number(digits)).map(|digits| (CLOSE, -digits)));
    }
    found
}

/// The number that a text begins with.
fn number(text: &str) -> Option<f64> {
    let end = text
        .char_indices()
        .find(|(at, c)| {
            let is_sign = "+-".contains(*c) && text[..*at].ends_with(['e', 'E']);
            !(c.is_ascii_digit() || *c == '.' || *c == '_' || is_sign || (matches!(c, 'e' | 'E') && *at > 0))
        })
        .map_or(text.len(), |(at, _)| at);
    text[..end].replace('_', "").parse().ok()
}

fn whole_number(text: &str) -> Option<f64> {
    text.trim().trim_end_matches(['f', 'F', 'd', 'D']).replace('_', "").parse().ok()
}

/// A line without its numbers: what is left tells which line became which.
fn form(line: &str) -> String {
    line.trim().chars().filter(|c| !(c.is_ascii_digit() || ".-+_".contains(*c))).collect()
}

pub fn find(file: &File, before: &str, after: &str) -> Vec<Finding> {
    // Tests of Rust stand beside the code, which compares as well.
    let is_test = outline::is_test(file.path());
    if !is_test && !file.path().ends_with(".rs") {
        return Vec::new();
    }
    let looseness = |line: &str| if is_test || line.contains("assert") { looseness(line) } else { Vec::new() };
    let mut findings = Vec::new();
    for hunk in file.hunks().into_iter().filter(|hunk| hunk.old_lines > 0 && hunk.new_lines > 0) {
        let old = lines_in(before, [(hunk.old_start, hunk.old_lines)]);
        let old: Vec<(&str, Vec<(&str, f64)>)> =
            old.iter().map(|(_, line)| (*line, looseness(line))).filter(|(_, found)| !found.is_empty()).collect();
        if old.is_empty() {
            continue;
        }
        for (number, line) in lines_in(after, [(hunk.new_start, hunk.new_lines)]) {
            let is = looseness(line);
            let is_looser = |was: &(&str, f64)| is.iter().any(|(sign, now)| *sign == was.0 && *now > was.1);
            // `1e-9` and `0.01` have different letters.
            let same = |was: &str| form(was).replace('e', "") == form(line).replace('e', "");
            let was = old.iter().find(|(was, found)| same(was) && found.iter().any(is_looser));
            let Some((was, _)) = was else { continue };
            let (was, is) = (was.trim(), line.trim());
            findings.push(
                Finding::error("tolerance-raised", format!("`{was}` became `{is}`, which lets more pass"))
                    .at(file.path(), number)
                    .help("Keep the tolerance, and fix the code that it tests; if the numbers are that uncertain, say in the task why."),
            );
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::looseness;

    #[test]
    fn how_loose_lines_compare() {
        for (tight, loose) in [
            ("assert x == pytest.approx(3, abs=1e-6)", "assert x == pytest.approx(3, abs=0.1)"),
            ("self.assertAlmostEqual(x, 3, places=7)", "self.assertAlmostEqual(x, 3, places=1)"),
            ("np.testing.assert_allclose(a, b, rtol=1e-07)", "np.testing.assert_allclose(a, b, rtol=1e-2)"),
            ("expect(x).toBeCloseTo(3, 5);", "expect(x).toBeCloseTo(3, 1);"),
            ("assertEquals(3.0, x, 0.001);", "assertEquals(3.0, x, 0.5);"),
            ("assert.InDelta(t, 3, x, 1e-6)", "assert.InDelta(t, 3, x, 2)"),
            ("EXPECT_NEAR(x, 3, 1e-9);", "EXPECT_NEAR(x, 3, 0.1);"),
            ("XCTAssertEqual(x, 3, accuracy: 0.001)", "XCTAssertEqual(x, 3, accuracy: 1.0)"),
            ("assert!((x - 3.0).abs() < 1e-9);", "assert!((x - 3.0).abs() < 0.5);"),
            ("expect(x).to be_within(0.01).of(3)", "expect(x).to be_within(2).of(3)"),
            ("assertThat(x).isCloseTo(3.0, within(0.01));", "assertThat(x).isCloseTo(3.0, within(1.0));"),
        ] {
            let (was, is) = (looseness(tight), looseness(loose));
            assert!(
                was.len() == 1 && is.len() == 1 && was[0].0 == is[0].0 && was[0].1 < is[0].1,
                "{tight}: {was:?} {is:?}"
            );
        }
        for line in ["assertEquals(3, x)", "labs=3", "assertEquals(3, x, \"why\")", "sleep(delta)"] {
            assert_eq!(looseness(line), [], "{line}");
        }
    }
}
