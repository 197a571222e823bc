//! The tools whose configurations are read, and which of their settings loosen a check. From the reference of each tool's options.

/// A tool, as far as it is configured in some files.
pub struct Tool {
    /// What people call it.
    pub name: &'static str,
    /// Names of files, `*` for any part, each with the keys that lead to the tool's own settings.
    pub files: &'static [(&'static str, &'static [&'static str])],
    /// Numbers that loosen a check when they grow.
    pub limits: &'static [&'static str],
    /// Numbers that loosen it when they fall.
    pub floors: &'static [&'static str],
    /// Lists whose new items switch something off.
    pub ignored: &'static [&'static str],
    /// Lists whose lost items do.
    pub selected: &'static [&'static str],
    /// Lists of files that are left out.
    pub excluded: &'static [&'static str],
    /// Those of them whose entries are regular expressions, and no globs.
    pub regular: &'static [&'static str],
    /// Switches that are to stay on.
    pub strict: &'static [&'static str],
    /// Those of them that are on where nothing is said.
    pub on: &'static [&'static str],
    /// A setting that turns others on, and these.
    pub turns_on: (&'static str, &'static [&'static str]),
    /// Switches that are to stay off.
    pub lax: &'static [&'static str],
    /// Settings that say how bad a finding is: off, warn, error, and the tool's words for these.
    pub levels: &'static [&'static str],
}

const NONE: Tool = Tool {
    name: "",
    files: &[],
    limits: &[],
    floors: &[],
    ignored: &[],
    selected: &[],
    excluded: &[],
    regular: &[],
    strict: &[],
    on: &[],
    turns_on: ("", &[]),
    lax: &[],
    levels: &[],
};

#[rustfmt::skip]
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "ruff", files: &[("pyproject.toml", &["tool", "ruff"]), ("ruff.toml", &[]), (".ruff.toml", &[])],
        limits: &["line-length", "max-*"], ignored: &["ignore", "extend-ignore", "per-file-ignores.*", "extend-per-file-ignores.*"],
        selected: &["select", "extend-select"], excluded: &["exclude", "extend-exclude"], ..NONE
    },
    Tool {
        name: "flake8", files: &[(".flake8", &["flake8"]), ("setup.cfg", &["flake8"]), ("tox.ini", &["flake8"]), ("pyproject.toml", &["tool", "flake8"])],
        limits: &["max-*"], ignored: &["ignore", "extend-ignore", "per-file-ignores"], selected: &["select", "extend-select"],
        excluded: &["exclude", "extend-exclude"], ..NONE
    },
    Tool {
        name: "pylint", files: &[(".pylintrc", &[]), ("pylintrc", &[]), ("setup.cfg", &["pylint*"]), ("pyproject.toml", &["tool", "pylint*"])],
        limits: &["max-*", "min-similarity-lines"], floors: &["fail-under"], ignored: &["disable"], excluded: &["ignore", "ignore-paths", "ignore-patterns"],
        regular: &["ignore-paths", "ignore-patterns"], ..NONE
    },
    Tool {
        name: "mypy", files: &[("mypy.ini", &["mypy*"]), (".mypy.ini", &["mypy*"]), ("setup.cfg", &["mypy*"]), ("pyproject.toml", &["tool", "mypy"])],
        ignored: &["disable-error-code"], excluded: &["exclude"], regular: &["exclude"], lax: &["ignore-errors", "implicit-optional", "implicit-reexport"],
        strict: &["strict", "disallow-*", "warn-return-any", "warn-unused-ignores", "warn-unreachable", "check-untyped-defs", "no-implicit-optional", "strict-*"],
        on: &["no-implicit-optional", "strict-optional"], turns_on: ("strict", &["disallow-*", "warn-return-any", "warn-unused-ignores", "check-untyped-defs", "strict-*"]), ..NONE
    },
    Tool {
        name: "pyright", files: &[("pyrightconfig.json", &[]), ("pyproject.toml", &["tool", "pyright"]), ("pyproject.toml", &["tool", "basedpyright"])],
        excluded: &["exclude", "ignore"], levels: &["report*", "typecheckingmode"], strict: &["strict*"],
        on: &["strictparameternonevalue"], turns_on: ("typecheckingmode", &["strict*"]), ..NONE
    },
    Tool {
        name: "ty", files: &[("pyproject.toml", &["tool", "ty"]), ("ty.toml", &[])], excluded: &["src.exclude"], levels: &["rules.*"], ..NONE
    },
    Tool {
        name: "coverage", files: &[(".coveragerc", &[]), ("setup.cfg", &["coverage:*"]), ("tox.ini", &["coverage:*"]), ("pyproject.toml", &["tool", "coverage"])],
        floors: &["fail-under"], excluded: &["omit"], ..NONE
    },
    Tool {
        name: "pytest", files: &[("pytest.ini", &["pytest"]), ("tox.ini", &["pytest"]), ("setup.cfg", &["tool:pytest"]), ("pyproject.toml", &["tool", "pytest", "ini-options"])],
        strict: &["xfail-strict", "strict*"], turns_on: ("strict", &["xfail-strict", "strict-*"]), ..NONE
    },
    Tool {
        name: "eslint", files: &[(".eslintrc", &[]), (".eslintrc.*", &[]), ("eslint.config.*", &[]), ("package.json", &["eslintconfig"])],
        limits: &["rules.max-*", "rules.complexity", "max-lines", "max-lines-per-function", "max-statements", "max-params", "max-depth", "max-nested-callbacks", "max-len", "complexity"],
        excluded: &["ignorepatterns", "ignores"], levels: &["rules.*", "*"], ..NONE
    },
    Tool {
        name: "TypeScript", files: &[("tsconfig*.json", &["compileroptions"]), ("jsconfig.json", &["compileroptions"])],
        strict: &["strict*", "noimplicit*", "nounused*", "nounchecked*", "nofallthrough*", "exactoptionalpropertytypes", "alwaysstrict", "useunknownincatchvariables"],
        lax: &["allowunreachablecode", "allowunusedlabels", "suppress*"],
        // Since version 6.
        on: &["strict"], turns_on: ("strict", &["strict*", "noimplicitany", "noimplicitthis", "alwaysstrict", "useunknownincatchvariables"]), ..NONE
    },
    Tool { name: "TypeScript", files: &[("tsconfig.json", &[]), ("jsconfig.json", &[])], excluded: &["exclude"], ..NONE },
    Tool {
        name: "biome", files: &[("biome.json", &[]), ("biome.jsonc", &[])], strict: &["linter.enabled", "recommended"], on: &["linter.enabled", "recommended"], levels: &["rules.*.*", "level"],
        excluded: &["files.ignore", "linter.ignore"], ..NONE
    },
    Tool {
        name: "jest", files: &[("package.json", &["jest", "coveragethreshold"]), ("jest.config.json", &["coveragethreshold"]), ("jest.config.*", &[]), ("vitest.config.*", &[]), ("vite.config.*", &[])],
        floors: &["branches", "functions", "lines", "statements"], ..NONE
    },
    Tool {
        name: "jest", files: &[("package.json", &["jest"]), ("jest.config.*", &[])], excluded: &["testpathignorepatterns", "coveragepathignorepatterns"],
        regular: &["testpathignorepatterns", "coveragepathignorepatterns"], ..NONE
    },
    Tool { name: "vitest", files: &[("vitest.config.*", &[])], excluded: &["exclude"], ..NONE },
    Tool {
        name: "nyc", files: &[(".nycrc", &[]), (".nycrc.json", &[]), (".c8rc", &[]), (".c8rc.json", &[]), ("package.json", &["nyc"]), ("package.json", &["c8"])],
        floors: &["branches", "functions", "lines", "statements"], excluded: &["exclude"], strict: &["check-coverage"], ..NONE
    },
    Tool {
        name: "rubocop", files: &[(".rubocop*.yml", &[])], limits: &["max", "max*"], excluded: &["exclude"], strict: &["enabled"], on: &["enabled"], lax: &["disabledbydefault"], ..NONE
    },
    Tool { name: "SimpleCov", files: &[(".simplecov", &[]), ("*_helper.rb", &[])], floors: &["minimum-coverage"], ..NONE },
    Tool {
        name: "golangci-lint", files: &[(".golangci.*", &[])], limits: &["min-complexity", "max-*", "lines", "statements", "line-length"],
        ignored: &["linters.disable", "issues.exclude"], selected: &["linters.enable"], excluded: &["skip-dirs", "skip-files", "exclude-dirs", "exclude-files", "exclusions.paths"],
        regular: &["skip-dirs", "skip-files", "exclude-dirs", "exclude-files", "exclusions.paths"], ..NONE
    },
    Tool { name: "clippy", files: &[("clippy.toml", &[]), (".clippy.toml", &[])], limits: &["*-threshold", "max-*"], ..NONE },
    Tool {
        name: "rustc", files: &[("Cargo.toml", &["lints"]), ("Cargo.toml", &["workspace", "lints"])], levels: &["rust.*", "clippy.*", "rustdoc.*", "level"], ..NONE
    },
    Tool {
        name: "cargo-deny", files: &[("deny.toml", &[]), (".deny.toml", &[])], levels: &["multiple-versions", "wildcards", "unknown-registry", "unknown-git", "unmaintained", "yanked", "unsound"], ..NONE
    },
    Tool {
        name: "detekt", files: &[("detekt*.yml", &[])], limits: &["threshold", "threshold*", "allowed*", "max*"], strict: &["active"], on: &["active"], excluded: &["excludes"], ..NONE
    },
    Tool {
        name: "SwiftLint", files: &[(".swiftlint.yml", &[])], limits: &["warning", "error"], ignored: &["disabled-rules"], selected: &["opt-in-rules", "only-rules"],
        excluded: &["excluded"], ..NONE
    },
    Tool { name: "codecov", files: &[("codecov.yml", &[]), (".codecov.yml", &[])], floors: &["target"], limits: &["threshold"], strict: &["require-ci-to-pass"], on: &["require-ci-to-pass"], lax: &["informational"], ..NONE },
    Tool { name: "phpstan", files: &[("phpstan*.neon", &[]), ("phpstan*.neon.dist", &[])], ..NONE },
    Tool { name: "stylelint", files: &[(".stylelintrc", &[]), (".stylelintrc.*", &[]), ("package.json", &["stylelint"])], limits: &["rules.max-*"], levels: &["rules.*"], excluded: &["ignorefiles"], ..NONE },
    Tool { name: "yamllint", files: &[(".yamllint", &[]), (".yamllint.*", &[])], levels: &["rules.*", "level"], limits: &["max"], excluded: &["ignore"], ..NONE },
    Tool { name: "markdownlint", files: &[(".markdownlint.*", &[])], levels: &["md*"], limits: &["line-length"], ..NONE },
];

/// The tools that a file configures, each with the keys that lead to its settings.
pub fn reading(path: &str) -> Vec<(&'static Tool, &'static [&'static str])> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let files = |tool: &'static Tool| tool.files.iter().map(move |(file, keys)| (tool, *file, *keys));
    TOOLS
        .iter()
        .flat_map(files)
        .filter(|(_, file, _)| is_named(name, file))
        .map(|(tool, _, keys)| (tool, keys))
        .collect()
}

fn is_named(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, after)) => {
            name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
        }
        None => name == pattern,
    }
}

/// How bad a finding is by a tool's word: from off to error.
pub fn level(word: &str) -> Option<u8> {
    match word.to_ascii_lowercase().as_str() {
        "off" | "0" | "allow" | "none" | "ignore" | "false" | "disable" | "disabled" => Some(0),
        "info" | "information" | "hint" | "on" | "basic" => Some(1),
        "warn" | "warning" | "1" | "standard" => Some(2),
        "error" | "2" | "deny" | "forbid" | "true" | "strict" | "recommended" | "all" => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::reading;

    #[test]
    fn by_the_name_of_the_file() {
        let names = |path: &str| reading(path).into_iter().map(|(tool, _)| tool.name).collect::<Vec<_>>();
        assert_eq!(names("a/.rubocop_todo.yml"), ["rubocop"]);
        assert_eq!(names("tsconfig.build.json"), ["TypeScript"]);
        assert_eq!(names("spec/spec_helper.rb"), ["SimpleCov"]);
        assert_eq!(names("setup.cfg"), ["flake8", "pylint", "mypy", "coverage", "pytest"]);
        assert_eq!(names("src/app.ts"), [""; 0]);
    }
}
