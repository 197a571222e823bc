//! A server in this process, and raw HTTP to it.

#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use guardhost_observer::wire::{
    BlameLine, Churn, Diff, FileExports, FileFingerprint, ImportedName, RepositoryContext, Symbol, TreeFacts,
};
use guardhost_service::answers::{Answer, AnswerService, NoAnswer, Roots};
use guardhost_service::http::ServerLimits;
use guardhost_service::serve::{Server, ServerSettings};
use guardhost_service::storage::Storage;
use guardhost_service::storage::retention::Retention;
use guardhost_service::storage::sqlite::Sqlite;
use serde_json::Value;

/// A server on SQLite that ends with the value.
pub struct Served {
    pub url: String,
    pub storage: Arc<dyn Storage>,
    pub folder: tempfile::TempDir,
    runtime: Option<tokio::runtime::Runtime>,
    server: Option<Server>,
}

impl Served {
    pub fn start() -> Served {
        Served::with(|settings| settings)
    }

    pub fn with(change: impl FnOnce(ServerSettings) -> ServerSettings) -> Served {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let storage: Arc<dyn Storage> = Arc::new(Sqlite::open(folder.path()).unwrap());
        let settings = ServerSettings {
            address: ([127, 0, 0, 1], 0).into(),
            tokens: false,
            storage: Arc::clone(&storage),
            answers: None,
            roots: Roots::default(),
            limits: ServerLimits::default(),
            tls: None,
            retention: Retention::default(),
            pages: None,
            traces: None,
        };
        let server = runtime.block_on(Server::start(change(settings))).unwrap();
        Served { url: server.url(), storage, folder, runtime: Some(runtime), server: Some(server) }
    }

    /// Waits for work on the storage.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.as_ref().unwrap().block_on(work)
    }

    pub fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    /// Ends the server gracefully; the storage is closed.
    pub fn stop(&mut self) {
        if let (Some(server), Some(runtime)) = (self.server.take(), &self.runtime) {
            runtime.block_on(server.stop());
        }
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        ask(self.address(), "GET", path, &[], "")
    }

    pub fn send(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        ask(self.address(), method, path, &[], &body.to_string())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}

/// One request; status and JSON, or the text as a JSON string.
pub fn ask(address: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let host = headers.iter().any(|(name, _)| *name == "host");
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !host {
        head.push_str("host: localhost\r\n");
    }
    if !body.is_empty() {
        head.push_str("content-type: application/json\r\n");
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // A server that refuses by the head alone closes before it has read the body.
    let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{text:?}"));
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned())))
}

/// The application's part, for tests of the server: it knows one repository.
pub struct FakeAnswers;

impl AnswerService for FakeAnswers {
    fn fingerprint(&self, target: &Path) -> Answer<TreeFacts> {
        Ok(TreeFacts { target: target.display().to_string(), stack: vec!["npm".into()], ..TreeFacts::default() })
    }
    fn context(&self, _: &Path) -> Answer<RepositoryContext> {
        let (repo, tree, commit_sha) = ("r".into(), "t".into(), "c".into());
        let (languages, stack, churn, stable_files) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(RepositoryContext { repo, tree, commit_sha, languages, stack, churn, stable_files, commits_examined: 0 })
    }
    fn blame(&self, _: &Path, _: &str) -> Answer<Vec<BlameLine>> {
        Ok(Vec::new())
    }
    fn churn(&self, _: &Path, path: &str, since: Option<&str>) -> Answer<Churn> {
        let since = since.map(str::to_owned);
        let (contributors, commits) = (Vec::new(), Vec::new());
        let path = path.into();
        Ok(Churn { path, since, mods: 0, modifications: 0, reverts: 0, contributors, commits, is_cut: false })
    }
    fn diff(&self, _: &Path, base: &str, _: &str) -> Answer<Diff> {
        Err(NoAnswer::Wrong(format!("there is no revision {base}")))
    }
    fn file_fingerprint(&self, _: &Path, path: &str) -> Answer<FileFingerprint> {
        Ok(FileFingerprint { path: path.into(), sha: "b".into(), content_hash: "h".into(), ast_hash: None, bytes: 1 })
    }
    fn imports(&self, _: &Path, _: &str) -> Answer<Vec<ImportedName>> {
        Ok(Vec::new())
    }
    fn exports(&self, _: &Path, _: &str) -> Answer<FileExports> {
        Err(NoAnswer::Unknown("no language whose modules are read".into()))
    }
    fn symbol(&self, _: &Path, _: &str, _: &str) -> Answer<Symbol> {
        Err(NoAnswer::Failed("broken".into()))
    }
}
