//! From the JSON of a plan to a plan.

use guardhost_core::error::{Fault, FaultKind, Result};

use super::file::{PlanFile, PlanFileTask, Subtask};
use super::model::{Plan, PlanTask, PlannedStep};

/// Steps of one plan. Each is a run, and runs of one plan must not push one another out of the records.
const STEPS: usize = 32;
/// Bytes of a title, of a description; and paths that one step may hint at.
const TITLE: usize = 300;
const TEXT: usize = 16_000;
const HINTS: usize = 50;
/// Bytes of the whole file: 32 steps of the longest texts are a tenth of it.
const FILE: usize = 8 << 20;

/// Reads the JSON of a plan: `tasks[]` with `id`, `title`, `priority`, `metric`, `description` and `subtasks[]`, each with
/// `id`, `title`, `description`, `file_hints[]`, `action` and `status`. Tasks come by priority, the smallest first; tasks of one priority
/// as they stand. Ids that are missing are `T001`, `T001-S01` and so on. `origin` names the file in messages.
///
/// # Errors
/// [`FaultKind::Usage`] with line and column for what is no such JSON, with the place in it (`tasks[0].subtasks[1].title`) for what makes no
/// sense: nothing to do, two steps of one id, an empty step, a hint that leaves the repository, more than 32 steps. A plan that `host plan`
/// wrote may be empty: its layers left nothing to do.
pub fn plan(json: &[u8], origin: &str) -> Result<Plan> {
    let wrong = |what: String| Fault::new(FaultKind::Usage, format!("{origin}: {what}"));
    if json.len() > FILE {
        return Err(wrong(format!("{} bytes; {FILE} are the most that a plan may have", json.len())).into());
    }
    let file: PlanFile = serde_json::from_slice(json).map_err(|error| {
        wrong(error.to_string())
            .hint("a plan is {\"tasks\": [{\"title\": …, \"subtasks\": [{\"title\": …, \"file_hints\": […]}]}]}")
    })?;
    if file.tasks.is_empty() && file.layers.is_none() {
        return Err(wrong("tasks: there is none".into()).into());
    }
    let mut order: Vec<(usize, &PlanFileTask)> = file.tasks.iter().enumerate().collect();
    order.sort_by_key(|(_, task)| task.priority);
    let mut plan = Plan { context: file.context, ..Plan::default() };
    let mut known: Vec<String> = Vec::new();
    for (t, task) in order {
        let place = format!("tasks[{t}]");
        if task.subtasks.is_empty() {
            return Err(wrong(format!("{place}.subtasks: there is none")).into());
        }
        let id = task.id.clone().unwrap_or_else(|| format!("T{:03}", t + 1));
        let checked = check_id(&id).and_then(|()| check_text("description", &task.description));
        checked.map_err(|(field, what)| wrong(format!("{place}.{field}: {what}")))?;
        let mut steps = Vec::new();
        for (s, subtask) in task.subtasks.iter().enumerate() {
            let place = format!("{place}.subtasks[{s}]");
            let id = subtask.id.clone().unwrap_or_else(|| format!("{id}-S{:02}", s + 1));
            if known.contains(&id) {
                return Err(wrong(format!("{place}.id: `{id}` is the id of two steps")).into());
            }
            known.push(id.clone());
            let step = step(id, task, subtask).map_err(|(field, what)| wrong(format!("{place}.{field}: {what}")))?;
            match subtask.status.is_over() {
                Some(word) => plan.done.push((step.id, word.to_owned())),
                None => steps.push(step),
            }
        }
        if !steps.is_empty() {
            plan.tasks.push(PlanTask {
                id,
                title: task.title.trim().to_owned(),
                priority: task.priority,
                metric: task.metric.as_ref().and_then(|metric| metric.as_str()).map(str::to_owned),
                description: task.description.clone(),
                steps,
            });
        }
    }
    let count = plan.steps().count();
    if count > STEPS {
        let what = format!("tasks: {count} steps; {STEPS} are the most that one plan may have");
        return Err(wrong(what).hint("make two plans of it").into());
    }
    Ok(plan)
}

/// The field that is wrong, and what is wrong with it.
type Wrong = (&'static str, String);

fn check_id(id: &str) -> Result<(), Wrong> {
    let plain =
        |text: &str| !text.is_empty() && text.len() <= 64 && !text.chars().any(|c| c.is_whitespace() || c.is_control());
    if plain(id) { Ok(()) } else { Err(("id", format!("{id:?} is no id: 1 to 64 bytes without blanks"))) }
}

fn check_text(field: &'static str, text: &str) -> Result<(), Wrong> {
    if text.len() > TEXT { Err((field, format!("a description has at most {TEXT} bytes"))) } else { Ok(()) }
}

fn step(id: String, task: &PlanFileTask, subtask: &Subtask) -> Result<PlannedStep, Wrong> {
    check_id(&id)?;
    let title = subtask.title.trim();
    if title.is_empty() && subtask.description.trim().is_empty() {
        return Err(("title", "neither title nor description says what is to be done".into()));
    }
    let title = if title.is_empty() { task.title.trim() } else { title };
    if title.len() > TITLE || title.chars().any(char::is_control) {
        return Err(("title", format!("a title is one line of at most {TITLE} bytes")));
    }
    check_text("description", &subtask.description)?;
    if subtask.file_hints.len() > HINTS {
        return Err(("file_hints", format!("{} of them; {HINTS} are the most", subtask.file_hints.len())));
    }
    let is_outside = |hint: &&String| {
        hint.is_empty() || hint.starts_with('/') || hint.split('/').any(|part| part == "..") || hint.contains('\0')
    };
    if let Some(outside) = subtask.file_hints.iter().find(is_outside) {
        return Err(("file_hints", format!("{outside:?} is no path inside of the repository")));
    }
    let hints = subtask.file_hints.iter().map(|hint| hint.trim_start_matches("./").into()).collect();
    let description = subtask.description.clone();
    Ok(PlannedStep { id, title: title.to_owned(), description, hints, action: subtask.action, dropped: None })
}
