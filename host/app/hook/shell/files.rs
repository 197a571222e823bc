//! Files that say which hooks run, and the commands that write or remove them.

use std::path::Path;

use super::analysis::LineContext;
use super::bypass::Bypass;
use super::words::{SimpleCommand, base_name};

/// Settings that say which hooks an agent runs.
pub(in crate::hook) const HOOK_FILES: [&str; 17] = [
    ".claude/plugins/installed_plugins.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".config/opencode/plugins/guardhost.js",
    ".copilot/config.json",
    ".copilot/hooks/guardhost.json",
    ".copilot/settings.json",
    ".cursor/hooks.json",
    ".gemini/extensions/extension-enablement.json",
    ".gemini/settings.json",
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".github/hooks/guardhost.json",
    ".opencode/plugins/guardhost.js",
    ".qwen/settings.json",
];

/// Settings of a user or a machine in which git finds hooks, and in which the host finds what an error means.
pub(in crate::hook) const SETTINGS: [&str; 4] = [".gitconfig", ".config/git/config", "etc/gitconfig", HOST_SETTINGS];

/// In the folder of settings of a user.
pub(in crate::hook) const HOST_SETTINGS: &str = "guardhost/config.toml";

/// Where the host keeps what it knows of repositories, below a cache folder.
const OF_GATE: [&str; 2] = ["guardhost", "repositories"];

/// What git keeps for itself in its folder.
const GIT_FILES: [&str; 12] = [
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "grafts",
    "guardhost",
    "hooks",
    "logs",
    "objects",
    "packed-refs",
    "refs",
    "shallow",
];

/// Programs that only read what they are given.
const READERS: [&str; 28] = [
    "[", "[[", "basename", "cat", "cd", "cmp", "cut", "diff", "dirname", "du", "echo", "file", "grep", "head", "less",
    "ls", "more", "nl", "printf", "pwd", "readlink", "realpath", "rg", "stat", "tail", "test", "tree", "wc",
];

/// Programs that remove what they are given, or take it out of its place.
const REMOVERS: [&str; 8] = ["chmod", "mv", "rm", "rmdir", "shred", "trash", "truncate", "unlink"];

/// Programs whose last word may be a folder to put the others into.
const COPIERS: [&str; 4] = ["cp", "install", "ln", "mv"];

/// Programs that read the files they are given, unless they have one of these options. What else their words say is looked at elsewhere: a
/// program for awk may write.
const READERS_UNLESS: [(&str, &[&str]); 18] = [
    ("awk", &[]),
    ("b3sum", &[]),
    ("bat", &[]),
    ("cksum", &[]),
    ("column", &[]),
    ("gawk", &["-i"]),
    ("hexdump", &[]),
    ("jq", &[]),
    ("mawk", &[]),
    ("md5sum", &[]),
    ("od", &[]),
    ("sed", &["-i", "--in-place"]),
    ("sha1sum", &[]),
    ("sha256sum", &[]),
    ("sort", &["-o", "--output"]),
    ("strings", &[]),
    ("xxd", &["-r"]),
    ("yq", &["-i", "--inplace"]),
];

/// How a path stands to a protected file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// It is one, or lies in one that is a folder.
    Names,
    /// It may be one: the shell fills in the rest of a pattern.
    MayName,
    /// It is a folder above one.
    Holds,
}

pub(super) fn only_reads(program: &str) -> bool {
    READERS.contains(&program)
}

/// Whether a program only reads the files that its words name.
fn reads_files(program: &str, args: &[String]) -> bool {
    let Some((_, options)) = READERS_UNLESS.iter().find(|(name, _)| *name == program) else {
        return READERS.contains(&program);
    };
    let has = |arg: &String, option: &str| match option.strip_prefix("--") {
        Some(_) => arg.starts_with(option),
        // `-ni` has two options.
        None => arg.starts_with('-') && !arg.starts_with("--") && arg.contains(&option[1..]),
    };
    !args.iter().any(|arg| options.iter().any(|option| has(arg, option)))
}

/// A file that a command writes or removes, of those that say what judges.
pub(super) fn written(command: &SimpleCommand, program: usize, context: &LineContext) -> Option<Bypass> {
    let target =
        command.written.iter().find(|path| matches!(reach(path, context), Some(Reach::Names | Reach::MayName)));
    if let Some(path) = target {
        return Some(Bypass::GitFiles(path.clone()));
    }
    let name = base_name(command.words.get(program)?);
    let args = &command.words[program + 1..];
    match name {
        "git" => None,
        "find" => found(args, context),
        "patch" => patched(&command.input, context),
        name if reads_files(name, args) => None,
        "tar" | "bsdtar" | "unzip" => unpacked(args, context),
        "cp" | "install" => copied(name, args, context).map(Bypass::GitFiles),
        name => {
            let removes = REMOVERS.contains(&name) && !(name == "chmod" && only_adds(args));
            let named = args.iter().find(|arg| counts(reach(value(arg), context), removes));
            named.cloned().or_else(|| copied(name, args, context)).map(Bypass::GitFiles)
        }
    }
}

fn counts(reach: Option<Reach>, removes: bool) -> bool {
    match reach {
        Some(Reach::Names) => true,
        Some(Reach::MayName | Reach::Holds) => removes,
        None => false,
    }
}

/// `--output=.git/hooks/x` names one too.
fn value(arg: &str) -> &str {
    arg.rsplit('=').next().unwrap_or(arg)
}

/// A mode that takes no right away, as `u+w`.
fn only_adds(args: &[String]) -> bool {
    let mode = args.iter().find(|arg| !arg.starts_with('-')).map_or("", String::as_str);
    mode.contains('+') && !mode.contains(['-', '='])
}

/// The file that is written, or one that gets into a folder under its own name. What is copied is only read.
fn copied(program: &str, args: &[String], context: &LineContext) -> Option<String> {
    if !COPIERS.contains(&program) {
        return None;
    }
    let folder = args.iter().enumerate().find_map(|(at, arg)| match arg.as_str() {
        "-t" | "--target-directory" => args.get(at + 1),
        arg => arg.starts_with("--target-directory=").then_some(&args[at]),
    });
    let (to, from) = match folder {
        Some(folder) => (value(folder), args),
        None => args.split_last().map(|(to, from)| (to.as_str(), from))?,
    };
    let placed = from.iter().filter(|from| !from.starts_with('-')).map(|from| format!("{to}/{}", base_name(from)));
    [to.to_owned()].into_iter().chain(placed).find(|path| reach(path, context) == Some(Reach::Names))
}

/// The folder into which an archive is unpacked: which files it has is not known.
fn unpacked(args: &[String], context: &LineContext) -> Option<Bypass> {
    let folders =
        args.windows(2).filter(|pair| matches!(pair[0].as_str(), "-C" | "-d" | "--directory")).map(|pair| &pair[1]);
    let joined = args.iter().filter(|arg| arg.starts_with("--directory="));
    let mut folders = folders.chain(joined);
    folders.find(|folder| is_written_below(value(folder), context)).cloned().map(Bypass::GitFiles)
}

/// Whether files that get into a folder under names of their own may be protected ones.
fn is_written_below(folder: &str, context: &LineContext) -> bool {
    let is_folder_itself = context.parts(folder).is_none_or(|parts| parts.is_empty());
    !is_folder_itself && !is_above_all(folder) && reach(folder, context).is_some()
}

/// A file or a folder that a variable or an option of git has it write.
pub(super) fn written_to(path: &str, context: &LineContext) -> Option<Bypass> {
    is_written_below(path, context).then(|| Bypass::GitFiles(path.to_owned()))
}

/// `find` that removes, or starts a program for what it finds.
fn found(args: &[String], context: &LineContext) -> Option<Bypass> {
    let runs = |arg: &String| matches!(arg.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let at = args.iter().position(|arg| arg == "-delete" || runs(arg))?;
    if runs(&args[at]) && args.get(at + 1).is_some_and(|program| reads_files(base_name(program), &args[at + 2..])) {
        return None;
    }
    // A folder with a hook in it is not empty.
    if args.iter().any(|arg| arg == "-empty") {
        return None;
    }
    // What a condition excludes is the person's care.
    let is_negated = |at: usize| at > 0 && matches!(args[at - 1].as_str(), "-not" | "!");
    if (0..args.len()).any(|at| is_negated(at) && args[at].ends_with("path")) || args.iter().any(|arg| arg == "-prune")
    {
        return None;
    }
    let denied = |word: &str| Some(Bypass::GitFiles(word.to_owned()));
    let starts: Vec<&String> = args.iter().take_while(|arg| !arg.starts_with(['-', '!', '('])).collect();
    let reaches: Vec<(&str, Reach)> = match starts.is_empty() {
        true => reach(".", context).map(|reach| (".", reach)).into_iter().collect(),
        false => starts.iter().filter_map(|start| Some((start.as_str(), reach(start, context)?))).collect(),
    };
    let (start, reached) = reaches.first()?;
    if matches!(reached, Reach::Names | Reach::MayName) {
        return denied(start);
    }
    let patterns =
        args.windows(2).filter(|pair| matches!(pair[0].as_str(), "-name" | "-iname" | "-path" | "-wholename"));
    let patterns: Vec<&str> = patterns.map(|pair| pair[1].as_str()).collect();
    let meant = patterns.iter().find(|pattern| names_protected(base_name(pattern)));
    match (patterns.is_empty(), meant) {
        (true, _) => denied(start),
        (false, Some(pattern)) => denied(pattern),
        (false, None) => None,
    }
}

/// Whether `find -name` of this pattern finds a protected file or its folder.
fn names_protected(pattern: &str) -> bool {
    const HOOKS: [&str; 7] = [
        "commit-msg",
        "pre-commit",
        "pre-merge-commit",
        "pre-push",
        "pre-rebase",
        "prepare-commit-msg",
        "reference-transaction",
    ];
    let files = HOOK_FILES.iter().chain(&SETTINGS).flat_map(|file| file.split('/'));
    let names = files.chain(HOOKS).chain([".git", "hooks", "packed-refs"]).filter(|name| *name != "etc");
    names.into_iter().any(|name| matches(pattern, name))
}

/// The headers of a patch name what it writes.
fn patched(inputs: &[String], context: &LineContext) -> Option<Bypass> {
    let lines = inputs.iter().flat_map(|text| text.lines());
    let paths = lines.filter_map(|line| line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- ")));
    let mut paths = paths.map(|path| path.split('\t').next().unwrap_or(path).trim());
    paths.find(|path| reach(path, context) == Some(Reach::Names)).map(|path| Bypass::GitFiles(path.to_owned()))
}

/// Commands of git that write the work tree.
pub(super) fn written_by_git(command: &str, args: &[String], context: &LineContext) -> Option<Bypass> {
    let has = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
    let cluster = |letters: &[char]| {
        args.iter().any(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg.contains(letters))
    };
    let paths = || args.iter().filter(|arg| !arg.starts_with('-'));
    let shown = || Some(Bypass::GitFiles(format!(".claude/settings.local.json (by git {command} {})", args.join(" "))));
    match command {
        // Settings of agents are often untracked or ignored.
        "clean" => {
            let removes = (has(&["--force"]) || cluster(&['f'])) && !(has(&["--dry-run"]) || cluster(&['n']));
            let excludes =
                args.iter().any(|arg| HOOK_FILES.iter().any(|file| file.starts_with(value(arg)) && arg.len() > 3));
            let reaches = match paths().next() {
                None => cluster(&['d', 'x', 'X']),
                Some(_) => paths().any(|path| reach(path, context).is_some()),
            };
            (removes && !excludes && reaches).then(shown)?
        }
        "stash" => {
            let is_made = args.first().is_none_or(|arg| arg.starts_with('-') || arg == "push" || arg == "save");
            let takes = has(&["-u", "-a", "--all", "--include-untracked"]) || cluster(&['u', 'a']);
            let named: Vec<&String> = args.iter().skip_while(|arg| *arg != "--").skip(1).collect();
            let reaches = named.is_empty() || named.iter().any(|path| reach(path, context).is_some());
            (is_made && takes && reaches).then(shown)?
        }
        "rm" if has(&["--cached"]) => None,
        "rm" | "mv" => paths().find(|path| counts(reach(path, context), true)).cloned().map(Bypass::GitFiles),
        // The whole work tree is brought back all the time; a folder such as `.claude` alone is not.
        _ => paths()
            .find(|path| match reach(path, context) {
                Some(Reach::Names) => true,
                Some(Reach::Holds) => !is_above_all(path),
                Some(Reach::MayName) | None => false,
            })
            .cloned()
            .map(Bypass::GitFiles),
    }
}

/// The folder itself, or one above it.
fn is_above_all(path: &str) -> bool {
    path.split(std::path::is_separator).all(|part| matches!(part, "" | "." | ".." | "~"))
}

fn reach(path: &str, context: &LineContext) -> Option<Reach> {
    let parts = context.parts(path)?;
    let files = HOOK_FILES.iter().chain(&SETTINGS).map(|file| file.split('/').collect::<Vec<_>>());
    // Git's folder of another repository, as of a clone for a test, judges nothing here.
    let is_elsewhere = context.is_elsewhere(path, &parts);
    let of_git = GIT_FILES.iter().filter(|_| !is_elsewhere).map(|name| vec![".git", name]);
    let protected: Vec<Vec<&str>> = files.chain(of_git).chain([OF_GATE.to_vec()]).collect();
    if parts.is_empty() || is_above_all(path) {
        return Some(Reach::Holds);
    }
    // The folder above it: one of the project's that is called so is none.
    if parts.windows(2).any(|pair| matches(pair[0], ".cache") && matches(pair[1], OF_GATE[0])) {
        return Some(Reach::Names);
    }
    let mut found = None;
    for (at, file) in (0..parts.len()).flat_map(|at| protected.iter().map(move |file| (at, file))) {
        let pairs = || parts[at..].iter().zip(file);
        if !pairs().all(|(part, name)| matches(part, name)) {
            continue;
        }
        let is_whole = parts.len() - at >= file.len();
        let is_literal = pairs().all(|(part, name)| part.eq_ignore_ascii_case(name));
        match (is_whole, is_literal) {
            (true, true) => return Some(Reach::Names),
            (true, false) => found = Some(Reach::MayName),
            // A folder above, as `.claude`; a name such as `etc` alone is none.
            (false, _) if parts[at..].iter().any(|part| part.starts_with('.')) => {
                found = found.or(Some(Reach::Holds));
            }
            (false, _) => {}
        }
    }
    // Whatever lies deeper below git's folder, as the hooks of a submodule.
    let below = parts.iter().position(|part| part.eq_ignore_ascii_case(".git")).map(|at| &parts[at + 1..]);
    match below.filter(|_| !is_elsewhere) {
        Some(below) if below.iter().any(|part| GIT_FILES.iter().any(|name| part.eq_ignore_ascii_case(name))) => {
            Some(Reach::Names)
        }
        _ => found,
    }
}

/// Whether a part of a path, which may be a pattern of the shell, can be this name. Patterns name no file with a dot unless they have it.
fn matches(part: &str, name: &str) -> bool {
    if let Some((before, rest)) = part.split_once('{')
        && let Some((inner, after)) = rest.split_once('}')
    {
        return inner.split(',').any(|one| matches(&format!("{before}{one}{after}"), name));
    }
    let (part, name) = (part.to_ascii_lowercase(), name.to_ascii_lowercase());
    if name.starts_with('.') && part.starts_with(['*', '?', '[']) {
        return false;
    }
    fits(part.as_bytes(), name.as_bytes())
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((b'*', pattern)), _) => (0..=name.len()).any(|skipped| fits(pattern, &name[skipped..])),
        (Some((b'?', pattern)), Some((_, name))) => fits(pattern, name),
        // Which characters a class has is not looked at.
        (Some((b'[', pattern)), Some((_, name))) => {
            let end = pattern.iter().position(|byte| *byte == b']');
            end.is_some_and(|end| fits(&pattern[end + 1..], name))
        }
        (Some((one, pattern)), Some((other, name))) => one == other && fits(pattern, name),
        (Some(_), None) => false,
    }
}

/// A file that says which hooks run: one of an agent's settings.
pub(in crate::hook) fn is_hook_file(path: &Path) -> bool {
    ends_with(path, &HOOK_FILES)
}

/// A file of settings, of git or of the host, that counts for more than one repository.
pub(in crate::hook) fn is_user_settings(path: &Path) -> bool {
    ends_with(path, &SETTINGS)
}

fn ends_with(path: &Path, files: &[&str]) -> bool {
    let path = path.to_string_lossy().to_ascii_lowercase();
    files.iter().any(|file| Path::new(&path).ends_with(file))
}
