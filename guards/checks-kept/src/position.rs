//! Where in a line a command stands: a word of a comment or of a sentence runs nothing.

/// Programs that run what their arguments name, and words of a shell before which a command stands.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    // Shells and systems
    "if", "!", "then", "else", "elif", "do", "while", "until", "time", "timeout", "env", "exec", "command", "eval", "nohup", "nice", "stdbuf", "sudo", "su", "xargs", "bash", "sh", "zsh", "pwsh", "cmd", "ssh",
    "xvfb-run", "watch", "retry", "catchsegv", "valgrind", "strace", "script", "unbuffer", "taskset", "setarch", "arch", "flock", "parallel", "dbus-run-session",
    // Containers and environments
    "docker", "docker-compose", "podman", "kubectl", "devcontainer", "nix", "nix-shell", "devenv", "direnv", "mise", "asdf", "conda", "mamba", "micromamba", "pixi", "dotenv", "dotenvx", "doppler", "op", "infisical", "aws-vault",
    "earthly", "dagger", "vagrant", "lima", "wsl", "cross", "cross-env", "cross-env-shell", "env-cmd", "fvm", "melos",
    // Runners of packages and tasks
    "npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "node", "tsx", "ts-node", "uv", "uvx", "pipx", "poetry", "pdm", "hatch", "rye", "pipenv", "python", "python2", "python3", "py", "pypy", "pypy3", "coverage", "nox", "tox",
    "bundle", "bundler", "ruby", "rake", "rails", "spring", "php", "composer", "symfony", "artisan", "sail", "ddev", "lando", "go", "cargo", "rustup", "mix", "swift", "xcrun", "dotnet", "mvn", "gradle", "make", "just", "task", "poe", "invoke",
    "turbo", "nx", "lerna", "rush", "moon", "wireit", "concurrently", "npm-run-all", "run-s", "run-p", "start-server-and-test", "c8", "nyc", "esy", "opam", "dune", "stack", "cabal", "lein", "clojure", "sbt", "meson", "bazel", "bazelisk",
];

/// Whether a command may begin behind `before`, which is the line up to it.
pub fn is_command(before: &str) -> bool {
    let trimmed = before.trim_start();
    if ["//", "/*", "*", "#", "<!--"].iter().any(|sign| trimmed.starts_with(sign)) {
        return false;
    }
    // What a system puts in the place of an expression may be any word.
    let before = without_expressions(before);
    let of_key = before.rfind(" = ").map_or(0, |at| at + 3);
    let start = before.rfind([';', '|', '&', '(', '`', '"', '\'', '[', ',']).map_or(0, |at| at + 1).max(of_key);
    let is_program = |word: &&str| {
        let is_value = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b's' || byte == b'm');
        !(is_value
            || word.starts_with(['-', '$', '@'])
            || word.ends_with([':', ')', '}'])
            || word.contains(['=', '/', '\\']))
    };
    let first = before[start..].split_whitespace().find(is_program);
    first.is_none_or(|word| {
        let word = word.to_ascii_lowercase();
        let word = word.strip_suffix(".exe").or_else(|| word.strip_suffix(".cmd")).unwrap_or(&word);
        RUNNERS.contains(&word) || word.strip_prefix("python3.").is_some()
    })
}

/// Without `${{ … }}` and `{{ … }}`.
fn without_expressions(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, inner)) = rest.split_once("{{") {
        kept.push_str(before.strip_suffix('$').unwrap_or(before));
        rest = inner.split_once("}}").map_or("", |(_, behind)| behind);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::is_command;

    #[test]
    fn before_a_command() {
        for before in [
            "",
            "uv run ",
            "CI=1 npx ",
            "python -m ",
            "make build && ",
            "cd web; ",
            "bash -c \"",
            "if ! ",
            "./",
            "vendor/bin/",
            "$(VENV)/bin/",
            "$(PYTHON) -m ",
            "${{ matrix.python }} -m ",
            "{{python}} -m ",
            "timeout 300 ",
            "timeout 5m ",
            "docker compose run --rm app ",
            "session.run(\"",
            "commands = ",
            "cmd: ",
            "python3.12 -m ",
            "npm ci && npm run build && ",
            "xvfb-run -a ",
            "node node_modules/",
        ] {
            assert!(is_command(before), "{before}");
        }
        for before in [
            "// Extract eval results from ",
            "# then ",
            "* the ",
            "let results of ",
            "Upload the report of ",
            "git add ",
        ] {
            assert!(!is_command(before), "{before}");
        }
    }
}
