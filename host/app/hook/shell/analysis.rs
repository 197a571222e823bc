//! A command line from its first command to its last, with what the commands before have set: variables, the folder, files.

use std::collections::BTreeMap;
use std::path::Path;

use guardhost_os::HAS_POSIX_SHELL;

use super::bypass::Bypass;
use super::words::{self, SimpleCommand, base_name};
use super::{files, git_command, program_text, scripts, variables};

/// Command lines inside of command lines that are looked into.
const DEPTH: u32 = 5;

#[derive(Debug, Clone, Default)]
pub(super) struct LineContext {
    /// The roots of the repository in which the line is run, in parts; none where that is not known.
    roots: Vec<Vec<String>>,
    /// The folder in parts: from the root of the file system, or from where the line began.
    folder: Vec<String>,
    folder_is_absolute: bool,
    variables: BTreeMap<String, String>,
    depth: u32,
}

impl LineContext {
    /// For a line that is run in a repository with these roots: its work tree, and the folder that git's own lies in. Where the shell has its
    /// own names for what the system calls otherwise (`/c/work`, `C:/work`), no path is compared with them, and none is elsewhere.
    pub fn in_repository(roots: &[&Path]) -> Self {
        let parts = |root: &&Path| {
            root.to_string_lossy().split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let known = roots.iter().filter(|_| HAS_POSIX_SHELL);
        LineContext { roots: known.map(parts).collect(), ..Self::default() }
    }

    /// Whether a path certainly leads out of the repository in which the line is run.
    pub fn is_elsewhere(&self, path: &str, parts: &[&str]) -> bool {
        let is_absolute = path.starts_with('/') || (self.folder_is_absolute && !path.starts_with(['~', '$']));
        let below =
            |root: &Vec<String>| root.iter().zip(parts).all(|(one, other)| one == other) && parts.len() >= root.len();
        // A folder above the repository holds it, and a part that the shell fills in may be any.
        let above =
            |root: &Vec<String>| parts.iter().zip(root).all(|(one, other)| one == other) && parts.len() < root.len();
        let is_plain = !parts.iter().any(|part| part.contains(['*', '?', '[', '{', '$']));
        is_absolute && is_plain && !self.roots.is_empty() && !self.roots.iter().any(|root| below(root) || above(root))
    }

    /// For a command line inside of this one.
    pub fn inside(&self) -> Self {
        LineContext { depth: self.depth + 1, ..self.clone() }
    }

    /// The first way around the hooks in a command line.
    pub fn script(mut self, line: &str) -> Option<Bypass> {
        if self.depth > DEPTH {
            return None;
        }
        let line = words::read(line);
        if let Some(found) = line.nested.iter().find_map(|nested| self.inside().script(nested)) {
            return Some(found);
        }
        let commands: Vec<SimpleCommand> = line.commands.iter().map(|command| self.seen(command)).collect();
        let mut printed = String::new();
        for (at, command) in commands.iter().enumerate() {
            let fed = std::mem::take(&mut printed);
            if let Some(found) = self.command(command, &fed) {
                return Some(found);
            }
            if command.is_piped {
                printed = format!("{fed}\n{}", scripts::printed(command));
            }
            if let Some(found) = self.written_and_run(command, &fed, &commands[at + 1..]) {
                return Some(found);
            }
        }
        None
    }

    /// A command with the values of the variables in it, and with what it sets for those behind it.
    fn seen(&mut self, command: &SimpleCommand) -> SimpleCommand {
        let mut seen = command.clone();
        seen.words = command.words.iter().flat_map(|word| self.expanded(word)).collect();
        seen.written = command.written.iter().flat_map(|word| self.expanded(word)).collect();
        for (name, value) in seen.words.iter().filter_map(|word| variables::assignment(word)) {
            self.variables.insert(name.to_owned(), value.to_owned());
        }
        seen
    }

    /// `$NAME` and `${NAME}`, as far as the line itself sets them. One that is a word by itself may become several.
    fn expanded(&self, word: &str) -> Vec<String> {
        if !word.contains('$') || self.variables.is_empty() {
            return vec![word.to_owned()];
        }
        let mut text = String::new();
        let mut rest = word;
        let mut is_whole = false;
        while let Some((before, after)) = rest.split_once('$') {
            text.push_str(before);
            let braced = after.strip_prefix('{');
            let name_at = braced.unwrap_or(after);
            let length = name_at.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            let (name, behind) = name_at.split_at(length);
            match self.variables.get(name) {
                Some(value) => {
                    text.push_str(value);
                    rest =
                        if braced.is_some() { behind.split_once('}').map_or(behind, |(_, rest)| rest) } else { behind };
                    is_whole = before.is_empty() && rest.is_empty();
                }
                None => {
                    text.push('$');
                    rest = after;
                }
            }
        }
        text.push_str(rest);
        match is_whole {
            true => text.split_whitespace().map(str::to_owned).collect(),
            false => vec![text],
        }
    }

    /// One command; `fed` is what the commands before it print into it.
    fn command(&mut self, command: &SimpleCommand, fed: &str) -> Option<Bypass> {
        let at = scripts::program(&command.words);
        let program = command.words.get(at).map_or("", |word| base_name(word)).to_owned();
        let mut assigned = scripts::assigning(&command.words, at).iter().filter_map(|word| variables::assignment(word));
        let by_command = command.words.get(at + 1..).and_then(|args| variables::set_by_command(&program, args));
        let is_data = files::only_reads(&program);
        let assigned = assigned.find_map(|(name, value)| variables::assigned(name, value, self));
        if let Some(found) =
            assigned.or_else(|| by_command.and_then(|(name, value)| variables::assigned(name, value, self)))
        {
            return Some(found);
        }
        if (program == "unset" || command.words.iter().any(|word| base_name(word) == "env"))
            && let Some(found) = variables::removed(&command.words)
        {
            return Some(found);
        }
        if matches!(program.as_str(), "cd" | "pushd") {
            let to = command.words[at + 1..].iter().find(|word| !word.starts_with('-')).cloned();
            self.enter(&to.unwrap_or_else(|| "~".to_owned()));
        }
        if let Some(found) = files::written(command, at, self) {
            return Some(found);
        }
        if let Some(found) = scripts::run_by(command, at, fed).into_iter().find_map(|text| self.run(&text)) {
            return Some(found);
        }
        if is_data {
            return None;
        }
        if scripts::uninstalls(&command.words[at.min(command.words.len())..]) {
            return Some(Bypass::TurnsOff(command.words[at..].join(" ")));
        }
        let git = command.words.iter().skip(at).position(|word| base_name(word) == "git").map(|git| git + at)?;
        let is_own = git == at || !scripts::is_installer(&program);
        let fed = if scripts::is_fed(&command.words) { fed } else { "" };
        let words: Vec<String> =
            command.words[git + 1..].iter().cloned().chain(fed.split_whitespace().map(str::to_owned)).collect();
        git_command::bypass(&words, self).filter(|_| is_own)
    }

    fn run(&self, text: &scripts::Script) -> Option<Bypass> {
        match text {
            scripts::Script::Shell(text) => self.inside().script(text),
            scripts::Script::Program(text) => program_text::bypass(text, &self.inside()),
        }
    }

    /// A file that the line writes and then runs.
    fn written_and_run(&self, command: &SimpleCommand, fed: &str, later: &[SimpleCommand]) -> Option<Bypass> {
        let written = scripts::written_files(command);
        let names = |command: &SimpleCommand, file: &str| {
            let at = scripts::program(&command.words);
            let reads = command.words.get(at).is_some_and(|program| files::only_reads(base_name(program)));
            !reads && command.words.iter().any(|word| base_name(word.rsplit('=').next().unwrap_or(word)) == file)
        };
        let runners = later.iter().filter(|command| written.iter().any(|file| names(command, base_name(file))));
        let text = format!("{fed}\n{}", scripts::printed(command));
        let mut scripts = runners.map(|runner| match scripts::runs_programs(&runner.words) {
            true => scripts::Script::Program(text.clone()),
            false => scripts::Script::Shell(scripts::without_prefixes(&text)),
        });
        scripts.find_map(|script| self.run(&script))
    }

    /// `cd`.
    pub fn enter(&mut self, folder: &str) {
        if let Some(parts) = self.parts(folder) {
            self.folder = parts.into_iter().map(str::to_owned).collect();
            match folder.chars().next() {
                Some('/') => self.folder_is_absolute = true,
                Some('~' | '$') => self.folder_is_absolute = false,
                _ => {}
            }
        }
    }

    /// A path from where the line began, without dots; None for what is no path. `..` above the beginning is left out.
    pub fn parts<'p>(&'p self, path: &'p str) -> Option<Vec<&'p str>> {
        if path.is_empty() || path.starts_with('-') || path.contains(['\n', ' ']) || path.contains("://") {
            return None;
        }
        let is_absolute = path.starts_with(['/', '~', '$']);
        let mut parts: Vec<&str> = match is_absolute {
            true => Vec::new(),
            false => self.folder.iter().map(String::as_str).collect(),
        };
        for part in path.split(std::path::is_separator) {
            match part {
                "" | "." | "~" | "$HOME" | "$PWD" => {}
                ".." => {
                    parts.pop();
                }
                "$GIT_DIR" | "${GIT_DIR}" => parts.push(".git"),
                part => parts.push(part),
            }
        }
        Some(parts)
    }

    /// A variable by which git reads the settings of another user, or the host what another one remembers, if the line sets one.
    pub fn other_settings(&self) -> Option<String> {
        let set = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
            .iter()
            .find_map(|name| Some((name, self.variables.get(*name)?)));
        set.map(|(name, value)| format!("{name}={value}"))
    }
}
