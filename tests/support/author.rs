//! Guards made as an author makes them: a language's template is copied into an empty folder, its tool installed, the guard built. Tools
//! and components stay under `target/languages`, so that only the first run downloads and compiles.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::cli::{Ran, host_with};
use super::tools::{Missing, Tool, is_unreachable, needs, unless_missing};

/// `sdk/<language>/template.toml`.
#[derive(Deserialize)]
struct Template {
    copy: Vec<Copy>,
    reader: Option<ReaderTemplate>,
}

/// That of a language component.
#[derive(Deserialize)]
struct ReaderTemplate {
    copy: Vec<Copy>,
}

#[derive(Deserialize)]
struct Copy {
    from: String,
    to: String,
}

/// `guard.toml` of a guard's folder.
#[derive(Deserialize)]
struct Recipe {
    build: Build,
    tool: LanguageTool,
}

#[derive(Deserialize)]
struct Build {
    commands: Vec<Vec<String>>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    output: String,
}

#[derive(Deserialize)]
struct LanguageTool {
    program: String,
    path: Vec<String>,
    install: Vec<Vec<String>>,
}

/// The id under which the example guard is made.
pub const NAME: &str = "house-style";

/// What tools leave in a guard's folder, and what need not be made again.
const KEPT: [&str; 4] = ["node_modules", ".venv", "target", ".installed"];

/// Examples of `sdk/examples` whose tool is that of a template.
const TOOL_OF: [(&str, &str); 2] = [("cpp", "c"), ("zig", "c")];

/// A folder with the template of one language, or with an example of `sdk/examples`. It is shared by all tests and test runs, and locked while this lives.
pub struct TemplateProject {
    language: &'static str,
    /// It reads a language, in place of judging.
    is_reader: bool,
    folder: PathBuf,
    _lock: fs::File,
}

impl TemplateProject {
    /// None when the language's tool is missing, which was shown.
    #[track_caller]
    pub fn build_template(language: &'static str) -> Option<Self> {
        needs(Tool::Guards(language)).map(|_| Self::locked(language))
    }

    /// The toy language of the Rust SDK. None when the tool is missing, which was shown.
    #[track_caller]
    pub fn build_reader_template() -> Option<Self> {
        needs(Tool::Guards("rust")).map(|_| Self::in_folder("rust", true, "rust-reader"))
    }

    /// The folder in which the tool of a language is installed.
    pub fn install_tool(language: &'static str) -> Result<PathBuf, Missing> {
        let shared = TOOL_OF.iter().find(|(of, _)| *of == language);
        shared.map(|(_, template)| Self::install_tool(template)).transpose()?;
        let project = Self::locked(language);
        if let Some((_, template)) = shared
            && !project.folder.join(".venv").exists()
        {
            symlink(Path::new("..").join(template).join(".venv"), project.folder.join(".venv")).unwrap();
        }
        project.reset();
        project.install(&project.recipe().tool)?;
        Ok(project.folder)
    }

    fn locked(language: &'static str) -> Self {
        Self::in_folder(language, false, language)
    }

    fn in_folder(language: &'static str, is_reader: bool, name: &str) -> Self {
        let root = root().join("target/languages");
        let folder = root.join(name);
        fs::create_dir_all(&folder).unwrap();
        let lock = fs::File::create(root.join(format!("{name}.lock"))).unwrap();
        lock.lock().unwrap();
        TemplateProject { language, is_reader, folder, _lock: lock }
    }

    /// The component of the template as `alter` leaves it. None when the build reaches no package registry, which was shown; any
    /// other failure is a panic.
    #[track_caller]
    pub fn build(&self, variant: &str, alter: impl Fn(&Path)) -> Option<PathBuf> {
        self.reset();
        alter(&self.folder);
        let of = if self.is_reader { "reader" } else { self.language };
        let made = root().join(format!("target/languages/{of}-{variant}.wasm"));
        let stamp = made.with_extension("stamp");
        let digest = self.digest();
        if made.is_file() && fs::read_to_string(&stamp).is_ok_and(|last| last == digest) {
            return Some(made);
        }
        let recipe = self.recipe();
        for command in &recipe.build.commands {
            let output = self.run(command, &recipe).unwrap_or_else(|error| panic!("{command:?}: {error}"));
            unless_missing(Tool::Guards(self.language), self.succeeded(command, &output))?;
        }
        fs::copy(self.folder.join(&recipe.build.output), &made).unwrap();
        fs::write(stamp, digest).unwrap();
        Some(made)
    }

    /// The folder `name`, in which the language's tool keeps what need not be fetched or compiled again.
    pub fn kept(&self, name: &str) -> PathBuf {
        self.reset();
        let kept = self.folder.join(name);
        fs::create_dir_all(&kept).unwrap();
        kept
    }

    /// The language's own tool.
    pub fn tool(&self) -> PathBuf {
        self.reset();
        let tool = self.recipe().tool;
        let path = self.path(&tool);
        let found = std::env::split_paths(&path).map(|folder| folder.join(&tool.program)).find(|file| file.is_file());
        found.unwrap_or_else(|| panic!("`{}` was installed and is not there", tool.program))
    }

    /// Makes it the template again, with the tool's own folders in it.
    fn reset(&self) {
        self.empty();
        self.copy();
    }

    fn recipe(&self) -> Recipe {
        toml::from_str(&fs::read_to_string(self.folder.join("guard.toml")).unwrap()).unwrap()
    }

    fn empty(&self) {
        for entry in fs::read_dir(&self.folder).unwrap() {
            let entry = entry.unwrap();
            if KEPT.iter().any(|kept| entry.file_name() == *kept) {
                continue;
            }
            match entry.file_type().unwrap().is_dir() {
                true => fs::remove_dir_all(entry.path()).unwrap(),
                false => fs::remove_file(entry.path()).unwrap(),
            }
        }
    }

    fn copy(&self) {
        let example = root().join("sdk/examples").join(self.language);
        if example.is_dir() {
            copy(&example, &self.folder);
            // That of C++ uses it; the others do not look at it.
            return copy(&root().join("sdk/c/guardhost"), &self.folder.join("guardhost"));
        }
        let sdk = root().join("sdk").join(self.language);
        let text = fs::read_to_string(sdk.join("template.toml")).unwrap();
        let template: Template = toml::from_str(&text).unwrap();
        let copied = match template.reader {
            Some(reader) if self.is_reader => reader.copy,
            Some(_) | None => template.copy,
        };
        for Copy { from, to } in copied {
            copy(&sdk.join(from), &self.folder.join(to));
        }
    }

    /// Of everything that decides what the component does.
    fn digest(&self) -> String {
        let mut files = Vec::new();
        gather(&self.folder, &mut files);
        files.sort();
        let ours = ["preview1.wat", "componentize.rs", "plain_names.rs"]
            .map(|file| root().join("host/app/command/guard").join(file));
        let mut digest = Sha256::new();
        for file in files.iter().chain(&ours) {
            let name = file.strip_prefix(&self.folder).unwrap_or(Path::new(""));
            digest.update(name.as_os_str().as_encoded_bytes());
            digest.update(Sha256::digest(fs::read(file).unwrap()));
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn install(&self, tool: &LanguageTool) -> Result<(), Missing> {
        let wanted = ["requirements.txt", "package.json"]
            .map(|file| fs::read_to_string(self.folder.join(file)).unwrap_or_default());
        let stamp = format!("{:?}{}", tool.install, wanted.concat());
        let path = self.path(tool);
        let there = std::env::split_paths(&path).any(|folder| folder.join(&tool.program).is_file());
        let own = !tool.path.is_empty();
        // That of another template was installed before this.
        let shared = self.folder.join(".venv").is_symlink();
        if there
            && (!own || shared || fs::read_to_string(self.folder.join(".installed")).is_ok_and(|last| last == stamp))
        {
            return Ok(());
        }
        for command in &tool.install {
            let [program, arguments @ ..] = command.as_slice() else { panic!("an empty command") };
            let output = Command::new(program).args(arguments).current_dir(&self.folder).output();
            let output = output.map_err(|error| Missing::NotInstalled(format!("`{program}`: {error}")))?;
            self.succeeded(command, &output)?;
        }
        fs::write(self.folder.join(".installed"), stamp).unwrap();
        Ok(())
    }

    /// Err when no package registry was reached; any other failure is a panic.
    fn succeeded(&self, command: &[String], output: &std::process::Output) -> Result<(), Missing> {
        if output.status.success() {
            return Ok(());
        }
        let written =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
        assert!(is_unreachable(&written), "{}: {command:?}\n{written}", self.language);
        Err(Missing::NotInstalled(format!("`{}`: the package registry cannot be reached", command.join(" "))))
    }

    fn path(&self, tool: &LanguageTool) -> OsString {
        let host = Path::new(env!("CARGO_BIN_EXE_host")).parent().unwrap().to_path_buf();
        let own = tool.path.iter().map(|folder| self.folder.join(folder));
        let outer = std::env::var_os("PATH").unwrap_or_default();
        std::env::join_paths(own.chain([host]).chain(std::env::split_paths(&outer))).unwrap()
    }

    fn run(&self, command: &[String], recipe: &Recipe) -> std::io::Result<std::process::Output> {
        // Found by the PATH that the command gets, not by this process's.
        let mut shell = Command::new("env");
        shell.args(command).current_dir(&self.folder).env("PATH", self.path(&recipe.tool)).envs(&recipe.build.env);
        // `host guard componentize` asks the component to describe itself.
        shell.env("XDG_CACHE_HOME", root().join("target/languages/cache"));
        // Flags of the outer build are not meant for guards.
        for key in
            ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_TARGET_DIR"]
        {
            shell.env_remove(key);
        }
        shell.output()
    }
}

/// `host` with a cache of compiled guards that outlives the test run: Python's takes the compiler 12 seconds.
pub fn host(dir: &Path, arguments: &[&str]) -> Ran {
    let cache = root().join("target/languages/cache");
    host_with(dir, arguments, b"", &[("XDG_CACHE_HOME", cache.to_str().unwrap())])
}

/// A file or a folder, with `{{name}}` filled in.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
        return;
    }
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let bytes = fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    match String::from_utf8(bytes) {
        Ok(text) => fs::write(to, text.replace("{{name}}", NAME)),
        Err(binary) => fs::write(to, binary.into_bytes()),
    }
    .unwrap();
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let outputs = ["build", "core.wasm", "guard.wasm", "language.wasm", "Cargo.lock", "package-lock.json", "cases"];
        if KEPT.iter().chain(&outputs).any(|name| entry.file_name() == *name) {
            continue;
        }
        match entry.file_type().unwrap().is_dir() {
            true => gather(&entry.path(), files),
            false => files.push(entry.path()),
        }
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
