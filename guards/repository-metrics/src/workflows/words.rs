//! The words by which a command is known, and where in it they have to stand.

/// Whether the words stand in a command in lower case. Options may stand between them: `mvnw -B verify`.
pub fn has(command: &str, words: &str) -> bool {
    let has_options = words.contains(' ') && command.contains(" -");
    let plain =
        has_options.then(|| command.split(' ').filter(|word| !word.starts_with('-')).collect::<Vec<_>>().join(" "));
    plain.is_some_and(|plain| stands_in(&plain, words)) || stands_in(command, words)
}

/// Whether neither neighbour is a letter or a digit, and the word is no part of a path: `docker push owner/black` runs no formatter, and
/// `vendor/bin/phpunit` runs tests.
fn stands_in(command: &str, words: &str) -> bool {
    command.match_indices(words).any(|(at, _)| {
        let before = &command[..at];
        let after = command[at + words.len()..].chars().next();
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let is_of_path = before.ends_with('/') && !["bin/", "./"].iter().any(|folder| before.ends_with(folder));
        ends(before.chars().next_back()) && ends(after) && !is_of_path
    })
}

/// Commands and actions that run tests.
pub const TESTS: [&str; 58] = [
    "pytest",
    "tox",
    "nox",
    "unittest",
    "cargo test",
    "nextest",
    "go test",
    "richgo test",
    "gotestsum",
    "ginkgo",
    "hatch test",
    "npm test",
    "npm run test",
    "npm t",
    "yarn test",
    "pnpm test",
    "pnpm run test",
    "yarn run test",
    "bun test",
    "vitest",
    "jest",
    "mocha",
    "rspec",
    "phpunit",
    "mvn test",
    "mvn verify",
    "gradlew test",
    "gradlew check",
    "gradlew build",
    "gradle test",
    "gradle check",
    "gradle build",
    "mvn package",
    "mvn install",
    "mvnw test",
    "mvnw verify",
    "mvnw package",
    "mvnw install",
    "make test",
    "make check",
    "rake test",
    "rake spec",
    "bin/test",
    "exec rake",
    "composer test",
    "deno test",
    "ctest",
    "py.test",
    "nosetests",
    "nose2",
    "stestr",
    "manage.py test",
    "ava",
    "tape",
    "node --test",
    "karma",
    "cypress",
    "playwright test",
];

pub const COVERAGE: [&str; 10] =
    ["coverage", "codecov", "coveralls", "cov", "llvm-cov", "tarpaulin", "nyc", "c8", "coverprofile", "jacoco"];

pub const LINT: [&str; 28] = [
    "ruff",
    "flake8",
    "pylint",
    "black",
    "mypy",
    "pyright",
    "pre-commit",
    "clippy",
    "rustfmt",
    "cargo fmt",
    "golangci-lint",
    "gofmt",
    "go vet",
    "staticcheck",
    "eslint",
    "biome",
    "prettier",
    "lint",
    "rubocop",
    "phpstan",
    "ktlint",
    "checkstyle",
    "shellcheck",
    "super-linter",
    "hatch fmt",
    "prek",
    "jshint",
    "xo",
];

pub const AUDIT: [&str; 19] = [
    "pip-audit",
    "safety",
    "bandit",
    "cargo audit",
    "cargo-audit",
    "cargo deny",
    "cargo-deny",
    "npm audit",
    "pnpm audit",
    "yarn audit",
    "govulncheck",
    "gosec",
    "codeql",
    "codeql-action",
    "trivy",
    "snyk",
    "semgrep",
    "osv-scanner",
    "audit-check",
];
