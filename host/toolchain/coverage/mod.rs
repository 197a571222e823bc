//! Which lines the tests of a tree go over.
//!
//! The tool that counts them is the machine's; the tree's own configuration of it is not read. What it leaves is what the process of the
//! tests says: it shows that a line was run, and a test that wants to can write the file itself.

mod go;
mod lines;
mod v8;

use std::collections::BTreeMap;

use guardhost_core::change::Candidate;
use guardhost_core::error::Result;
use serde::{Deserialize, Serialize};

use crate::job::{FinishedJob, ProjectTool};
use crate::job_dirs::BuildCache;
use crate::projects::{ProjectFiles, join};
use crate::report::{NotRun, TestReport, ToolReport, output_tail};
use crate::request::{Keep, TestSelection, ToolchainRequest};
use crate::runners::{TestRunner, covered};
use crate::sandbox::SandboxLimits;
use crate::{ToolReports, Toolchain, touched};

use v8::V8Range;

/// How a tool writes down what it counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageFormat {
    /// The host's own reporters, by coverage.py: JSON with the lines of each file.
    Python,
    /// The host's own reporters, by Ruby's `coverage`: the same.
    Ruby,
    /// `go test -coverprofile`.
    Go,
    /// Node's `NODE_V8_COVERAGE`: one file for each process.
    V8,
}

/// What the tests of one project go over, of the files that the change touches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageReport {
    pub runner: String,
    pub project: String,
    /// Why nothing is known.
    pub not_known: Option<String>,
    pub files: Vec<FileLines>,
    /// What the tool wrote, before it is put beside the texts of the tree.
    #[serde(skip)]
    counted: BTreeMap<String, CountedLines>,
    #[serde(skip)]
    format: Option<CoverageFormat>,
}

/// Lines of one file, each in one list at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLines {
    pub path: String,
    pub run: Vec<u32>,
    pub not_run: Vec<u32>,
}

/// What a tool says of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum CountedLines {
    /// How often each line was run.
    Lines(BTreeMap<u32, u64>),
    /// Spans of the text, of each process that loaded it.
    Spans(Vec<Vec<V8Range>>),
}

impl Toolchain {
    /// Which lines of the touched files the tests of a side go over, run anew each time.
    pub fn coverage(
        &self,
        candidate: &Candidate,
        of_base: bool,
        selection: &TestSelection,
        limits: &SandboxLimits,
    ) -> ToolReports<CoverageReport> {
        let context = self.job_context(candidate, if of_base { candidate.base_tree } else { candidate.tree });
        let jobs = self.test_jobs(&context, candidate, selection)?;
        let (mut known, mut reports) = (Vec::new(), Vec::new());
        for job in jobs {
            match job.and_then(covered) {
                Ok(job) => known.push(Ok(job)),
                Err(missing) => {
                    reports.push(CoverageReport::without_result(
                        missing.tool,
                        &missing.project,
                        Some(missing.why),
                        &[],
                    ));
                }
            }
        }
        let (keep, build_cache) = (Keep::No, BuildCache::Copy);
        let request = ToolchainRequest { context: &context, keep, build_cache, limits };
        let ran = match self.run_jobs::<CoverageReport>(known, &request)? {
            Ok(ran) => ran,
            Err(failure) => return Ok(Err(failure)),
        };
        for mut report in ran {
            report.put_beside(context.files, candidate)?;
            reports.push(report);
        }
        Ok(Ok(reports))
    }
}

impl CoverageReport {
    /// Fills in `files`.
    fn put_beside(&mut self, files: ProjectFiles, candidate: &Candidate) -> Result<()> {
        let counted = std::mem::take(&mut self.counted);
        if self.not_known.is_some() {
            return Ok(());
        }
        let module = files.text(&self.project, "go.mod")?.and_then(|text| go::module(&text));
        let below = join(&self.project, "");
        let paths = touched(candidate).filter_map(|path| path.as_str());
        for path in paths.filter(|path| path.starts_with(&below) || self.project.is_empty()) {
            let Some(text) = files.text("", path)? else { continue };
            let inside = path.strip_prefix(&below).unwrap_or(path);
            let name = match &module {
                Some(module) => format!("{module}/{inside}"),
                None => path.to_owned(),
            };
            let lines = match counted.get(&name) {
                Some(CountedLines::Lines(lines)) => lines.clone(),
                Some(CountedLines::Spans(processes)) => v8::lines(&text, processes),
                None if self.reads(path) => lines::never_loaded(&text),
                None => continue,
            };
            self.files.push(FileLines::new(path, lines));
        }
        Ok(())
    }

    /// Whether its tool would have told of a file if any test had loaded it.
    fn reads(&self, path: &str) -> bool {
        let ending = path.rsplit('.').next().unwrap_or_default();
        match self.format {
            Some(CoverageFormat::Python) => ending == "py",
            Some(CoverageFormat::Ruby) => ending == "rb",
            // Packages without tests are in the profile too: what is not there is not built on this system.
            Some(CoverageFormat::Go) | None => false,
            Some(CoverageFormat::V8) => matches!(ending, "js" | "mjs" | "cjs"),
        }
    }
}

impl FileLines {
    fn new(path: &str, lines: BTreeMap<u32, u64>) -> Self {
        let (run, not_run): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(_, count)| *count > 0);
        let numbers = |lines: Vec<(u32, u64)>| lines.into_iter().map(|(line, _)| line).collect();
        FileLines { path: path.to_owned(), run: numbers(run), not_run: numbers(not_run) }
    }
}

impl ToolReport for CoverageReport {
    type Tool = TestRunner;

    fn read(finished: &FinishedJob<TestRunner>) -> Self {
        let tool = finished.job.tool.clone();
        let format = finished.job.coverage;
        let report = |not_known, counted| CoverageReport {
            not_known,
            counted,
            format,
            ..CoverageReport::without_result(tool, &finished.job.project, None, &[])
        };
        let counted = match (&finished.coverage, format) {
            (Err(why), _) => Err(why.clone()),
            (Ok(_), None) => Err("it was not asked for lines".to_owned()),
            (Ok(files), Some(CoverageFormat::Python | CoverageFormat::Ruby)) => lines::read(finished, files),
            (Ok(files), Some(CoverageFormat::Go)) => go::read(files),
            (Ok(files), Some(CoverageFormat::V8)) => v8::read(finished, files),
        };
        let tests = TestReport::read(finished);
        match counted {
            // A reason of the tool's own says more than that its tests are not all there.
            Err(why) => report(Some(why), BTreeMap::new()),
            Ok(_) if !tests.complete => {
                let why = tests.output.lines().last().unwrap_or("nothing was said").to_owned();
                report(Some(format!("its tests did not run to their end: {why}")), BTreeMap::new())
            }
            Ok(counted) => report(None, counted),
        }
    }

    fn without_result(tool: TestRunner, project: &str, not_run: Option<NotRun>, output: &[u8]) -> Self {
        let why = not_run.map_or_else(|| output_tail(output), |not_run| not_run.why().to_owned());
        let not_known = Some(why).filter(|why| !why.is_empty());
        CoverageReport { runner: tool.name().to_owned(), project: project.to_owned(), not_known, ..Self::default() }
    }

    fn is_complete(&self) -> bool {
        self.not_known.is_none()
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        self.not_known.iter_mut().collect()
    }
}
