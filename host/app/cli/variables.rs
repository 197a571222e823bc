//! The variables that take the place of options, read from the description of the command line: `host help variables` and
//! docs/variables.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use clap::{Arg, Command};

/// A variable, and the option that it sets.
pub struct Variable {
    pub option: String,
    /// What it does: the help of the option in each command, mostly one.
    pub help: BTreeSet<String>,
    /// Which commands read it. Empty: all.
    pub commands: BTreeSet<String>,
}

/// By their names, of all commands.
pub fn collect(programs: &[Command]) -> BTreeMap<String, Variable> {
    let mut found = BTreeMap::new();
    for program in programs {
        let mut program = program.clone();
        program.build();
        for arg in program.get_arguments() {
            add(arg, None, &mut found);
        }
        for sub in program.get_subcommands() {
            below(sub, sub.get_name(), &mut found);
        }
    }
    found
}

fn below(command: &Command, words: &str, found: &mut BTreeMap<String, Variable>) {
    for arg in command.get_arguments().filter(|arg| !arg.is_global_set()) {
        add(arg, Some(words), found);
    }
    for sub in command.get_subcommands() {
        below(sub, &format!("{words} {}", sub.get_name()), found);
    }
}

fn add(arg: &Arg, words: Option<&str>, found: &mut BTreeMap<String, Variable>) {
    let (Some(name), Some(long)) = (arg.get_env(), arg.get_long()) else { return };
    let new = || Variable { option: format!("--{long}"), help: BTreeSet::new(), commands: BTreeSet::new() };
    let variable = found.entry(name.to_string_lossy().into_owned()).or_insert_with(new);
    variable.help.extend(arg.get_help().map(ToString::to_string));
    variable.commands.extend(words.map(str::to_owned));
}

/// For a terminal: a line for each.
pub fn text(variables: &BTreeMap<String, Variable>) -> String {
    let mut text =
        "Each of these variables takes the place of an option, which takes precedence over it:\n\n".to_owned();
    for (name, variable) in variables {
        let _ = writeln!(text, "  {name:32}{:24}{}", variable.option, commands(variable));
    }
    text
}

/// Rows of a table of Markdown.
pub fn rows(variables: &BTreeMap<String, Variable>) -> String {
    let mut text = String::new();
    for (name, variable) in variables {
        // Of commands that differ in their words, the shortest: `--help` of each has its own.
        let help =
            variable.help.iter().map(|help| gist(help)).min_by_key(|help| (help.starts_with("With "), help.len()));
        let _ = writeln!(text, "| `{name}` | {} |", help.unwrap_or_default());
    }
    text
}

/// The beginning of a help, up to what explains it, and without its default: `--help` has all of it.
fn gist(help: &str) -> String {
    let help = help.replace('\n', " ");
    let ends = [". ", "; ", ": ", " (", ", by ", ", in the form", " [default"].map(|end| help.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(help.len());
    help[..end].replace('|', "\\|")
}

fn commands(variable: &Variable) -> String {
    match variable.commands.is_empty() {
        true => "every command".to_owned(),
        false => variable.commands.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
    }
}
