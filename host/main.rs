//! The command line of Guardhost: read it, do it, show what came of it.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use guardhost_core::change::Observer;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_display::{Appearance, Terminal, render};
use guardhost_observer::client::Budget;
use guardhost_report::{HookReport, Report};
use host::cli::{
    self, AuthorCommand, Child, Cli, ColorWhen, Command, Global, GuardCommand, HookArgs, ProviderCommand, ReportArgs,
};
use host::command::{self, CommandContext};
use host::exit_code;
use host::interrupt::Interrupts;

/// As a shell says that a command could not be started.
const NOT_STARTED: u8 = 127;
/// Bytes. Guests have stacks of their own; a run of a debug build has used 0.7 MiB.
const STACK: usize = 4 << 20;

fn main() -> ExitCode {
    guardhost_os::allocate_in_steps();
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(version) = Cli::version(&words) {
        return ExitCode::from(if to_stdout(version.as_bytes()).is_ok() { 0 } else { 2 });
    }
    guardhost_os::with_stack(STACK, || work(&words)).unwrap_or_else(|error| {
        eprintln!("host: the system gives no thread: {error}");
        ExitCode::from(Kind::Git.exit_code())
    })
}

fn work(words: &[OsString]) -> ExitCode {
    // First of all, since a signal may come at any time. Children end with their parent.
    let interrupts = match Child::read(words) {
        Some(child) => return child.map_or_else(|error| explain(&error), run_child),
        None => Interrupts::listen(),
    };
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    verbose(&cli.global);
    let interrupts = match interrupts {
        Ok(interrupts) => interrupts,
        Err(error) => return finish(&failure(&error.into()), &cli.global),
    };
    let global = cli.global.clone();
    // What cannot be written is not: the process ends in any case.
    interrupts.work(move || drop(show(&failure(&Stopped::Interrupted.into_error("working")), &global)));
    if let Command::Hook(args) = &cli.command {
        return hook(args, &cli.global);
    }
    let report = process_env().and_then(|process| dispatch(&cli, &process, &interrupts));
    interrupts.report();
    match report {
        Ok(Some(report)) => finish(&report, &cli.global),
        Ok(None) => ExitCode::SUCCESS,
        Err(error) => finish(&failure(&error), &cli.global),
    }
}

/// Help and version are no errors, and go to standard output.
fn explain(error: &clap::Error) -> ExitCode {
    ExitCode::from(if error.print().is_ok() { error.exit_code() as u8 } else { 2 })
}

fn run_child(child: Child) -> ExitCode {
    match child {
        Child::Compile => compile(),
        Child::Supervise(args) => inside(guardhost_toolchain::supervise, &args.words),
        Child::Attend(args) => inside(guardhost_process::attend, &args.words),
        Child::Confine(args) => inside(guardhost_toolchain::confine, &args.words),
        Child::Suite(args) => inside(guardhost_toolchain::run_suite, &args.words),
    }
}

fn failure(error: &Error) -> Report {
    Report::Failure { error: error.into() }
}

fn finish(report: &Report, global: &Global) -> ExitCode {
    match show(report, global) {
        Ok(()) => ExitCode::from(exit_code::of_report(report)),
        Err(error) => {
            eprintln!("host: {error:#}");
            ExitCode::from(Kind::Git.exit_code())
        }
    }
}

/// A hook's answer is in the form of the program that started it. There is always one, and only one, within the deadline.
fn hook(args: &HookArgs, global: &Global) -> ExitCode {
    let answered = Arc::new(AtomicBool::new(false));
    let process = process_env();
    let (late, first) = (args.clone(), Arc::clone(&answered));
    let settings = process.as_ref().ok().and_then(|process| process.settings.clone());
    let deadline = command::hook_deadline(args);
    let watch = std::thread::Builder::new().name("deadline".to_owned()).spawn(move || {
        std::thread::sleep(deadline);
        if !first.swap(true, Ordering::Relaxed) {
            std::process::exit(answer(&command::late_hook(&late, settings.as_deref())).into());
        }
    });
    let report = watch.map_err(Error::from).and_then(|_| {
        let process = process?;
        let (embedded, observer) = (&guards::EMBEDDED, &Budget::default());
        let ctx = CommandContext { global, process: &process, embedded, watchers: &[], observer };
        Ok(command::hook(args, &ctx))
    });
    match report {
        Ok(report) if !answered.swap(true, Ordering::Relaxed) => ExitCode::from(answer(&report)),
        // The other thread is about to end the process.
        Ok(_) => loop {
            std::thread::park();
        },
        Err(error) => {
            eprintln!("host: {error:#}");
            ExitCode::from(command::late_hook(args, None).outcome.exit_code())
        }
    }
}

/// The exit code.
fn answer(report: &HookReport) -> u8 {
    let denied = report.outcome.exit_code();
    if let Some(reason) = &report.reason {
        eprintln!("{reason}");
    }
    match &report.answer {
        Some(answer) => match writeln!(std::io::stdout(), "{answer}") {
            Ok(()) => denied,
            // Nothing was heard of an answer that may have been a denial.
            Err(_) => 2,
        },
        None => denied,
    }
}

/// A process of its own, whose limits are the system's: see `host/engine/load/compile.rs`.
fn compile() -> ExitCode {
    match guardhost_engine::compile_here(std::io::stdin().lock(), std::io::stdout().lock(), guards::EMBEDDED.target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(guardhost_engine::compile_exit_code(&error))
        }
    }
}

/// Around and inside a sandbox: see `host/toolchain/sandbox/`. What it may do comes first.
fn inside(work: fn(&str, &[OsString]) -> Result<u8>, words: &[OsString]) -> ExitCode {
    let (allowed, command) = words.split_first().expect("the command line asks for two words");
    match work(&allowed.to_string_lossy(), command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("host: {error:#}");
            ExitCode::from(NOT_STARTED)
        }
    }
}

/// None when the command has shown all there is.
fn dispatch(cli: &Cli, process: &ProcessEnv, interrupts: &Interrupts) -> Result<Option<Report>> {
    let live = watcher(&cli.global);
    let watchers: Vec<&dyn Observer> = live.iter().map(|terminal| terminal as &dyn Observer).collect();
    let (embedded, observer) = (&guards::EMBEDDED, &Budget::default());
    let ctx = CommandContext { global: &cli.global, process, embedded, watchers: &watchers, observer };
    // For commands that look for a request to stop.
    let asked = || interrupts.ask(&process.stop);
    let stoppable = || {
        asked();
        &ctx
    };
    // The same for those that start agents.
    let asking = || guardhost_process::adopt_orphans().map(|()| asked());
    let shown = |text: Vec<u8>| print(&text, &cli.global).map(|()| None);
    let report = match &cli.command {
        Command::Run(args) => command::run(args, &ctx, asking()?),
        Command::Init(args) => {
            // A signal ends the program while it waits for a person.
            let args = match live.as_ref().filter(|_| talks(&cli.global)) {
                Some(terminal) => {
                    let ask = |question: &str, default| Ok(terminal.ask(question, default, std::io::stdin().lock())?);
                    command::ask_init(args, &ctx, &ask)?
                }
                None => args.clone(),
            };
            asked();
            command::init(&args, &ctx)
        }
        Command::Check(args) => command::check(args, stoppable()),
        Command::Apply(args) => command::apply(args, stoppable()),
        Command::Patch(args) => command::patch(args, &ctx, asking()?),
        Command::Audit(args) => command::audit(args, stoppable()),
        Command::Improve(args) => command::improve(args, &ctx, asking()?),
        Command::Plan(args) => command::plan(args, &ctx, asking()?),
        Command::Review(args) => command::review(args, &ctx, asking()?),
        Command::Fix(args) => command::fix(args, &ctx, asking()?),
        Command::Log(args) => command::log(args, &ctx),
        Command::Show(args) => command::show(args, &ctx),
        Command::Replay(args) => command::replay(args, stoppable()),
        Command::Report(args) => return report(args, &ctx).map(|()| None),
        Command::Diff(args) => command::diff(args, &ctx),
        Command::Accept(args) => command::accept(args, stoppable()),
        Command::Discard(args) => command::discard(args, &ctx),
        Command::Pr(what) => command::pr(what, &ctx, asking),
        Command::Demo(args) => command::demo(args, &ctx, asking()?),
        Command::Install(args) => command::install(args, &ctx),
        Command::Doctor { probe_agents, canary } => command::doctor(*probe_agents, *canary, &ctx, asking()?),
        Command::Explain(args) => command::explain(args, &ctx),
        Command::Guard(GuardCommand::Author(AuthorCommand::Test(args))) if args.watch => {
            let show = |report: &Report| show(report, &cli.global);
            return command::watch(args, &ctx, asked(), &show).map(|()| None);
        }
        Command::Guard(what) => return command::guard(what, &ctx),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => return command::mcp(args, &ctx, asked()).map(|()| None),
        #[cfg(feature = "serve")]
        Command::Serve(args) => return command::serve(args, &ctx, &asked())?.map_or(Ok(None), shown),
        #[cfg(feature = "fleet")]
        Command::Machines(what) => return command::machines(what, &ctx, interrupts)?.show(shown),
        Command::Provider(ProviderCommand::List) => command::providers(&ctx),
        Command::Provider(ProviderCommand::Test { name }) => command::test_provider(name, &ctx, asking()?),
        Command::Hook(_) => unreachable!("hooks have been answered"),
        Command::Completions { shell } => return shown(cli::completions(*shell, called())),
        Command::Man { command, dir: None } => return shown(cli::manual(command)?),
        Command::Man { dir: Some(dir), .. } => return write_manuals(&process.cwd.join(dir)).map(|()| None),
    };
    report.map(Some)
}

/// The one place that reads the environment and the current folder.
fn process_env() -> Result<ProcessEnv> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let docker = var("DOCKER_CONFIG").or_else(|| Some(guardhost_os::home(&var)?.join(".docker")));
    Ok(ProcessEnv {
        cwd: std::env::current_dir().context(Fault::new(Kind::Usage, "the current folder is gone"))?,
        exe: own_file().context(Fault::new(Kind::GuardLoad, "cannot find this program's own file"))?,
        index: var("GIT_INDEX_FILE"),
        env: std::env::vars_os().collect(),
        cache: guardhost_os::cache_folder(&var).map(|cache| cache.join("guardhost")),
        settings: guardhost_os::settings_folder(&var).map(|folder| folder.join("guardhost/config.toml")),
        docker: docker.map(|folder| folder.join("config.json")),
        temp: std::env::temp_dir(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        stop: StopToken::default(),
    })
}

/// The system knows the file by /proc, which an empty root may lack; then the name by which the program was called has to do.
fn own_file() -> std::io::Result<PathBuf> {
    std::env::current_exe().or_else(|error| {
        let name = std::env::args_os().next().map(PathBuf::from).ok_or(error)?;
        if name.components().count() > 1 {
            return name.canonicalize();
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|file| file.is_file());
        found.ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "it is not on the PATH"))
    })
}

/// Progress goes to standard error: a live line on a terminal, plain lines elsewhere, nothing with --quiet.
fn watcher(global: &Global) -> Option<Terminal> {
    match (global.quiet, std::io::stderr().is_terminal()) {
        (true, _) => None,
        (false, true) => Some(Terminal::live(unicode(), guardhost_os::terminal_width(&std::io::stderr()))),
        (false, false) => Some(Terminal::lines(std::io::stderr())),
    }
}

/// A person reads what is asked, and can answer.
fn talks(global: &Global) -> bool {
    global.format == guardhost_display::OutputFormat::Human
        && std::io::stdin().is_terminal()
        && std::io::stderr().is_terminal()
}

fn verbose(global: &Global) {
    let level = match global.verbose {
        0 => return,
        1 => tracing::Level::INFO,
        _ => tracing::Level::TRACE,
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_target(false).init();
}

fn show(report: &Report, global: &Global) -> Result<()> {
    let color = match global.color {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => global.output.is_none() && std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb(),
    };
    let width = if global.output.is_none() { guardhost_os::terminal_width(&std::io::stdout()) } else { None };
    let bytes = render(
        report,
        global.format,
        &Appearance { color, width, unicode: unicode(), verbose: global.verbose > 0, rules },
    );
    // A person who asked for people's words finds errors where errors go.
    let to_stderr = matches!(report, Report::Failure { .. }) && global.format == guardhost_display::OutputFormat::Human;
    match &global.output {
        Some(file) if !to_stderr => write_file(file, &bytes),
        _ if to_stderr => std::io::stderr().write_all(&bytes).context("cannot write to standard error"),
        _ => to_stdout(&bytes),
    }
}

/// What the embedded guard with this digest says of a rule.
fn rules(digest: &str, rule: &str) -> Option<&'static str> {
    let guard = guards::EMBEDDED.guards.iter().find(|guard| guard.digest == digest)?;
    let known = guard.description.get().rules.iter().find(|known| known.rule == rule)?;
    Some(&known.summary)
}

/// `host report`: pages, or a bundle.
fn report(args: &ReportArgs, ctx: &CommandContext) -> Result<()> {
    let global = ctx.global;
    if global.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Fault::new(Kind::Usage, "a report is a file for a browser, and standard output is a terminal")
            .hint("host report --output report.html")
            .into());
    }
    let written = command::report(args, ctx)?;
    print(&written.bytes, global)?;
    if let (Some(file), false) = (&global.output, global.quiet) {
        let runs = if written.runs == 1 { "1 run".to_owned() } else { format!("{} runs", written.runs) };
        eprintln!("{runs}, {} KB in {}", written.bytes.len().div_ceil(1000), file.display());
        written.notices.iter().for_each(|notice| eprintln!("note: {notice}"));
    }
    Ok(())
}

/// What is no report: a script or a page.
fn print(bytes: &[u8], global: &Global) -> Result<()> {
    match &global.output {
        Some(file) => write_file(file, bytes),
        None => to_stdout(bytes),
    }
}

fn write_manuals(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).with_context(|| Fault::new(Kind::Usage, format!("cannot make {}", dir.display())))?;
    cli::manuals()?.iter().try_for_each(|(name, page)| write_file(&dir.join(name), page))
}

/// The name that this program was called by: it is installed as `host` and as `guardhost`.
fn called() -> &'static str {
    let name = std::env::args_os().next().map(PathBuf::from);
    let is_second = name.as_deref().and_then(Path::file_stem).is_some_and(|stem| stem == "guardhost");
    if is_second { "guardhost" } else { "host" }
}

fn to_stdout(bytes: &[u8]) -> Result<()> {
    match std::io::stdout().write_all(bytes) {
        // The reader closed the pipe early: `host … | head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(file, bytes).with_context(|| Fault::new(Kind::Usage, format!("cannot write {}", file.display())))
}

fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The locale says UTF-8.
fn unicode() -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| locale.to_string_lossy().to_ascii_lowercase().replace('-', "").contains("utf8"))
}
