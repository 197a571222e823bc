//! The command line of Guardhost: read it, do it, show what came of it.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_display::Terminal;
use guardhost_observer::client::ObserverTime;
use guardhost_report::{HookReport, Report};
use host::cli::{self, AuthorCommand, Cli, Command, Global, GuardCommand, HookArgs, ProviderCommand, ReportArgs};
use host::command::{self, CommandContext};
use host::interrupt::Interrupts;
use host::program::{self, CommandEnd, LogSettings};

fn main() -> ExitCode {
    program::start("host", |words| {
        program::run(
            words,
            Cli::read,
            |cli| (&cli.global, LogSettings::default()),
            |cli, interrupts| work(cli, words, interrupts),
        )
    })
}

fn work(cli: &Cli, words: &[OsString], interrupts: &Interrupts) -> Result<CommandEnd> {
    match &cli.command {
        Command::Hook(args) => Ok(CommandEnd::Answered(hook(args, &cli.global))),
        Command::Server(what) => {
            let process = program::process_env()?;
            command::become_server(what.name(), words, program::called(), &process)
                .map(|code| CommandEnd::Answered(code.into()))
        }
        _ => program::with_context(
            &cli.global,
            || Cli::name_of(words),
            |ctx, process, person| {
                Ok(match dispatch(cli, ctx, process, person, interrupts)? {
                    Some(report) => CommandEnd::Report(Box::new(report)),
                    None => CommandEnd::Shown,
                })
            },
        ),
    }
}

/// A hook's answer is in the form of the program that started it. There is always one, and only one, within the deadline.
fn hook(args: &HookArgs, global: &Global) -> ExitCode {
    let answered = Arc::new(AtomicBool::new(false));
    let process = program::process_env();
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
        let (embedded, observer) = (&guards::EMBEDDED, &ObserverTime::default());
        let ctx = CommandContext {
            global,
            process: &process,
            embedded,
            watchers: &[],
            observer,
            // An answer to a hook is waited for, and hooks come by the dozen.
            traces: None,
            agent: args.program.agent(),
        };
        Ok(command::hook(args, &ctx))
    });
    match report {
        Ok(report) if !answered.swap(true, Ordering::Relaxed) => ExitCode::from(answer(&report)),
        // The other thread is about to end the process.
        Ok(_) => loop {
            std::thread::park();
        },
        Err(error) => {
            program::complain(&format!("host: {error:#}"));
            ExitCode::from(command::late_hook(args, None).outcome.exit_code())
        }
    }
}

/// The exit code.
fn answer(report: &HookReport) -> u8 {
    let denied = report.outcome.exit_code();
    program::complain_of(report);
    match &report.answer {
        Some(answer) => match guardhost_os::write_all(std::io::stdout(), format!("{answer}\n").as_bytes()) {
            Ok(()) => denied,
            // The agent did not get the answer. It may have been a denial, so this must not look like consent.
            Err(_) => 2,
        },
        None => denied,
    }
}

/// None when the command has shown all there is.
fn dispatch(
    cli: &Cli,
    ctx: &CommandContext,
    process: &ProcessEnv,
    person: Option<&Terminal>,
    interrupts: &Interrupts,
) -> Result<Option<Report>> {
    // For commands that look for a request to stop.
    let asked = || interrupts.ask(&process.stop);
    let stoppable = || {
        asked();
        ctx
    };
    // The same for those that start agents.
    let asking = || guardhost_process::adopt_orphans().map(|()| asked());
    let shown = |text: Vec<u8>| program::print(&text, &cli.global).map(|()| None);
    let report = match &cli.command {
        Command::Run(args) => command::run(args, ctx, asking()?),
        Command::Init(args) => {
            // A signal ends the program while it waits for a person.
            let args = match person {
                Some(terminal) => {
                    let ask = |question: &str, default| Ok(terminal.ask(question, default, std::io::stdin().lock())?);
                    command::ask_init(args, ctx, &ask)?
                }
                None => args.clone(),
            };
            asked();
            command::init(&args, ctx)
        }
        // A signal ends the program while it waits for a change.
        Command::Check(args) if args.watch => {
            match command::watch_check(args, ctx, &|said| program::show_again(said, &cli.global))? {}
        }
        Command::Check(args) => command::check(args, stoppable()),
        Command::Apply(args) => command::apply(args, stoppable()),
        Command::Patch(args) => command::patch(args, ctx, asking()?),
        Command::Audit(args) => command::audit(args, stoppable()),
        Command::Improve(args) => command::improve(args, ctx, asking()?),
        Command::Plan(args) => command::plan(args, ctx, asking()?),
        Command::Review(args) => command::review(args, ctx, asking()?),
        Command::Fix(args) => command::fix(args, ctx, asking()?),
        Command::Log(args) => command::log(args, ctx),
        Command::Stats(args) => command::stats(args, ctx),
        Command::Show(args) if args.diff => command::diff(&args.run, ctx),
        Command::Show(args) => command::show(args, ctx),
        Command::Replay(args) => command::replay(args, stoppable()),
        Command::Backtest(args) => command::backtest(args, stoppable()),
        Command::Report(args) => return report(args, ctx).map(|()| None),
        Command::Accept(args) => {
            // A signal ends the program while it waits for a person.
            let person = person.filter(|_| args.hunks);
            let ask = |question: &str, default| {
                let person = person.context("a question needs a terminal")?;
                Ok(person.ask(question, default, std::io::stdin().lock())?)
            };
            match person {
                Some(_) => command::accept(args, ctx, Some(&ask)),
                None => command::accept(args, stoppable(), None),
            }
        }
        Command::Discard(args) => command::discard(args, ctx),
        Command::Pr(what) => command::pr(what, ctx, asking),
        Command::Demo(args) => command::demo(args, ctx, asking()?),
        Command::Install(args) => command::install(args, ctx),
        Command::Doctor { probe_agents, canary } => command::doctor(*probe_agents, *canary, ctx, asking()?),
        Command::Explain(args) => command::explain(args, ctx),
        Command::Guard(GuardCommand::Author(AuthorCommand::Test(args))) if args.watch => {
            let show = |report: &Report| program::show(report, &cli.global);
            return command::watch(args, ctx, asked(), &show).map(|()| None);
        }
        Command::Guard(what) => return command::guard(what, ctx),
        // A signal ends the program, and with it the agent.
        Command::Acp(args) => {
            guardhost_process::adopt_orphans()?;
            let editor = |line: &[u8]| guardhost_os::write_all(std::io::stdout(), line).is_ok();
            return command::acp(args, &editor, ctx).map(|()| None);
        }
        #[cfg(feature = "lsp")]
        Command::Lsp => {
            // Two threads speak: each message is written whole.
            let editor = |frame: &[u8]| guardhost_os::write_all(std::io::stdout().lock(), frame).is_ok();
            return command::lsp(editor, ctx).map(|()| None);
        }
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => return command::mcp(args, ctx, asked()).map(|()| None),
        Command::Provider(ProviderCommand::List) => command::providers(ctx),
        Command::Provider(ProviderCommand::Test { name }) => command::test_provider(name, ctx, asking()?),
        Command::Hook(_) | Command::Server(_) => unreachable!("another function has ended these"),
        Command::Completions { shell } => return shown(cli::completions(*shell, program::called())),
        Command::Man { command, dir: None } => return shown(cli::manual(command)?),
        Command::Man { dir: Some(dir), .. } => return write_manuals(&process.cwd.join(dir)).map(|()| None),
    };
    report.map(Some)
}

/// `host report`: pages, or a bundle.
fn report(args: &ReportArgs, ctx: &CommandContext) -> Result<()> {
    let global = ctx.global;
    if global.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Fault::new(
            FaultKind::Usage,
            "a report is a file for a browser, and standard output is a terminal",
        )
        .hint("host report --output report.html")
        .into());
    }
    let written = command::report(args, ctx)?;
    program::print(&written.bytes, global)?;
    if let (Some(file), false) = (&global.output, global.quiet) {
        let runs = if written.runs == 1 { "1 run".to_owned() } else { format!("{} runs", written.runs) };
        eprintln!("{runs}, {} KB in {}", written.bytes.len().div_ceil(1000), file.display());
        written.notices.iter().for_each(|notice| eprintln!("note: {notice}"));
    }
    Ok(())
}

fn write_manuals(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot make {}", dir.display())))?;
    cli::manuals()?.iter().try_for_each(|(name, page)| program::write_file(&dir.join(name), page))
}
