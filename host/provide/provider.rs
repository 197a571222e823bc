//! Whom to ask: providers as people name them, and a chain of them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::cli::{CLAUDE, CODEX, COMMAND, Dialect, GEMINI};
use crate::error::{Fault, Kind, Result};

/// One step of a chain.
#[derive(Debug, Clone)]
pub struct Provider {
    /// Shown in messages and records.
    pub name: String,
    pub speaker: Speaker,
    /// None: the provider's own choice.
    pub model: Option<String>,
    /// More variables of the environment that it may see, beside the usual ones and those of its preset.
    pub env: Vec<String>,
    /// The same, for variables whose values must appear nowhere else.
    pub keys: Vec<String>,
    pub limits: Limits,
}

/// How to talk to a provider.
#[derive(Debug, Clone)]
pub enum Speaker {
    /// A program: the prompt on its stdin, the answer on its stdout.
    Cli {
        dialect: &'static Dialect,
        /// A name to be found on `PATH`, or a path.
        program: String,
        /// More arguments, beside those of the dialect.
        args: Vec<String>,
    },
    /// A recording, made by [`super::Recorder`] or by hand.
    Replay(PathBuf),
}

/// Bounds of one answer. Passing one ends the program and all that it started.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub wall: Duration,
    /// The longest silence on stdout and stderr; None for programs that say nothing until they are done.
    pub idle: Option<Duration>,
    /// Bytes of stdout.
    pub output: usize,
}

impl Limits {
    /// 15 minutes and 16 MiB.
    pub(super) const fn new(idle: Option<Duration>) -> Self {
        Limits { wall: Duration::from_secs(15 * 60), idle, output: 16 << 20 }
    }
}

impl Provider {
    /// `claude`, `codex` or `gemini`, with a model if wanted (`claude:opus`); `command:PROGRAM ARGUMENT…`, split as a
    /// shell would, but not run by one; or `replay:FILE`. Paths of the program and of the recording are relative to `dir`.
    pub fn parse(spec: &str, dir: &Path) -> Result<Self> {
        let (name, rest) = spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest)));
        let unknown = |why: String| {
            Fault::new(Kind::Usage, why)
                .hint("a provider is claude, codex or gemini (with a model: claude:opus), command:PROGRAM ARGUMENT…, or replay:FILE")
        };
        let Some(dialect) = [&CLAUDE, &CODEX, &GEMINI].into_iter().find(|dialect| dialect.name == name) else {
            return match (name, rest.map(str::trim).filter(|rest| !rest.is_empty())) {
                ("command", Some(line)) => Self::command(line, dir),
                ("replay", Some(file)) => Ok(Self::new("replay", Speaker::Replay(dir.join(file)), Limits::new(None))),
                ("command" | "replay", None) => {
                    Err(unknown(format!("the provider `{spec}` names nothing to run")).into())
                }
                _ => Err(unknown(format!("there is no provider `{name}`")).into()),
            };
        };
        if rest.is_some_and(str::is_empty) {
            return Err(unknown(format!("the provider `{spec}` names no model after the colon")).into());
        }
        let speaker = Speaker::Cli { dialect, program: dialect.name.to_owned(), args: Vec::new() };
        Ok(Provider { model: rest.map(str::to_owned), ..Self::new(name, speaker, dialect.limits) })
    }

    fn command(line: &str, dir: &Path) -> Result<Self> {
        let mut words = shlex::split(line).unwrap_or_default().into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            return Err(Fault::new(Kind::Usage, format!("the command line `{line}` cannot be split into words"))
                .hint("look for a quote that is not closed")
                .into());
        };
        let name = Path::new(&program).file_name().map_or_else(|| program.clone(), |name| name.display().to_string());
        let program = if program.contains('/') { dir.join(program).display().to_string() } else { program };
        let speaker = Speaker::Cli { dialect: &COMMAND, program, args: words.collect() };
        Ok(Self::new(&name, speaker, COMMAND.limits))
    }

    fn new(name: &str, speaker: Speaker, limits: Limits) -> Self {
        Provider { name: name.to_owned(), speaker, model: None, env: Vec::new(), keys: Vec::new(), limits }
    }

    pub(super) fn is_recording(&self) -> bool {
        matches!(self.speaker, Speaker::Replay(_))
    }

    /// Variables whose values must not be seen.
    pub(super) fn key_names(&self) -> impl Iterator<Item = &str> {
        let preset: &[&str] = match &self.speaker {
            Speaker::Cli { dialect, .. } => dialect.keys,
            Speaker::Replay(_) => &[],
        };
        preset.iter().copied().chain(self.keys.iter().map(String::as_str))
    }
}

/// Providers in the order in which they are asked, for the length of a run: who said that its quota is used up is not
/// asked again.
#[derive(Debug, Clone)]
pub struct Chain {
    steps: Vec<Provider>,
    spent: Vec<bool>,
}

impl Chain {
    pub fn new(steps: Vec<Provider>) -> Self {
        Chain { spent: vec![false; steps.len()], steps }
    }

    pub(super) fn step(&self, index: usize) -> &Provider {
        &self.steps[index]
    }

    /// The first at or after `index` that can still be asked.
    pub(super) fn next_from(&self, index: usize) -> Option<usize> {
        (index..self.steps.len()).find(|index| !self.spent[*index])
    }

    pub(super) fn spend(&mut self, index: usize) {
        self.spent[index] = true;
    }
}

/// `claude, codex:gpt-5`.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            f.write_str(&step.name)?;
            step.model.iter().try_for_each(|model| write!(f, ":{model}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::kind;

    #[test]
    fn specs() {
        let dir = Path::new("/work");
        let show = |spec: &str| {
            let provider = Provider::parse(spec, dir).map_err(|error| kind(&error))?;
            Ok(match &provider.speaker {
                Speaker::Cli { program, args, .. } => {
                    format!("{} {program} {args:?} {:?}", provider.name, provider.model)
                }
                Speaker::Replay(file) => format!("{} {}", provider.name, file.display()),
            })
        };
        for (spec, seen) in [
            ("claude", "claude claude [] None"),
            ("gemini:gemini-2.5-flash", "gemini gemini [] Some(\"gemini-2.5-flash\")"),
            ("command:./tools/ask --mode 'two words'", "ask /work/./tools/ask [\"--mode\", \"two words\"] None"),
            ("command: ask", "ask ask [] None"),
            ("replay:replies.jsonl", "replay /work/replies.jsonl"),
            ("replay:/a/b:c", "replay /a/b:c"),
        ] {
            assert_eq!(show(spec), Ok(seen.to_owned()), "{spec}");
        }
        for spec in ["", "claud", "claude:", "command:", "command:'open", "command:''", "replay:"] {
            assert_eq!(show(spec), Err(Kind::Usage), "{spec}");
        }
    }
}
