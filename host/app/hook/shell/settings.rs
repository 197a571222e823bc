//! Settings of git that say which hooks run, or that hold a command.

use super::analysis::LineContext;
use super::bypass::Bypass;
use super::words::{self, SimpleCommand};

/// A file that is included can set the folder of hooks as well.
pub(in crate::hook) const STEERING: [&str; 4] = ["core.hookspath", "include.path", "includeif.", "hook."];

/// Sections whose removal takes such a setting away.
const SECTIONS: [&str; 4] = ["core", "include", "includeif", "hook"];

/// Whether a setting of this name says which hooks run.
pub(super) fn named(name: &str) -> Option<Bypass> {
    let name = name.trim().to_ascii_lowercase();
    // A name that only the shell knows could be any.
    let is_hidden = name.contains(['$', '`', '{', '\\']);
    (is_hidden || STEERING.iter().any(|steering| name.starts_with(steering))).then_some(Bypass::HooksPath)
}

/// `NAME=VALUE`, as behind `git -c`.
pub(super) fn assigned(text: &str, context: &LineContext) -> Option<Bypass> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    named(name).or_else(|| with_value(name, value, context))
}

/// What `git -c` passes on: settings in quotes.
pub(super) fn parameters(text: &str, context: &LineContext) -> Option<Bypass> {
    settings_in(text).iter().find_map(|setting| assigned(setting, context))
}

fn settings_in(text: &str) -> Vec<String> {
    let line = words::read(text);
    line.commands.into_iter().flat_map(|command: SimpleCommand| command.words).collect()
}

/// The names of what `git -c` passes on.
pub(in crate::hook) fn settings_of_command(text: &str) -> Vec<String> {
    settings_in(text).into_iter().map(|setting| setting.split('=').next().unwrap_or_default().to_owned()).collect()
}

/// An alias is a command of git; one that begins with `!`, as many other values, is one of the shell.
fn with_value(name: &str, value: &str, context: &LineContext) -> Option<Bypass> {
    match name.to_ascii_lowercase().starts_with("alias.") {
        true => command_of(value, context),
        false => context.inside().script(value.trim_start_matches('!')),
    }
}

/// The value of an alias, or of another setting that is a command.
pub(super) fn command_of(value: &str, context: &LineContext) -> Option<Bypass> {
    match value.trim_start().strip_prefix('!') {
        Some(shell) => context.inside().script(shell),
        None => context.inside().script(&format!("git {value}")).or_else(|| context.inside().script(value)),
    }
}

/// Options of `git config` that take the next word.
const WITH_VALUE: [&str; 8] = ["-f", "--file", "--blob", "--type", "--default", "--comment", "--value", "--url"];

/// The arguments of `git config`. To read a setting is allowed.
pub(super) fn config(args: &[String], context: &LineContext) -> Option<Bypass> {
    let mut plain = Vec::new();
    let mut options = Vec::new();
    let mut rest = args.iter().map(String::as_str);
    while let Some(arg) = rest.next() {
        // The value of a setting may begin with a sign of options; its name has a dot.
        let is_value = plain.last().is_some_and(|name: &&str| name.contains('.'));
        match arg.starts_with('-') && !is_value {
            true => {
                options.push(arg);
                if WITH_VALUE.contains(&arg) {
                    rest.next();
                }
            }
            false => plain.push(arg),
        }
    }
    let has = |names: &[&str]| options.iter().any(|option| names.contains(option));
    let whole = || Some(Bypass::Settings(format!("config {}", args.join(" "))));
    let is_steering = |section: &&str| {
        let section = section.to_ascii_lowercase();
        SECTIONS.iter().any(|steering| section == *steering || section.starts_with(&format!("{steering}.")))
    };
    if has(&["-e", "--edit"]) || plain.first() == Some(&"edit") {
        return whole();
    }
    let (verb, named_first) = match plain.first().copied() {
        Some(verb @ ("set" | "unset" | "get" | "list" | "remove-section" | "rename-section")) => (verb, &plain[1..]),
        _ if has(&["--remove-section", "--rename-section"]) => ("remove-section", &plain[..]),
        _ if options.iter().any(|option| option.starts_with("--unset")) => ("unset", &plain[..]),
        _ if options.iter().any(|option| option.starts_with("--get")) || has(&["--list", "-l"]) => ("get", &plain[..]),
        _ if plain.len() < 2 && !has(&["--add", "--replace-all"]) => ("get", &plain[..]),
        _ => ("set", &plain[..]),
    };
    let name = named_first.first()?;
    match verb {
        "get" | "list" => None,
        "remove-section" | "rename-section" => named_first.iter().any(is_steering).then(whole)?,
        "unset" => named(name),
        _ => named(name).or_else(|| with_value(name, named_first.get(1).unwrap_or(&""), context)),
    }
}
