//! A plan: tasks with subtasks, each of which becomes a change of its own.

mod file;

use file::{File, Subtask, Task};
use guardhost_core::change::PlanStep;
use guardhost_core::error::{Fault, Kind, Result};

/// Steps of one plan. Each is a run, and runs of one plan must not push one another out of the records.
const STEPS: usize = 32;
/// Bytes of a title, of a description; and paths that one step may hint at.
const TITLE: usize = 300;
const TEXT: usize = 16_000;
const HINTS: usize = 50;

/// What is to be done, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub steps: Vec<PlanStep>,
    /// Ids of steps that the file says are done, and its word for it; they are not among `steps`.
    pub done: Vec<(String, String)>,
}

/// Reads the JSON of a plan: `tasks[]` with `id`, `title`, `priority`, `metric`, `description` and `subtasks[]`, each with
/// `id`, `title`, `description`, `file_hints[]`, `action` and `status`. Tasks come by priority, the smallest first; tasks of one priority
/// as they stand. Ids that are missing are `T001`, `T001-S01` and so on. `origin` names the file in messages.
///
/// # Errors
/// [`Kind::Usage`] with line and column for what is no such JSON, with the place in it (`tasks[0].subtasks[1].title`) for what makes no
/// sense: nothing to do, two steps of one id, an empty step, a hint that leaves the repository, more than 32 steps.
pub fn plan(json: &[u8], origin: &str) -> Result<Plan> {
    let wrong = |what: String| Fault::new(Kind::Usage, format!("{origin}: {what}"));
    let file: File = serde_json::from_slice(json).map_err(|error| {
        wrong(error.to_string())
            .hint("a plan is {\"tasks\": [{\"title\": …, \"subtasks\": [{\"title\": …, \"file_hints\": […]}]}]}")
    })?;
    if file.tasks.is_empty() {
        return Err(wrong("tasks: there is none".into()).into());
    }
    let mut order: Vec<(usize, &Task)> = file.tasks.iter().enumerate().collect();
    order.sort_by_key(|(_, task)| task.priority);
    let mut plan = Plan { steps: Vec::new(), done: Vec::new() };
    for (t, task) in order {
        let place = format!("tasks[{t}]");
        if task.subtasks.is_empty() {
            return Err(wrong(format!("{place}.subtasks: there is none")).into());
        }
        for (s, subtask) in task.subtasks.iter().enumerate() {
            let place = format!("{place}.subtasks[{s}]");
            let task_id = task.id.clone().unwrap_or_else(|| format!("T{:03}", t + 1));
            let id = subtask.id.clone().unwrap_or_else(|| format!("{task_id}-S{:02}", s + 1));
            let known = plan.steps.iter().map(|step| &step.id).chain(plan.done.iter().map(|(id, _)| id));
            if known.into_iter().any(|known| *known == id) {
                return Err(wrong(format!("{place}.id: `{id}` is the id of two steps")).into());
            }
            let step = step(id, task, subtask).map_err(|(field, what)| wrong(format!("{place}.{field}: {what}")))?;
            match subtask.status.is_over() {
                Some(word) => plan.done.push((step.id, word.to_owned())),
                None => plan.steps.push(step),
            }
        }
    }
    if plan.steps.len() > STEPS {
        let what = format!("tasks: {} steps; {STEPS} are the most that one plan may have", plan.steps.len());
        return Err(wrong(what).hint("make two plans of it").into());
    }
    Ok(plan)
}

/// Errors: the field, and what is wrong with it.
fn step(id: String, task: &Task, subtask: &Subtask) -> Result<PlanStep, (&'static str, String)> {
    let plain =
        |text: &str| !text.is_empty() && text.len() <= 64 && !text.chars().any(|c| c.is_whitespace() || c.is_control());
    if !plain(&id) {
        return Err(("id", format!("{id:?} is no id: 1 to 64 bytes without blanks")));
    }
    let title = subtask.title.trim();
    if title.is_empty() && subtask.description.trim().is_empty() {
        return Err(("title", "neither title nor description says what is to be done".into()));
    }
    if title.len() > TITLE || title.chars().any(char::is_control) {
        return Err(("title", format!("a title is one line of at most {TITLE} bytes")));
    }
    if subtask.description.len() > TEXT || task.description.len() > TEXT {
        return Err(("description", format!("a description has at most {TEXT} bytes")));
    }
    if subtask.file_hints.len() > HINTS {
        return Err(("file_hints", format!("{} of them; {HINTS} are the most", subtask.file_hints.len())));
    }
    let inside = |hint: &&String| {
        hint.is_empty() || hint.starts_with('/') || hint.split('/').any(|part| part == "..") || hint.contains('\0')
    };
    if let Some(outside) = subtask.file_hints.iter().find(inside) {
        return Err(("file_hints", format!("{outside:?} is no path inside of the repository")));
    }
    let title = if title.is_empty() { task.title.trim() } else { title };
    let parts = [title, task.description.trim(), subtask.description.trim(), subtask.action.instruction()];
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    let hints = subtask.file_hints.iter().map(|hint| hint.trim_start_matches("./").into()).collect();
    Ok(PlanStep { id, title: title.to_owned(), text, hints })
}
