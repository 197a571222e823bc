//! Local actions, workflows and scripts that are not in the tree.

use crate::path::join;
use crate::problem::Problem;
use crate::tree::Tree;
use crate::workflow::{Job, Workflow};
use commands::Runs;
use guard_sdk::files::relative;
use guard_yaml::Node;

pub fn problems(workflow: &Workflow, tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    // Where the steps of an action run is known only to whoever uses it.
    if workflow.is_action {
        return problems;
    }
    for job in &workflow.jobs {
        if let Some(called) = job.node.get("uses") {
            problems.extend(called_workflow(called, tree));
        }
        if !works_on_this_tree(job) {
            continue;
        }
        let mut earlier = String::new();
        for step in &job.steps {
            if let Some(uses) = step.get("uses") {
                problems.extend(local_action(uses, tree));
            }
            if let Some(run) = step.get("run") {
                problems.extend(folder_missing(workflow, job, step, &earlier, tree));
                problems.extend(scripts(workflow, job, step, run, &earlier, tree));
                earlier += run.text().unwrap_or_default();
                earlier.push('\n');
            }
        }
    }
    problems
}

fn called_workflow(called: &Node, tree: &Tree) -> Option<Problem> {
    let path = called.text()?.strip_prefix("./")?;
    if path.contains("${{") || tree.has_file(path) {
        return None;
    }
    let message = format!("the workflow {path} does not exist");
    Some(Problem::error(
        "file-missing",
        path,
        called.line,
        message,
        "Name a workflow of this repository, or add the file.",
    ))
}

fn local_action(uses: &Node, tree: &Tree) -> Option<Problem> {
    let name = uses.text()?;
    if !name.starts_with("./") {
        return None;
    }
    let folder = join("", name)?;
    let file = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    if ["action.yml", "action.yaml", "Dockerfile"].iter().any(|name| tree.may_have(&file(name))) {
        return None;
    }
    let message = format!("the local action {name} does not exist: there is no {}", file("action.yml"));
    Some(Problem::error(
        "file-missing",
        folder.clone(),
        uses.line,
        message,
        "Name an action of this repository, or add the file.",
    ))
}

/// Whether the job's folder is this repository at this commit, and nothing else is fetched into it.
fn works_on_this_tree(job: &Job) -> bool {
    let checkouts: Vec<&&Node> = job
        .steps
        .iter()
        .filter(|step| step.text_at("uses").is_some_and(|uses| uses.starts_with("actions/checkout@")))
        .collect();
    let is_plain = |step: &&&Node| {
        let with = step.get("with");
        !["repository", "path", "ref", "sparse-checkout"]
            .iter()
            .any(|key| with.is_some_and(|with| with.get(key).is_some()))
    };
    let fetches = |step: &&Node| {
        let uses = step.text_at("uses").unwrap_or_default();
        let run = step.text_at("run").unwrap_or_default();
        ["download-artifact", "cache", "restore"].iter().any(|word| uses.contains(word))
            || [
                "git clone",
                "git checkout",
                "git switch",
                "git worktree",
                "git fetch",
                "git pull",
                "git submodule",
                "gh repo clone",
                "gh pr checkout",
                "tar ",
                "unzip",
                "gh run download",
            ]
            .iter()
            .any(|word| run.contains(word))
    };
    !checkouts.is_empty() && checkouts.iter().all(is_plain) && !job.steps.iter().any(fetches)
}

fn scripts(workflow: &Workflow, job: &Job, step: &Node, run: &Node, earlier: &str, tree: &Tree) -> Vec<Problem> {
    let Some(text) = run.text() else { return Vec::new() };
    let Some(folder) = working_directory(workflow, job, step) else { return Vec::new() };
    let mut problems = Vec::new();
    for (command, runs) in commands::collect(text) {
        match runs {
            Runs::File(file) => {
                let name = file.rsplit('/').next().unwrap_or(file);
                // An earlier step, or an earlier line, may have made it.
                let is_made =
                    earlier.contains(name) || text.split(command).next().is_some_and(|above| above.contains(name));
                let Some(path) = join(&folder, file) else { continue };
                if !is_made && !tree.may_have(&path) {
                    let message = format!("a step of the job `{}` runs {path}, which does not exist", job.id);
                    problems.push(Problem::error(
                        "file-missing",
                        path,
                        run.line,
                        message,
                        "Name a script of this repository, or add the file.",
                    ));
                }
            }
            Runs::Script(name) => {
                let Some(scripts) = tree.scripts(&folder) else { continue };
                if !scripts.iter().any(|script| script == name) {
                    let message = format!(
                        "a step of the job `{}` runs the script `{name}`, which package.json does not have",
                        job.id
                    );
                    let known: Vec<&str> = scripts.iter().map(String::as_str).take(20).collect();
                    let help = format!("Name a script of package.json, or add it. There are: {}.", known.join(", "));
                    problems.push(Problem::error(
                        "script-missing",
                        format!("{folder}:{name}"),
                        run.line,
                        message,
                        help,
                    ));
                }
            }
        }
    }
    problems
}

/// The folder of a step that no earlier step makes.
fn folder_missing(workflow: &Workflow, job: &Job, step: &Node, earlier: &str, tree: &Tree) -> Option<Problem> {
    let folder = working_directory(workflow, job, step)?;
    let missing = relative::above(&folder).filter(|at| !tree.may_have_folder(at)).last()?;
    if earlier.contains(missing.rsplit('/').next().unwrap_or(missing)) || tree.may_have_folder(&folder) {
        return None;
    }
    let message = format!("a step of the job `{}` runs in {folder}, which does not exist", job.id);
    let line = step.get("working-directory").map_or(step.line, |node| node.line);
    Some(Problem::error("file-missing", folder, line, message, "Name a folder of this repository."))
}

/// From the root. None: it is known only at run time.
fn working_directory(workflow: &Workflow, job: &Job, step: &Node) -> Option<String> {
    let default = |node: &Node| Some(node.get("defaults")?.get("run")?.text_at("working-directory")?.to_owned());
    let own = step.text_at("working-directory").map(str::to_owned);
    match own.or_else(|| default(job.node)).or_else(|| default(workflow.root)) {
        Some(folder) => join("", &folder),
        None => Some(String::new()),
    }
}
