//! A plan as the layers and the runner see it.

use guardhost_core::change::{PlanStep, RepoPath, StepAction};

use super::context::PlanContext;

/// The metric of an audit that failing tests fail.
pub(super) const TESTS_METRIC: &str = "test_results";
/// The beginning of the id of the task that a layer inserts for failing tests.
pub(super) const TESTS_TASK: &str = "T000";

/// What is to be done, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// By priority, the smallest first.
    pub tasks: Vec<PlanTask>,
    pub context: PlanContext,
    /// Ids of steps that are done, and why; they are not among the tasks.
    pub done: Vec<(String, String)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanTask {
    pub id: String,
    pub title: String,
    pub priority: i64,
    /// The metric of the audit that it is to improve.
    pub metric: Option<String>,
    pub description: String,
    pub steps: Vec<PlannedStep>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlannedStep {
    /// Unique within the plan.
    pub id: String,
    /// One line; not empty.
    pub title: String,
    pub description: String,
    pub hints: Vec<RepoPath>,
    pub action: StepAction,
    /// Why a layer dropped it.
    pub dropped: Option<String>,
}

impl Plan {
    /// Every step with its task, dropped ones too.
    pub fn steps(&self) -> impl Iterator<Item = (&PlanTask, &PlannedStep)> {
        self.tasks.iter().flat_map(|task| task.steps.iter().map(move |step| (task, step)))
    }

    pub(super) fn steps_mut(&mut self) -> impl Iterator<Item = &mut PlannedStep> {
        self.tasks.iter_mut().flat_map(|task| &mut task.steps)
    }

    /// The steps that are left to do, as providers and guards get them.
    pub fn requests(&self) -> Vec<PlanStep> {
        let left = self.steps().filter(|(_, step)| step.dropped.is_none());
        left.map(|(task, step)| step.request(task)).collect()
    }

    /// Whether a step of the task that fixes failing tests is done.
    pub fn has_begun_to_fix_tests(&self) -> bool {
        self.tasks.iter().filter(|task| task.fixes_failing_tests()).any(|task| {
            let of_task = format!("{}-", task.id);
            self.done.iter().any(|(id, _)| id.starts_with(&of_task))
        })
    }

    /// Leaves out the steps that `is_done` gives a reason for.
    pub fn without(&mut self, is_done: impl Fn(&str) -> Option<String>) {
        for task in &mut self.tasks {
            task.steps.retain(|step| match is_done(&step.id) {
                Some(why) => {
                    self.done.push((step.id.clone(), why));
                    false
                }
                None => true,
            });
        }
        self.tasks.retain(|task| !task.steps.is_empty());
    }
}

impl PlanTask {
    /// Whether a layer inserted it for failing tests.
    pub fn fixes_failing_tests(&self) -> bool {
        self.id.starts_with(TESTS_TASK) && self.metric.as_deref() == Some(TESTS_METRIC)
    }
}

impl PlannedStep {
    pub fn request(&self, task: &PlanTask) -> PlanStep {
        let parts = [&self.title, task.description.trim(), self.description.trim(), instruction(self.action)];
        let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
        PlanStep {
            id: self.id.clone(),
            title: self.title.clone(),
            text,
            hints: self.hints.clone(),
            action: self.action,
        }
    }
}

/// For the provider; an ordinary change needs no words.
fn instruction(action: StepAction) -> &'static str {
    match action {
        StepAction::Modify => "",
        StepAction::Create => "Create what is named here; it is not there yet.",
        StepAction::Delete => "Delete what is named here.",
        StepAction::Verify => "Look whether this holds already, and change something only if it does not.",
    }
}
