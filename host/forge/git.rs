//! The git binary, with the token in the environment of the child and nowhere else: in no argument, address, file or log.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;

use crate::token::ForgeToken;

/// For one command.
const TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// Bytes that are kept of what git says: the refs of a hundred thousand pull requests.
const SAID: u64 = 8 << 20;

/// The environment of the process, without what makes git print or ask, and with the token as a header for this remote alone.
pub(crate) fn environment(url: &str, token: Option<&ForgeToken>, process: &ProcessEnv) -> Vec<(OsString, OsString)> {
    let is_dropped = |name: &str| {
        name.starts_with("GIT_TRACE")
            || name.starts_with("GIT_CONFIG_")
            || ["GIT_CURL_VERBOSE", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_ASKPASS", "SSH_ASKPASS"].contains(&name)
            // Git needs the token as a header only.
            || token.is_some_and(|token| token.variable() == name)
    };
    let kept = process.env.iter().filter(|(name, _)| !is_dropped(&name.to_string_lossy()));
    let mut all: Vec<(OsString, OsString)> = kept.cloned().collect();
    let mut set = |name: String, value: String| all.push((name.into(), value.into()));
    set("GIT_TERMINAL_PROMPT".into(), "0".into());
    set("LC_ALL".into(), "C".into());
    let Some((token, origin)) = token.zip(origin(url)) else { return all };
    let header = format!("http.{origin}/.extraHeader");
    let settings = [
        // An empty value takes away what a workflow's checkout has put there: two such headers are an error.
        (header.clone(), String::new()),
        (header, format!("Authorization: {}", token.basic())),
        (format!("http.{origin}/.followRedirects"), "false".to_owned()),
        ("credential.helper".to_owned(), String::new()),
    ];
    set("GIT_CONFIG_COUNT".into(), settings.len().to_string());
    for (at, (key, value)) in settings.into_iter().enumerate() {
        set(format!("GIT_CONFIG_KEY_{at}"), key);
        set(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
    all
}

/// `https://HOST`, if a token may be sent there.
fn origin(url: &str) -> Option<String> {
    let url: reqwest::Url = url.parse().ok()?;
    let is_sent = ["http", "https"].contains(&url.scheme()) && guardhost_http::is_private(&url);
    is_sent.then(|| url.origin().ascii_serialization())
}

pub(crate) struct GitOutput {
    pub is_success: bool,
    pub out: String,
    pub err: String,
}

/// `doing` is for messages: `pushing the branch`.
pub(crate) fn run(mut command: Command, doing: &str, process: &ProcessEnv) -> Result<GitOutput> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let cannot = || {
        Fault::new(FaultKind::Git, format!("cannot run git for {doing}"))
            .hint("`host doctor` shows whether git is there")
    };
    let mut child = command.spawn().with_context(cannot)?;
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                // What does not fit is read and dropped, or git would wait for ever.
                let _ = stream.by_ref().take(SAID).read_to_end(&mut bytes);
                let _ = std::io::copy(&mut stream, &mut std::io::sink());
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(child.stdout.take().map(|stream| Box::new(stream) as _));
    let err = read(child.stderr.take().map(|stream| Box::new(stream) as _));
    let begun = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait().with_context(cannot)? {
            break Ok(status.success());
        }
        if let Err(stopped) = process.stop.check() {
            break Err(stopped.into_error(doing));
        }
        if begun.elapsed() > TIMEOUT {
            let what = format!("{doing} took more than {} s, and was ended", TIMEOUT.as_secs());
            break Err(Fault::new(FaultKind::Git, what)
                .hint("run the command again; what has arrived is not sent again")
                .into());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if ended.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(GitOutput { is_success: ended?, out: text(out), err: text(err) })
}

/// The last lines on one.
pub(crate) fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let shown = lines[lines.len().saturating_sub(4)..].join("; ");
    shown.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect()
}
