//! Pushing a branch with the git binary. The token is in the environment of the child and nowhere else: in no argument, address, file or log.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_core::process_env::ProcessEnv;

use crate::token::Token;

/// For a whole push.
const TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// Bytes that are kept of what git says.
const SAID: u64 = 64 << 10;

/// What is pushed where.
#[derive(Debug)]
pub struct PushRequest<'a> {
    /// The git directory.
    pub repository: &'a Path,
    /// The address of the remote; without a password.
    pub url: &'a str,
    /// The commit.
    pub sha: &'a str,
    /// Short name of the branch at the remote.
    pub branch: &'a str,
    /// Replace what the branch is at the remote, if that is still this commit. None: go forward only.
    pub replaces: Option<&'a str>,
    pub token: Option<&'a Token>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushOutcome {
    /// The remote had it already.
    UpToDate,
    Created,
    Updated,
}

/// Hooks do not run: the commit is judged, and a hook would see the token.
///
/// # Errors
/// [`Kind::Git`]: the remote cannot be reached, does not accept the token, or has other commits on the branch (code `push-rejected`).
pub fn push(request: &PushRequest<'_>, process: &ProcessEnv) -> Result<PushOutcome> {
    let mut command = Command::new("git");
    command.env_clear().envs(environment(request, process));
    command.arg("--git-dir").arg(request.repository);
    command.args(["-c", "core.hooksPath=/dev/null", "push", "--porcelain", "--no-verify"]);
    if let Some(known) = request.replaces {
        command.arg(format!("--force-with-lease=refs/heads/{}:{known}", request.branch));
    }
    command.arg("--").arg(request.url).arg(format!("{}:refs/heads/{}", request.sha, request.branch));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let said = run(command, process)?;
    let redact = |text: &str| request.token.map_or_else(|| text.to_owned(), |token| token.redact(text));
    outcome(&said, request).map_err(|fault| Fault { what: redact(&fault.what), ..fault }.into())
}

/// The environment of the process, without what makes git print or ask, and with the token as a header for this remote alone.
fn environment(request: &PushRequest<'_>, process: &ProcessEnv) -> Vec<(OsString, OsString)> {
    let is_dropped = |name: &str| {
        name.starts_with("GIT_TRACE")
            || name.starts_with("GIT_CONFIG_")
            || ["GIT_CURL_VERBOSE", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_ASKPASS", "SSH_ASKPASS"].contains(&name)
            // Git needs the token as a header only.
            || request.token.is_some_and(|token| token.variable() == name)
    };
    let kept = process.env.iter().filter(|(name, _)| !is_dropped(&name.to_string_lossy()));
    let mut all: Vec<(OsString, OsString)> = kept.cloned().collect();
    let mut set = |name: String, value: String| all.push((name.into(), value.into()));
    set("GIT_TERMINAL_PROMPT".into(), "0".into());
    set("LC_ALL".into(), "C".into());
    let Some((token, origin)) = request.token.zip(origin(request.url)) else { return all };
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
    let is_loopback =
        || url.host_str().is_some_and(|host| host == "localhost" || host == "127.0.0.1" || host == "[::1]");
    let is_sent = url.scheme() == "https" || (url.scheme() == "http" && is_loopback());
    is_sent.then(|| url.origin().ascii_serialization())
}

struct Said {
    is_success: bool,
    out: String,
    err: String,
}

fn run(mut command: Command, process: &ProcessEnv) -> Result<Said> {
    let cannot = || Fault::new(Kind::Git, "cannot run git push").hint("`host doctor` shows whether git is there");
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
            break Err(stopped.into_error("pushing the branch"));
        }
        if begun.elapsed() > TIMEOUT {
            let what = format!("git push took more than {} s, and was ended", TIMEOUT.as_secs());
            break Err(Fault::new(Kind::Git, what).hint("run the command again; what was sent stays sent").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if ended.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Said { is_success: ended?, out: text(out), err: text(err) })
}

/// The line of the branch: a sign, what went where, a summary.
fn outcome(said: &Said, request: &PushRequest<'_>) -> std::result::Result<PushOutcome, Fault> {
    let wanted = format!(":refs/heads/{}", request.branch);
    let line = said.out.lines().find_map(|line| {
        let (sign, rest) = line.split_at_checked(1)?;
        let (refs, summary) = rest.strip_prefix('\t')?.split_once('\t')?;
        refs.ends_with(&wanted).then_some((sign, summary))
    });
    match (line, said.is_success) {
        (Some(("=", _)), true) => Ok(PushOutcome::UpToDate),
        (Some(("*", _)), true) => Ok(PushOutcome::Created),
        (Some((" " | "+", _)), true) => Ok(PushOutcome::Updated),
        (Some((_, summary)), _) => {
            let what = format!("the remote does not take the branch {}: {}", request.branch, one_line(summary));
            let hint = "look at what the branch is at the remote; --replace puts this commit in its place";
            Err(Fault::new(Kind::Git, what).hint(hint).code("push-rejected"))
        }
        (None, _) => {
            let what = format!("git push failed: {}", one_line(&said.err));
            let hint = match request.token {
                Some(token) => {
                    format!("check that the token in {} may write contents of this repository", token.variable())
                }
                None => "check the address of the remote, and how git signs in there".to_owned(),
            };
            Err(Fault::new(Kind::Git, what).hint(hint).code("push-failed"))
        }
    }
}

/// The last lines on one.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let shown = lines[lines.len().saturating_sub(4)..].join("; ");
    shown.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect()
}
