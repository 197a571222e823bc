//! `host guard build`: runs the tool of the guard's language, as the folder's `guard.toml` says.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use super::recipe::{Recipe, RecipeTool};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

/// The environment of a build.
pub struct BuildEnv<'a> {
    /// This host, for commands that begin with `host`.
    pub exe: &'a Path,
    /// The environment variables of the commands.
    pub vars: &'a [(OsString, OsString)],
}

/// The result of a build.
#[derive(Debug, Clone)]
pub struct Built {
    pub component: PathBuf,
    /// How many programs ran.
    pub commands: usize,
    pub micros: u64,
}

/// The most bytes of a tool's output that a message quotes: the last ones, which say why it failed.
const MAX_OUTPUT: usize = 4_000;

/// Runs the recipe's commands; with `install`, those of its tool first if it is not found. Errors ([`FaultKind::GuardLoad`]):
/// `tool-missing`, `install-failed`, `build-failed` with the tool's own words.
pub fn build(folder: &Path, recipe: &Recipe, install: bool, env: &BuildEnv) -> Result<Built> {
    let begun = Instant::now();
    let path = path(folder, &recipe.tool, env)?;
    let mut commands = 0;
    if find(&recipe.tool.program, &path).is_none() {
        if !install {
            let what = format!("`{}` is not here", recipe.tool.program);
            let hint =
                format!("in {}: {} (or: host guard build --install)", folder.display(), recipe.tool.how_to_install());
            return Err(Fault::new(FaultKind::GuardLoad, what).code("tool-missing").hint(hint).into());
        }
        for command in &recipe.tool.install {
            run(command, folder, recipe, &path, env, "install-failed")?;
            commands += 1;
        }
    }
    for command in &recipe.build.commands {
        run(command, folder, recipe, &path, env, "build-failed")?;
        commands += 1;
    }
    // Without the `./` of the output.
    let component: PathBuf = folder.join(&recipe.build.output).components().collect();
    if !component.is_file() {
        let what = format!("the build ended well and left no {}", component.display());
        return Err(Fault::new(FaultKind::GuardLoad, what)
            .code("build-failed")
            .hint("see `build.output` in guard.toml")
            .into());
    }
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Built { component, commands, micros })
}

fn run(
    command: &[String],
    folder: &Path,
    recipe: &Recipe,
    path: &OsStr,
    env: &BuildEnv,
    code: &'static str,
) -> Result<()> {
    let (program, arguments) = command.split_first().ok_or_else(|| Error::msg("guard.toml has an empty command"))?;
    let missing = || {
        let what = format!("`{program}` is not here");
        let hint = format!("in {}: {}", folder.display(), recipe.tool.how_to_install());
        Fault::new(FaultKind::GuardLoad, what).code("tool-missing").hint(hint)
    };
    let found = match program.as_str() {
        "host" => env.exe.to_path_buf(),
        other if other.contains('/') => folder.join(other),
        other => find(other, path).ok_or_else(missing)?,
    };
    let output = Command::new(found)
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(env.vars.iter().map(|(key, value)| (key, value)))
        .env("PATH", path)
        .envs(recipe.build.env.iter().map(|(key, value)| (key, value.replace("{remap_crates}", &remap_crates(env)))))
        .stdin(Stdio::null())
        .output()
        .with_context(missing)?;
    if output.status.success() {
        return Ok(());
    }
    let typed = shlex::try_join(command.iter().map(String::as_str)).unwrap_or_else(|_| program.clone());
    let fault = Fault::new(FaultKind::GuardLoad, format!("`{typed}` failed ({})", output.status)).code(code);
    let said = last_output(&output);
    let known = recipe.hint.iter().find(|hint| said.contains(&hint.when)).map(|hint| hint.say.clone());
    let hint =
        known.unwrap_or_else(|| format!("if something of the language is missing: {}", recipe.tool.how_to_install()));
    Err(Error::msg(said).context(fault.hint(hint)))
}

/// Flags that make rustc write the same paths of crate sources on every machine. The sources lie in the author's home, their
/// paths appear in panic messages, and the digest of a component must not depend on them.
fn remap_crates(env: &BuildEnv) -> String {
    let value = |name: &str| env.vars.iter().find(|(key, _)| key == name).map(|(_, value)| PathBuf::from(value));
    let cargo = value("CARGO_HOME").or_else(|| Some(value("HOME")?.join(".cargo")));
    let folders = cargo.and_then(|cargo| cargo.join("registry/src").read_dir().ok());
    let flag = |folder: std::fs::DirEntry| format!("--remap-path-prefix={}=crates", folder.path().display());
    let mut flags: Vec<String> = folders.into_iter().flatten().flatten().map(flag).collect();
    flags.sort();
    flags.join(" ")
}

fn last_output(Output { stdout, stderr, .. }: &Output) -> String {
    let text = [stdout.as_slice(), stderr].concat();
    let from = text.len().saturating_sub(MAX_OUTPUT);
    String::from_utf8_lossy(text.get(from..).unwrap_or_default()).trim().to_owned()
}

/// `PATH` for the commands: the tool's own folders, then the caller's.
fn path(folder: &Path, tool: &RecipeTool, env: &BuildEnv) -> Result<OsString> {
    let outer = env.vars.iter().find(|(key, _)| key == "PATH").map(|(_, value)| value.as_os_str());
    let own = tool.path.iter().map(|part| folder.join(part));
    let all = own.chain(std::env::split_paths(outer.unwrap_or_default()));
    std::env::join_paths(all).with_context(|| Fault::new(FaultKind::Usage, "a folder's name cannot be part of PATH"))
}

fn find(program: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
