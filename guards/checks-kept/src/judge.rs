//! What each touched file loosens.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, File, Finding, Severity, Side};

use crate::compare::{self, Loosened, Version};
use crate::entries::Entries;
use crate::inherited::Inherited;
use crate::purpose::Purpose;
use crate::workflow::{self, Step};
use crate::{commands, hooks, leaving, options, reviews, scripts, silenced, tools};
use configuration::{Format, Setting, settings};

/// None when no touched file says how anything is checked.
pub fn files(change: &Change, files: Vec<File>) -> Option<Vec<Finding>> {
    let purpose = Purpose::new(change);
    let mut findings = Vec::new();
    let mut concerned = false;
    let workflows: Vec<&File> = files.iter().filter(|file| workflow::is_workflow(file.path())).collect();
    for file in &files {
        let path = file.path();
        let (tools, is_hooks) = (tools::reading(path), hooks::is_hooks(path));
        let is_tasks = scripts::is_tasks(path) || file.name() == "package.json";
        concerned |= !tools.is_empty() || is_hooks || is_tasks;
        if reviews::is_concerned(file) {
            concerned = true;
            findings.extend(reviews::judge(change, file).map(|finding| excused(finding, &purpose, "workflow", path)));
        }
        if !file.before().is_regular() {
            continue;
        }
        if is_hooks {
            findings.extend(hooks::removed(file).map(|(finding, names)| {
                names.iter().fold(finding, |finding, name| excused(finding, &purpose, name, path))
            }));
        }
        if !file.after().is_regular() {
            continue;
        }
        if !tools.is_empty() {
            findings.extend(configuration(change, file, &tools, &purpose));
        }
        if is_tasks {
            let found = tasks(change, file).into_iter().map(|finding| excused(finding, &purpose, "script", path));
            findings.extend(found);
        }
    }
    if !workflows.is_empty() {
        concerned = true;
        let found = steps(change, &workflows).into_iter().map(|finding| {
            let path = finding.path.clone().unwrap_or_default();
            excused(finding, &purpose, "workflow", &path)
        });
        findings.extend(found);
    }
    concerned.then_some(findings)
}

/// A task or a message that speaks of the check lowers an error to a warning, and never lifts it.
fn excused(finding: Finding, purpose: &Purpose, tool: &str, path: &str) -> Finding {
    // Nobody asks for a status that is lost: it happens beside what was asked for.
    match finding.severity == Severity::Error && finding.rule != "status-lost" && purpose.speaks_of(tool, path) {
        true => Finding { severity: Severity::Warning, ..finding },
        false => finding,
    }
}

fn configuration(
    change: &Change,
    file: &File,
    tools: &[(&'static tools::Tool, &'static [&'static str])],
    purpose: &Purpose,
) -> Vec<Finding> {
    let path = file.path();
    let (Ok(before_text), Ok(after_text)) = (file.before().text(), file.after().text()) else { return Vec::new() };
    let format = Format::from_path(path);
    let (Some(before), Some(after)) = (settings(&before_text, format), settings(&after_text, format)) else {
        return vec![Finding::info("not-judged", format!("{path} was not judged: it does not parse")).file(path)];
    };
    let version = |side: Side, path: &str, own: Vec<Setting>| {
        let inherited = Inherited::new(path, &own, |path| change.repo(side).text(path).ok());
        Version { own, inherited }
    };
    let before = version(Side::Before, file.old_path().unwrap_or(path), before);
    let after = version(Side::After, path, after);
    // The options that pytest takes from its configuration.
    let added = |settings: &[Setting]| -> Vec<(String, u32)> {
        let all: Vec<&Setting> =
            settings.iter().filter(|one| one.keys.last().is_some_and(|key| key == "addopts")).collect();
        let values: Vec<&str> = all.iter().map(|one| one.value.as_str()).collect();
        all.first().map(|first| (format!("pytest {}", values.join(" ")), first.line)).into_iter().collect()
    };
    let mut findings: Vec<Finding> = weaker(change, path, &added(&before.own), &added(&after.own))
        .into_iter()
        .map(|finding| excused(finding, purpose, "pytest", path))
        .collect();
    for (tool, under) in tools {
        let mut seen: Vec<String> = Vec::new();
        let loosened = compare::loosened(tool, under, &before, &after);
        if loosened.is_empty() || leaving::leaves(change, tool.name) {
            continue;
        }
        for loosened in loosened {
            if seen.contains(&loosened.what) {
                continue;
            }
            seen.push(loosened.what.clone());
            let Some(mut severity) = severity(change, file, &loosened) else { continue };
            if loosened.rule == "rule-switched-off" && is_for_new_files(change, file, &after_text, loosened.line) {
                severity = Severity::Warning;
            }
            let finding = finding(path, &loosened, severity);
            // One finding for what one change of a file does to one rule.
            match findings.iter_mut().find(|other| other.rule == finding.rule && other.severity == finding.severity) {
                Some(first) => first.related.extend([guard_sdk::Related {
                    path: path.to_owned(),
                    lines: loosened.line..=loosened.line,
                    message: loosened.what.clone(),
                }]),
                None => findings.push(excused(finding, purpose, tool.name, path)),
            }
        }
    }
    findings
}

/// None where nothing is lost: what is left out is none of the repository's own code, or was left out before, under another name.
fn severity(change: &Change, file: &File, loosened: &Loosened) -> Option<Severity> {
    let Some(excluded) = &loosened.excluded else {
        return Some(if loosened.is_mild { Severity::Warning } else { Severity::Error });
    };
    let folder = file.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    let (matcher, before) =
        (Entries::new([&excluded.entry], excluded.is_regular)?, Entries::new(&excluded.before, excluded.is_regular));
    let is_own = |path: &str| matches!(kind_of(path), Kind::Code | Kind::Test);
    let inside = |path: &str| folder.is_empty() || path.starts_with(&format!("{folder}/"));
    let below = |path: &str| path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/').to_owned();
    let is_left_out = |path: &str| inside(path) && is_own(path) && matcher.matches(&below(path));
    let was_left_out = |file: &File| {
        file.old_path().is_some_and(|path| before.as_ref().is_some_and(|before| before.matches(&below(path))))
    };
    let touched = || change.files().filter(|file| file.after().is_regular() && is_left_out(file.path()));
    if touched().any(|file| !was_left_out(&file)) {
        return Some(Severity::Error);
    }
    let renamed: Vec<String> = touched().map(|file| file.path().to_owned()).collect();
    let found = matcher.find(&change.repo(Side::After), folder);
    // People leave out what they do not work on; a model is asked to work, and not to choose what is looked at.
    let severity = if change.is_by_model() { Severity::Error } else { Severity::Warning };
    found.iter().any(|path| is_left_out(path) && !renamed.contains(path)).then_some(severity)
}

/// Lines above a rule in which the files that it is for are named.
const SCOPE: u32 = 8;

/// Whether a rule that the change writes is for files alone that the change adds too: `files: ["tools/**/*.ts"]` above it. For them it was
/// never on.
fn is_for_new_files(change: &Change, file: &File, text: &str, line: u32) -> bool {
    let added: Vec<u32> = file.changed_lines().into_iter().flatten().collect();
    let lines: Vec<&str> = text.lines().collect();
    let near = (line.saturating_sub(SCOPE).max(1)..line).rev().take_while(|at| added.contains(at));
    let scope = near.filter_map(|at| lines.get(at as usize - 1)).find(|line| line.trim_start().starts_with("files:"));
    let Some(scope) = scope else { return false };
    let globs: Vec<&str> = scope.split(['"', '\'', '`']).skip(1).step_by(2).collect();
    !globs.is_empty() && change.repo(Side::Before).find(&globs, 1).is_empty()
}

fn finding(path: &str, loosened: &Loosened, severity: Severity) -> Finding {
    let message = format!("{path}: {}", loosened.what);
    let help = match loosened.rule {
        "limit-loosened" => "Leave the limit as it is, and change the code so that it holds.",
        "files-excluded" => "Leave the file to the checker, and fix what it finds.",
        _ => "Leave the check as it is, and fix what it finds in the code.",
    };
    let finding = Finding::error(loosened.rule, message).at(path, loosened.line).help(help);
    Finding { severity, ..finding }
}

/// Commands of Makefiles and of `package.json`.
fn tasks(change: &Change, file: &File) -> Vec<Finding> {
    let path = file.path();
    let (Ok(before), Ok(after)) = (file.before().text(), file.after().text()) else { return Vec::new() };
    let (old, new) = (scripts::lines(path, &before), scripts::lines(path, &after));
    let silent = silenced::lines(&old, &new);
    let mut findings: Vec<Finding> = silent.iter().map(|(line, number)| may_fail(path, line, *number)).collect();
    findings.extend(silenced::piped(&old, &new).iter().map(|(line, number)| piped(path, line, *number)));
    // A command may go on in lines that name none.
    let all = |text: &str, commands: Vec<(String, u32)>| match file.name() == "package.json" {
        true => commands,
        false => {
            (1..).zip(text.lines()).map(|(at, line)| (line.trim().trim_start_matches('@').to_owned(), at)).collect()
        }
    };
    findings.extend(weaker(change, path, &all(&before, old), &all(&after, new)));
    if file.name() == "package.json" {
        let emptied = scripts::emptied(&before, &after);
        findings.extend(emptied.into_iter().map(|(name, line)| {
            let message = format!("{path}: the script `{name}` checked something, and only prints now");
            Finding::error("check-silenced", message)
                .at(path, line)
                .help("Let the script run what it ran, and fix what it finds.")
        }));
    }
    findings
}

/// Commands whose options make them find less, but for what the same change writes into another file.
fn weaker(change: &Change, path: &str, old: &[(String, u32)], new: &[(String, u32)]) -> Vec<Finding> {
    let moved = |(option, value): &(String, String)| {
        let plain = |text: &str| text.trim_matches('-').replace('_', "-").to_ascii_lowercase();
        let says = |line: &str| {
            let line = plain(line);
            let name = plain(option);
            let last = name.strip_prefix("cov-").unwrap_or(&name);
            line.contains(&plain(value)) && (line.contains(last) || name.len() == 1)
        };
        let count = |version: guard_sdk::Version| match version.is_regular() {
            true => version.text().map_or(0, |text| text.lines().filter(|line| says(line)).count()),
            false => 0,
        };
        change.files().filter(|file| file.path() != path).any(|file| count(file.after()) > count(file.before()))
    };
    let found = options::loosened(old, new).into_iter().filter(|one| !moved(&one.option));
    found
        .map(|one| {
            let loosened = Loosened { rule: one.rule, what: one.what, line: one.line, excluded: None, is_mild: false };
            finding(path, &loosened, Severity::Error)
        })
        .collect()
}

fn may_fail(path: &str, command: &str, line: u32) -> Finding {
    let shown: String = command.chars().take(80).collect();
    let (message, help) = match commands::is_updating(command) {
        true => (
            format!("{path}: `{shown}` writes what it finds as what is expected"),
            "Let the command compare as before, and update what is expected by hand.",
        ),
        false => (
            format!("{path}: `{shown}` may fail now, and nobody is told"),
            "Let the command fail as before, and fix what it finds.",
        ),
    };
    Finding::error("check-silenced", message).at(path, line).help(help)
}

fn piped(path: &str, command: &str, line: u32) -> Finding {
    let shown: String = command.chars().take(80).collect();
    let message =
        format!("{path}: `{shown}` fails when the last command of the pipe does, and not when the first one does");
    let help = "Begin with `set -o pipefail`, name a shell that has it, or write into a file and show that.";
    Finding::error("status-lost", message).at(path, line).help(help)
}

fn steps(change: &Change, workflows: &[&File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (mut before, mut after): (Vec<Step>, Vec<Step>) = Default::default();
    let mut lost = Vec::new();
    for file in workflows {
        let path = file.path();
        let text =
            |version: guard_sdk::Version| if version.is_regular() { version.text().ok() } else { Some(String::new()) };
        let (Some(old), Some(new)) = (text(file.before()), text(file.after())) else { continue };
        let read = |text: &str| if text.is_empty() { Some(Vec::new()) } else { workflow::steps(text) };
        let (Some(old_steps), Some(new_steps)) = (read(&old), read(&new)) else {
            findings.push(Finding::info("not-judged", format!("{path} was not judged: it does not parse")).file(path));
            // What cannot be read may check anything.
            return findings;
        };
        for step in silenced::steps(&old_steps, &new_steps) {
            let command = step.lines.first().map_or("the action", |(line, _)| line);
            findings.push(may_fail(path, command, step.line));
        }
        let numbered = |text: &str| (1..).zip(text.lines()).map(|(at, line)| (bare(line), at)).collect::<Vec<_>>();
        let silent = silenced::lines(&numbered(&old), &numbered(&new));
        // A shell that is named stops at any command of a pipe, and so does one that is told to.
        if !["pipefail", "shell: bash", "shell: pwsh"].iter().any(|sign| new.contains(sign)) {
            let lost = silenced::piped(&numbered(&old), &numbered(&new));
            findings.extend(lost.iter().map(|(line, number)| piped(path, line, *number)));
        }
        findings.extend(silent.iter().map(|(line, number)| may_fail(path, line, *number)));
        findings.extend(weaker(change, path, &numbered(&old), &numbered(&new)));
        lost.push((path, workflow::checks(&old_steps), workflow::checks(&new_steps)));
        before.extend(old_steps);
        after.extend(new_steps);
    }
    let (had, has) = (workflow::checks(&before), workflow::checks(&after));
    let gone = commands::Check::ALL.into_iter().filter(|check| had.contains(check) && !has.contains(check));
    let mut gone: Vec<commands::Check> = gone.collect();
    if !gone.is_empty() {
        let elsewhere = elsewhere(change, workflows);
        gone.retain(|check| !elsewhere.contains(check));
    }
    for check in gone {
        let path = lost
            .iter()
            .find(|(_, was, is)| was.contains(&check) && !is.contains(&check))
            .map_or("", |(path, _, _)| path);
        let message = format!("no workflow {} any more: {path} did", check.does());
        let finding = Finding::error("check-removed", message).file(path).help("Keep the step, and fix what it finds.");
        // A command that is not known here, and says that it checks something, may be another tool for it.
        let is_replaced = workflows.iter().any(|file| file.path() == path && replaces(file, check));
        findings.push(if is_replaced { Finding { severity: Severity::Warning, ..finding } } else { finding });
    }
    findings
}

/// Whether a line that checked this has another command in its place that seems to check something.
fn replaces(file: &File, check: commands::Check) -> bool {
    let (Ok(before), Ok(after)) = (file.before().text(), file.after().text()) else { return false };
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let part = |lines: &[&str], start: u32, count: u32| -> Vec<String> {
        lines.iter().skip(start.saturating_sub(1) as usize).take(count as usize).map(|line| bare(line)).collect()
    };
    file.hunks().iter().any(|hunk| {
        let went = part(&before, hunk.old_start, hunk.old_lines);
        let came = part(&after, hunk.new_start, hunk.new_lines);
        went.iter().any(|line| commands::from_line(line) == Some(check))
            && came.iter().any(|line| !line.starts_with("name:") && commands::seems_to_check(line))
    })
}

/// `- run: pytest` as `pytest`.
fn bare(line: &str) -> String {
    let line = line.trim().trim_start_matches("- ");
    line.strip_prefix("run:").unwrap_or(line).trim().to_owned()
}

/// What the workflows check that the change leaves alone, and hooks that run on a server.
fn elsewhere(change: &Change, workflows: &[&File]) -> Vec<commands::Check> {
    let repo = change.repo(Side::After);
    let others = repo.find(&workflow::GLOBS, 100);
    let untouched = others.iter().filter(|path| !workflows.iter().any(|file| file.path() == path.as_str()));
    let steps: Vec<Step> = untouched.filter_map(|path| workflow::steps(&repo.text(path).ok()?)).flatten().collect();
    workflow::checks(&steps)
}
