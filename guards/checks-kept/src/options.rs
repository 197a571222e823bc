//! Options of a command that say how much its check has to find: limits, floors, strictness, rules that are left out.

use crate::commands::{Check, named, runs};

/// Options whose number is the least that must be reached.
#[rustfmt::skip]
const FLOORS: [&str; 15] = [
    "--fail-under", "--cov-fail-under", "--fail-under-lines", "--fail-under-functions", "--fail-under-regions", "--min-coverage", "--minimum-coverage", "--min-msi", "--min-covered-msi", "--branches", "--functions", "--lines", "--statements",
    "--coverage.thresholds.lines", "--coverage.thresholds.branches",
];
/// Options whose number is the most that may be.
#[rustfmt::skip]
const LIMITS: [&str; 11] = [
    "--max-warnings", "--max-complexity", "--max-cognitive-complexity", "--max-line-length", "--max-doc-length", "--line-length", "--max-args", "--max-branches", "--max-statements", "--max-returns", "--max-locals",
];
/// Options that make a check strict: without one of them it finds less.
#[rustfmt::skip]
const STRICT: [&str; 22] = [
    "--strict", "--strict-markers", "--strict-config", "--disallow-untyped-defs", "--disallow-untyped-calls", "--disallow-incomplete-defs", "--disallow-any-generics", "--check-untyped-defs", "--warn-unreachable", "--warn-return-any",
    "--deny-warnings", "--fail-on-warnings", "--fail-on-warning", "--fail-on-error", "--warnings-as-errors", "--error-on-warnings", "--error-on-warning", "--fatal-warnings", "--fatal-infos", "-Werror", "--check-coverage",
    "--report-unused-disable-directives",
];
/// The same with a value, and what makes a check lax with one: `-D warnings`, `--ignore E501`.
const STRICT_OF: [&str; 3] = ["-D", "--deny", "-F"];
const LAX_OF: [&str; 7] =
    ["-A", "--allow", "--ignore", "--extend-ignore", "--disable", "--disable-error-code", "--cap-lints"];
/// Options that make a check lax.
const LAX: [&str; 7] = [
    "--ignore-missing-imports",
    "--no-strict",
    "--no-strict-optional",
    "--allow-untyped-defs",
    "--no-check-untyped-defs",
    "--allow-redefinition",
    "--ignore-errors",
];

/// What a command finds less than before.
#[derive(Debug, PartialEq)]
pub struct Loosened {
    pub rule: &'static str,
    pub what: String,
    pub line: u32,
    /// The option, and its value: where the same change writes both into a configuration, they only moved.
    pub option: (String, String),
}

/// A command with its options: of one without a value, that is empty.
struct Command {
    name: &'static str,
    check: Check,
    words: Vec<String>,
    options: Vec<(String, String)>,
    line: u32,
}

/// Commands that measure what tests reach, without running any by themselves.
const MEASURING: [&str; 8] =
    ["coverage report", "cargo llvm-cov", "cargo tarpaulin", "nyc", "c8", "diff-cover", "interrogate", "infection"];

/// Variables that a compiler of Rust takes its options from.
const VARIABLES: [&str; 2] = ["RUSTFLAGS", "RUSTDOCFLAGS"];

fn command(line: &str, number: u32) -> Option<Command> {
    let variable = VARIABLES.iter().find(|name| {
        line.trim_start().strip_prefix(**name).is_some_and(|rest| rest.trim_start().starts_with([':', '=']))
    });
    let (name, check) = match variable {
        Some(name) => (*name, Check::Lints),
        None => named(line).or_else(|| {
            let measures = MEASURING.iter().find(|name| runs(line.trim(), name));
            measures.map(|name| (*name, Check::Tests))
        })?,
    };
    let line = line.split(" #").next().unwrap_or_default();
    let bare = |word: &str| word.trim_matches(['"', '\'', ',', '[', ']']).to_owned();
    let words: Vec<String> = line.split([' ', '\t']).map(bare).filter(|word| !word.is_empty()).collect();
    // Of one letter, other programs mean other things: `mvn -D`, `pnpm -F`.
    let is_of_rust = variable.is_some() || name.starts_with("cargo");
    let mut options = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let takes = |option: &str| {
            let is_known = [&FLOORS[..], &LIMITS, &STRICT_OF, &LAX_OF].iter().any(|all| all.contains(&option));
            is_known && (is_of_rust || option.starts_with("--"))
        };
        if let Some((option, value)) = word.split_once('=').filter(|(option, _)| takes(option)) {
            options.extend(value.split(',').map(|value| (option.to_owned(), bare(value))));
        } else if takes(word) {
            let value = words.get(at).filter(|value| !value.starts_with('-')).cloned().unwrap_or_default();
            options.extend(value.split(',').map(|value| (word.clone(), bare(value))));
        } else if let Some((option, value)) =
            ["-D", "-A", "-F"].iter().find_map(|option| Some((option, word.strip_prefix(option)?)))
        {
            if is_of_rust && value.starts_with(|c: char| c.is_ascii_lowercase()) {
                options.push(((*option).to_owned(), value.to_owned()));
            }
        } else if STRICT.contains(&word.as_str()) || LAX.contains(&word.as_str()) {
            options.push((word.clone(), String::new()));
        }
    }
    Some(Command { name, check, words, options, line: number })
}

/// What the commands of one text lost against those of another: each that is gone is held against what is most like it.
pub fn loosened(before: &[(String, u32)], after: &[(String, u32)]) -> Vec<Loosened> {
    let (before, after) = (joined(before), joined(after));
    let read = |lines: &[(String, u32)], others: &[(String, u32)]| -> Vec<Command> {
        let is_other = |line: &&(String, u32)| !others.iter().any(|(other, _)| other == &line.0);
        lines.iter().filter(is_other).filter_map(|(line, number)| command(line, *number)).collect()
    };
    let (old, mut new) = (read(&before, &after), read(&after, &before));
    let mut found: Vec<Loosened> = Vec::new();
    for old in &old {
        let alike = |new: &Command| new.words.iter().filter(|word| old.words.contains(word)).count();
        let best = (0..new.len()).filter(|at| new[*at].name == old.name).max_by_key(|at| alike(&new[*at]));
        let Some(best) = best else { continue };
        let new = new.remove(best);
        // What another command of the text still says is not lost.
        found.extend(compared(old, &new).into_iter().filter(|one| {
            !after
                .iter()
                .filter(|(_, line)| *line != new.line)
                .filter_map(|(line, number)| command(line, *number))
                .any(|other| other.name == old.name && other.options.contains(&one.option))
        }));
    }
    found
}

fn compared(old: &Command, new: &Command) -> Vec<Loosened> {
    let found =
        |rule, what: String, option: &(String, String)| Loosened { rule, what, line: new.line, option: option.clone() };
    let number = |command: &Command, name: &str| {
        let value =
            command.options.iter().find(|(option, _)| option == name).map(|(_, value)| value.trim_end_matches('%'));
        value.and_then(|value| value.parse::<f64>().ok())
    };
    let shown = |(option, value): &(String, String)| {
        if value.is_empty() { option.clone() } else { format!("{option} {value}") }
    };
    let mut all = Vec::new();
    for one in &old.options {
        let option = one.0.as_str();
        let (is_floor, is_limit) = (FLOORS.contains(&option), LIMITS.contains(&option));
        match (is_floor || is_limit, number(old, option), number(new, option)) {
            (true, Some(was), Some(is))
                if (is_floor && is < was)
                    || (is_limit && is > was && was >= 0.0)
                    || (option == "--max-warnings" && is < 0.0 && was >= 0.0) =>
            {
                all.push(found("limit-loosened", format!("`{option}` of `{}` goes from {was} to {is}", new.name), one));
            }
            (true, Some(was), None) if !new.options.iter().any(|(name, _)| name == option) => {
                all.push(found(
                    "limit-loosened",
                    format!("`{option}` of `{}`, which was {was}, is taken away", new.name),
                    one,
                ));
            }
            (true, ..) => {}
            (false, ..) => {
                let is_strict = STRICT.contains(&option) || (STRICT_OF.contains(&option) && !one.1.is_empty());
                if is_strict && !new.options.contains(one) && !forbids(new, &one.1) {
                    all.push(found(
                        "strictness-lowered",
                        format!("`{}` of `{}` is taken away", shown(one), new.name),
                        one,
                    ));
                }
            }
        }
    }
    for one in new.options.iter().filter(|one| !old.options.contains(one)) {
        let option = one.0.as_str();
        // A test that is left out is told by its own guard, and `--ignore` names files there.
        let is_lax = LAX.contains(&option)
            || (LAX_OF.contains(&option)
                && !one.1.is_empty()
                && (new.check == Check::Lints || option == "--disable-error-code"));
        let names_files =
            one.1.contains('/') || one.1.ends_with(".lock") || one.1.starts_with("RUSTSEC") || one.1.starts_with('$');
        if is_lax && !names_files {
            all.push(found("rule-switched-off", format!("`{}` comes to `{}`", shown(one), new.name), one));
        }
    }
    all
}

/// Whether what was denied is denied under a stronger word.
fn forbids(command: &Command, value: &str) -> bool {
    !value.is_empty() && command.options.iter().any(|(option, of)| STRICT_OF.contains(&option.as_str()) && of == value)
}

/// Lines that end in a backslash, with those that follow.
fn joined(lines: &[(String, u32)]) -> Vec<(String, u32)> {
    let mut all: Vec<(String, u32)> = Vec::new();
    let mut goes_on = false;
    for (line, number) in lines {
        let part = line.trim_end().trim_end_matches('\\');
        match all.last_mut().filter(|_| goes_on) {
            Some((last, _)) => {
                last.push(' ');
                last.push_str(part.trim());
            }
            None => all.push((part.to_owned(), *number)),
        }
        goes_on = line.trim_end().ends_with('\\');
    }
    all
}

#[cfg(test)]
mod tests {
    use super::loosened;

    #[test]
    fn commands_that_find_less() {
        for (before, after, rule) in [
            ("pytest --cov-fail-under=90", "pytest --cov-fail-under=80", Some("limit-loosened")),
            ("coverage report --fail-under 90 && pytest", "coverage report && pytest", Some("limit-loosened")),
            (
                "python -Im coverage report --fail-under=99",
                "python -Im coverage report --fail-under=90",
                Some("limit-loosened"),
            ),
            ("pytest --cov-fail-under=90", "pytest --cov-fail-under=95", None),
            ("npx eslint . --max-warnings 0", "npx eslint . --max-warnings=20", Some("limit-loosened")),
            ("npx eslint . --max-warnings 20", "npx eslint src --max-warnings 0", None),
            ("cargo clippy -- -D warnings", "cargo clippy", Some("strictness-lowered")),
            ("cargo clippy -- -D warnings", "cargo clippy --all -- -Dwarnings", None),
            ("cargo clippy -- -D warnings", "cargo clippy -- -F warnings", None),
            ("cargo clippy -- -D warnings", "cargo clippy -- -D warnings -A clippy::all", Some("rule-switched-off")),
            ("RUSTFLAGS: -D warnings", "RUSTFLAGS: \"\"", Some("strictness-lowered")),
            ("mypy --strict src", "mypy src", Some("strictness-lowered")),
            ("ruff check . --ignore E501", "ruff check . --ignore E501,F401", Some("rule-switched-off")),
            ("mvn test -DskipTests", "mvn test", None),
            ("pytest -q", "pytest -q --ignore=tests/slow", None),
            ("cargo test", "cargo test -- --skip slow", None),
            ("pytest --strict-markers", "make docs", None),
        ] {
            let lines = |text: &str| vec![(text.to_owned(), 1)];
            let found = loosened(&lines(before), &lines(after));
            assert_eq!(found.first().map(|one| one.rule), rule, "{before} {after}");
        }
        let lines = |texts: [&str; 3]| (1..).zip(texts).map(|(at, text)| (text.to_owned(), at)).collect::<Vec<_>>();
        let found = loosened(
            &lines(["pytest \\", "--cov \\", "--cov-fail-under=90"]),
            &lines(["pytest \\", "--cov \\", "--cov-fail-under=9"]),
        );
        assert_eq!(found.len(), 1);
        // Another command of the same kind still asks for as much.
        let found = loosened(&lines(["mypy --strict a", "", ""]), &lines(["mypy --strict a b", "mypy c", ""]));
        assert_eq!(found, []);
    }
}
