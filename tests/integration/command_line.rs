//! The command line as a whole: what help, completions and manual pages say, and which options have a variable.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::process::Command as Process;

use clap::{Arg, Command};
use guardhost_server::cli::ServerCli as Server;
use host::cli::Cli;

use crate::support::cli::{home, host, host_with};
use crate::support::repo::TestRepo;

pub fn built(mut command: Command) -> Command {
    command.build();
    command
}

pub fn tree() -> Command {
    built(Cli::described())
}

/// Of one program, by their words: `host guard add`.
pub fn commands_of(program: &Command) -> Vec<(String, Command)> {
    fn below(command: &Command, words: &str, found: &mut Vec<(String, Command)>) {
        found.push((words.to_owned(), command.clone()));
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            below(sub, &format!("{words} {}", sub.get_name()), found);
        }
    }
    let mut found = Vec::new();
    below(program, "host", &mut found);
    found
}

/// Every command that `host` or the server it starts answers.
pub fn commands() -> Vec<(String, Command)> {
    let server = commands_of(&built(Server::described()));
    let mut found = commands_of(&tree());
    found.retain(|(words, _)| !server.iter().any(|(other, _)| other == words && other != "host"));
    found.extend(server.into_iter().filter(|(words, _)| words != "host"));
    assert!(found.len() > 30, "{}", found.len());
    found
}

/// Its own options, without those of every command, `--help` and `--version`.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_own = |arg: &&Arg| !arg.is_global_set() && !["help", "version"].contains(&arg.get_id().as_str());
    command.get_arguments().filter(|arg| !arg.is_positional()).filter(is_own)
}

fn read<T>(cli: Result<T, clap::Error>, line: &str) -> T {
    cli.unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn every_help_has_examples_that_parse() {
    for (words, command) in commands() {
        if command.has_subcommands() && words != "host" {
            continue;
        }
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples: Vec<&str> = after.lines().filter_map(|line| line.strip_prefix("  host ")).collect();
        assert!(after.starts_with("Examples:\n") && !examples.is_empty(), "{words} --help has no examples");
        for example in examples {
            let line = format!("host {example}");
            assert!(words == "host" || line.starts_with(&words), "{words}: {line}");
            let split: Vec<OsString> = shlex::split(&line).expect("quotes").into_iter().map(Into::into).collect();
            match split.get(1).and_then(|name| name.to_str()) {
                Some("serve" | "submit" | "worker" | "fleet") => drop(read(Server::read(&split), &line)),
                _ => drop(read(Cli::read(&split), &line)),
            }
        }
    }
}

#[test]
fn options_of_every_command_stand_under_a_heading_of_their_own() {
    for (words, command) in commands() {
        for arg in command.get_arguments() {
            let is_global = arg.get_help_heading() == Some("Global options");
            assert_eq!(is_global, arg.is_global_set(), "{words} --{:?}", arg.get_long());
        }
    }
}

/// One variable is set for all commands, so it must mean the same to each.
#[test]
fn a_variable_takes_the_same_values_in_every_command() {
    let mut known: BTreeMap<OsString, (String, Vec<String>)> = BTreeMap::new();
    for (words, command) in commands() {
        for arg in command.get_arguments() {
            let Some(variable) = arg.get_env() else { continue };
            let values: Vec<_> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
            let (first, expected) = known.entry(variable.to_owned()).or_insert_with(|| (words.clone(), values.clone()));
            assert_eq!(&values, expected, "{variable:?} of {words} and of {first}");
        }
    }
    assert!(known.len() > 30, "{} variables", known.len());
}

/// What one of several options says is asked for with all of them.
#[test]
fn a_usage_error_names_every_option_that_would_do() {
    for (line, options) in
        [("host plan", ["--task <TEXT>", "--from-audit <FILE>"]), ("host install", ["TARGET", "--status"])]
    {
        let error = Cli::read(&line.split(' ').map(OsString::from).collect::<Vec<_>>()).expect_err("it is not enough");
        let said = error.to_string();
        assert!(options.iter().all(|option| said.contains(option)), "{line}: {said}");
    }
}

/// Options that say what one call is about. Hooks and builds pass them, or have no use for them.
const OF_ONE_CALL: [&str; 142] = [
    "accept --hunks",
    "accept --keep-branch",
    "accept --part",
    "apply --dry-run",
    "apply --explain",
    "apply --file-hint",
    "apply --fix",
    "apply --no-guards",
    "apply --patch",
    "audit --metric",
    "backtest --agents",
    "backtest --fetch",
    "backtest --forge",
    "backtest --limit",
    "backtest --page",
    "backtest --pulls",
    "backtest --since",
    "backtest --triage",
    "check --add-allow",
    "check --file-hint",
    "check --fix",
    "check --message",
    "check --part",
    "check --patch",
    "check --range",
    "check --staged",
    "check --triage",
    "check --watch",
    "check --worktree",
    "check --write-baseline",
    "demo --dir",
    "doctor --canary",
    "doctor --probe-agents",
    "fix --again",
    "fix --from-audit",
    "fix --issue",
    "fix --issues",
    "fix --no-fix",
    "fix --record",
    "fix --resume",
    "fix --sarif",
    "fix --threshold",
    "fleet retry --all",
    "fleet retry --reason",
    "fleet status --metrics",
    "guard add --allow-unsigned",
    "guard add --digest",
    "guard add --grant",
    "guard add --monitor",
    "guard add --version",
    "guard componentize --out",
    "guard componentize --world",
    "guard extend --remove",
    "guard extend --without",
    "guard publish --public-key",
    "guard publish --sign",
    "guard publish --signature",
    "guard suggest --limit",
    "guard suggest --pulls",
    "guard update --allow-downgrade",
    "guard update --backtest",
    "guard update --dry-run",
    "improve --listen",
    "improve --no-fix",
    "improve --record",
    "improve --resume",
    "init --ci",
    "init --commit",
    "init --commits",
    "init --dry-run",
    "init --hooks",
    "init --package",
    "init --protect-agents",
    "init --sha256",
    "init --test-seconds",
    "install --dir",
    "install --dry-run",
    "install --package",
    "install --remove",
    "install --scope",
    "install --sha256",
    "install --status",
    "log --door",
    "log --guard",
    "log --limit",
    "log --rulings",
    "man --dir",
    "mcp --pr",
    "patch --guard",
    "patch --instruction",
    "patch --no-fix",
    "patch --record",
    "patch --source",
    "patch --target",
    "plan --from-audit",
    "plan --record",
    "plan --task",
    "plan --to",
    "pr open --record",
    "pr open --replace",
    "pr open --title",
    "pr queue --limit",
    "pr watch --listen",
    "pr watch --no-fix",
    "pr watch --record",
    "replay --attest",
    "replay --attestation",
    "replay --bundle",
    "replay --export",
    "report --bundle",
    "report --limit",
    "review --answers",
    "review --post",
    "review --pr",
    "review --range",
    "review --record",
    "review --run",
    "review --staged",
    "review --worktree",
    "run --compile-fix",
    "run --file-hint",
    "run --from-audit",
    "run --guard",
    "run --no-fix",
    "run --onto-worktree",
    "run --record",
    "run --resume",
    "serve --add-token",
    "serve --list-tokens",
    "serve --release-claim",
    "serve --remove-token",
    "serve --token-repo",
    "show --diff",
    "show --reply",
    "stats --badge",
    "stats --weeks",
    "submit --file-hint",
    "submit --job",
    "submit --range",
    "submit --staged",
    "submit --stdin",
    "submit --worktree",
];
/// The same; the list above and this one are compared whole.
const OF_ONE_RUN: [&str; 2] = ["run --plan", "run --task"];

/// Whoever adds an option decides whether a hook or a build needs to set it once and for all.
#[test]
fn every_option_has_a_variable_or_is_about_one_call() {
    let mut without = BTreeSet::new();
    let mut check = |words: &str, arg: &Arg| {
        let long = arg.get_long().unwrap_or_else(|| panic!("{words}: an option without a long name"));
        match arg.get_env() {
            Some(variable) => {
                let expected = format!("GUARDHOST_{}", long.to_uppercase().replace('-', "_"));
                assert_eq!(variable.to_string_lossy(), expected, "{words} --{long}");
            }
            None => {
                without.insert(format!("{words} --{long}").trim().to_owned());
            }
        }
    };
    for (words, command) in commands() {
        let words = words.strip_prefix("host").expect("the name").trim();
        // Authors of guards work at a terminal.
        if !["new", "build", "test", "run", "bench", "certify"].iter().any(|name| words == format!("guard {name}")) {
            options(&command).for_each(|arg| check(words, arg));
        }
    }
    tree().get_arguments().filter(|arg| arg.is_global_set() && arg.get_id() != "help").for_each(|arg| check("", arg));
    let expected = OF_ONE_CALL.iter().chain(&OF_ONE_RUN).map(ToString::to_string);
    // How much is logged is asked for at a terminal.
    assert_eq!(without, expected.chain(["--verbose".to_owned()]).collect());
}

#[test]
fn variables_do_what_their_options_do() {
    let repo = TestRepo::with(&[("guards.toml", "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n"), ("a.json", "{}\n")]);
    repo.write("a.json", "{\n");
    repo.write("guards.toml", "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n[[guard]]\nid = \"no-leftovers\"\n\n[[guard]]\nid = \"no-secrets\"\n");
    repo.stage_all();
    let check = |variables: &[(&str, &str)], code: i32| {
        host_with(repo.path(), &["check", "--staged", "--format", "json"], b"", variables).expect(code).json()
    };
    assert!(check(&[], 7)["refusal"].is_object());
    check(&[("GUARDHOST_ALLOW_RULE_CHANGES", "0")], 7);
    let judged = check(&[("GUARDHOST_ALLOW_RULE_CHANGES", "1")], 0);
    assert_eq!(judged["guards"].as_array().map(Vec::len), Some(1), "the rules of the base: {judged}");
    repo.git(&["commit", "-q", "-m", "rules"]);
    repo.write("a.json", "{}\n");
    repo.git(&["commit", "-q", "--amend", "-a", "-m", "rules"]);
    host_with(repo.path(), &["check", "--staged"], b"", &[("GUARDHOST_ALLOW_EMPTY", "true")]).expect(0);
    repo.write("a.json", "{\n");
    repo.stage_all();
    check(&[], 1);
    check(&[("GUARDHOST_SKIP", "syntax-holds,no-leftovers")], 0);
    let file = repo.path().join("../report.json");
    let variables = [("GUARDHOST_OUTPUT", "../report.json"), ("GUARDHOST_FORMAT", "json"), ("GUARDHOST_QUIET", "1")];
    let ran = host_with(repo.path(), &["check", "--staged"], b"", &variables).expect(1);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    assert!(fs::read_to_string(file).expect("written").starts_with("{\"schema_version\""));
}

#[test]
fn parts_of_the_program_are_never_suggested() {
    for (words, _) in commands() {
        assert!(!words.contains("__"), "{words}");
    }
    let wrong = host(home(), &["_compile"]).expect(2);
    assert!(!wrong.stderr.contains("__"), "{wrong:?}");
    let shells = ["bash", "elvish", "fish", "powershell", "zsh"];
    for shell in shells {
        let script = host(home(), &["completions", shell]).expect(0).stdout;
        for word in ["accept", "componentize", "allow-rule-changes"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        for part in ["__compile", "__supervise", "__attend", "__confine", "__suite"] {
            assert!(!script.contains(part), "{shell}: {part}");
        }
    }
    assert!(host(home(), &["help", "check"]).expect(0).stdout.contains("--staged"));
}

/// By the shell itself: the words that it offers after `host gua` and `host check --sta`.
#[test]
fn bash_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("host.bash");
    fs::write(&script, host(home(), &["completions", "bash"]).expect(0).stdout).expect("written");
    let offered = |words: &str, last: usize| {
        let test = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD={last}; _host host \"${{COMP_WORDS[{last}]}}\" ''; echo \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = Process::new("bash").args(["--norc", "-c", &test]).output().expect("bash runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    };
    assert_eq!([offered("host gua", 1), offered("host check --sta", 2)], ["guard", "--staged"]);
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    host(folder.path(), &["man", "--dir", "pages"]).expect(0);
    let pages: BTreeSet<String> = fs::read_dir(folder.path().join("pages"))
        .expect("pages")
        .map(|page| page.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    let shown = commands_of(&tree()).into_iter().filter(|(_, command)| !command.is_hide_set());
    let expected = shown.map(|(words, _)| format!("{}.1", words.replace(' ', "-"))).collect();
    assert_eq!(pages, expected);
    let page = host(folder.path(), &["man", "guard", "add"]).expect(0).stdout;
    assert!(page.contains(".TH host-guard-add 1") && page.contains("\\-\\-grant"), "{page}");
    host(folder.path(), &["man", "no-such-command"]).expect(2);
}

/// BIND has a program of the same name, and a script that starts it would ask a name server.
#[test]
fn another_program_called_host_is_named() {
    let repo = TestRepo::with(&[("a", "a\n")]);
    let bin = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("/bin/true", bin.path().join("host")).expect("a link");
    let named = |folder: &std::path::Path| -> serde_json::Value {
        let path = format!("{}:/usr/bin:/bin", folder.display());
        let report = host_with(repo.path(), &["doctor", "--format", "json"], b"", &[("PATH", &path)]).json();
        let rows = report["checks"].as_array().expect("checks");
        rows.iter().find(|row| row["name"] == "name").expect("the row").clone()
    };
    let other = named(bin.path());
    assert!(other["ok"] == "warn" && other["hint"].as_str().expect("a hint").contains("guardhost"), "{other}");
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_host")).parent().expect("a folder");
    assert_eq!(named(own)["ok"], "pass");
}

#[test]
fn a_guard_that_is_nearly_an_embedded_one_is_suggested() {
    let repo = TestRepo::with(&[("a", "a\n")]);
    let said = host_with(repo.path(), &["guard", "add", "doc-kept"], b"", &[]).expect(2).stderr;
    assert!(said.contains("did you mean `docs-kept`?"), "{said}");
    let said = host_with(repo.path(), &["guard", "add", "docs-kept"], b"", &[]).expect(2).stderr;
    assert!(said.contains("judges already") && said.contains("host init"), "{said}");
    assert!(!repo.path().join("guards.toml").exists());
}
