//! A real OpenAI-compatible server: llama.cpp's, from the Python registry, with a model that `server.py` writes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

const VERSION: &str = "2026.10.11549";

pub struct Llama {
    /// `http://127.0.0.1:PORT`
    pub url: String,
    child: Child,
    _dir: tempfile::TempDir,
}

impl Llama {
    /// A server that takes this key alone. None, with the reason on standard error, where the package cannot be had.
    pub fn start(key: &str) -> Option<Llama> {
        static PACKAGES: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        match PACKAGES.get_or_init(installed).clone().and_then(|packages| serve(&packages, key)) {
            Ok(llama) => Some(llama),
            Err(why) => {
                // Past the harness, which shows what a passing test prints to nobody.
                let _ = writeln!(std::io::stderr(), "\nskipped: no llama.cpp server: {why}");
                None
            }
        }
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder of the package; installed once for all test runs of a build folder.
fn installed() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("xllamacpp-{VERSION}"));
    if folder.exists() {
        return Ok(folder);
    }
    let fresh = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).map_err(|error| error.to_string())?;
    let pip =
        "-m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --retries 1 --timeout 10";
    let output = Command::new("python3")
        .args(pip.split(' '))
        .arg("--target")
        .arg(fresh.path())
        .arg(format!("xllamacpp=={VERSION}"))
        .output()
        .map_err(|error| format!("python3: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    // Another run may have been quicker.
    match std::fs::rename(fresh.path(), &folder) {
        Err(error) if !folder.exists() => Err(error.to_string()),
        _ => Ok(folder),
    }
}

fn serve(packages: &Path, key: &str) -> Result<Llama, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut child = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/llamacpp/server.py"))
        .arg(dir.path().join("nothing.gguf"))
        .arg(key)
        .env("PYTHONPATH", packages)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("python3: {error}"))?;
    let mut url = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut url).map_err(|error| error.to_string())?;
    let llama = Llama { url: url.trim().to_owned(), child, _dir: dir };
    assert!(llama.url.starts_with("http://127.0.0.1:"), "the installed server does not start: {url:?}");
    Ok(llama)
}

/// A grammar (GBNF) that leaves the model nothing to write but this.
pub fn only(text: &str) -> String {
    format!("root ::= {}", serde_json::Value::from(text))
}
