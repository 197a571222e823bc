//! At least one sample of every report, with every part that a report can have.

pub mod audit;
pub mod author;
pub mod backtest;
pub mod check;
pub mod fix;
pub mod fleet;
pub mod guards;
pub mod init;
pub mod log;
pub mod pins;
pub mod pull;
pub mod replay;
pub mod review;
pub mod run;
pub mod stats;
mod suggest;

use anyhow::Context as _;
use guardhost_core::error::{Error, Fault, FaultKind};
use guardhost_core::setting::Frame;
use guardhost_report::{
    AuthorReport, DoctorReport, DoctorRow, ExplainReport, FileState, Health, InstallReport, InstalledFile, Report,
};

/// Samples of every variant, by name. A new variant does not compile until it is listed, and a variant without a sample of its
/// own panics.
macro_rules! samples {
    ($report:ident { $($variant:ident => [$(($name:expr, $sample:expr)),+ $(,)?],)+ }) => {{
        let _every_variant_is_listed = |report: &$report| match report { $($report::$variant { .. } => (),)+ };
        let mut all: Vec<(&'static str, $report)> = Vec::new();
        $($({
            let sample: $report = $sample;
            assert!(matches!(sample, $report::$variant { .. }), "{} is no {}", $name, stringify!($variant));
            all.push(($name, sample));
        })+)+
        all
    }};
}

pub fn reports() -> Vec<(&'static str, Report)> {
    let mut all = samples!(Report {
        Check => [
            ("check-rejected", Report::Check(check::check())),
            ("check-accepted", Report::Check(check::accepted())),
            ("check-triage", Report::Check(check::triaged())),
            ("check-refused", Report::Check(check::check_refused())),
        ],
        Apply => [("apply", Report::Apply(check::apply())), ("apply-misfit", Report::Apply(check::apply_misfit()))],
        Run => [("run", Report::Run(Box::new(run::run())))],
        Plan => [("plan", Report::Plan(Box::new(run::plan())))],
        MadePlan => [("made-plan", Report::MadePlan(Box::new(run::made_plan())))],
        Improve => [("improve", Report::Improve(Box::new(run::improve())))],
        Review => [
            ("review", Report::Review(Box::new(review::refused()))),
            ("review-approved", Report::Review(Box::new(review::approved()))),
        ],
        Replay => [
            ("replay", Report::Replay(Box::new(replay::same()))),
            ("replay-different", Report::Replay(Box::new(replay::different()))),
            ("replay-commit", Report::Replay(Box::new(replay::commit()))),
            ("replay-exported", Report::Replay(Box::new(replay::exported()))),
            ("replay-attestation", Report::Replay(Box::new(replay::attestation()))),
        ],
        Fix => [
            ("fix", Report::Fix(Box::new(fix::part()))),
            ("fix-resolved", Report::Fix(Box::new(fix::resolved()))),
        ],
        Pull => [
            ("pull", Report::Pull(Box::new(pull::opened()))),
            ("pull-rejected", Report::Pull(Box::new(pull::rejected()))),
        ],
        PullStatus => [
            ("pull-status", Report::PullStatus(Box::new(pull::standing()))),
            ("pull-status-none", Report::PullStatus(Box::new(pull::not_open()))),
        ],
        Queue => [("queue", Report::Queue(Box::new(pull::queue())))],
        Watch => [
            ("watch", Report::Watch(Box::new(pull::watched()))),
            ("watch-success", Report::Watch(Box::new(pull::built()))),
        ],
        Patch => [
            ("patch-staged", Report::Patch(Box::new(run::patch_staged()))),
            ("patch-rejected", Report::Patch(Box::new(run::patch_rejected()))),
            ("patch-misfit", Report::Patch(Box::new(run::patch_misfit()))),
        ],
        Log => [("log", Report::Log(log::listed())), ("log-shared", Report::Log(log::shared())), ("log-rulings", Report::Log(stats::remembered()))],
        LogRun => [
            ("log-run", Report::LogRun { run: Box::new(log::details()) }),
            ("log-run-killed", Report::LogRun { run: Box::new(log::killed_details()) }),
            ("log-run-part", Report::LogRun { run: Box::new(log::details_with_part()) }),
            ("log-run-plan", Report::LogRun { run: Box::new(log::plan_details()) }),
        ],
        SharedRun => [
            ("log-run-elsewhere", Report::SharedRun { run: Box::new(log::elsewhere()) }),
            ("log-run-fetched", Report::SharedRun { run: Box::new(log::fetched()) }),
        ],
        Backtest => [
            ("backtest", Report::Backtest(Box::new(backtest::pulls()))),
            ("backtest-interrupted", Report::Backtest(Box::new(backtest::interrupted()))),
        ],
        Suggest => [
            ("guard-suggest", Report::Suggest(Box::new(suggest::suggested()))),
            ("guard-suggest-nothing", Report::Suggest(Box::new(suggest::nothing()))),
        ],
        Init => [("init", Report::Init(Box::new(init::written()))), ("init-dry-run", Report::Init(Box::new(init::dry_run())))],
        Diff => [("diff", Report::Diff(Box::new(log::diff())))],
        Taken => [
            ("accept", Report::Taken(Box::new(log::accepted()))),
            ("accept-merged", Report::Taken(Box::new(log::merged()))),
            ("accept-part", Report::Taken(Box::new(log::part_taken()))),
            ("accept-rejected", Report::Taken(Box::new(log::not_taken()))),
            ("discard", Report::Taken(Box::new(log::discarded()))),
        ],
        Guards => [("guards", Report::Guards(guards::guard_list()))],
        GuardInfo => [("guard-info", Report::GuardInfo { guard: Box::new(guards::guard_info()) })],
        LanguageInfo => [("language-info", Report::LanguageInfo { language: Box::new(guards::language_info()) })],
        Explain => [("explain-all", Report::Explain(guards::explain_all()))],
        Pins => [
            ("pins-update", Report::Pins(Box::new(pins::update()))),
            ("pins-verify", Report::Pins(Box::new(pins::verified()))),
            ("pins-lock", Report::Pins(Box::new(pins::locked()))),
        ],
        Author => [("author-new", Report::Author(Box::new(AuthorReport::NewGuard(author::new_guard()))))],
        Doctor => [("doctor", Report::Doctor(doctor()))],
        Install => [("install", Report::Install(install()))],
        Audit => [("audit", Report::Audit(audit::audit()))],
        Submit => [
            ("submit", Report::Submit(Box::new(fleet::rejected()))),
            ("submit-dead", Report::Submit(Box::new(fleet::dead()))),
        ],
        Fleet => [
            ("fleet", Report::Fleet(Box::new(fleet::fleet()))),
            ("fleet-idle", Report::Fleet(Box::new(fleet::idle()))),
        ],
        Stats => [
            ("stats", Report::Stats(Box::new(stats::stats()))),
            ("stats-nothing", Report::Stats(Box::new(stats::nothing()))),
        ],
        Failure => [("failure", failure()), ("failure-of-settings", failure_of_settings())],
    });
    let explained = samples!(ExplainReport {
        All => [("explain-all", guards::explain_all())],
        Guard => [("explain-guard", guards::explain_guard())],
        Rule => [("explain-rule", guards::explain_rule())],
    });
    all.extend(explained.into_iter().skip(1).map(|(name, report)| (name, Report::Explain(report))));
    let authored = samples!(AuthorReport {
        NewGuard => [("author-new", AuthorReport::NewGuard(author::new_guard()))],
        Built => [("author-build", AuthorReport::Built(author::built()))],
        CaseResults => [("author-test", AuthorReport::CaseResults(author::case_results()))],
        Range => [("author-run", AuthorReport::Range(author::range()))],
        BenchResult => [("author-bench", AuthorReport::BenchResult(author::bench()))],
        Certificate => [("author-certify", AuthorReport::Certificate(author::certificate()))],
    });
    all.extend(authored.into_iter().skip(1).map(|(name, report)| (name, Report::Author(Box::new(report)))));
    all
}

fn install() -> InstallReport {
    let file = |target, path: &str, state| InstalledFile { target, path: path.into(), state };
    InstallReport {
        dry_run: true,
        files: vec![
            file("git", "/repo/.git/hooks/pre-commit", FileState::Created),
            file("claude", "/repo/.claude/settings.local.json", FileState::Changed),
            file("claude", "/repo/.git/info/exclude", FileState::Changed),
            file("codex", "/repo/.codex/hooks.json", FileState::Created),
            file("codex", "/repo/.git/info/exclude", FileState::Changed),
            file("gemini", "/repo/.git/info/exclude", FileState::Unchanged),
        ],
        notices: vec!["commit the workflow".to_owned()],
    }
}

fn doctor() -> DoctorReport {
    let row = |name: &str, ok, detail: &str, hint: Option<&str>| DoctorRow {
        name: name.to_owned(),
        ok,
        detail: detail.to_owned(),
        hint: hint.map(str::to_owned),
    };
    let checks = vec![
        row("git", Health::Pass, "2.50.1", None),
        row("cache", Health::Warn, "is readable by others", Some("chmod 700 the cache")),
        row("provider", Health::Fail, "`claude` is not on the path", Some("install it, or name another")),
    ];
    DoctorReport { checks }
}

pub fn failure() -> Report {
    let cause = std::io::Error::other("no space left");
    let error = Err::<(), _>(cause)
        .context("cannot write the lock")
        .context(Fault::new(FaultKind::Config, "guards.lock is not up to date").hint("run `host guard lock`"));
    Report::Failure { error: (&error.unwrap_err()).into() }
}

fn failure_of_settings() -> Report {
    let text = "grants = [\"neet\"]";
    let fault = |what: &str, bytes| Fault {
        frame: Some(Box::new(Frame::around(text, bytes))),
        ..Fault::new(FaultKind::Config, what).hint("what can be granted is net, log")
    };
    let other = fault("guards.toml:1:1: another", 0..6);
    let first = fault("guards.toml:1:11: the guard `a` is granted `neet`", 10..16);
    Report::Failure { error: (&Error::from(Fault { others: vec![other], ..first })).into() }
}
