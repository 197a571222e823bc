//! Tasks and scripts that a pyproject.toml names for hatch, pdm, poe, taskipy and pixi.

use guard_sdk::analysis::Tree;

use super::{Step, file};

pub fn tasks(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let mut words = arguments.iter().filter(|word| !word.starts_with('-')).copied();
    let name = match words.next() {
        Some("run") => words.next(),
        other => other,
    };
    let Some((path, text)) = file(tree, folder, &["pyproject.toml"]) else { return Vec::new() };
    // `hatch run env:script`
    name.map_or(Vec::new(), |name| from_file(&path, &text, name.rsplit(':').next().unwrap_or(name)))
}

fn from_file(path: &str, text: &str, name: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut lists_tasks, mut is_task, mut is_open) = (false, false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if line.starts_with('[') && trimmed.ends_with(']') {
            let header = trimmed.trim_matches(['[', ']']);
            lists_tasks = header.starts_with("tool.") && (header.ends_with("scripts") || header.ends_with("tasks"));
            // `[tool.poe.tasks.lint]`
            is_task = header.starts_with("tool.")
                && header.rsplit_once("tasks.").is_some_and(|(_, own)| own.trim_matches('"') == name);
            is_open = false;
            continue;
        }
        let of_key = trimmed.split_once('=').filter(|_| !line.starts_with([' ', '\t', ']', '#']));
        let value = match of_key {
            Some((key, value)) => {
                is_open = is_task || (lists_tasks && key.trim().trim_matches('"') == name);
                value
            }
            None => trimmed,
        };
        let value = value.replace(['"', '\'', '[', ']', '{', '}', ','], " ");
        if is_open && !value.trim().is_empty() {
            // `{ cmd = "…" }`
            let words = value.trim().trim_start_matches("cmd").trim_start().trim_start_matches('=').trim().to_owned();
            steps.push(Step::new(words, path, number));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::from_file;

    #[test]
    fn a_task_is_a_text_a_list_or_a_table() {
        let text = "[project.scripts]\nlint = \"mypy\"\n[tool.hatch.envs.default.scripts]\nlint = [\n  \"ruff check\",\n  \"black .\",\n]\nother = \"x\"\n[tool.poe.tasks]\ntest = { cmd = \"pytest -q\" }\n[tool.poe.tasks.docs]\ncmd = \"sphinx-build\"\n";
        let texts = |name| -> Vec<String> {
            from_file("p", text, name).into_iter().map(|step| format!("{} {}", step.at, step.text)).collect()
        };
        assert_eq!(texts("lint"), ["p:5 ruff check", "p:6 black ."]);
        assert_eq!(texts("test"), ["p:10 pytest -q"]);
        assert_eq!(texts("docs"), ["p:12 sphinx-build"]);
        assert!(texts("none").is_empty());
    }
}
