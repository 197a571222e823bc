//! Help: the commands in groups, a screen for each, what all have in common said once, and the program of the server behind four of them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::process::Command as Process;

use clap::{Arg, Command};
use guardhost_server::cli::ServerCli as Server;
use host::cli::{Cli, GROUPS, variables};

use super::command_line::{built, commands, tree};
use crate::support::cli::{home, host, server};

/// clap's own look for mistakes: options of one name, groups without members, defaults that do not parse.
#[test]
fn clap_finds_no_mistake_in_any_command() {
    Cli::described().debug_assert();
    Server::described().debug_assert();
}

/// Its assertions are compiled in, also where dependencies have none: in a command line with a mistake it finds one.
#[test]
#[should_panic(expected = "Long option names must be unique")]
fn clap_finds_an_option_that_is_there_twice() {
    Command::new("twice").args([Arg::new("one").long("same"), Arg::new("two").long("same")]).debug_assert();
}

/// A person reads the list of commands, and the help of one, at a glance: a screen of 60 lines, of at most 100 columns.
#[test]
fn help_is_short() {
    let root = tree();
    let listed: BTreeSet<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let shown: BTreeSet<&str> = root
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        .map(|sub| sub.get_name())
        .collect();
    assert_eq!(listed, shown, "the groups of host/app/cli/help.rs name every command that is not hidden");
    assert!(shown.len() <= 28, "{} commands", shown.len());
    let mut long = Vec::new();
    for (words, _) in commands() {
        for option in ["-h", "--help"] {
            let line: Vec<OsString> = words.split(' ').chain([option]).map(OsString::from).collect();
            let is_of_the_server = root.find_subcommand(&line[1]).is_some_and(|sub| sub.is_disable_help_flag_set());
            let shown = if is_of_the_server { Server::read(&line).err() } else { Cli::read(&line).err() };
            let lines = shown.expect("help").to_string().lines().count();
            if lines > 60 {
                long.push(format!("{words} {option}: {lines}"));
            }
        }
    }
    assert_eq!(long, Vec::<String>::new());
    let text = host(home(), &["--help"]).expect(0).stdout;
    let wide: Vec<&str> = text.lines().skip(1).filter(|line| line.chars().count() > 80).collect();
    assert_eq!(wide, Vec::<&str>::new(), "{text}");
}

/// What all commands have in common is explained once.
#[test]
fn topics_explain_what_all_commands_have_in_common() {
    let topic = |name: &str| host(home(), &["help", name]).expect(0).stdout;
    let options = topic("options");
    for arg in tree().get_arguments().filter(|arg| arg.is_global_set()) {
        let long = format!("--{}", arg.get_long().expect("a long name"));
        assert!(options.contains(&long), "{long}: {options}");
        assert!(!host(home(), &["run", "--help"]).expect(0).stdout.contains(&format!("  {long} ")), "{long}");
    }
    assert!(topic("exit-codes").contains("1  rejected by a guard"));
    assert!(topic("variables").contains("GUARDHOST_PROVIDER"));
}

/// `host --help` says of a command of the server what the server says.
#[test]
fn commands_of_the_server_say_the_same_in_both_programs() {
    let (client, server) = (tree(), built(Server::described()));
    let about = |command: &Command| command.get_about().map(ToString::to_string);
    let subs: Vec<&Command> = server.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
    assert_eq!(subs.len(), 4);
    for sub in subs {
        let stub = client.find_subcommand(sub.get_name()).unwrap_or_else(|| panic!("{}", sub.get_name()));
        assert_eq!(about(stub), about(sub), "{}", sub.get_name());
    }
    // Its help is that of the server.
    for words in [&["serve", "--help"][..], &["help", "serve"], &["--quiet", "serve", "--help"]] {
        let help = host(home(), words).expect(0).stdout;
        assert!(help.contains("Usage: host serve") && help.contains("--tls-cert"), "{words:?}: {help}");
    }
}

/// Without the server's program, `host` says what it is and how to get it.
#[test]
fn a_missing_server_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("host");
    fs::copy(env!("CARGO_BIN_EXE_host"), &alone).expect("copied");
    let run = |path: &std::path::Path| {
        let mut command = Process::new(&alone);
        command.args(["--format", "json", "fleet", "status"]).env_clear().env("HOME", folder.path()).env("PATH", path);
        command.current_dir(folder.path()).output().expect("it runs")
    };
    let missing = run(folder.path());
    let said = String::from_utf8_lossy(&missing.stdout);
    assert_eq!(missing.status.code(), Some(2), "{missing:?}");
    assert!(said.contains("server-missing") && said.contains("guardhost-server"), "{said}");
    // On the PATH it is found.
    let found = run(server().parent().expect("a folder"));
    assert!(String::from_utf8_lossy(&found.stdout).contains("no queue is named"), "{found:?}");
}

/// docs/variables.md is made of the description of the command line.
#[test]
fn the_reference_of_variables_is_that_of_the_command_line() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/variables.md");
    let page = fs::read_to_string(&file).expect("the page");
    let (head, rest) = page.split_once("|---|---|\n").expect("a table");
    let rows = variables::rows(&variables::collect(&[Cli::described(), Server::described()]));
    let written = rest.split_inclusive('\n').take_while(|line| line.starts_with('|')).collect::<String>();
    if std::env::var_os("GUARD_TEST_UPDATE").is_some() {
        let tail = &rest[written.len()..];
        fs::write(&file, format!("{head}|---|---|\n{rows}{tail}")).expect("written");
        return;
    }
    assert_eq!(written, rows, "GUARD_TEST_UPDATE=1 writes it anew");
    // Those that no option has stand below the table: no variable is read that the page does not name.
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("host")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let is_source = path.extension().is_some_and(|ending| ending == "rs");
            if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
                folders.push(path);
            } else if is_source {
                let text = fs::read_to_string(&path).expect("a source file");
                for name in text
                    .split("GUARDHOST_")
                    .skip(1)
                    .filter_map(|rest| rest.split(|c: char| !c.is_ascii_uppercase() && c != '_').next())
                {
                    assert!(
                        name.is_empty() || page.contains(&format!("`GUARDHOST_{name}`")),
                        "GUARDHOST_{name} of {path:?}"
                    );
                }
            }
        }
    }
}
