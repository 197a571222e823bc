//! Hooks that run before a commit.

use guard_sdk::{File, Finding};

/// Whether the file lists hooks, or is one.
pub fn is_hooks(path: &str) -> bool {
    matches!(path, ".pre-commit-config.yaml" | ".pre-commit-config.yml" | "prek.toml") || is_script(path)
}

fn is_script(path: &str) -> bool {
    const NAMES: [&str; 4] = ["pre-commit", "pre-push", "commit-msg", "prepare-commit-msg"];
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    matches!(folder, ".husky" | ".githooks" | ".hooks") && NAMES.contains(&name)
}

/// Hooks that go, while none comes: who puts one in another's place names it. With the hooks that are meant, as people call them.
pub fn removed(file: &File) -> Option<(Finding, Vec<String>)> {
    let path = file.path();
    let before = file.before().text().ok()?;
    let after = if file.after().is_regular() { file.after().text().ok()? } else { String::new() };
    if is_script(path) {
        let does =
            |text: &str| text.lines().any(|line| !line.trim().is_empty() && !line.trim().starts_with(['#', '.']));
        return (does(&before) && !does(&after)).then(|| {
            let finding = Finding::error("check-removed", format!("the hook {path} does nothing any more")).file(path);
            let help = "Keep the hook. What it refuses is to be fixed in the code.";
            (finding.help(help), vec!["hook".to_owned()])
        });
    }
    let (old, new) = (ids(&before), ids(&after));
    let gone: Vec<&str> = old.iter().map(String::as_str).filter(|id| !new.iter().any(|other| other == id)).collect();
    let comes = new.iter().any(|id| !old.contains(id));
    // A hook that stays may do what the others did.
    let is_covered = |id: &&str| COVERS.iter().any(|(by, all)| all.contains(id) && new.iter().any(|other| other == by));
    let gone: Vec<&str> = gone.into_iter().filter(|id| !is_covered(id)).collect();
    if gone.is_empty() || comes || after.is_empty() {
        return None;
    }
    let message = format!("{path} loses the hook{} {}", if gone.len() > 1 { "s" } else { "" }, gone.join(", "));
    let finding = Finding::error("check-removed", message).at(path, 1);
    let names = gone.iter().map(|id| (*id).to_owned()).chain(["hook".to_owned()]).collect();
    Some((finding.help("Keep every hook. What it refuses is to be fixed in the code."), names))
}

/// Hooks that do what others do: <https://docs.astral.sh/ruff/rules/>, <https://biomejs.dev/linter/rules-sources/>.
#[rustfmt::skip]
const COVERS: [(&str, &[&str]); 4] = [
    ("ruff", &["flake8", "isort", "pyupgrade", "pycln", "yesqa", "autoflake", "pydocstyle", "bandit", "pylint"]), ("ruff-check", &["flake8", "isort", "pyupgrade", "pycln", "yesqa", "autoflake", "pydocstyle", "bandit", "pylint"]),
    ("ruff-format", &["black", "yapf", "autopep8"]), ("biome-check", &["eslint", "prettier"]),
];

fn ids(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        let id = line
            .strip_prefix("id:")
            .or_else(|| line.strip_prefix("id ="))
            .map(|id| id.trim().trim_matches(['"', '\'']));
        found.extend(id.map(str::to_owned));
    }
    found
}
