//! Whether every project builds.

use guard_sdk::analysis::{Measurement, Point, Tree};
use guard_sdk::{BuildReport, Side};

use crate::cause::Cause;
use crate::source::{around, defined_elsewhere};
use crate::{folder, not_measured, unready, worth};

/// Errors of one build that are shown.
const MOST: usize = 6;

/// Bytes of the output's end that are shown where no error could be read out of it.
const OUTPUT: usize = 1_000;

pub fn measure(tree: &Tree) -> Result<Measurement, String> {
    let reports = match tree.toolchain().build(Side::After) {
        Ok(reports) => reports.into_iter().map(unready::build).collect::<Vec<_>>(),
        Err(denied) => return not_measured(denied),
    };
    let well: Vec<bool> = reports.iter().filter(|report| report.not_run.is_none()).map(|report| report.is_ok).collect();
    if well.is_empty() {
        let reasons: Vec<String> = reports
            .iter()
            .filter_map(|report| Some(format!("{}: {}", report.tool, report.not_run.as_ref()?)))
            .collect();
        return Ok(Measurement::NotMeasured(match reasons.is_empty() {
            true => "there is no project with a build that is known here".to_owned(),
            false => reasons.join("; "),
        }));
    }
    let mut worth = worth(&well).into_iter();
    let mut points = Vec::new();
    for report in &reports {
        match &report.not_run {
            Some(why) => {
                let message = format!("{} was not run in {}: {why}", report.tool, folder(&report.project));
                points.push(Point::part("not-run", 0, 0, message));
            }
            None => points.extend(from_report(report, worth.next().unwrap_or_default(), tree)),
        }
    }
    Ok(Measurement::Measured(points))
}

fn from_report(report: &BuildReport, possible: u32, tree: &Tree) -> Vec<Point> {
    let BuildReport { tool, project, .. } = report;
    if report.is_ok {
        return vec![Point::earned("builds", possible, format!("{tool} builds {}", folder(project)))];
    }
    let count = report.diagnostics.len();
    let message = format!("{tool} fails in {} with {count} errors", folder(project));
    let help = match count {
        0 => format!("Fix the build. The end of its output:\n{}", end(&report.output)),
        _ => "Fix the build before anything else: nothing else can be relied on.".to_owned(),
    };
    let mut points = vec![Point::missed("builds", possible, message, help)];
    for error in report.diagnostics.iter().take(MOST) {
        let cause = Cause::from_message(&error.message);
        let mut point = Point::part("build-error", 0, 0, format!("[{}] {}", cause.tag(), error.message));
        let path = error.path.as_deref().map(|path| in_project(project, path)).filter(|path| tree.has(path));
        let mut help = Vec::new();
        if let Some(path) = path {
            point = point.at(&path);
            if let Some(line) = error.line.filter(|line| *line > 0) {
                point = point.line(line);
                help.extend(around(tree, &path, line));
            }
        }
        help.extend(defined_elsewhere(tree, &error.message));
        points.push(point.help(help.join("\n")));
    }
    points
}

fn in_project(project: &str, path: &str) -> String {
    if project.is_empty() || path.starts_with(&format!("{project}/")) {
        path.to_owned()
    } else {
        format!("{project}/{path}")
    }
}

fn end(output: &str) -> &str {
    let mut start = output.len().saturating_sub(OUTPUT);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    &output[start..]
}
