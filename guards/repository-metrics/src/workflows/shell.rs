//! Lines of a shell as single commands.

/// Words before a command that do not change what it is.
const BEFORE: [&str; 15] = [
    "sudo", "time", "exec", "env", "then", "do", "else", "if", "while", "!", "{", "xvfb-run", "command", "nice",
    "retry",
];

/// Programs that run the command behind them in an environment of their own.
const WRAPPERS: [(&str, &str); 9] = [
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("rye", "run"),
    ("bundle", "exec"),
    ("python", "-m"),
    ("python3", "-m"),
    ("coverage", "run"),
    ("npx", ""),
];

/// Package managers: what they install, they do not run.
const MANAGERS: [&str; 25] = [
    "pip", "pip3", "pipx", "uv", "poetry", "pdm", "conda", "mamba", "npm", "pnpm", "yarn", "bun", "cargo", "rustup",
    "go", "gem", "bundle", "composer", "apt", "apt-get", "apk", "brew", "choco", "dnf", "yum",
];

/// The commands of a text, without comments, what only installs and what only prints. Lines that end in a backslash go on in the next one.
pub fn pieces(text: &str) -> Vec<String> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    joined.lines().flat_map(split).collect()
}

fn split(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches(['@', '-', '+', ' ']);
    if line.starts_with('#') || line.starts_with("$(info") || line.starts_with("$(warning") {
        return Vec::new();
    }
    let line = line.split(" #").next().unwrap_or_default();
    let pieces = line.split([';', '|', '&']).map(|piece| piece.trim().trim_matches(['(', ')', ' ']));
    pieces.filter(|piece| !piece.is_empty() && runs_something(piece)).map(str::to_owned).collect()
}

fn runs_something(piece: &str) -> bool {
    let words = words(piece);
    let Some((first, rest)) = words.split_first() else { return false };
    let is_manager = MANAGERS.contains(first) || matches!(rest, ["pip", ..]);
    let verb = rest.iter().find(|word| !word.starts_with('-') && !matches!(**word, "pip" | "component" | "tool"));
    let installs = is_manager && verb.is_some_and(|verb| matches!(*verb, "install" | "add" | "get" | "uninstall"));
    let prints =
        matches!(*first, "echo" | "printf" | "export" | "test" | "[" | "[[" | "which" | "cat" | "cp" | "mv" | "rm");
    !installs && !prints
}

/// The words of a command from the program on, without quotes: assignments and programs that only start others are left out.
pub fn words(piece: &str) -> Vec<&str> {
    let mut words: Vec<&str> = piece.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    loop {
        let skipped = match words[..] {
            [first, ..] if BEFORE.contains(&first) || is_assignment(first) => 1,
            [first, second, ..] => {
                let starts =
                    |(program, verb): &&(&str, &str)| *program == first && (verb.is_empty() || *verb == second);
                match WRAPPERS.iter().find(starts) {
                    Some((_, "")) => 1,
                    Some(_) => 2,
                    None => return words,
                }
            }
            _ => return words,
        };
        words.drain(..skipped);
        // Options of the wrapper, with their values: `uv run --group test --python 3.13 pytest`.
        while skipped > 0 && words.first().is_some_and(|word| word.starts_with("--")) {
            let has_value = !words[0].contains('=')
                && matches!(words[0], "--group" | "--extra" | "--python" | "--with" | "--only-group");
            words.drain(..if has_value { 2.min(words.len()) } else { 1 });
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::{pieces, words};

    #[test]
    fn what_only_installs_or_prints_is_no_command() {
        let text = "pip install pytest && tox -e lint\nsudo apt-get -y install shellcheck\necho \"runs pytest\"\nrustup component add clippy\n# pytest\nuv pip install black; npm ci";
        assert_eq!(pieces(text), ["tox -e lint", "npm ci"]);
        assert_eq!(pieces("cargo \\\n  test"), ["cargo    test"]);
    }

    #[test]
    fn words_begin_with_the_program() {
        for (piece, expected) in [
            ("CI=1 sudo make -j 4 check", &["make", "-j", "4", "check"][..]),
            ("uv run --group test --locked tox run", &["tox", "run"]),
            ("python -m nox -s \"lint\"", &["nox", "-s", "lint"]),
            ("npx eslint .", &["eslint", "."]),
            ("uv sync", &["uv", "sync"]),
            ("", &[]),
        ] {
            assert_eq!(words(piece), expected, "{piece}");
        }
    }
}
