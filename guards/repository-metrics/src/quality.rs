//! Tools that read the code before people do.

use guard_sdk::analysis::{Measurement, Point, Tree};

use crate::languages::{self, Language};
use crate::structure::hooks;
use crate::workflows::{LINT, Workflows};

/// Where a tool is configured: its own files, or words in the files of others.
struct Tool {
    files: &'static [&'static str],
    words: &'static [(&'static str, &'static [&'static str])],
}

pub fn measure(tree: &Tree) -> Measurement {
    let languages = languages::main(tree);
    if languages.is_empty() {
        return Measurement::NotMeasured(languages::NONE.to_owned());
    }
    let workflows = Workflows::new(tree);
    let mut points = Vec::new();
    for (rule, whole, of, what) in [
        ("linter", 400, linter as fn(Language) -> Option<Tool>, "a linter"),
        ("formatter", 200, formatter, "a formatter"),
        ("types-checked", 200, types, "a check of types"),
    ] {
        for (language, possible) in languages.iter().zip(languages::shares(whole, languages.len())) {
            points.push(point(tree, &workflows, rule, possible, *language, of(*language), what));
        }
    }
    points.push(match (workflows.naming(&LINT), hooks(tree)) {
        (Some(place), _) => place.earns("checks-enforced", 200, "CI runs a check"),
        (None, Some(path)) => Point::earned("checks-enforced", 200, "a hook of git runs checks").at(path),
        (None, None) => {
            let help = "Run linter and formatter in CI, or by a hook (pre-commit, lefthook, husky).";
            Point::missed("checks-enforced", 200, "neither CI nor a hook runs a linter", help)
        }
    });
    Measurement::Measured(points)
}

fn point(
    tree: &Tree,
    workflows: &Workflows,
    rule: &'static str,
    possible: u32,
    language: Language,
    tool: Option<Tool>,
    what: &str,
) -> Point {
    let name = language.name();
    let Some(tool) = tool else {
        return Point::earned(rule, possible, format!("the compiler of {name} does it"));
    };
    let own = tree.find(tool.files, 1).into_iter().next().filter(|_| !tool.files.is_empty());
    let by_words = || {
        let has = |(file, words): &&(&str, &[&str])| {
            tree.text(file).is_ok_and(|text| words.iter().any(|word| text.contains(word)))
        };
        tool.words.iter().find(has).map(|(file, _)| file.to_string())
    };
    if let Some(path) = own.or_else(by_words) {
        return Point::earned(rule, possible, format!("{name}: {what} is configured")).at(path);
    }
    let words: Vec<&str> = tool.words.iter().flat_map(|(_, words)| words.iter().copied()).collect();
    if let Some(place) = workflows.naming(&words) {
        return place.earns(rule, possible, format!("{name}: CI runs {what}"));
    }
    Point::missed(rule, possible, format!("{name}: {what} is not configured"), format!("Configure {what} for {name}."))
}

/// None: the language's own tools need no configuration and are always there.
fn linter(language: Language) -> Option<Tool> {
    Some(match language {
        Language::Python => Tool {
            files: &["/ruff.toml", "/.ruff.toml", "/.flake8", "/.pylintrc", "/pylintrc"],
            words: &[
                ("pyproject.toml", &["[tool.ruff", "[tool.pylint", "flake8"]),
                ("setup.cfg", &["[flake8]", "[pylint"]),
                ("tox.ini", &["[flake8]", "ruff", "pylint"]),
                (".pre-commit-config.yaml", &["ruff", "flake8", "pylint"]),
            ],
        },
        Language::JavaScript | Language::TypeScript => Tool {
            files: &[
                "/.eslintrc*",
                "/eslint.config.*",
                "/biome.json*",
                "/.oxlintrc.json",
                "/tslint.json",
                "/.jshintrc",
                "/deno.json*",
            ],
            words: &[(
                "package.json",
                &["\"eslint", "\"standard\"", "\"xo\"", "\"oxlint\"", "\"@biomejs/biome\"", "\"jshint\""],
            )],
        },
        Language::Rust => Tool {
            files: &["/clippy.toml", "/.clippy.toml"],
            words: &[
                ("Cargo.toml", &["[lints", "[workspace.lints"]),
                ("Makefile", &["clippy"]),
                ("justfile", &["clippy"]),
            ],
        },
        Language::Go => Tool {
            files: &["/.golangci.*", "/staticcheck.conf"],
            words: &[("Makefile", &["golangci-lint", "go vet", "staticcheck"])],
        },
        Language::Ruby => {
            Tool { files: &["/.rubocop.yml", "/.standard.yml"], words: &[("Gemfile", &["rubocop", "standard"])] }
        }
        Language::Php => Tool {
            files: &["/phpstan.neon*", "/psalm.xml*", "/phpcs.xml*", "/.phpcs.xml*"],
            words: &[("composer.json", &["phpstan", "psalm", "php_codesniffer"])],
        },
        Language::Java | Language::Kotlin => Tool {
            files: &["checkstyle*.xml", "/detekt.yml", "/.editorconfig"],
            words: &[
                ("pom.xml", &["checkstyle", "spotbugs", "errorprone", "pmd"]),
                ("build.gradle", &["checkstyle", "spotbugs", "errorprone", "detekt", "ktlint"]),
                ("build.gradle.kts", &["checkstyle", "spotbugs", "errorprone", "detekt", "ktlint"]),
            ],
        },
    })
}

fn formatter(language: Language) -> Option<Tool> {
    Some(match language {
        Language::Python => Tool {
            files: &["/.style.yapf"],
            words: &[
                ("pyproject.toml", &["[tool.black", "[tool.ruff", "[tool.yapf", "black"]),
                (".pre-commit-config.yaml", &["black", "ruff-format", "yapf"]),
                ("tox.ini", &["black", "ruff format"]),
            ],
        },
        Language::JavaScript | Language::TypeScript => Tool {
            files: &[
                "/.prettierrc*",
                "/prettier.config.*",
                "/biome.json*",
                "/dprint.json*",
                "/.dprint.json*",
                "/deno.json*",
            ],
            words: &[(
                "package.json",
                &["\"prettier", "\"@biomejs/biome\"", "\"dprint\"", "\"standard\"", "\"xo\"", "\"oxfmt\""],
            )],
        },
        Language::Rust => Tool {
            files: &["/rustfmt.toml", "/.rustfmt.toml"],
            words: &[
                ("Makefile", &["cargo fmt"]),
                ("justfile", &["cargo fmt"]),
                (".github/workflows/ci.yml", &["cargo fmt", "rustfmt"]),
            ],
        },
        // gofmt comes with the compiler, and nobody does without it.
        Language::Go => return None,
        Language::Ruby => Tool {
            files: &["/.rubocop.yml", "/.standard.yml"],
            words: &[("Gemfile", &["rubocop", "standard", "rufo"])],
        },
        Language::Php => Tool {
            files: &["/.php-cs-fixer*", "/pint.json"],
            words: &[("composer.json", &["php-cs-fixer", "laravel/pint"])],
        },
        Language::Java | Language::Kotlin => Tool {
            files: &["/.editorconfig"],
            words: &[
                ("pom.xml", &["spotless", "google-java-format", "fmt-maven-plugin"]),
                ("build.gradle", &["spotless", "ktlint"]),
                ("build.gradle.kts", &["spotless", "ktlint"]),
            ],
        },
    })
}

fn types(language: Language) -> Option<Tool> {
    Some(match language {
        Language::Python => Tool {
            files: &["/mypy.ini", "/.mypy.ini", "/pyrightconfig.json", "/ty.toml"],
            words: &[
                (
                    "pyproject.toml",
                    &["[tool.mypy", "[tool.pyright", "[tool.basedpyright", "[tool.ty", "mypy", "pyright"],
                ),
                ("setup.cfg", &["[mypy"]),
                ("tox.ini", &["mypy", "pyright"]),
                (".pre-commit-config.yaml", &["mypy", "pyright"]),
            ],
        },
        Language::JavaScript => Tool {
            files: &["/tsconfig.json", "/jsconfig.json"],
            words: &[("package.json", &["\"typescript\"", "\"flow-bin\""])],
        },
        Language::TypeScript => {
            Tool { files: &["tsconfig*.json", "/deno.json*"], words: &[("package.json", &["\"typescript\""])] }
        }
        Language::Ruby => {
            Tool { files: &["/sorbet/config", "/Steepfile"], words: &[("Gemfile", &["sorbet", "steep"])] }
        }
        Language::Php => {
            Tool { files: &["/phpstan.neon*", "/psalm.xml*"], words: &[("composer.json", &["phpstan", "psalm"])] }
        }
        Language::Rust | Language::Go | Language::Java | Language::Kotlin => return None,
    })
}
