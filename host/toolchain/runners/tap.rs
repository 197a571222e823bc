//! The Test Anything Protocol (<https://testanything.org>), versions 12 to 14.

use crate::report::{Test, TestOutcome};

/// The tests, and why these are not all, if they are not. Subtests, which are indented, are details of their parent.
pub fn tests(text: &str) -> (Vec<Test>, Result<(), String>) {
    let mut tests: Vec<Test> = Vec::new();
    let (mut plan, mut stopped) = (None, None);
    for line in text.lines() {
        if let Some(why) = line.strip_prefix("Bail out!") {
            stopped = Some(format!("it stopped: {}", why.trim()));
        } else if let Some(range) = line.strip_prefix("1..") {
            plan = range.split([' ', '#']).next().and_then(|most| most.parse::<usize>().ok());
        } else if let Some(test) = result(line, tests.len() + 1) {
            tests.push(test);
        } else if let Some(test) = tests.last_mut()
            && (line.starts_with([' ', '#']) && test.outcome.is_failure())
        {
            test.detail.push_str(line.trim_start_matches(['#', ' ']));
            test.detail.push('\n');
        }
    }
    let whole = match (stopped, plan) {
        (Some(why), _) => Err(why),
        (None, None) => Err("its report has no plan".to_owned()),
        (None, Some(plan)) if plan != tests.len() => {
            Err(format!("its report announces {plan} tests and has {}", tests.len()))
        }
        (None, Some(_)) => Ok(()),
    };
    (tests, whole)
}

/// `ok 1 - it adds # SKIP no network`.
fn result(line: &str, number: usize) -> Option<Test> {
    let (failed, rest) = match line.strip_prefix("not ok") {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix("ok")?),
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let (name, directive) = match rest.rsplit_once(" # ") {
        Some((name, directive)) if is_directive(directive) => (name, directive.to_ascii_lowercase()),
        _ => (rest, String::new()),
    };
    let name = name.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let name = name.trim_start().strip_prefix("- ").unwrap_or(name).trim();
    let outcome = match failed {
        _ if directive.starts_with("skip") => TestOutcome::Skipped,
        // What is still to be done may fail.
        true if directive.starts_with("todo") => TestOutcome::Skipped,
        true => TestOutcome::Failed,
        false => TestOutcome::Passed,
    };
    let id = if name.is_empty() { format!("test {number}") } else { name.to_owned() };
    Some(Test::new(id, outcome))
}

fn is_directive(text: &str) -> bool {
    ["skip", "todo"].iter().any(|word| text.to_ascii_lowercase().starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_the_plan() {
        let text = "TAP version 13\n1..5\nok 1 - adds # 1\nnot ok 2 - fails\n  ---\n  got: 3\n  ...\n    not ok 1 - inner\nok 3 # skip no net\n\
                    not ok 4 - later # TODO\nok\nokay\n";
        let (found, whole) = tests(text);
        let seen: Vec<_> = found.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        let expected = [
            ("adds # 1", TestOutcome::Passed),
            ("fails", TestOutcome::Failed),
            ("test 3", TestOutcome::Skipped),
            ("later", TestOutcome::Skipped),
            ("test 5", TestOutcome::Passed),
        ];
        assert_eq!((seen, whole), (expected.to_vec(), Ok(())));
        assert!(found[1].detail.contains("got: 3"));
        for wrong in ["", "ok 1 - a\n", "1..2\nok 1 - a\n", "1..1\nok 1 - a\nBail out! no disk\n"] {
            assert!(tests(wrong).1.is_err(), "{wrong}");
        }
    }
}
