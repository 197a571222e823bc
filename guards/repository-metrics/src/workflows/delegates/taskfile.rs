//! Tasks of a Taskfile.yml.

use guard_sdk::analysis::Tree;
use guard_yaml::Node;

use super::{Step, file};

pub fn tasks(tree: &Tree, folder: &str, arguments: &[&str]) -> Vec<Step> {
    let Some((path, text)) = file(tree, folder, &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"]) else {
        return Vec::new();
    };
    let Some(root) = guard_yaml::read(&text) else { return Vec::new() };
    let Some(all) = root.get("tasks") else { return Vec::new() };
    let names = arguments.iter().filter(|word| !word.starts_with('-') && !word.contains('='));
    let mut found: Vec<&Node> = names.filter_map(|name| all.get(name)).collect();
    if arguments.is_empty() {
        found.extend(all.get("default"));
    }
    let mut steps = Vec::new();
    for task in found {
        // What it depends on is called by name.
        for (called, line) in ["deps", "cmds", "cmd"].into_iter().filter_map(|key| task.get(key)).flat_map(texts) {
            let is_task = all.get(called).is_some();
            let text = if is_task { format!("task {called}") } else { called.to_owned() };
            steps.push(Step::new(text, &path, line as usize));
        }
    }
    steps
}

fn texts(node: &Node) -> Vec<(&str, u32)> {
    let mut texts = Vec::new();
    node.texts(&mut texts);
    texts
}
