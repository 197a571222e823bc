//! Which package a specifier names.

/// Node's own modules (<https://nodejs.org/api/>), and those that runtimes provide.
#[rustfmt::skip]
const BUILT_IN: [&str; 54] = [
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram", "diagnostics_channel", "dns", "domain", "electron", "events", "fs", "http",
    "http2", "https", "inspector", "module", "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "sea", "sqlite", "stream", "string_decoder", "sys",
    "test", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib", "bun", "deno", "vscode", "self", "window", "global", "globalThis", "undefined",
];

/// The package of `a/b`, `@a/b/c`; None for paths, aliases, schemes and Node's own modules.
pub fn package(specifier: &str) -> Option<&str> {
    if specifier.contains([':', '\\', '?', '!', '*', ' ', '$', '<', '{'])
        || specifier.starts_with(['.', '/', '#', '~', '^'])
    {
        return None;
    }
    let mut slashes = specifier.match_indices('/').map(|(at, _)| at);
    let end = if specifier.starts_with('@') { slashes.next().and_then(|_| slashes.next()) } else { slashes.next() };
    let package = &specifier[..end.unwrap_or(specifier.len())];
    let (scope, name) =
        package.strip_prefix('@').map_or(("x", package), |rest| rest.split_once('/').unwrap_or(("", "")));
    let fits = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.len() <= 214
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
    };
    (fits(scope) && fits(name) && !BUILT_IN.contains(&package)).then_some(package)
}

/// The tool that reads a configuration, as far as its short names matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Eslint,
    Babel,
    Jest,
    Prettier,
    Stylelint,
    Commitlint,
    Postcss,
    /// Only what is imported counts: its strings mean anything.
    Other,
}

/// What a string under a key of a tool's configuration may mean, in packages; empty when it names none.
pub fn meanings(tool: Tool, key: &str, text: &str) -> Vec<String> {
    let direct = || package(text).map(str::to_string).into_iter().collect::<Vec<_>>();
    match (tool, key) {
        (Tool::Eslint, "extends") => match text.split_once(':') {
            Some(("plugin", rest)) => {
                with_prefix(rest.rsplit_once('/').map_or(rest, |(plugin, _)| plugin), "eslint-plugin", false)
            }
            Some(_) => Vec::new(),
            None => with_prefix(text, "eslint-config", true),
        },
        (Tool::Eslint, "plugins") => with_prefix(text, "eslint-plugin", true),
        (Tool::Eslint, "parser") => direct(),
        (Tool::Babel, "presets") => babel(text, "preset"),
        (Tool::Babel, "plugins") => babel(text, "plugin"),
        (Tool::Jest, "testEnvironment") if text == "node" => Vec::new(),
        (Tool::Jest, "testEnvironment") => with_prefix(text, "jest-environment", true),
        (Tool::Jest, "reporters") if matches!(text, "default" | "github-actions" | "summary" | "verbose" | "agent") => {
            Vec::new()
        }
        (
            Tool::Jest,
            "preset"
            | "transform"
            | "reporters"
            | "setupFiles"
            | "setupFilesAfterEnv"
            | "snapshotSerializers"
            | "runner"
            | "watchPlugins",
        ) => {
            let runner = if key == "runner" { with_prefix(text, "jest-runner", true) } else { Vec::new() };
            let watch = if key == "watchPlugins" { with_prefix(text, "jest-watch", true) } else { Vec::new() };
            [direct(), runner, watch].concat()
        }
        (Tool::Prettier, "plugins") | (Tool::Postcss, "plugins") => direct(),
        (Tool::Stylelint, "extends") => with_prefix(text, "stylelint-config", true),
        (Tool::Stylelint, "plugins" | "customSyntax" | "processors") => direct(),
        (Tool::Commitlint, "extends") => with_prefix(text, "commitlint-config", true),
        _ => Vec::new(),
    }
}

/// `x` as `prefix-x`, `@s` as `@s/prefix`, `@s/x` as `@s/prefix-x`; and as it stands, where `itself` says so.
fn with_prefix(text: &str, prefix: &str, itself: bool) -> Vec<String> {
    let scoped = |scope: &str, name: &str| match name {
        "" => format!("@{scope}/{prefix}"),
        name => format!("@{scope}/{prefix}-{name}"),
    };
    let long = match text.strip_prefix('@').map(|rest| rest.split_once('/').unwrap_or((rest, ""))) {
        Some((scope, name)) => scoped(scope, name.split('/').next().unwrap_or_default()),
        None => format!("{prefix}-{}", text.split('/').next().unwrap_or_default()),
    };
    if package(&long).is_none() || (package(text).is_none() && !text.starts_with('@')) {
        return Vec::new();
    }
    let mut meanings: Vec<String> =
        package(text).filter(|_| itself || text.contains(prefix)).map(str::to_string).into_iter().collect();
    meanings.push(long);
    // `plugin:@s/x/recommended` of `@s/eslint-plugin`.
    if let Some((scope, _)) = text.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
        meanings.push(format!("@{scope}/{prefix}"));
    }
    meanings
}

fn babel(text: &str, kind: &str) -> Vec<String> {
    match text.strip_prefix("module:") {
        Some(module) => package(module).map(str::to_string).into_iter().collect(),
        None => {
            let mut meanings = with_prefix(text, &format!("babel-{kind}"), true);
            if let Some(name) = text.strip_prefix("@babel/") {
                meanings.push(format!("@babel/{kind}-{name}"));
            }
            meanings
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages() {
        let cases = [
            ("a", Some("a")),
            ("a/b.js", Some("a")),
            ("@a/b/c", Some("@a/b")),
            ("@a/b", Some("@a/b")),
            ("lodash.merge", Some("lodash.merge")),
            ("./a", None),
            ("/a", None),
            ("@/lib", None),
            ("~/a", None),
            ("#internal", None),
            ("virtual:pwa", None),
            ("node:test", None),
            ("bun:sqlite", None),
            ("fs/promises", None),
            ("@a", None),
            ("", None),
            ("<rootDir>/a", None),
            ("a b", None),
        ];
        for (text, expected) in cases {
            assert_eq!(package(text), expected, "{text}");
        }
    }

    #[test]
    fn short_names() {
        let cases: [(Tool, &str, &str, &[&str]); 12] = [
            (Tool::Eslint, "plugins", "import", &["import", "eslint-plugin-import"]),
            (Tool::Eslint, "plugins", "@typescript-eslint", &["@typescript-eslint/eslint-plugin"]),
            (Tool::Eslint, "extends", "eslint:recommended", &[]),
            (Tool::Eslint, "extends", "plugin:react/recommended", &["eslint-plugin-react"]),
            (Tool::Eslint, "extends", "plugin:@typescript-eslint/recommended", &["@typescript-eslint/eslint-plugin"]),
            (Tool::Eslint, "extends", "airbnb/hooks", &["airbnb", "eslint-config-airbnb"]),
            (Tool::Eslint, "extends", "./base.js", &[]),
            (
                Tool::Babel,
                "presets",
                "@babel/env",
                &["@babel/env", "@babel/babel-preset-env", "@babel/babel-preset", "@babel/preset-env"],
            ),
            (Tool::Jest, "testEnvironment", "node", &[]),
            (Tool::Jest, "preset", "ts-jest/presets/default", &["ts-jest"]),
            (Tool::Prettier, "plugins", "prettier-plugin-tailwindcss", &["prettier-plugin-tailwindcss"]),
            (Tool::Other, "plugins", "anything", &[]),
        ];
        for (tool, key, text, expected) in cases {
            assert_eq!(meanings(tool, key, text), expected, "{text}");
        }
    }
}
