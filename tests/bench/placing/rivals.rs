//! What others make of the same input: `git apply` and GNU patch in a scratch folder that holds nothing but the files, aider and
//! openai-agents in one Python process.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::kinds::Readers;
use super::trial::{File, Files, Trial};

pub struct Rivals {
    scratch: tempfile::TempDir,
    python: Option<Python>,
}

struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    tools: Vec<String>,
}

pub type Outcome = Result<Files, String>;

const DIFF: [(&str, &[&str]); 3] = [
    ("git", &["git", "apply", "-"]),
    ("git-3way", &["git", "apply", "--3way", "--recount", "-"]),
    ("patch", &["patch", "-p1", "-F3", "-l", "-f", "-s", "--no-backup-if-mismatch", "-r", "-"]),
];

impl Rivals {
    /// `python` has aider-chat and openai-agents installed (`pip install --no-deps` is enough).
    pub fn new(python: Option<&str>) -> Self {
        Rivals { scratch: tempfile::tempdir().expect("a scratch directory"), python: python.map(Python::start) }
    }

    /// The tools that read such replies, each with what it made of this one. A tool that does nothing and says nothing has refused.
    pub fn run(&mut self, readers: Readers, trial: &Trial) -> Vec<(&'static str, Outcome)> {
        let outcomes = match readers {
            Readers::Diff => DIFF.iter().map(|(name, command)| (*name, self.one(command, trial))).collect(),
            Readers::SearchReplace => self.ask("aider", trial),
            Readers::V4a => self.ask("agents", trial),
            Readers::None => Vec::new(),
        };
        let idle = |outcome: Outcome| {
            outcome.and_then(|files| if files == trial.tree { Err("nothing done".into()) } else { Ok(files) })
        };
        outcomes.into_iter().map(|(name, outcome)| (name, idle(outcome))).collect()
    }

    fn ask(&mut self, tool: &'static str, trial: &Trial) -> Vec<(&'static str, Outcome)> {
        let Some(python) = self.python.as_mut().filter(|python| python.tools.iter().any(|name| name == tool)) else {
            return Vec::new();
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let tree: serde_json::Map<String, Value> =
            trial.tree.iter().map(|(path, file)| (path.clone(), Value::String(text(&file.bytes)))).collect();
        let answer = python.ask(&json!({"tool": tool, "tree": tree, "reply": text(&trial.reply)}));
        let outcome = match answer.get("files").and_then(Value::as_object) {
            Some(files) => Ok(files
                .iter()
                .map(|(path, text)| (path.clone(), super::trial::file(text.as_str().unwrap_or_default())))
                .collect()),
            None => Err(answer["error"].as_str().unwrap_or("no answer").to_owned()),
        };
        vec![(tool, outcome)]
    }

    fn one(&self, command: &[&str], trial: &Trial) -> Outcome {
        let folder = self.scratch.path().join("work");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        if command.contains(&"--3way") {
            // What the provider was shown is in the history, where a three-way merge can find it.
            run(&folder, &["git", "init", "-q"], b"")?;
            for tree in trial.shown.iter().chain([&trial.tree]) {
                write(&folder, tree).map_err(|error| error.to_string())?;
                run(&folder, &["git", "-c", "core.autocrlf=false", "add", "-f", "."], b"")?;
            }
        } else {
            write(&folder, &trial.tree).map_err(|error| error.to_string())?;
        }
        run(&folder, command, &trial.reply)?;
        let mut files = Files::new();
        read(&folder, "", &mut files).map_err(|error| error.to_string())?;
        Ok(files)
    }
}

impl Python {
    fn start(program: &str) -> Self {
        let mut child = Command::new(program)
            .args(["-c", include_str!("rivals.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the Python with the other tools");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("the list of tools");
        let tools = serde_json::from_str(&line).expect("the list of tools");
        Python { child, input, output, tools }
    }

    fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.input, "{question}").expect("the process reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the process answers");
        serde_json::from_str(&line).expect("an answer")
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write(folder: &Path, files: &Files) -> std::io::Result<()> {
    for (path, file) in files {
        let at = folder.join(path);
        fs::create_dir_all(at.parent().expect("a parent"))?;
        fs::write(at, &file.bytes)?;
    }
    Ok(())
}

fn read(folder: &Path, below: &str, files: &mut Files) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            if name != ".git" {
                read(&entry.path(), &format!("{name}/"), files)?;
            }
        } else {
            let is_executable = entry.metadata()?.permissions().mode() & 0o111 != 0;
            files.insert(name, File { bytes: fs::read(entry.path())?, is_executable });
        }
    }
    Ok(())
}

fn run(folder: &Path, command: &[&str], input: &[u8]) -> Result<(), String> {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        // Without it `git apply` looks for a repository around the scratch folder.
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    // A tool that stops reading closes the pipe: its exit says why.
    let _ = Write::write_all(&mut child.stdin.take().expect("a pipe"), input);
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}
