//! Runs the detectors of issues on trees.

use std::cell::RefCell;
use std::collections::BTreeMap;

use guardhost_core::audit::Measurement;
use guardhost_core::change::{GuardVerdict, Inapplicable, NullObserver, Oid, RepoPath, Tree};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_engine::{JudgeContext, guard};
use guardhost_git::{Head, Repo, candidate};
use guardhost_pipeline::fix::detect::{DetectorResult, Scan, Scanned, seen};
use guardhost_pipeline::fix::issue::{Detector, Issue};
use guardhost_pipeline::fix::source::{ScannerFinding, sarif};
use guardhost_pipeline::measure::{MeasureRequest, measured};
use guardhost_policy::{ConfiguredTools, Policy, toolchain};
use guardhost_toolchain::{SandboxLimits, Toolchain, ToolchainFailure};

use crate::cli::FixArgs;
use crate::command::run::gate;
use crate::context::CommandContext;

/// Exit codes of scanners that looked: 0, and 1 when there are findings.
const LOOKED: [u8; 2] = [0, 1];

/// What is scanned once is not scanned again.
pub struct Detectors<'a> {
    pub repo: &'a Repo,
    pub ctx: &'a CommandContext<'a>,
    pub args: &'a FixArgs,
    pub policy: &'a Policy,
    /// The commit before the first fix, and the tree of the rules.
    pub base: &'a Head,
    pub rules: Oid,
    toolchain: Toolchain,
    scans: RefCell<BTreeMap<(String, Oid), Scan>>,
}

impl<'a> Detectors<'a> {
    pub fn new(
        repo: &'a Repo,
        ctx: &'a CommandContext<'a>,
        args: &'a FixArgs,
        policy: &'a Policy,
        (base, rules): (&'a Head, Oid),
    ) -> Self {
        let toolchain = toolchain(ctx.process, repo, ConfiguredTools::default());
        Detectors { repo, ctx, args, policy, base, rules, toolchain, scans: RefCell::default() }
    }

    /// Whether the detector of an issue reports it on `tree`.
    ///
    /// # Errors
    /// Of the repository; an interruption.
    pub fn seen(&self, issue: &Issue, tree: Oid) -> Result<DetectorResult> {
        let (before, after) = match (self.scan(&issue.detector, self.base.tree)?, self.scan(&issue.detector, tree)?) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(why), _) | (_, Err(why)) => return Ok(DetectorResult::Unknown(why)),
        };
        let line = |tree: Oid| move |finding: &ScannerFinding| self.line(tree, finding);
        let (old, new) = (line(self.base.tree), line(tree));
        Ok(seen(issue, &Scanned { findings: &before, line: &old }, &Scanned { findings: &after, line: &new }))
    }

    fn line(&self, tree: Oid, finding: &ScannerFinding) -> Option<String> {
        let store = self.repo.store();
        let objects: &dyn guardhost_core::change::Objects = &*store;
        let entry = objects.entry(tree, finding.path.as_ref()?).ok()??;
        let text = objects.blob(entry.oid).ok()?;
        let at = usize::try_from(finding.line?).ok()?.checked_sub(1)?;
        String::from_utf8_lossy(&text).lines().nth(at).map(str::to_owned)
    }

    fn scan(&self, detector: &Detector, tree: Oid) -> Result<Scan> {
        let key = (format!("{detector:?}"), tree);
        if let Some(known) = self.scans.borrow().get(&key) {
            return Ok(known.clone());
        }
        let scan = match detector {
            Detector::None => Err("no detector is named for it".to_owned()),
            Detector::Scanner => self.scanner(tree)?,
            Detector::Guard(id) => self.guard(id, tree)?,
            Detector::Metric(id) => self.metric(id, tree)?,
        };
        self.scans.borrow_mut().insert(key, scan.clone());
        Ok(scan)
    }

    fn scanner(&self, tree: Oid) -> Result<Scan> {
        let Some(command) = &self.args.detector else {
            return Ok(Err("the scanner was not run again: --detector names its command".to_owned()));
        };
        let limits = SandboxLimits { stop: self.ctx.process.stop.clone(), ..SandboxLimits::default() };
        let tree = Tree { objects: self.repo.store(), oid: tree };
        let report = match self.toolchain.command(&tree, command, &limits)? {
            Ok(report) => report,
            Err(ToolchainFailure::Unavailable(why)) => return Err(could_not_look("the scanner", &why)),
            Err(ToolchainFailure::TimedOut(limit)) => {
                return Ok(Err(format!("the scanner did not end within {} s", limit.as_secs())));
            }
            Err(ToolchainFailure::Stopped(stopped)) => return Err(stopped.into_error("running the scanner")),
        };
        Ok(match &report.not_run {
            Some(why) => return Err(could_not_look("the scanner", why)),
            None if !LOOKED.contains(&report.code) => Err(format!("the scanner ended with exit code {}", report.code)),
            None => sarif(report.output.as_bytes(), &[&report.root])
                .map_err(|why| format!("what the scanner printed: {why}")),
        })
    }

    /// A guard judges what a change brings in: here the whole tree.
    fn guard(&self, id: &str, tree: Oid) -> Result<Scan> {
        let gate = match gate(self.repo, self.base, self.rules, &[id.to_owned()], self.ctx) {
            Ok(gate) => gate,
            Err(error) => return Ok(Err(format!("{error:#}"))),
        };
        let whole = candidate(self.repo, None, self.repo.empty_tree()?, tree)?;
        let judgement = guard(&whole, gate.guards(), &JudgeContext { task: None, observer: &NullObserver });
        gate.guards().stop().check().map_err(|stopped| stopped.into_error("asking a guard"))?;
        let mut findings = Vec::new();
        for evidence in judgement.evidence {
            match evidence.verdict {
                GuardVerdict::Pass(found) | GuardVerdict::Reject(found) => {
                    findings.extend(found.into_iter().map(|finding| ScannerFinding {
                        rule: finding.rule,
                        path: finding.path.as_deref().map(RepoPath::from_form),
                        line: finding.line,
                        message: finding.message,
                        ..ScannerFinding::default()
                    }))
                }
                GuardVerdict::NotApplicable(
                    Inapplicable::NoFile(_) | Inapplicable::OtherStage(_) | Inapplicable::NothingHere(_),
                ) => {}
                GuardVerdict::NotApplicable(Inapplicable::NotCalled(why) | Inapplicable::NotOffered(why)) => {
                    return Ok(Err(format!("the guard {id} did not look: {why}")));
                }
                GuardVerdict::Error { message, .. } => return Ok(Err(format!("the guard {id} failed: {message}"))),
            }
        }
        Ok(Ok(findings))
    }

    fn metric(&self, id: &str, tree: Oid) -> Result<Scan> {
        let wanted = MeasureRequest { runs_code: !self.args.no_builds, metrics: &[id.to_owned()] };
        let analyzers = self.ctx.policies().analyzers(self.repo, wanted.runs_code)?;
        let audit = match measured(self.repo, self.policy, &analyzers, tree, &wanted) {
            Ok(audit) => audit,
            Err(error) => {
                self.ctx.process.stop.check().map_err(|stopped| stopped.into_error("measuring the tree"))?;
                return Ok(Err(format!("{error:#}")));
            }
        };
        let mut findings = Vec::new();
        for metric in audit.metrics {
            match metric.measurement {
                Measurement::Measured(points) => {
                    findings.extend(points.into_iter().filter(|point| point.earned < point.possible).map(|point| {
                        ScannerFinding {
                            rule: point.rule,
                            path: point.path,
                            line: point.line,
                            message: point.message,
                            ..ScannerFinding::default()
                        }
                    }))
                }
                Measurement::NotMeasured(why) => return Ok(Err(format!("{id} was not measured: {why}"))),
                Measurement::Failed { message, .. } => return Ok(Err(format!("{id} was not measured: {message}"))),
            }
        }
        Ok(Ok(findings))
    }
}

/// A detector that a person named, and that this machine cannot run: no issue is told to be gone, or to be there, by it.
fn could_not_look(what: &str, why: &str) -> Error {
    Fault::new(FaultKind::GuardRun, format!("{what} could not look: {why}"))
        .hint("install what is missing, and continue with --resume; without --detector no issue is verified")
        .into()
}
