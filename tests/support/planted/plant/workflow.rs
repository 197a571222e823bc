//! Workflows that name what does not exist, or that gain rights.

use super::block::{depth, joined, lines};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, one};

fn is_workflow(path: &str) -> bool {
    path.starts_with(".github/workflows/") && path.ends_with(".yml")
}

/// A job by its lines: the key, and what is deeper.
struct Job {
    lines: std::ops::Range<usize>,
    /// Of the keys of the job.
    indent: usize,
}

fn jobs(all: &[&str]) -> Vec<Job> {
    let Some(start) = all.iter().position(|line| line.trim_end() == "jobs:") else { return Vec::new() };
    let filled = |at: &usize| !all[*at].trim().is_empty() && !all[*at].trim_start().starts_with('#');
    let end = (start + 1..all.len()).filter(filled).find(|at| depth(all[*at]) == 0).unwrap_or(all.len());
    let Some(first) = (start + 1..end).find(filled) else { return Vec::new() };
    let level = depth(all[first]);
    let heads: Vec<usize> = (first..end).filter(filled).filter(|at| depth(all[*at]) == level).collect();
    let to = |nth: usize| heads.get(nth + 1).copied().unwrap_or(end);
    let job = |(nth, at): (usize, &usize)| {
        let inner = (at + 1..to(nth)).find(filled)?;
        Some(Job { lines: *at..to(nth), indent: depth(all[inner]) })
    };
    heads.iter().enumerate().filter_map(job).collect()
}

impl Job {
    fn key(&self, all: &[&str], name: &str) -> Option<usize> {
        self.lines.clone().skip(1).find(|at| depth(all[*at]) == self.indent && all[*at].trim_start().starts_with(name))
    }

    /// The last step of a job that checks this repository out, with the indentation of its dash.
    fn end(&self, all: &[&str]) -> Option<(usize, usize)> {
        let steps = self.key(all, "steps:")?;
        let first = (steps + 1..self.lines.end).find(|at| all[*at].trim_start().starts_with("- "))?;
        let level = depth(all[first]);
        let end = (first + 1..self.lines.end)
            .filter(|at| !all[*at].trim().is_empty())
            .find(|at| depth(all[*at]) < level)
            .unwrap_or(self.lines.end);
        let mut end = end;
        while all[end - 1].trim().is_empty() {
            end -= 1;
        }
        Some((end, level))
    }

    fn text(&self, all: &[&str]) -> String {
        joined(&all[self.lines.clone()])
    }
}

fn edited(
    files: &Files,
    random: &mut Random,
    kind: &str,
    plant: impl Fn(&[&str], &Job, &mut Random) -> Option<(String, String)>,
) -> Option<Planted> {
    files.some(random, is_workflow).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let jobs = jobs(&all);
        let (after, what) = plant(&all, one(&jobs, random)?, random)?;
        let sound =
            after != text && parses(Format::Yaml, &text) != Some(false) && parses(Format::Yaml, &after) != Some(false);
        sound.then(|| Planted::new(&path, after, kind, what))
    })
}

fn with(all: &[&str], at: usize, added: &[String]) -> String {
    let mut after: Vec<String> = all[..at].iter().map(|line| (*line).to_owned()).collect();
    after.extend(added.iter().cloned());
    after.extend(all[at..].iter().map(|line| (*line).to_owned()));
    joined(&after)
}

pub fn job(files: &Files, random: &mut Random) -> Option<Planted> {
    edited(files, random, "needs", |all, job, _| {
        job.key(all, "needs:").is_none().then_some(())?;
        let line = format!("{}needs: prepare-everything", " ".repeat(job.indent));
        Some((with(all, job.lines.start + 1, &[line]), "needs prepare-everything".to_owned()))
    })
}

/// One step more at the end of a job.
fn step(
    files: &Files,
    random: &mut Random,
    kind: &str,
    steps: &[&str],
    suits: impl Fn(&str) -> bool,
) -> Option<Planted> {
    edited(files, random, kind, |all, job, random| {
        let (end, level) = job.end(all)?;
        suits(&job.text(all)).then_some(())?;
        let step = one(steps, random)?;
        Some((with(all, end, &[format!("{}- {step}", " ".repeat(level))]), (*step).to_owned()))
    })
}

pub fn reference(files: &Files, random: &mut Random) -> Option<Planted> {
    let steps = [
        "run: echo ${{ steps.prepare-everything.outputs.version }}",
        "run: echo ${{ needs.prepare-everything.outputs.version }}",
        "run: echo ${{ matrix.invented-axis }}",
    ];
    step(files, random, "expression", &steps, |job| !job.contains("fromJ") && !job.contains("include:"))
}

/// Whether the job has this repository as it is, and nothing that might bring more files.
fn is_plain(job: &str) -> bool {
    let other = [
        "with:\n          repository",
        "ref:",
        "path:",
        "download",
        "clone",
        "curl",
        "wget",
        "tar ",
        "unzip",
        "sparse",
        "working-directory",
        "cd ",
        "container",
    ];
    job.contains("actions/checkout") && !other.iter().any(|word| job.contains(word))
}

pub fn file(files: &Files, random: &mut Random) -> Option<Planted> {
    let steps = [
        "run: bash scripts/prepare-everything.sh",
        "run: python scripts/prepare_everything.py",
        "run: ./scripts/prepare-everything.sh",
        "uses: ./.github/actions/prepare-everything",
    ];
    step(files, random, "step", &steps, is_plain)
}

pub fn script(files: &Files, random: &mut Random) -> Option<Planted> {
    files.has("package.json").then_some(())?;
    let steps = ["run: npm run prepare-everything", "run: npm run check:everything"];
    step(files, random, "npm", &steps, is_plain)
}

pub fn input(files: &Files, random: &mut Random) -> Option<Planted> {
    let steps = [
        "run: echo \"${{ github.event.issue.title }}\"",
        "run: echo \"${{ github.event.pull_request.body }}\"",
        "run: ./notify.sh \"${{ github.event.comment.body }}\"",
        "run: git tag \"${{ github.head_ref }}\"",
    ];
    step(files, random, "expression", &steps, |_| true)
}

/// The whole of the rights, or those that were not granted.
pub fn rights(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_workflow).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        if all.iter().any(|line| line.contains("write")) {
            return None;
        }
        let at = all.iter().position(|line| line.starts_with("permissions:"));
        let (after, kind) = match (at, random.below(2)) {
            (Some(at), 0) => {
                let end = (at + 1..all.len()).find(|at| depth(all[*at]) == 0).unwrap_or(all.len());
                (joined(&[&all[..at], &["permissions: write-all"], &all[end..]].concat()), "write-all")
            }
            (Some(at), _) => {
                let read = (at + 1..all.len()).find(|at| all[*at].trim() == "contents: read")?;
                let line = all[read].replace("read", "write");
                (joined(&[&all[..read], &[line.as_str()], &all[read + 1..]].concat()), "contents: write")
            }
            (None, _) => {
                let jobs = all.iter().position(|line| line.trim_end() == "jobs:")?;
                (joined(&[&all[..jobs], &["permissions: write-all", ""], &all[jobs..]].concat()), "write-all")
            }
        };
        (parses(Format::Yaml, &after) != Some(false)).then(|| Planted::new(&path, after, kind, kind))
    })
}

pub fn trigger(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_workflow).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let at = all.iter().position(|line| line.trim_end() == "  pull_request:")?;
        // Where nothing is run, nothing of a stranger's is run.
        let runs = all.iter().any(|line| line.trim_start_matches([' ', '-']).starts_with("run:"));
        if !runs || text.contains("pull_request_target") || text.contains("github.event_name") {
            return None;
        }
        let after = joined(&[&all[..at], &["  pull_request_target:"], &all[at + 1..]].concat());
        Some(Planted::new(&path, after, "trigger", "pull_request became pull_request_target"))
    })
}

const CHECKOUT: &str = "name: label\non:\n  pull_request_target:\njobs:\n  label:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n      - run: make\n";

/// Files that few repositories have stand in the base of the change.
fn made(files: &Files, base: Option<&str>, text: &str, what: &str) -> Option<Planted> {
    let path = ".github/workflows/planted-label.yml";
    (!files.has(path))
        .then(|| Planted { base: base.map(str::to_owned), ..Planted::new(path, text.to_owned(), "made", what) })
}

pub fn checkout(files: &Files, _: &mut Random) -> Option<Planted> {
    made(files, None, CHECKOUT, "the head of a pull request is built with the secrets")
}

pub fn inherited(files: &Files, _: &mut Random) -> Option<Planted> {
    let head = "name: label\non: push\njobs:\n  label:\n    uses: octo-org/shared/.github/workflows/label.yml@v1\n";
    let base = format!("{head}    secrets:\n      token: ${{{{ secrets.LABEL_TOKEN }}}}\n");
    made(files, Some(&base), &format!("{head}    secrets: inherit\n"), "all secrets are passed")
}

pub fn unpinned(files: &Files, random: &mut Random) -> Option<Planted> {
    let pinned = files.some(random, is_workflow).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let is_pin = |line: &str| {
            let digest = line.split_once('@').map_or("", |(_, rest)| rest.split([' ', '#']).next().unwrap_or_default());
            line.contains("uses:")
                && !line.contains("./")
                && digest.len() == 40
                && digest.chars().all(|c| c.is_ascii_hexdigit())
        };
        let places: Vec<usize> = (0..all.len()).filter(|at| is_pin(all[*at])).collect();
        let at = *one(&places, random)?;
        let line = format!("{}@{}", all[at].split('@').next()?, one(&["v4", "main", "master"], random)?);
        let action = line.split('@').next()?.to_owned();
        // The same action elsewhere in the file may be named by a tag as well.
        let alone = all.iter().filter(|line| line.contains(&format!("{}@", action.trim()))).count() == 1;
        alone.then(|| {
            Planted::new(&path, joined(&[&all[..at], &[line.as_str()], &all[at + 1..]].concat()), "real", line.trim())
        })
    });
    let step = |version: &str| {
        format!(
            "name: label\non: push\njobs:\n  label:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/labeler@{version}\n"
        )
    };
    pinned.or_else(|| {
        made(files, Some(&step("8558fd74291d67161a8a78ce36a881fa63b766a9")), &step("v5"), "actions/labeler@v5")
    })
}
