//! Plans that follow from the tree alone: the documentation is moved to another tool. Nobody is asked for them.

mod pages;
mod vitepress;

use guardhost_core::change::{StepAction, Tree};
use guardhost_core::error::{Fault, FaultKind, Result};

use super::cited::repo_paths;
use super::context::PlanContext;
use super::model::{Plan, PlanTask, PlannedStep};
use super::tree_files::TreeFiles;
use pages::Documents;

/// Where documentation is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentationTool {
    VitePress,
}

impl DocumentationTool {
    pub fn name(self) -> &'static str {
        match self {
            DocumentationTool::VitePress => "VitePress",
        }
    }

    /// What a plan for it is asked to do.
    pub fn task(self) -> &'static str {
        match self {
            DocumentationTool::VitePress => "Move the documentation to VitePress",
        }
    }
}

/// The scope that such a plan keeps to.
pub const SCOPE: &str = "migrate";

/// Pages that one step fixes.
const PAGES_A_STEP: usize = 6;
/// Steps that fix pages: a plan has 32, of which two are for settings.
const PAGE_STEPS: usize = 30;

/// Settings of tools that the new one takes the place of.
const OLD_SETTINGS: [&str; 9] = [
    "mkdocs.yml",
    "mkdocs.yaml",
    "book.toml",
    "_config.yml",
    "docs/_config.yml",
    "docs/conf.py",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "sidebars.js",
];

/// The plan: the files of the tool's template with what this tree has in them, then the pages that it cannot read as they are, then
/// the settings of the old tool go.
///
/// # Errors
/// [`FaultKind::Usage`]: there are no documents below `docs/`, or more than a plan has steps for. When the tree cannot be read.
pub fn plan(tool: DocumentationTool, tree: &Tree) -> Result<Plan> {
    let files = TreeFiles::read(tree)?;
    let documents = Documents::read(&files)?;
    let template = match tool {
        DocumentationTool::VitePress => vitepress::template(&documents),
    };
    let mut tasks = vec![task("T001", &format!("Set up {}", tool.name()), &[settings(tool, &template)])];
    let unread: Vec<&[String]> = documents.unread.chunks(PAGES_A_STEP).collect();
    if unread.len() > PAGE_STEPS {
        let what = format!("{} pages have to be fixed, and a plan has steps for {}", documents.unread.len(), {
            PAGES_A_STEP * PAGE_STEPS
        });
        return Err(Fault::new(FaultKind::Usage, what).hint("fix some of them first").into());
    }
    let mending: Vec<PlannedStep> = unread.into_iter().map(|pages| page_step(tool, pages)).collect();
    if !mending.is_empty() {
        tasks.push(task("T002", &format!("Write the pages as {} reads them", tool.name()), &mending));
    }
    let old: Vec<String> = OLD_SETTINGS.into_iter().filter(|path| files.has(path)).map(str::to_owned).collect();
    if !old.is_empty() {
        let removal = PlannedStep {
            title: format!("Remove the settings of the old tool: {}", old.join(", ")),
            description: format!("{} builds the documentation now.", tool.name()),
            hints: repo_paths(&old),
            action: StepAction::Delete,
            ..PlannedStep::default()
        };
        tasks.push(task("T003", "Remove the old tool", &[removal]));
    }
    let context =
        PlanContext { task: Some(tool.task().to_owned()), scope: Some(SCOPE.to_owned()), ..PlanContext::default() };
    Ok(Plan { tasks, context, ..Plan::default() })
}

fn task(id: &str, title: &str, steps: &[PlannedStep]) -> PlanTask {
    let numbered =
        (1..).zip(steps).map(|(number, step)| PlannedStep { id: format!("{id}-S{number:02}"), ..step.clone() });
    PlanTask {
        id: id.to_owned(),
        title: title.to_owned(),
        priority: id[1..].parse().unwrap_or_default(),
        metric: None,
        description: String::new(),
        steps: numbered.collect(),
    }
}

/// The files of the template, with their texts.
fn settings(tool: DocumentationTool, template: &[(String, String)]) -> PlannedStep {
    let names: Vec<String> = template.iter().map(|(path, _)| path.clone()).collect();
    let texts: Vec<String> = template.iter().map(|(path, text)| format!("`{path}`:\n\n````text\n{text}````")).collect();
    PlannedStep {
        title: format!("Create {}", names.join(", ")),
        description: format!(
            "These files set up {} for the documents of this repository. Write each as it is given here.\n\n{}",
            tool.name(),
            texts.join("\n\n")
        ),
        hints: repo_paths(&names),
        action: StepAction::Create,
        ..PlannedStep::default()
    }
}

fn page_step(tool: DocumentationTool, pages: &[String]) -> PlannedStep {
    PlannedStep {
        title: format!("Write {} as {} reads it", pages.join(", "), tool.name()),
        description: match tool {
            DocumentationTool::VitePress => vitepress::RULES.to_owned(),
        },
        hints: repo_paths(pages),
        action: StepAction::Modify,
        ..PlannedStep::default()
    }
}
