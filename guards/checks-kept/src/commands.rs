//! Commands that check something, in workflows, scripts and files of tasks.

use crate::position::is_command;

/// What a command checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    Tests,
    Lints,
    Types,
}

impl Check {
    pub const ALL: [Check; 3] = [Check::Tests, Check::Lints, Check::Types];

    pub fn does(self) -> &'static str {
        match self {
            Check::Tests => "runs tests",
            Check::Lints => "lints",
            Check::Types => "checks types",
        }
    }
}

#[rustfmt::skip]
const TESTS: &[&str] = &[
    "pytest", "py.test", "tox", "nox", "python -m unittest", "npm test", "npm t", "npm run test", "yarn test", "yarn run test", "pnpm test", "pnpm run test", "bun test", "deno test", "jest", "vitest", "mocha",
    "ava", "playwright test", "cypress run", "cargo test", "cargo nextest", "go test", "gotestsum", "rspec", "rake test", "rake spec", "bundle exec rake", "rails test", "phpunit", "pest", "composer test", "composer run test",
    "mvn test", "mvn verify", "mvn -B verify", "gradle test", "gradlew test", "gradlew check", "gradlew build", "ctest", "make test", "make check", "make test-cover", "make test-all", "make test-unit", "make coverage", "npm run test:unit", "npm run test:ci", "just test", "dotnet test", "swift test", "xcodebuild", "fastlane test", "bazel test", "zig build test", "meson test", "turbo run test", "nx test", "lerna run test", "make ci", "mix test", "hatch run test", "uv run pytest",
];
#[rustfmt::skip]
const LINTS: &[&str] = &[
    "ruff check", "ruff .", "flake8", "pylint", "eslint", "npm run lint", "yarn lint", "yarn run lint", "pnpm lint", "pnpm run lint", "bun run lint", "cargo clippy", "cargo fmt", "cargo deny", "golangci-lint", "go vet", "staticcheck",
    "rubocop", "standardrb", "phpcs", "php-cs-fixer", "shellcheck", "hadolint", "make lint", "just lint", "pre-commit run", "prek run", "biome check", "biome ci", "biome lint", "stylelint", "black --check", "prettier --check",
    "detekt", "ktlint", "swiftlint", "markdownlint", "actionlint", "yamllint", "clang-tidy", "clang-format", "credo", "oxlint", "composer lint", "npx lint", "bandit", "gosec", "cargo audit", "npm audit", "pip-audit",
];
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "mypy", "dmypy", "pyright", "basedpyright", "pyrefly", "zuban", "pyre", "pytype", "ty check", "tsc", "vue-tsc", "tsgo", "svelte-check", "astro check", "deno check", "flow check", "npm run typecheck", "npm run type-check", "npm run types", "yarn typecheck", "pnpm typecheck", "pnpm type-check", "pnpm run typecheck", "phpstan",
    "psalm", "srb tc", "steep check", "dialyzer",
];
/// Actions that check something without a command.
#[rustfmt::skip]
const ACTIONS: &[(&str, Check)] = &[
    ("golangci/golangci-lint-action", Check::Lints), ("pre-commit/action", Check::Lints), ("j178/prek-action", Check::Lints), ("super-linter", Check::Lints), ("astral-sh/ruff-action", Check::Lints), ("reviewdog/", Check::Lints),
    ("cypress-io/github-action", Check::Tests), ("psf/black", Check::Lints), ("crate-ci/typos", Check::Lints), ("embarkstudios/cargo-deny-action", Check::Lints),
];

/// What a line of a script checks.
pub fn from_line(line: &str) -> Option<Check> {
    named(line).map(|(_, check)| check)
}

/// The command of a line that checks something.
pub fn named(line: &str) -> Option<(&'static str, Check)> {
    let line = line.trim();
    let tables = [(Check::Tests, TESTS), (Check::Lints, LINTS), (Check::Types, TYPES)];
    tables.into_iter().find_map(|(check, names)| names.iter().find(|name| runs(line, name)).map(|name| (*name, check)))
}

pub fn from_action(uses: &str) -> Option<Check> {
    let uses = uses.to_ascii_lowercase();
    ACTIONS.iter().find(|(name, _)| uses.contains(name)).map(|(_, check)| *check)
}

/// Beginnings of lines that print or install.
const OTHERS: [&str; 12] = [
    "echo",
    "pip install",
    "npm install",
    "npm i ",
    "apt-get",
    "brew install",
    "gem install",
    "cargo install",
    "go install",
    "uv tool install",
    "which ",
    "pipx install",
];

/// Whether the words of a command stand in a line as a command, behind nothing that only prints or installs.
pub fn runs(line: &str, command: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || "_-.@".contains(c)));
    let stands = |at: usize| {
        is_edge(line[..at].chars().next_back())
            && is_edge(line[at + command.len()..].chars().next())
            && is_command(&line[..at])
    };
    !OTHERS.iter().any(|other| line.starts_with(other)) && line.match_indices(command).any(|(at, _)| stands(at))
}

/// Whether a command that no table has says by its own words that it checks something: `make verify`, `quality-gate --all`.
pub fn seems_to_check(line: &str) -> bool {
    const WORDS: [&str; 12] =
        ["check", "test", "lint", "type", "verif", "valid", "analy", "audit", "scan", "spec", "qualit", "inspect"];
    let line = line.trim().to_ascii_lowercase();
    !line.starts_with('#')
        && !OTHERS.iter().any(|other| line.starts_with(other))
        && from_line(&line).is_none()
        && without_silence(&line).is_none()
        && line.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.iter().any(|start| word.starts_with(start)))
}

/// How a shell is told that a command may fail.
const SILENT: [&str; 8] = ["|| true", "||true", "|| :", "|| exit 0", "|| echo", "; true", "; exit 0", "--exit-zero"];

/// Options by which a test writes what it finds as what is expected.
const UPDATES: [&str; 5] = ["--update-snapshots", "--updateSnapshot", "--snapshot-update", "--update", "-u"];

/// Whether a command writes what it finds as what is expected.
pub fn is_updating(line: &str) -> bool {
    let writes = ["vitest", "jest", "playwright test", "pytest"].iter().any(|tool| line.contains(tool));
    writes && line.split_whitespace().any(|word| UPDATES.contains(&word))
}

/// The line without what makes it silent, if something does.
pub fn without_silence(line: &str) -> Option<String> {
    if is_updating(line) {
        let kept: Vec<&str> = line.split_whitespace().filter(|word| !UPDATES.contains(word)).collect();
        return Some(kept.join(" "));
    }
    let sign = SILENT.iter().find(|sign| line.contains(*sign))?;
    let at = line.find(sign)?;
    let rest = &line[at + sign.len()..];
    let kept = if *sign == "--exit-zero" { format!("{}{rest}", line[..at].trim_end()) } else { line[..at].to_owned() };
    Some(kept.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_checks() {
        for (line, check) in [
            ("uv run pytest -q", Some(Check::Tests)),
            ("npm run lint", Some(Check::Lints)),
            ("./gradlew check --info", Some(Check::Tests)),
            ("cargo clippy --all -- -D warnings", Some(Check::Lints)),
            ("npx tsc --noEmit", Some(Check::Types)),
            ("pip install pytest", None),
            ("echo \"run pytest\"", None),
            ("python my-pytest.py", None),
            ("make docs", None),
            ("poetry run pyrefly check", Some(Check::Types)),
            ("// Extract eval results from vitest format", None),
        ] {
            assert_eq!(from_line(line), check, "{line}");
        }
        assert!(seems_to_check("make verify"));
        assert!(!seems_to_check("npm run build"));
        assert!(!seems_to_check("echo checked"));
        assert!(!seems_to_check("make verify || true"));
        assert_eq!(without_silence("pytest -q || true").as_deref(), Some("pytest -q"));
        assert_eq!(without_silence("ruff check --exit-zero .").as_deref(), Some("ruff check ."));
        assert_eq!(without_silence("pytest || exit 1"), None);
    }
}
