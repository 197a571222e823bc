//! A registry that serves what a test wants, also what no honest registry serves: lies, endless answers, cut ones, foreign realms.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guardhost_policy::config::Digest;
use serde_json::{Value, json};

pub const REPOSITORY: &str = "guards/test-guest";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// How much of an endless answer is sent, unless the client hangs up: more than any bound.
const ENDLESS: usize = 64 << 20;

/// What happens to one answer.
#[derive(Debug, Clone)]
pub enum Trick {
    /// Blanks without an end.
    Endless,
    /// The connection ends in the middle of the body, once.
    CutOnce,
    /// Another body.
    Body(Vec<u8>),
    Status(u16),
    /// The right answer, after somebody wrote this file on the client's machine.
    Meanwhile(PathBuf, &'static str),
}

#[derive(Default)]
pub struct State {
    /// Bodies by path.
    files: BTreeMap<String, Vec<u8>>,
    /// In the order of publication.
    tags: Vec<String>,
    /// By the beginning of the path.
    pub tricks: Vec<(String, Trick)>,
    /// `WWW-Authenticate` for requests without an `Authorization`.
    pub challenge: Option<String>,
    /// Tags in one page of the list; 0 means all.
    pub page: usize,
    /// Paths and `Authorization` headers.
    pub requests: Vec<(String, Option<String>)>,
    /// Bytes of bodies that were sent.
    pub sent: usize,
}

pub struct FakeRegistry {
    /// `127.0.0.1:PORT`.
    pub host: String,
    state: Arc<Mutex<State>>,
}

/// A guard in a registry, and how its manifest differs from an honest one.
pub struct Artifact {
    pub component: Vec<u8>,
    pub config_type: &'static str,
    pub layer_types: Vec<&'static str>,
    /// Instead of the component's.
    pub size: Option<u64>,
    /// Signatures: texts, put into annotations in base64.
    pub signatures: Vec<String>,
    /// Added as they are.
    pub annotations: Vec<(&'static str, &'static str)>,
}

impl Artifact {
    pub fn new(component: Vec<u8>) -> Self {
        Artifact {
            component,
            config_type: "application/vnd.wasm.config.v0+json",
            layer_types: vec!["application/wasm"],
            size: None,
            signatures: Vec::new(),
            annotations: Vec::new(),
        }
    }
}

impl FakeRegistry {
    /// Its threads end with the process.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = shared.clone();
                std::thread::spawn(move || answer(stream, &state));
            }
        });
        FakeRegistry { host, state }
    }

    pub fn source(&self) -> String {
        format!("oci://{}/{REPOSITORY}", self.host)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn trick(&self, path: &str, trick: Trick) {
        self.state().tricks = vec![(format!("/v2/{REPOSITORY}/{path}"), trick)];
    }

    /// The digest of its manifest.
    pub fn put(&self, tag: &str, artifact: &Artifact) -> String {
        let config = b"{}".to_vec();
        let mut annotations: BTreeMap<String, Value> =
            artifact.annotations.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())).collect();
        for (number, text) in artifact.signatures.iter().enumerate() {
            annotations.insert(format!("guardhost.minisign.{number}"), STANDARD.encode(text).into());
        }
        let size = artifact.size.unwrap_or(artifact.component.len() as u64);
        let layer = |kind: &&str| json!({ "mediaType": kind, "digest": Digest::of(&artifact.component), "size": size });
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": { "mediaType": artifact.config_type, "digest": Digest::of(&config), "size": config.len() },
            "layers": artifact.layer_types.iter().map(layer).collect::<Vec<_>>(),
            "annotations": annotations,
        });
        let manifest = manifest.to_string().into_bytes();
        let digest = Digest::of(&manifest).to_string();
        let mut state = self.state();
        for blob in [config, artifact.component.clone()] {
            state.files.insert(format!("/v2/{REPOSITORY}/blobs/{}", Digest::of(&blob)), blob);
        }
        for reference in [tag, &digest] {
            state.files.insert(format!("/v2/{REPOSITORY}/manifests/{reference}"), manifest.clone());
        }
        state.tags.retain(|known| known != tag);
        state.tags.push(tag.to_owned());
        digest
    }

    /// The registry lists the tag no more.
    pub fn withdraw(&self, tag: &str) {
        let mut state = self.state();
        state.tags.retain(|known| known != tag);
        state.files.remove(&format!("/v2/{REPOSITORY}/manifests/{tag}"));
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let path = lines.next()?.ok()?.split(' ').nth(1)?.to_owned();
    let mut authorization = None;
    loop {
        let line = lines.next()?.ok()?;
        match line.split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => authorization = Some(value.to_owned()),
            Some(_) => {}
            None => break,
        }
    }
    let (status, headers, body, trick) = {
        let mut state = state.lock().unwrap();
        state.requests.push((path.clone(), authorization.clone()));
        let at = state.tricks.iter().position(|(begin, _)| path.starts_with(begin));
        let trick = at.map(|at| match &state.tricks[at].1 {
            Trick::CutOnce => state.tricks.remove(at).1,
            again => again.clone(),
        });
        match (&state.challenge, &authorization) {
            (Some(challenge), None) if path.starts_with("/v2/") => {
                (401, format!("www-authenticate: {challenge}\r\n"), b"{}".to_vec(), None)
            }
            _ => {
                let (status, headers, body) = serve(&path, &state);
                (status, headers, body, trick)
            }
        }
    };
    let (status, body) = match &trick {
        Some(Trick::Status(status)) => (*status, b"{}".to_vec()),
        Some(Trick::Body(other)) => (status, other.clone()),
        Some(Trick::Endless) => (200, vec![b' '; ENDLESS]),
        Some(Trick::Meanwhile(file, text)) => {
            std::fs::write(file, text).unwrap();
            (status, body)
        }
        Some(Trick::CutOnce) | None => (status, body),
    };
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} Served\r\nconnection: close\r\n{headers}").ok()?;
    match trick {
        Some(Trick::Endless) => write!(stream, "\r\n").ok()?,
        _ => write!(stream, "content-length: {length}\r\n\r\n").ok()?,
    }
    let end = if matches!(trick, Some(Trick::CutOnce)) { length / 2 } else { length };
    for part in body[..end].chunks(64 << 10) {
        stream.write_all(part).ok()?;
        state.lock().unwrap().sent += part.len();
    }
    stream.flush().ok()
}

fn serve(path: &str, state: &State) -> (u16, String, Vec<u8>) {
    if path.starts_with("/token") {
        return (200, String::new(), br#"{"token":"a-token"}"#.to_vec());
    }
    if let Some(query) = path.strip_prefix(&format!("/v2/{REPOSITORY}/tags/list")) {
        let last = query.split(['?', '&']).find_map(|part| part.strip_prefix("last="));
        let begin = last.and_then(|last| state.tags.iter().position(|tag| tag == last)).map_or(0, |at| at + 1);
        let end = if state.page == 0 { state.tags.len() } else { state.tags.len().min(begin + state.page) };
        let link = if end < state.tags.len() { "link: <next>; rel=\"next\"\r\n" } else { "" };
        let body = json!({ "name": REPOSITORY, "tags": &state.tags[begin..end] }).to_string();
        return (200, link.to_owned(), body.into_bytes());
    }
    match state.files.get(path) {
        Some(body) => (200, String::new(), body.clone()),
        None => {
            (404, String::new(), br#"{"errors":[{"code":"MANIFEST_UNKNOWN","message":"text of a stranger"}]}"#.to_vec())
        }
    }
}
