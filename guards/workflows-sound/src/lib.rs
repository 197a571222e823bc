//! Workflows name jobs, steps, files and scripts that exist, and gain no rights by the way.

mod conditions;
mod expression;
mod files;
mod owner;
mod path;
mod problem;
mod references;
mod rights;
mod rules;
mod tree;
mod triggers;
mod untrusted;
mod versions;
mod workflow;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Side, Stage, Status, Verdict, guard, log};
use serde::Deserialize;

use problem::{Problem, news};
use rights::Around;
use tree::Tree;
use workflow::Workflow;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Paths of workflows and actions.
    ignore: Vec<String>,
    /// Beginnings of paths.
    generated: Vec<String>,
}

pub struct WorkflowsSound;

const WORKFLOWS: [&str; 2] = ["/.github/workflows/*.yml", "/.github/workflows/*.yaml"];

impl Guard for WorkflowsSound {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G22",
        promise: "Workflows name only jobs, steps, files and scripts that exist, and gain no rights that the change does not need.",
        stages: &[Stage::Content],
        needs: &[Need::new(Capability::Repo, "to see whether the files and scripts that workflows name exist")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "workflows_sound.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut judged = Vec::new();
        let mut reasons = Vec::new();
        for file in change.files().filter(|file| file.after().is_regular() && is_workflow(file.path())) {
            if settings.ignore.iter().any(|path| path == file.path()) {
                continue;
            }
            judged.push(file.path().to_owned());
            match touched(change, &file, &settings) {
                Ok(more) => findings.extend(more),
                Err(why) => reasons.push(format!("{}: {why}", file.path())),
            }
        }
        findings.extend(untouched(change, &judged, &settings));
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        reasons.iter().for_each(log::info);
        match (judged.len() > reasons.len() || !findings.is_empty(), reasons.is_empty()) {
            (true, _) => Ok(Verdict::from_findings(findings)),
            (false, true) => Ok(Verdict::not_applicable("no workflow and no action is added or changed")),
            (false, false) => Ok(Verdict::not_applicable(reasons.join("; "))),
        }
    }
}

guard!(WorkflowsSound);

/// GitHub reads workflows in one folder only, and actions anywhere.
fn is_workflow(path: &str) -> bool {
    let in_folder = path.strip_prefix(".github/workflows/").is_some_and(|name| !name.contains('/'));
    (in_folder && (path.ends_with(".yml") || path.ends_with(".yaml"))) || is_action(path)
}

fn is_action(path: &str) -> bool {
    let is_named = matches!(path.rsplit('/').next(), Some("action.yml" | "action.yaml"));
    let is_material = matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Template | Kind::Vendored);
    is_named && !is_material && !path.split('/').any(|part| part == "workflows")
}

fn touched(change: &Change, file: &File, settings: &Settings) -> Result<Vec<Finding>, String> {
    let text = file.after().text().map_err(|why| why.reason())?;
    let node = guard_yaml::read(&text).ok_or("it does not parse")?;
    let after = Workflow::new(&node, is_action(file.path())).ok_or("it has no jobs")?;
    let old_text = if file.before().is_regular() { file.before().text().ok() } else { None };
    let old_node = old_text.as_deref().and_then(guard_yaml::read);
    let before = old_node.as_ref().and_then(|node| Workflow::new(node, is_action(file.path())));
    let old = before.as_ref().map_or(Vec::new(), |before| problems(before, &tree(change, Side::Before, settings)));
    let mut found = news(&old, problems(&after, &tree(change, Side::After, settings)));
    let patterns = |workflow: Option<&Workflow>| workflow.map_or(Vec::new(), triggers::patterns);
    let (old_patterns, new_patterns) = (patterns(before.as_ref()), patterns(Some(&after)));
    found.extend(triggers::new(&old_patterns, &new_patterns, &tree(change, Side::After, settings)));
    found.extend(before.as_ref().and_then(|before| triggers::renamed_branch(change, file.path(), before, &after)));
    let old_versions = old_node.as_ref().zip(old_text.as_deref());
    let old_versions = old_versions.map_or(Vec::new(), |(node, text)| versions::problems(node, text));
    found.extend(news(&old_versions, versions::problems(&node, &text)));
    let touches = |path: &str| change.files().any(|file| file.path() == path);
    let repo = change.repo(Side::Before);
    let around = Around {
        is_asked: speaks_of(change, &["permission", "write access", "rights", "scope"]),
        is_secret_asked: speaks_of(change, &["secret"]),
        is_trigger_asked: speaks_of(change, &["pull_request_target"]),
        is_owner: &|owner| owner::is(&repo, owner),
        touches: &touches,
        asks: &|path, scope| {
            let node = change.repo(Side::After).text(path).ok().and_then(|text| guard_yaml::read(&text));
            node.as_ref().and_then(|node| Workflow::new(node, false)).is_some_and(|called| rights::asks(&called, scope))
        },
    };
    found.extend(news(&[], rights::widened(before.as_ref(), &after, &around)));
    Ok(found.into_iter().map(|problem| problem.finding(file.path())).collect())
}

fn speaks_of(change: &Change, subjects: &[&str]) -> bool {
    let words = change.wishes().join("\n").to_lowercase();
    subjects.iter().any(|subject| words.contains(subject))
}

/// Workflows that stay as they are, and name a file that the change takes away.
fn untouched(change: &Change, judged: &[String], settings: &Settings) -> Vec<Finding> {
    let gone =
        change.files().filter_map(|file| if file.after().exists() { file.old_path() } else { Some(file.path()) });
    let mut names: Vec<&str> = gone.map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
    names.extend(change.files().any(|file| file.name() == "package.json" && file.before().exists()).then_some(" run "));
    if names.is_empty() {
        return Vec::new();
    }
    let (was, is) = (tree(change, Side::Before, settings), tree(change, Side::After, settings));
    let mut findings = Vec::new();
    for path in is
        .repo
        .find(&WORKFLOWS, 200)
        .into_iter()
        .filter(|path| !judged.contains(path) && !settings.ignore.contains(path))
    {
        let Ok(text) = is.repo.text(&path) else { continue };
        let is_moved = text.contains("paths") && change.files().any(|file| file.status() == Status::Renamed);
        // An action is named by its folder.
        if !is_moved
            && !names
                .iter()
                .any(|name| text.contains(name) || (name.starts_with("action.y") && text.contains("uses: ./")))
        {
            continue;
        }
        let Some(node) = guard_yaml::read(&text) else { continue };
        let Some(workflow) = Workflow::new(&node, false) else { continue };
        let mut found = news(&files::problems(&workflow, &was), files::problems(&workflow, &is));
        found.extend(triggers::moved(change, &triggers::patterns(&workflow), &is));
        findings.extend(found.into_iter().map(|problem| problem.finding(&path)));
    }
    findings
}

fn tree<'c>(change: &'c Change, side: Side, settings: &'c Settings) -> Tree<'c> {
    Tree { repo: change.repo(side), generated: &settings.generated }
}

fn problems(workflow: &Workflow, tree: &Tree) -> Vec<Problem> {
    let mut problems = references::problems(workflow);
    problems.extend(files::problems(workflow, tree));
    problems.extend(untrusted::problems(workflow));
    problems.extend(conditions::problems(workflow));
    problems
}
