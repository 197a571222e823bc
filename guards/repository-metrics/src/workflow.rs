//! The files by which CI services are told what to run.

use guard_sdk::analysis::Tree;

/// Files of one kind of configuration that are read.
const MOST: u32 = 40;

/// Of services that read one file.
const SINGLE: [&str; 12] = [
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    ".azure-pipelines.yml",
    ".travis.yml",
    ".drone.yml",
    "bitbucket-pipelines.yml",
    ".buildkite/pipeline.yml",
    ".woodpecker.yml",
    ".cirrus.yml",
    "appveyor.yml",
];

pub struct Workflows {
    /// Path and text, lines in lower case without what stands behind `#`.
    files: Vec<(String, Vec<String>)>,
}

impl Workflows {
    pub fn of(tree: &Tree) -> Self {
        let mut paths = tree.find(
            &[
                "/.github/workflows/*.yml",
                "/.github/workflows/*.yaml",
                "/.gitea/workflows/*.yml",
                "/.forgejo/workflows/*.yml",
            ],
            MOST,
        );
        paths.extend(SINGLE.iter().filter(|path| tree.has(path)).map(|path| path.to_string()));
        let files = paths.into_iter().filter_map(|path| {
            let text = tree.text(&path).ok()?;
            let lines = text.lines().map(|line| code(line).to_lowercase());
            Some((path, lines.collect()))
        });
        Workflows { files: files.collect() }
    }

    pub fn first(&self) -> Option<&str> {
        self.files.first().map(|(path, _)| path.as_str())
    }

    /// The first place, by path and line, where one of these words stands.
    pub fn naming(&self, words: &[&str]) -> Option<(&str, u32)> {
        self.files.iter().find_map(|(path, lines)| {
            let line = lines.iter().position(|line| words.iter().any(|word| has_word(line, word)))?;
            Some((path.as_str(), u32::try_from(line + 1).ok()?))
        })
    }
}

/// The line without its comment.
fn code(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    line.split(" #").next().unwrap_or_default()
}

/// Whether the words stand in the line, and neither neighbour is a letter or a digit. Options may stand between them: `mvnw -B verify`.
fn has_word(line: &str, words: &str) -> bool {
    let has_options = words.contains(' ') && line.contains(" -");
    let plain =
        has_options.then(|| line.split(' ').filter(|word| !word.starts_with('-')).collect::<Vec<_>>().join(" "));
    plain.is_some_and(|plain| stands_in(&plain, words)) || stands_in(line, words)
}

fn stands_in(line: &str, words: &str) -> bool {
    line.match_indices(words).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + words.len()..].chars().next();
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        ends(before) && ends(after)
    })
}

/// Commands and actions that run tests.
pub const TESTS: [&str; 42] = [
    "pytest",
    "tox",
    "nox",
    "unittest",
    "cargo test",
    "nextest",
    "go test",
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
];

pub const COVERAGE: [&str; 10] =
    ["coverage", "codecov", "coveralls", "cov", "llvm-cov", "tarpaulin", "nyc", "c8", "coverprofile", "jacoco"];

pub const LINT: [&str; 24] = [
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
];

pub const AUDIT: [&str; 18] = [
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
];
