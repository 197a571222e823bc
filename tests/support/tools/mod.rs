//! The programs that tests need beside cargo itself. A test asks for one with [`needs`] and returns when it gets None: the skip is then
//! shown on the terminal, and fails the test where `GUARDHOST_TEST_REQUIRE` asks for the tool.

mod debian;
mod files;
mod node;
mod python;
mod sandbox;
mod skips;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use super::author::TemplateProject;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// The SDK of the Agent Client Protocol for npm.
    AcpForNode,
    /// The SDK of the Agent Client Protocol for Python.
    AcpForPython,
    /// A validator of workflows and actions of GitHub, by their published schemas.
    ActionValidator,
    Axe,
    /// A scanner of Python code for weaknesses, with its SARIF output.
    Bandit,
    Bubblewrap,
    Cargo,
    /// CMake's runner of tests.
    Ctest,
    /// A browser without a window.
    Chromium,
    /// For C that is compiled to WebAssembly: the grammars.
    Clang,
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// GitHub Copilot CLI.
    CopilotCli,
    GeminiCli,
    /// The libraries of in-toto and securesystemslib for Python.
    InToto,
    /// A folder in which letter case does not matter.
    CaseInsensitiveFiles,
    DockerRegistry,
    /// ESLint, with its SARIF formatter.
    Eslint,
    /// Git 2 from this minor version on.
    Git {
        minor: u32,
    },
    Go,
    /// What builds guards in one language: a folder of `sdk/` or `sdk/examples/`.
    Guards(&'static str),
    Jest,
    /// A validator of Kubernetes manifests, with the schemas of a version.
    KubernetesValidate,
    Landlock,
    Lefthook,
    LlamaCpp,
    /// The client of pygls for the Language Server Protocol.
    LspClient,
    /// With the plugins and the library of tests that Debian has, since nothing is downloaded.
    Maven,
    /// The MCP SDK for Python.
    McpClient,
    Minisign,
    Minitest,
    /// A type checker of Python code.
    Mypy,
    /// The editor. Where it is not installed, its runtime files lie in `usr/share/nvim/runtime` beside the script that starts it.
    Neovim,
    Node,
    /// The agent opencode.
    Opencode,
    /// The ORAS client for registries, for Python.
    Oras,
    Phpunit,
    /// The runner of hooks.
    PreCommit,
    Prek,
    Prometheus,
    /// The agent Qwen Code.
    QwenCode,
    /// Coverage.py, beside pytest.
    CoveragePy,
    Pytest,
    Python,
    /// A validator of reviewdog's diagnostic format.
    RdformatValidator,
    Rspec,
    /// A linter of Python code.
    Ruff,
    /// The libraries for npm that verify bundles of Sigstore.
    Sigstore,
    Skopeo,
    /// A folder on another file system than that of temporary folders.
    SecondFileSystem,
    SshKeygen,
    SystemdAnalyze,
    Vitest,
}

/// Names that `GUARDHOST_TEST_REQUIRE` may list.
const NAMES: [&str; 60] = [
    "acp-for-node",
    "acp-for-python",
    "action-validator",
    "axe",
    "bandit",
    "bubblewrap",
    "cargo",
    "case-insensitive-files",
    "chromium",
    "clang",
    "claude-code",
    "codex",
    "copilot-cli",
    "ctest",
    "docker-registry",
    "eslint",
    "gemini-cli",
    "git",
    "go",
    "guards-assemblyscript",
    "guards-c",
    "guards-cpp",
    "guards-go",
    "guards-js",
    "guards-python",
    "guards-rust",
    "guards-ts",
    "guards-zig",
    "in-toto",
    "jest",
    "kubernetes-validate",
    "landlock",
    "lefthook",
    "llama.cpp",
    "lsp-client",
    "maven",
    "mcp-client",
    "minisign",
    "minitest",
    "mypy",
    "neovim",
    "node",
    "opencode",
    "oras",
    "phpunit",
    "pre-commit",
    "prek",
    "prometheus",
    "pytest",
    "python",
    "qwen-code",
    "rdformat-validator",
    "rspec",
    "ruff",
    "second-file-system",
    "sigstore",
    "skopeo",
    "ssh-keygen",
    "systemd-analyze",
    "vitest",
];

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tool::AcpForNode => f.write_str("acp-for-node"),
            Tool::AcpForPython => f.write_str("acp-for-python"),
            Tool::ActionValidator => f.write_str("action-validator"),
            Tool::Axe => f.write_str("axe"),
            Tool::Bandit => f.write_str("bandit"),
            Tool::Bubblewrap => f.write_str("bubblewrap"),
            Tool::Cargo => f.write_str("cargo"),
            Tool::Ctest => f.write_str("ctest"),
            Tool::Chromium => f.write_str("chromium"),
            Tool::Clang => f.write_str("clang"),
            Tool::ClaudeCode => f.write_str("claude-code"),
            Tool::Codex => f.write_str("codex"),
            Tool::CopilotCli => f.write_str("copilot-cli"),
            Tool::GeminiCli => f.write_str("gemini-cli"),
            Tool::InToto => f.write_str("in-toto"),
            Tool::CaseInsensitiveFiles => f.write_str("case-insensitive-files"),
            Tool::DockerRegistry => f.write_str("docker-registry"),
            Tool::Eslint => f.write_str("eslint"),
            Tool::Git { .. } => f.write_str("git"),
            Tool::Go => f.write_str("go"),
            Tool::Guards(language) => write!(f, "guards-{language}"),
            Tool::Jest => f.write_str("jest"),
            Tool::KubernetesValidate => f.write_str("kubernetes-validate"),
            Tool::Landlock => f.write_str("landlock"),
            Tool::Lefthook => f.write_str("lefthook"),
            Tool::LlamaCpp => f.write_str("llama.cpp"),
            Tool::LspClient => f.write_str("lsp-client"),
            Tool::Maven => f.write_str("maven"),
            Tool::McpClient => f.write_str("mcp-client"),
            Tool::Minisign => f.write_str("minisign"),
            Tool::Minitest => f.write_str("minitest"),
            Tool::Mypy => f.write_str("mypy"),
            Tool::Neovim => f.write_str("neovim"),
            Tool::Node => f.write_str("node"),
            Tool::Opencode => f.write_str("opencode"),
            Tool::Oras => f.write_str("oras"),
            Tool::Phpunit => f.write_str("phpunit"),
            Tool::PreCommit => f.write_str("pre-commit"),
            Tool::Prek => f.write_str("prek"),
            Tool::Prometheus => f.write_str("prometheus"),
            Tool::CoveragePy => f.write_str("coverage.py"),
            Tool::Pytest => f.write_str("pytest"),
            Tool::Python => f.write_str("python"),
            Tool::QwenCode => f.write_str("qwen-code"),
            Tool::RdformatValidator => f.write_str("rdformat-validator"),
            Tool::Rspec => f.write_str("rspec"),
            Tool::Ruff => f.write_str("ruff"),
            Tool::Sigstore => f.write_str("sigstore"),
            Tool::Skopeo => f.write_str("skopeo"),
            Tool::SecondFileSystem => f.write_str("second-file-system"),
            Tool::SshKeygen => f.write_str("ssh-keygen"),
            Tool::SystemdAnalyze => f.write_str("systemd-analyze"),
            Tool::Vitest => f.write_str("vitest"),
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

/// Where the tool is: its program; for [`Tool::AcpForPython`], [`Tool::Pytest`], [`Tool::CoveragePy`], [`Tool::LspClient`], [`Tool::McpClient`], [`Tool::Oras`], [`Tool::PreCommit`], [`Tool::Prek`],
/// [`Tool::Bandit`], [`Tool::InToto`], [`Tool::KubernetesValidate`], [`Tool::Mypy`] (with ruff) and [`Tool::Ruff`] a virtual environment, for [`Tool::AcpForNode`], [`Tool::Axe`], [`Tool::Sigstore`], [`Tool::Jest`], [`Tool::Vitest`] and [`Tool::Eslint`] a folder with `node_modules`, for [`Tool::LlamaCpp`] a folder of
/// Python packages, for [`Tool::Guards`] the folder that it is installed in. Python tools are installed on the first call, and stay.
///
/// For [`Tool::ClaudeCode`], [`Tool::Codex`], [`Tool::CopilotCli`], [`Tool::GeminiCli`], [`Tool::Opencode`] and [`Tool::QwenCode`] the program; these are 1.6 GB
/// together.
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

/// Packages that Neovim needs beside its own.
const NEOVIM_NEEDS: [&str; 9] = [
    "libluajit-5.1-2",
    "libluajit-5.1-common",
    "libmsgpackc2",
    "libtermkey1",
    "libtree-sitter0",
    "libunibilium4",
    "libvterm0",
    "lua-luv",
    "neovim-runtime",
];

fn find(tool: Tool) -> Result<PathBuf, Missing> {
    match tool {
        Tool::AcpForNode => node::package("@agentclientprotocol/sdk@2.4.0"),
        Tool::AcpForPython => python::environment("acp-for-python", "agent-client-protocol==0.12.1"),
        Tool::ActionValidator => {
            node::program("@action-validator/core@0.6.0 @action-validator/cli@0.6.0", "action-validator")
        }
        Tool::Axe => node::package("axe-core@4.14.1"),
        Tool::Bandit => python::environment("bandit", "bandit[sarif]==1.9.4"),
        Tool::Bubblewrap => sandbox::bubblewrap(),
        Tool::Cargo => program("cargo"),
        Tool::Ctest => program("ctest"),
        Tool::Chromium => program("chromium-headless-shell"),
        Tool::Clang => program_answers("clang", "--version"),
        Tool::ClaudeCode => node::native("@anthropic-ai/claude-code@2.1.330", "@anthropic-ai", "claude"),
        Tool::CoveragePy => python::environment("coverage", "pytest coverage"),
        Tool::Codex => node::program("@openai/codex@0.169.0", "codex"),
        Tool::CopilotCli => node::native("@github/copilot@1.0.102", "@github", "copilot"),
        Tool::GeminiCli => node::program("@google/gemini-cli@0.61.0", "gemini"),
        Tool::CaseInsensitiveFiles => files::ignoring_case(),
        Tool::DockerRegistry => debian::debian("docker-registry", &[]),
        Tool::Eslint => node::package("eslint@9.39.5 @microsoft/eslint-formatter-sarif@3.1.0"),
        Tool::Git { minor } => git(minor),
        Tool::Go => program_answers("go", "version"),
        Tool::Guards(language) => TemplateProject::install_tool(language),
        Tool::InToto => python::environment("in-toto", "in-toto-attestation==0.9.3 securesystemslib[crypto]==1.6.0"),
        Tool::Jest => node::package("jest@30.5.2"),
        Tool::KubernetesValidate => python::environment("kubernetes-validate", "kubernetes-validate==1.37.0"),
        Tool::Landlock => sandbox::landlock(),
        Tool::Lefthook => node::program("lefthook@2.2.2", "lefthook"),
        Tool::LlamaCpp => python::packages("xllamacpp==2026.10.11549"),
        Tool::LspClient => python::environment("lsp-client", "pygls==2.1.1 lsprotocol==2025.0.0"),
        Tool::Maven => maven(),
        Tool::McpClient => python::environment("mcp-client", "mcp==2.3.0"),
        Tool::Minisign => debian::debian("minisign", &["libsodium23"]),
        Tool::Minitest => gem("minitest"),
        Tool::Mypy => python::environment("mypy", "mypy==2.4.1 ruff==0.17.6"),
        Tool::Neovim => debian::program_of("neovim", "nvim", &NEOVIM_NEEDS),
        Tool::Node => program("node"),
        Tool::Opencode => node::native("opencode-ai@1.18.33", "", "bin/opencode"),
        Tool::Oras => python::environment("oras", "oras==0.2.43"),
        Tool::Phpunit => program("phpunit"),
        Tool::PreCommit => python::environment("pre-commit", "pre-commit==4.7.0"),
        Tool::Prek => python::environment("prek", "prek==0.5.11"),
        Tool::Prometheus => debian::debian("prometheus", &[]),
        Tool::Pytest => python::environment("pytest", "pytest"),
        Tool::Python => program("python3"),
        Tool::QwenCode => node::program("@qwen-code/qwen-code@0.24.4", "qwen"),
        Tool::Sigstore => node::package("@sigstore/verify@3.1.1 @sigstore/bundle@4.0.0"),
        Tool::RdformatValidator => node::program("@umbrelladocs/rdformat-validator@1.0.1", "rdformat-validator"),
        Tool::Rspec => program("rspec"),
        Tool::Ruff => python::environment("ruff", "ruff==0.17.6"),
        Tool::Skopeo => debian::debian("skopeo", &["libassuan0", "libdevmapper1.02.1", "libgpgme11"]),
        Tool::SecondFileSystem => files::elsewhere(),
        Tool::SshKeygen => runs("ssh-keygen"),
        Tool::SystemdAnalyze => program("systemd-analyze"),
        Tool::Vitest => node::package("vitest@5.1.1"),
    }
}

/// A program on the PATH that answers to `--version`.
fn program(name: &str) -> Result<PathBuf, Missing> {
    program_answers(name, "--version")
}

fn program_answers(name: &str, question: &str) -> Result<PathBuf, Missing> {
    let answers = Command::new(name).arg(question).output().is_ok_and(|output| output.status.success());
    if answers { Ok(name.into()) } else { Err(Missing::NotInstalled(format!("`{name} {question}` does not run"))) }
}

/// Maven with what a project of Java needs to run tests of JUnit 4.
fn maven() -> Result<PathBuf, Missing> {
    const PARTS: [&str; 2] = ["junit/junit", "org/apache/maven/surefire/surefire-junit4"];
    match PARTS.iter().find(|part| !Path::new("/usr/share/maven-repo").join(part).is_dir()) {
        Some(part) => Err(Missing::NotInstalled(format!("Debian's repository of Maven has no {part}"))),
        None => program("mvn"),
    }
}

/// A library of Ruby's.
fn gem(name: &str) -> Result<PathBuf, Missing> {
    let loads = Command::new("ruby").args(["-r", name, "-e", "1"]).output().is_ok_and(|output| output.status.success());
    if loads { Ok("ruby".into()) } else { Err(Missing::NotInstalled(format!("`ruby -r {name}` does not run"))) }
}

/// A program on the PATH that answers no question with success.
fn runs(name: &str) -> Result<PathBuf, Missing> {
    match Command::new(name).arg("-?").output() {
        Ok(_) => Ok(name.into()),
        Err(error) => Err(Missing::NotInstalled(format!("`{name}` does not run: {error}"))),
    }
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
