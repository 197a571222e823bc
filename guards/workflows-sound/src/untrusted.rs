//! What strangers decide: the head of a pull request, and the texts that they write.

use crate::expression::chains;
use crate::problem::Problem;
use crate::workflow::{Job, Workflow};
use guard_yaml::Node;

/// Texts that whoever opens an issue or a pull request chooses freely.
const TEXTS: [&str; 15] = [
    "event.issue.title",
    "event.issue.body",
    "event.pull_request.title",
    "event.pull_request.body",
    "event.comment.body",
    "event.review.body",
    "event.review_comment.body",
    "event.discussion.title",
    "event.discussion.body",
    "event.pull_request.head.ref",
    "event.pull_request.head.label",
    "head_ref",
    "event.head_commit.message",
    "event.workflow_run.head_branch",
    "event.workflow_run.display_title",
];

pub fn problems(workflow: &Workflow) -> Vec<Problem> {
    let mut problems = Vec::new();
    for job in &workflow.jobs {
        for step in &job.steps {
            problems.extend(inputs(job, step));
            problems.extend(checkout(workflow, job, step));
        }
    }
    problems
}

fn inputs(job: &Job, step: &Node) -> Vec<Problem> {
    let is_script = step.text_at("uses").is_some_and(|uses| uses.starts_with("actions/github-script@"));
    let script = if is_script { step.get("with").and_then(|with| with.get("script")) } else { None };
    let mut problems = Vec::new();
    for text in step.get("run").into_iter().chain(script) {
        for chain in chains(text.text().unwrap_or_default(), false) {
            let name = chain.join(".");
            if chain[0] != "github" || !TEXTS.iter().any(|text| name.strip_prefix("github.") == Some(text)) {
                continue;
            }
            let message = format!(
                "a script of the job `{}` contains `{name}`, a text that strangers choose: it is run as code",
                job.id
            );
            let help = format!(
                "Pass it by the environment: `env: VALUE: ${{{{ {name} }}}}`, and write \"$VALUE\" in the script."
            );
            problems.push(Problem::error("untrusted-input", format!("{}:{name}", job.id), text.line, message, help));
        }
    }
    problems
}

/// A checkout of the head where the secrets of the repository are at hand.
fn checkout(workflow: &Workflow, job: &Job, step: &Node) -> Option<Problem> {
    let triggers = workflow.triggers();
    let heads: &[&str] = match () {
        _ if triggers.contains(&"pull_request_target") => {
            &["github.event.pull_request.head", "github.head_ref", "refs/pull/"]
        }
        _ if triggers.contains(&"workflow_run") => {
            &["github.event.workflow_run.head_sha", "github.event.workflow_run.head_branch"]
        }
        _ => return None,
    };
    let is_checkout = step.text_at("uses").is_some_and(|uses| uses.starts_with("actions/checkout@"));
    let reference = step.get("with").and_then(|with| with.get("ref")).filter(|_| is_checkout)?;
    if !heads.iter().any(|head| reference.text().is_some_and(|text| text.contains(head))) {
        return None;
    }
    if [job.node, step].iter().any(|node| node.text_at("if").is_some_and(keeps_strangers_out)) {
        return None;
    }
    let message = format!(
        "the job `{}` checks out the head of a pull request in a workflow that has the secrets of the repository",
        job.id
    );
    let help = "Run on `pull_request` instead, which has no secrets, or do not check out the head.";
    Some(Problem::error("untrusted-checkout", job.id, reference.line, message, help))
}

/// Whether a condition lets only heads of this repository in, or only runs for one who may write to it.
fn keeps_strangers_out(condition: &str) -> bool {
    const OURS: [&str; 4] = ["head.repo.full_name", "head_repository.full_name", "head.repo.id", "head_repository.id"];
    const FORK: [&str; 2] = ["head.repo.fork", "head_repository.fork"];
    let text: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let is_own = |part: &str| {
        let (left, right) = part.split_once("==").unwrap_or((part, ""));
        let is = |side: &str, ends: &[&str]| {
            ends.iter().any(|end| side.trim_matches(['(', ')', '{', '}', '$']).ends_with(end))
        };
        let is_this = |side: &str| {
            is(
                side,
                &["github.repository", "github.repository_id", "event.repository.full_name", "event.repository.id"],
            )
        };
        (is(left, &OURS) && is_this(right))
            || (is(right, &OURS) && is_this(left))
            || (is(left, &FORK) && is(right, &["false"]))
            || (right.is_empty() && part.trim_start_matches(['(', '{', '$']).starts_with('!') && is(part, &FORK))
    };
    // Of what an `or` says, either half lets in.
    !text.contains("||") && text.split("&&").any(is_own)
}
