//! How help looks: the commands in groups, examples before options, and what holds for every command said once, as a topic.

use std::ffi::OsString;
use std::fmt::Write;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Args, Command, ValueEnum};

use super::{EXIT_CODES, ForgeArgs, Global, PullArgs, WaitArgs, variables};

/// What `host --help` lists, by what it is for. A test holds it to the commands that are not hidden, and to 28 of them.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Judge", &["check", "apply", "audit", "explain"]),
    ("Ask models", &["run", "patch", "plan", "improve", "fix", "review"]),
    ("Look back", &["log", "show", "accept", "discard", "replay", "report", "stats", "backtest"]),
    ("Look after", &["init", "install", "doctor", "guard", "provider", "demo"]),
    ("Teams", &["pr", "submit", "serve", "fleet"]),
];

/// Columns of a line of the list.
const WIDTH: usize = 80;
/// Columns of the longest name, and of what is around it.
const NAMES: usize = 12;

const COMMAND: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}\n\n\
                       More: host help options, host help variables";
/// For a command that has options which a topic explains.
const WITH_PULLS: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}\n\n\
                          More: host help pull-requests, host help options, host help variables";

/// Options that the topic of pull requests explains, by their heading, and where they are listed all the same.
const OF_PULLS: [(&str, &[&str]); 3] =
    [("Forge", &[]), ("Pull request", &["open"]), ("Builds of a pull request", &["watch"])];

/// What `host help` explains beside commands.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Topic {
    /// Options that every command takes
    Options,
    /// Variables that take the place of options
    Variables,
    /// What the exit code of a command says
    ExitCodes,
    /// Options of commands that open or read pull requests
    PullRequests,
}

/// The same command line with the looks of this program.
pub fn shaped(command: Command) -> Command {
    let template = match command.get_name() {
        "host" if command.find_subcommand("check").is_some() => whole(&command),
        _ => COMMAND.to_owned(),
    };
    below(command).help_template(template)
}

fn below(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let is_of_pulls = |arg: &Arg| {
        OF_PULLS.iter().any(|(heading, shown)| arg.get_help_heading() == Some(heading) && !shown.contains(&&*name))
    };
    let template = if command.get_arguments().any(is_of_pulls) { WITH_PULLS } else { COMMAND };
    let mut command = command.help_template(template).mut_args(|arg| {
        let is_hidden = arg.is_hide_set() || arg.is_global_set() || is_of_pulls(&arg);
        arg.hide_env(true).hide(is_hidden)
    });
    // `--help` is `-h`: a line for each option.
    if !command.is_disable_help_flag_set() {
        let help = Arg::new("help")
            .short('h')
            .long("help")
            .action(ArgAction::HelpShort)
            .help("Print this")
            .help_heading(None::<&str>);
        command = command.disable_help_flag(true).arg(help);
    }
    command.mut_subcommands(below)
}

/// Of the program: what it is, its commands, examples, and where the rest is explained.
fn whole(command: &Command) -> String {
    let header = command.get_styles().get_header();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{group}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(summary).unwrap_or_default();
            let _ = writeln!(text, "  {name:NAMES$}{about}");
        }
    }
    text.trim_end().to_owned()
        + "{after-help}\n\n\
           `host COMMAND --help` explains a command; `host help options`, `host help\n\
           variables` and `host help exit-codes` explain what all have in common"
}

/// The first part of a sentence, as many of its clauses as the list's line has room for.
fn summary(about: &StyledStr) -> String {
    let text = about.to_string();
    let mut first = text.split([':', ';']).next().unwrap_or_default();
    while first.chars().count() > WIDTH - NAMES - 2 {
        let Some((before, _)) = first.rsplit_once(", ") else { break };
        first = before;
    }
    first.to_owned()
}

/// The error that shows a topic, if the words ask for one: `host help options`.
pub fn topic(words: &[OsString], command: impl FnOnce() -> Command) -> Option<clap::Error> {
    let [_, help, topic] = words else { return None };
    if help != "help" {
        return None;
    }
    let command = match Topic::from_str(topic.to_str()?, false).ok()? {
        Topic::Options => {
            let global = Global::augment_args(Command::new("host"));
            global.help_template("Every command takes these options, before or behind its name:\n\n{all-args}")
        }
        Topic::PullRequests => {
            let pulls = WaitArgs::augment_args(PullArgs::augment_args(ForgeArgs::augment_args(Command::new("host"))));
            pulls.help_template(
                "Commands for pull requests take these options, each of them those that it needs:\n\n{all-args}",
            )
        }
        Topic::Variables => plain(variables::text(&variables::collect(&[command()]))),
        Topic::ExitCodes => plain(EXIT_CODES.to_owned()),
    };
    // Without a row for the option that shows it.
    let help = Arg::new("help").long("help").action(ArgAction::HelpShort).hide(true);
    command.disable_help_flag(true).arg(help).max_term_width(100).try_get_matches_from(["host", "--help"]).err()
}

fn plain(text: String) -> Command {
    Command::new("host").help_template(text)
}

/// `host help guard add` is `host guard add --help`, also where the server answers it.
pub fn as_option(words: &[OsString]) -> Option<Vec<OsString>> {
    let [called, help, command @ ..] = words else { return None };
    (help == "help" && !command.is_empty()).then(|| {
        let words = std::iter::once(called).chain(command).cloned();
        words.chain([OsString::from("--help")]).collect()
    })
}
