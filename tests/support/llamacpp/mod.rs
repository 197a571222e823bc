//! A real OpenAI-compatible server: llama.cpp's, from the Python registry, with a model that `server.py` writes.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::tools::{Tool, needs};

pub struct Llama {
    /// `http://127.0.0.1:PORT`
    pub url: String,
    child: Child,
    _dir: tempfile::TempDir,
}

impl Llama {
    /// A server that takes this key alone. None when its package is missing, which was shown.
    #[track_caller]
    pub fn start(key: &str) -> Option<Llama> {
        needs(Tool::LlamaCpp).map(|packages| serve(&packages, key))
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(packages: &Path, key: &str) -> Llama {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/llamacpp/server.py"))
        .arg(dir.path().join("nothing.gguf"))
        .arg(key)
        .env("PYTHONPATH", packages)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "the installed server does not start: {url:?}");
    Llama { url: url.trim().to_owned(), child, _dir: dir }
}

/// A grammar (GBNF) that leaves the model nothing to write but this.
pub fn only(text: &str) -> String {
    format!("root ::= {}", serde_json::Value::from(text))
}
