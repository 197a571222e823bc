//! Rights that a change widens: permissions, triggers, secrets, pins, runners. Both versions are needed to see it.

use crate::problem::Problem;
use crate::workflow::{Job, Workflow};
use guard_yaml::{Kind, Node};

/// What a token may do.
#[derive(Debug, Clone, PartialEq)]
enum Rights {
    /// Whatever the settings of the repository say, which may be everything.
    Default,
    All,
    /// Scopes that may be written.
    Writes(Vec<String>),
}

/// What else is known of the change.
pub struct Around<'a> {
    /// The task or a message speaks of permissions.
    pub is_asked: bool,
    /// It speaks of `pull_request_target`.
    pub is_trigger_asked: bool,
    /// It speaks of secrets.
    pub is_secret_asked: bool,
    /// Whether the repository says that it belongs to that owner.
    pub is_owner: &'a dyn Fn(&str) -> bool,
    /// Whether it touches the file of that path.
    pub touches: &'a dyn Fn(&str) -> bool,
    /// Whether the workflow of that path asks to write a scope.
    pub asks: &'a dyn Fn(&str, &str) -> bool,
}

pub fn widened(before: Option<&Workflow>, after: &Workflow, around: &Around) -> Vec<Problem> {
    let mut problems = Vec::new();
    if after.is_action {
        return before.map_or(problems, |before| unpinned(before, after, around));
    }
    problems.extend(permissions(before, after, around));
    let Some(before) = before else { return problems };
    if after.triggers().contains(&"pull_request_target") && !before.triggers().contains(&"pull_request_target") {
        let message = "the workflow is now started by `pull_request_target`: it runs for pull requests of strangers, with the secrets of the repository";
        let help = "Use `pull_request`, unless the task asks for this trigger.";
        let line = after.line_of("pull_request_target");
        let make = if around.is_trigger_asked || only_uses(after) { Problem::warning } else { Problem::error };
        problems.push(make("untrusted-trigger", "", line, message.into(), help));
    }
    problems.extend(unpinned(before, after, around));
    for job in &after.jobs {
        let Some(old) = before.job(job.id) else { continue };
        let inherits = |job: &Job| job.node.text_at("secrets") == Some("inherit");
        if inherits(job) && !inherits(old) && old.node.get("uses").is_some() {
            let line = job.node.get("secrets").map_or(job.line, |node| node.line);
            let message =
                format!("the job `{}` now passes every secret of the repository to the workflow that it calls", job.id);
            let make = if around.is_secret_asked { Problem::warning } else { Problem::error };
            problems.push(make(
                "secrets-inherited",
                job.id,
                line,
                message,
                "Pass only the secrets that the called workflow needs, by name.",
            ));
        }
        if is_self_hosted(job) && !is_self_hosted(old) {
            let message = format!("the job `{}` now runs on a self-hosted runner", job.id);
            problems.push(Problem::warning(
                "self-hosted",
                job.id,
                job.line,
                message,
                "Keep the hosted runner, unless the task asks for another.",
            ));
        }
    }
    problems
}

/// Whether each job only uses actions of others, as one that labels pull requests does: without a script and without a file of the
/// repository, nothing of a stranger's is run.
fn only_uses(workflow: &Workflow) -> bool {
    let is_other = |step: &&Node| {
        let uses = step.text_at("uses").unwrap_or_default();
        remote(uses).is_some_and(|(name, _)| name != "actions/checkout") && step.get("run").is_none()
    };
    workflow.jobs.iter().all(|job| !job.steps.is_empty() && job.steps.iter().all(is_other))
}

/// Scopes that let a job say something, and neither change code nor publish it.
const TALKS: [&str; 5] = ["checks", "discussions", "issues", "pull-requests", "statuses"];

fn rights(node: Option<&Node>) -> Rights {
    match node.map(|node| &node.kind) {
        None => Rights::Default,
        Some(Kind::Text(text)) if text == "write-all" => Rights::All,
        Some(Kind::Map(scopes)) => {
            let writes =
                scopes.iter().filter(|(_, _, level)| level.text() == Some("write")).map(|(scope, _, _)| scope.clone());
            Rights::Writes(writes.collect())
        }
        Some(_) => Rights::Writes(Vec::new()),
    }
}

fn permissions(before: Option<&Workflow>, after: &Workflow, around: &Around) -> Vec<Problem> {
    let mut problems = Vec::new();
    let own = |node: &Node| rights(node.get("permissions"));
    let places = std::iter::once(("", after.root, before.map(|before| before.root))).chain(
        after
            .jobs
            .iter()
            .map(|job| (job.id, job.node, before.and_then(|before| before.job(job.id)).map(|job| job.node))),
    );
    for (id, new, old) in places {
        let line = new.get("permissions").map_or(new.line, |node| node.line);
        let whose = if id.is_empty() { "the workflow".to_owned() } else { format!("the job `{id}`") };
        if own(new) == Rights::All && old.map(own) != Some(Rights::All) {
            let message = format!("{whose} now may write everything (`write-all`)");
            problems.push(Problem::error(
                "rights-widened",
                id,
                line,
                message,
                "List the scopes that are needed, such as `contents: read`.",
            ));
        }
    }
    let Some(before) = before else { return problems };
    for job in &after.jobs {
        let Some(old) = before.job(job.id) else { continue };
        let effective = |workflow: &Workflow, job: &Job| match own(job.node) {
            Rights::Default => own(workflow.root),
            rights => rights,
        };
        let (Rights::Writes(had), has) = (effective(before, old), effective(after, job)) else { continue };
        let line = job.node.get("permissions").or(after.root.get("permissions")).map_or(job.line, |node| node.line);
        // What the workflow gives to all of its jobs is reported once, and one of them may need it.
        let is_shared = own(job.node) == Rights::Default;
        let (key, whose) =
            if is_shared { ("", "each job".to_owned()) } else { (job.id, format!("the job `{}`", job.id)) };
        let is_idle = match is_shared {
            true => {
                before.jobs.len() == after.jobs.len()
                    && before.jobs.iter().map(Job::work).eq(after.jobs.iter().map(Job::work))
            }
            false => old.work() == job.work(),
        };
        // A workflow that is called has no more rights than the job that calls it.
        let calls =
            |job: &Job| job.node.text_at("uses").and_then(|uses| uses.strip_prefix("./")).is_some_and(around.touches);
        let is_idle = is_idle && !if is_shared { after.jobs.iter().any(calls) } else { calls(job) };
        match has {
            Rights::Default => {
                let message =
                    format!("`permissions` no longer limit {whose}: it now has the default rights of the repository");
                let help = "Keep the `permissions:` that were there.";
                problems.push(Problem::error("rights-widened", key, line, message, help));
            }
            Rights::Writes(has) => {
                let gained: Vec<String> = has.into_iter().filter(|scope| !had.contains(scope)).collect();
                if gained.is_empty() {
                    continue;
                }
                let message = format!("{whose} may now write {}", gained.join(", "));
                let callers = after.jobs.iter().filter(|other| is_shared || other.id == job.id);
                let called: Vec<&str> = callers
                    .filter_map(|job| job.node.text_at("uses").and_then(|uses| uses.strip_prefix("./")))
                    .collect();
                // GitHub wants who calls a workflow to have what its jobs ask for.
                let is_needed = |scope: &String| called.iter().any(|path| (around.asks)(path, scope));
                let is_grave = gained.iter().any(|scope| !TALKS.contains(&scope.as_str()) && !is_needed(scope));
                let make = if is_idle && !around.is_asked && is_grave { Problem::error } else { Problem::warning };
                let help = "Keep the rights as they were, unless what is newly done needs more.";
                problems.push(make("rights-widened", key, line, message, help));
            }
            Rights::All => {}
        }
    }
    problems
}

/// Whether a workflow, or a job of it, asks to write a scope.
pub fn asks(workflow: &Workflow, scope: &str) -> bool {
    let jobs = workflow.jobs.iter().map(|job| job.node);
    std::iter::once(workflow.root).chain(jobs).any(|node| match rights(node.get("permissions")) {
        Rights::All => true,
        Rights::Writes(scopes) => scopes.iter().any(|other| other == scope),
        Rights::Default => false,
    })
}

/// Owner, name and reference of an action of another repository.
fn remote(uses: &str) -> Option<(&str, &str)> {
    let (name, reference) = uses.split_once('@')?;
    (!uses.starts_with(['.', '/']) && !uses.starts_with("docker:")).then_some((name, reference))
}

fn is_digest(reference: &str) -> bool {
    reference.len() == 40 && reference.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn unpinned(before: &Workflow, after: &Workflow, around: &Around) -> Vec<Problem> {
    let old: Vec<(&str, &str)> = before.jobs.iter().flat_map(Job::uses).filter_map(|(uses, _)| remote(uses)).collect();
    let mut problems = Vec::new();
    for (uses, line) in after.jobs.iter().flat_map(Job::uses) {
        let Some((name, reference)) = remote(uses) else { continue };
        let mut had = old.iter().filter(|(old, _)| *old == name).peekable();
        if had.peek().is_none() || is_digest(reference) || !had.all(|(_, old)| is_digest(old)) {
            continue;
        }
        let message = format!("{name} was pinned by its digest, and is now `{reference}`, which its owner can move");
        let help = "Keep the digest, with the version in a comment: `uses: owner/name@<40 hex digits> # v4`.";
        let is_own = name.split_once('/').is_some_and(|(owner, _)| (around.is_owner)(owner));
        let make = if is_own { Problem::warning } else { Problem::error };
        problems.push(make("action-unpinned", name, line, message, help));
    }
    problems
}

fn is_self_hosted(job: &Job) -> bool {
    let Some(node) = job.node.get("runs-on") else { return false };
    let mut texts = Vec::new();
    node.texts(&mut texts);
    texts.iter().any(|(text, _)| *text == "self-hosted")
}
