//! The programs that tests need beside cargo itself. A test asks for one with [`needs`] and returns when it gets None: the skip is then
//! shown on the terminal, and fails the test where `GUARDHOST_TEST_REQUIRE` asks for the tool.

mod files;
mod python;
mod registry;
mod sandbox;
mod skips;

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use super::author::TemplateProject;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    Bubblewrap,
    Cargo,
    /// A folder in which letter case does not matter.
    CaseInsensitiveFiles,
    DockerRegistry,
    /// Git 2 from this minor version on.
    Git {
        minor: u32,
    },
    /// What builds guards in one language: a folder of `sdk/`.
    Guards(&'static str),
    Landlock,
    LlamaCpp,
    /// The MCP SDK for Python.
    McpClient,
    Node,
    Pytest,
    Python,
    /// A folder on another file system than that of temporary folders.
    SecondFileSystem,
}

/// Names that `GUARDHOST_TEST_REQUIRE` may list.
const NAMES: [&str; 18] = [
    "bubblewrap",
    "cargo",
    "case-insensitive-files",
    "docker-registry",
    "git",
    "guards-c",
    "guards-go",
    "guards-js",
    "guards-python",
    "guards-rust",
    "guards-ts",
    "landlock",
    "llama.cpp",
    "mcp-client",
    "node",
    "pytest",
    "python",
    "second-file-system",
];

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tool::Bubblewrap => f.write_str("bubblewrap"),
            Tool::Cargo => f.write_str("cargo"),
            Tool::CaseInsensitiveFiles => f.write_str("case-insensitive-files"),
            Tool::DockerRegistry => f.write_str("docker-registry"),
            Tool::Git { .. } => f.write_str("git"),
            Tool::Guards(language) => write!(f, "guards-{language}"),
            Tool::Landlock => f.write_str("landlock"),
            Tool::LlamaCpp => f.write_str("llama.cpp"),
            Tool::McpClient => f.write_str("mcp-client"),
            Tool::Node => f.write_str("node"),
            Tool::Pytest => f.write_str("pytest"),
            Tool::Python => f.write_str("python"),
            Tool::SecondFileSystem => f.write_str("second-file-system"),
        }
    }
}

/// Why a tool cannot be used.
#[derive(Debug, Clone)]
pub enum Missing {
    /// It could be installed, or fetched from a package registry.
    NotInstalled(String),
    /// No installation would help: this kernel, or the container around the tests, does not allow it.
    Unsupported(String),
}

/// Where the tool is: its program; for [`Tool::Pytest`] and [`Tool::McpClient`] a virtual environment, for [`Tool::LlamaCpp`] a folder of
/// Python packages, for [`Tool::Guards`] the folder that it is installed in. Python tools are installed on the first call, and stay.
///
/// None: the test cannot run in full, which was shown. Panics when `GUARDHOST_TEST_REQUIRE` asks for the tool.
#[track_caller]
pub fn needs(tool: Tool) -> Option<PathBuf> {
    type Search = Arc<OnceLock<Result<PathBuf, Missing>>>;
    static SEARCHES: Mutex<Option<HashMap<Tool, Search>>> = Mutex::new(None);
    // The lock is not held while a tool is searched for: an installation takes seconds, and several run at once.
    let search = SEARCHES.lock().unwrap().get_or_insert_default().entry(tool).or_default().clone();
    unless_missing(tool, search.get_or_init(|| find(tool)).clone())
}

/// As [`needs`], for what is only known to be missing later: a build that finds no package registry.
#[track_caller]
pub fn unless_missing<T>(tool: Tool, found: Result<T, Missing>) -> Option<T> {
    found.map_err(|missing| skips::skip(&tool.to_string(), &missing)).ok()
}

fn find(tool: Tool) -> Result<PathBuf, Missing> {
    match tool {
        Tool::Bubblewrap => sandbox::bubblewrap(),
        Tool::Cargo => program("cargo"),
        Tool::CaseInsensitiveFiles => files::ignoring_case(),
        Tool::DockerRegistry => registry::docker_registry(),
        Tool::Git { minor } => git(minor),
        Tool::Guards(language) => TemplateProject::install_tool(language),
        Tool::Landlock => sandbox::landlock(),
        Tool::LlamaCpp => python::packages("xllamacpp==2026.10.11549"),
        Tool::McpClient => python::environment("mcp-client", "mcp==2.3.0"),
        Tool::Node => program("node"),
        Tool::Pytest => python::environment("pytest", "pytest"),
        Tool::Python => program("python3"),
        Tool::SecondFileSystem => files::elsewhere(),
    }
}

/// A program on the PATH that answers to `--version`.
fn program(name: &str) -> Result<PathBuf, Missing> {
    let answers = Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if answers { Ok(name.into()) } else { Err(Missing::NotInstalled(format!("`{name} --version` does not run"))) }
}

fn git(minor: u32) -> Result<PathBuf, Missing> {
    let version = Command::new("git").arg("--version").output();
    let version = version.map_err(|error| Missing::NotInstalled(format!("git: {error}")))?.stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(found)) if (major, found) >= (2, minor) => Ok("git".into()),
        _ => Err(Missing::NotInstalled(format!("git 2.{minor} is needed, this is {}", version.trim()))),
    }
}

/// What npm, pip, cargo, apt and the resolver write when they cannot reach a package registry. Any other failure of theirs is a defect.
const UNREACHABLE: [&str; 14] = [
    "ConnectTimeoutError",
    "Connection refused",
    "Could not resolve host",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "ENOTFOUND",
    "ETIMEDOUT",
    "NewConnectionError",
    "ProxyError",
    "from versions: none",
    "name resolution",
    "timed out",
];

pub fn is_unreachable(output: &str) -> bool {
    UNREACHABLE.iter().any(|words| output.contains(words))
}
