//! One command line of git, behind the word `git`.

use super::analysis::LineContext;
use super::bypass::Bypass;
use super::{files, scripts, settings};

/// Options before the command that take the next word.
const WITH_VALUE: [&str; 5] = ["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"];

/// Commands whose hooks `--no-verify` skips.
const VERIFYING: [&str; 8] = ["am", "cherry-pick", "commit", "merge", "pull", "push", "rebase", "revert"];

/// Options of `git commit` that take the next word, or the rest of theirs.
const COMMIT_WITH_VALUE: [char; 6] = ['C', 'c', 'F', 'm', 't', 'S'];

pub(super) fn bypass(words: &[String], context: &LineContext) -> Option<Bypass> {
    // Git has options that nobody here knows, which may take the next word.
    let set = words.windows(2).filter(|pair| pair[0] == "-c").filter_map(|pair| pair[1].split_once('='));
    if let Some(found) = set.into_iter().find_map(|(name, _)| settings::named(name)) {
        return Some(found);
    }
    let mut context = context.clone();
    let mut rest = words.iter();
    let command = loop {
        let word = rest.next()?;
        if !word.starts_with('-') {
            break word.as_str();
        }
        if let Some(found) = word.strip_prefix("--work-tree=").and_then(|tree| files::written_to(tree, &context)) {
            return Some(found);
        }
        let setting = match word.as_str() {
            "-c" | "--config-env" => rest.next().map(String::as_str),
            "-C" => {
                context.enter(rest.next()?);
                None
            }
            word if WITH_VALUE.contains(&word) => {
                let tree = rest.next().filter(|_| word == "--work-tree");
                if let Some(found) = tree.and_then(|tree| files::written_to(tree, &context)) {
                    return Some(found);
                }
                None
            }
            word => word
                .strip_prefix("--config-env=")
                .or_else(|| word.strip_prefix("-c").filter(|_| !word.starts_with("--"))),
        };
        if let Some(found) = setting.and_then(|setting| settings::assigned(setting, &context)) {
            return Some(found);
        }
    };
    let args = rest.as_slice();
    if let Some(found) = written_file(command, args).and_then(|path| files::written_to(path, &context)) {
        return Some(found);
    }
    if let Some(off) = context.other_settings().filter(|_| VERIFYING.contains(&command)) {
        return Some(Bypass::TurnsOff(off));
    }
    let moves = || Some(Bypass::MovesRef(command.to_owned()));
    match command {
        "update-ref" | "fast-import" => moves(),
        // They push, and ask no hook here.
        "send-pack" | "http-push" => moves(),
        "symbolic-ref"
            if args.iter().filter(|arg| !arg.starts_with('-')).count() > 1 || has(args, &["-d", "--delete"]) =>
        {
            moves()
        }
        "config" => settings::config(args, &context),
        // What the gate knows of a repository it knows by its folder.
        "init" | "clone" if args.iter().any(|arg| arg.starts_with("--separate-git-dir")) => {
            Some(Bypass::Settings(format!("{command} --separate-git-dir")))
        }
        "submodule" if args.first().is_some_and(|arg| arg == "foreach") => {
            let options = args[1..].iter().take_while(|arg| arg.starts_with('-')).count();
            context.inside().script(&scripts::joined(&args[1 + options..]))
        }
        "bisect" if args.first().is_some_and(|arg| arg == "run") => {
            context.inside().script(&scripts::joined(&args[1..]))
        }
        "fetch" | "pull" | "push" if writes_as_remote(args) => {
            Some(Bypass::MovesRef(format!("{command} … :refs/remotes/…")))
        }
        "clean" | "stash" | "rm" | "mv" | "restore" | "checkout" => files::written_by_git(command, args, &context),
        _ => None,
    }
    .or_else(|| (VERIFYING.contains(&command) && skips_hooks(command, args)).then_some(Bypass::NoVerify))
    .or_else(|| commands_in(command, args).find_map(|script| context.inside().script(script)))
}

/// The file or the folder that a command of git writes what it makes to.
fn written_file<'a>(command: &str, args: &'a [String]) -> Option<&'a str> {
    const OPTIONS: [&str; 4] = ["--output", "--output-directory", "--prefix", "-o"];
    let behind = args.windows(2).find(|pair| OPTIONS.contains(&pair[0].as_str())).map(|pair| pair[1].as_str());
    let joined = || {
        args.iter()
            .find_map(|arg| arg.split_once('=').filter(|(name, _)| OPTIONS.contains(name)).map(|(_, value)| value))
    };
    let bundle = || {
        let is_made = command == "bundle" && args.first().is_some_and(|arg| arg == "create");
        args.iter().skip(1).find(|arg| is_made && !arg.starts_with('-')).map(String::as_str)
    };
    behind.or_else(joined).or_else(bundle)
}

fn has(args: &[String], names: &[&str]) -> bool {
    args.iter().any(|arg| names.contains(&arg.as_str()))
}

/// Arguments that may be command lines: `rebase --exec …`, the filters of `filter-branch`, `difftool -x`. Messages are none.
fn commands_in<'a>(command: &'a str, args: &'a [String]) -> impl Iterator<Item = &'a str> {
    let is_message = move |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| args.get(before)).map_or("", String::as_str);
        let ends_cluster = before.starts_with('-') && !before.starts_with("--") && before.ends_with('m');
        ends_cluster || matches!(before, "--message" | "--author" | "--trailer" | "--grep" | "-S" | "-G" | "--format")
    };
    let is_read =
        matches!(command, "log" | "grep" | "show" | "diff" | "blame" | "shortlog" | "tag" | "config" | "notes");
    (0..args.len()).filter(move |at| !is_read && !is_message(at)).filter_map(move |at| {
        let arg = args[at].as_str();
        let is_message = ["-m", "--message=", "--trailer=", "--author="].iter().any(|option| arg.starts_with(option));
        let text = match arg.starts_with('-') {
            true => arg.split_once('=').map(|(_, value)| value).or_else(|| arg.strip_prefix("-x"))?,
            false => arg,
        };
        (!is_message && text.contains(char::is_whitespace)).then_some(text)
    })
}

/// What is known at a remote counts as judged: refs of one are written by what comes from it, under its name.
fn writes_as_remote(args: &[String]) -> bool {
    let is_own = |rest: &str| args.iter().any(|arg| rest.split_once('/').is_some_and(|(remote, _)| arg == remote));
    let targets = args.iter().filter_map(|arg| arg.rsplit_once(":refs/remotes/"));
    targets.into_iter().any(|(_, rest)| !is_own(rest))
}

fn skips_hooks(command: &str, args: &[String]) -> bool {
    let mut skip = false;
    for arg in args {
        if std::mem::take(&mut skip) {
            continue;
        }
        match arg.strip_prefix("--") {
            Some("") => return false,
            // Git takes every beginning that means one option alone.
            Some(long) if long.len() >= "no-ver".len() && "no-verify".starts_with(long) => return true,
            Some("message" | "file" | "author" | "date" | "template") => skip = true,
            Some(_) => {}
            None => {
                let Some(short) = arg.strip_prefix('-').filter(|_| command == "commit") else { continue };
                let flags = short.find(COMMIT_WITH_VALUE);
                if short[..flags.unwrap_or(short.len())].contains('n') {
                    return true;
                }
                skip = flags.is_some_and(|at| at + 1 == short.len() && !short.ends_with('S'));
            }
        }
    }
    false
}
