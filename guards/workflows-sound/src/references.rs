//! Jobs, steps, outputs, inputs and matrix keys that nothing defines.

use crate::expression::chains;
use crate::problem::Problem;
use crate::workflow::{Job, Workflow};
use guard_yaml::{Kind, Node};

pub fn problems(workflow: &Workflow) -> Vec<Problem> {
    let mut problems = Vec::new();
    for job in &workflow.jobs {
        for (needed, line) in &job.needs {
            if workflow.job(needed).is_none() && !needed.contains("${{") {
                let message = format!("the job `{}` needs `{needed}`, and there is no such job", job.id);
                problems.push(Problem::error(
                    "job-missing",
                    format!("{}:{needed}", job.id),
                    *line,
                    message,
                    jobs(workflow),
                ));
            }
        }
        let conditions = Conditions::new(job);
        let mut texts = Vec::new();
        job.node.texts(&mut texts);
        for (text, line) in texts {
            for chain in chains(text, conditions.holds(text, line)) {
                if let Some((what, help)) = missing(workflow, job, &chain) {
                    let name = chain.join(".");
                    let message = format!("the job `{}` reads `{name}`, and {what}", job.id);
                    problems.push(Problem::error(
                        "reference-missing",
                        format!("{}:{name}", job.id),
                        line,
                        message,
                        help,
                    ));
                }
            }
        }
    }
    problems
}

/// Texts of `if:`, which are expressions without braces.
struct Conditions<'n>(Vec<(&'n str, u32)>);

impl<'n> Conditions<'n> {
    fn new(job: &Job<'n>) -> Self {
        let own = job.node.get("if").into_iter();
        let all = own.chain(job.steps.iter().filter_map(|step| step.get("if")));
        Conditions(all.filter_map(|condition| Some((condition.text()?, condition.line))).collect())
    }

    fn holds(&self, text: &str, line: u32) -> bool {
        self.0.contains(&(text, line))
    }
}

fn jobs(workflow: &Workflow) -> String {
    let names: Vec<&str> = workflow.jobs.iter().map(|job| job.id).take(20).collect();
    format!("Name one of the jobs of this workflow, or add the job. There are: {}.", names.join(", "))
}

/// What is missing, and what to do.
fn missing(workflow: &Workflow, job: &Job, chain: &[&str]) -> Option<(String, String)> {
    let name = chain[1];
    match chain[0] {
        "needs" if workflow.is_action => None,
        "needs" => need(workflow, job, chain),
        "steps" => {
            let mut ids = job.steps.iter().filter_map(|step| Some((step, step.text_at("id")?)));
            let meant = ids.find(|(_, id)| id.eq_ignore_ascii_case(name) || id.contains("${{"));
            if let Some((step, id)) = meant {
                return if id.contains("${{") { None } else { unset(step, chain) };
            }
            if job.steps.is_empty() {
                return None;
            }
            let ids: Vec<&str> = job.steps.iter().filter_map(|step| step.text_at("id")).take(20).collect();
            let help = format!("Give the step that is meant `id: {name}`. Steps with an id: {}.", ids.join(", "));
            Some((format!("no step of the job has the id `{name}`"), help))
        }
        "matrix" if workflow.is_action => None,
        "matrix" => {
            let keys = matrix(job)?;
            let help = format!("Add `{name}` to `strategy.matrix`, or read one of its keys: {}.", keys.join(", "));
            let is_there = keys.iter().any(|key| key.eq_ignore_ascii_case(name));
            (!is_there).then(|| (format!("the matrix of the job has no `{name}`"), help))
        }
        "inputs" => input(workflow, name),
        _ => None,
    }
}

/// An output that the commands of its step do not set, where all that they set stands in them.
fn unset(step: &Node, chain: &[&str]) -> Option<(String, String)> {
    let (Some(&"outputs"), Some(output)) = (chain.get(2), chain.get(3)) else { return None };
    let run = step.text_at("run").filter(|run| !run.contains(output))?;
    let sets: Vec<&str> = run.lines().filter(|line| line.contains("GITHUB_OUTPUT")).collect();
    // `echo "name=value" >> "$GITHUB_OUTPUT"`: the name stands right behind the quote.
    let is_plain = |line: &&str| {
        let rest = line.trim_start().strip_prefix("echo ").unwrap_or_default().trim_start_matches(['"', '\'']);
        let name = rest.split('=').next().unwrap_or_default();
        rest.contains('=') && !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    if sets.is_empty() || !sets.iter().all(is_plain) || run.contains("::set-output") {
        return None;
    }
    let help = format!("Write `{output}=…` to $GITHUB_OUTPUT in the step, or read an output that it sets.");
    Some((format!("the step `{}` does not set the output `{output}`", chain[1]), help))
}

fn need(workflow: &Workflow, job: &Job, chain: &[&str]) -> Option<(String, String)> {
    let name = chain[1];
    if !job.needs.iter().any(|(needed, _)| needed.eq_ignore_ascii_case(name)) {
        let help =
            format!("Add `{name}` to `needs:` of the job `{}`; only what it needs directly can be read.", job.id);
        let is_dynamic = job.needs.iter().any(|(needed, _)| needed.contains("${{"));
        return (!is_dynamic).then(|| (format!("`{name}` is not in its `needs:`"), help));
    }
    let (Some(needed), Some(&"outputs"), Some(output)) = (workflow.job(name), chain.get(2), chain.get(3)) else {
        return None;
    };
    // What a called workflow offers stands in another file.
    if needed.node.get("uses").is_some() {
        return None;
    }
    let outputs = needed.node.get("outputs").map_or(&[][..], Node::members);
    if outputs.iter().any(|(key, _, _)| key.eq_ignore_ascii_case(output)) {
        return None;
    }
    let help = format!("Add `{output}` to `outputs:` of the job `{name}`, or read one that it has.");
    Some((format!("the job `{name}` has no output `{output}`"), help))
}

/// Keys of the job's matrix. None: they are known only when it runs.
fn matrix<'n>(job: &Job<'n>) -> Option<Vec<&'n str>> {
    let Some(strategy) = job.node.get("strategy") else { return Some(Vec::new()) };
    let Kind::Map(_) = strategy.kind else { return None };
    let Some(matrix) = strategy.get("matrix") else { return Some(Vec::new()) };
    let Kind::Map(members) = &matrix.kind else { return None };
    let mut keys = Vec::new();
    for (key, _, value) in members {
        match (key.as_str(), &value.kind) {
            ("exclude", _) => {}
            ("include", Kind::List(items)) => {
                for item in items {
                    let Kind::Map(members) = &item.kind else { return None };
                    keys.extend(members.iter().map(|(key, _, _)| key.as_str()));
                }
            }
            ("include", _) => return None,
            _ => keys.push(key.as_str()),
        }
    }
    Some(keys)
}

fn input(workflow: &Workflow, name: &str) -> Option<(String, String)> {
    let mut declared: Vec<&str> = Vec::new();
    if workflow.is_action {
        declared
            .extend(workflow.root.get("inputs").map_or(&[][..], Node::members).iter().map(|(key, _, _)| key.as_str()));
    } else {
        for trigger in ["workflow_call", "workflow_dispatch"] {
            let inputs = workflow.on().and_then(|on| on.get(trigger)).and_then(|on| on.get("inputs"));
            declared.extend(inputs.map_or(&[][..], Node::members).iter().map(|(key, _, _)| key.as_str()));
        }
    }
    if declared.iter().any(|key| key.eq_ignore_ascii_case(name)) {
        return None;
    }
    let help = format!("Declare the input `{name}`, or read one that is declared: {}.", declared.join(", "));
    Some((format!("no input `{name}` is declared"), help))
}
