//! Parents that leave something behind: open descriptors, closed streams, ignored and blocked signals, a strange mask, small limits, no
//! environment, a terminal that has gone. Each command ends as it does without them, or says what it lacks.

use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::cli::command;
use crate::support::repo::TestRepo;
use crate::support::toolchain::path_with;
use crate::support::tools::{Tool, needs};

/// What a parent does to its child, after it was forked.
enum Parent {
    /// With every descriptor from 3 to 20 open.
    OpenDescriptors,
    Closed(&'static [i32]),
    Ignores(&'static [i32]),
    BlocksAllSignals,
    Mask(libc::mode_t),
    Limit(libc::c_int, u64),
    Env(&'static [(&'static str, Option<&'static str>)]),
    /// A job server of make, whose descriptors are there.
    JobServer,
    /// Standard output and error that take nothing.
    Full(&'static [i32]),
    /// Standard output is full, does not wait, and is read after a while.
    SlowReader,
    /// All streams are a terminal that has gone.
    LostTerminal,
}

use Parent::{
    BlocksAllSignals, Closed, Env, Full, Ignores, JobServer, Limit, LostTerminal, Mask, OpenDescriptors, SlowReader,
};

const PARENTS: [(&str, Parent); 27] = [
    ("descriptors 3 to 20", OpenDescriptors),
    ("no standard input", Closed(&[0])),
    ("no standard output", Closed(&[1])),
    ("no standard error", Closed(&[2])),
    ("no standard streams", Closed(&[0, 1, 2])),
    ("children are not reported", Ignores(&[libc::SIGCHLD])),
    ("pipes do not end it", Ignores(&[libc::SIGPIPE])),
    ("nohup, in the background", Ignores(&[libc::SIGHUP, libc::SIGINT, libc::SIGQUIT])),
    ("stop signals are ignored", Ignores(&[libc::SIGTERM, libc::SIGUSR1, libc::SIGALRM])),
    ("all signals are blocked", BlocksAllSignals),
    ("everybody may write", Mask(0)),
    ("nobody may read", Mask(0o777)),
    ("few descriptors", Limit(libc::RLIMIT_NOFILE as libc::c_int, 40)),
    ("few processes", Limit(libc::RLIMIT_NPROC as libc::c_int, 64)),
    ("few addresses", Limit(libc::RLIMIT_AS as libc::c_int, 4 << 30)),
    ("files may not grow", Limit(libc::RLIMIT_FSIZE as libc::c_int, 0)),
    ("no home", Env(&[("HOME", None)])),
    ("no path", Env(&[("PATH", None)])),
    ("neither", Env(&[("HOME", None), ("PATH", None)])),
    ("another locale", Env(&[("LANG", Some("de_DE.UTF-8")), ("LC_ALL", Some("tr_TR.UTF-8"))])),
    ("no locale", Env(&[("LANG", None)])),
    ("a job server that has gone", Env(&[("MAKEFLAGS", Some(" -j2 --jobserver-auth=3,4")), ("MAKELEVEL", Some("1"))])),
    ("a job server", JobServer),
    ("full output", Full(&[1])),
    ("full standard error", Full(&[2])),
    ("a slow reader", SlowReader),
    ("a lost terminal", LostTerminal),
];

/// Commands, each with what it ends with where nothing is wrong.
const COMMANDS: [(&str, &[&str], i32); 6] = [
    ("version", &["--version"], 0),
    ("explain", &["explain", "syntax-holds", "--format", "json"], 0),
    ("check", &["check", "--staged", "--format", "json"], 0),
    ("tests", &["check", "--staged", "--guard", "no-test-regressions", "--format", "json"], 1),
    ("run", &["run", "--task", "t", "--file-hint", "x.py", "--provider", "command:cat ANSWER", "--format", "json"], 0),
    ("audit", &["audit", "--metric", "test_results", "--format", "json"], 0),
];

/// Where a command ends otherwise, and what it says then.
const OTHERWISE: [(&str, &str, i32, &str); 28] = [
    ("few addresses", "check", 7, "Cannot allocate memory"),
    ("few addresses", "tests", 7, "Cannot allocate memory"),
    ("few addresses", "run", 7, "Cannot allocate memory"),
    ("few addresses", "audit", 5, "Cannot allocate memory"),
    ("files may not grow", "check", 7, "File too large"),
    ("files may not grow", "tests", 7, "File too large"),
    ("files may not grow", "run", 7, "File too large"),
    ("files may not grow", "audit", 5, "File too large"),
    ("no home", "tests", 5, "set HOME or XDG_CACHE_HOME"),
    ("no home", "audit", 5, "set HOME or XDG_CACHE_HOME"),
    ("no path", "tests", 5, "could not look: pytest: Python is not installed"),
    ("no path", "run", 6, "no program `cat` on the PATH"),
    ("no path", "audit", 5, "could not look: pytest: Python is not installed"),
    ("neither", "tests", 5, "could not look: pytest: Python is not installed"),
    ("neither", "run", 6, "no program `cat` on the PATH"),
    ("neither", "audit", 5, "could not look: pytest: Python is not installed"),
    ("full output", "version", 7, "cannot write to standard output"),
    ("full output", "explain", 7, "cannot write to standard output"),
    ("full output", "check", 7, "cannot write to standard output"),
    ("full output", "tests", 7, "cannot write to standard output"),
    ("full output", "run", 7, "cannot write to standard output"),
    ("full output", "audit", 7, "cannot write to standard output"),
    // What is said goes to the terminal that has gone.
    ("a lost terminal", "version", 7, ""),
    ("a lost terminal", "explain", 7, ""),
    ("a lost terminal", "check", 7, ""),
    ("a lost terminal", "tests", 7, ""),
    ("a lost terminal", "run", 7, ""),
    ("a lost terminal", "audit", 7, ""),
];

fn project() -> TestRepo {
    let repo = TestRepo::with(&[
        ("setup.cfg", "[metadata]\nname = x\n"),
        ("x.py", "def x():\n    return 1\n"),
        ("test_x.py", "from x import x\n\ndef test_x():\n    assert x() == 1\n"),
    ]);
    std::fs::write(repo.path().join("../answer"), "x.py\n````\ndef x():\n    return 3\n````\n").unwrap();
    repo
}

/// Runs `host` as the child of such a parent: its exit code, and what it said on both streams.
fn child_of(parent: &Parent, mut host: Command) -> (i32, String, String) {
    host.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut kept: Vec<OwnedFd> = Vec::new();
    let mut late = None;
    match *parent {
        OpenDescriptors => in_child(&mut host, move || (3..=20).all(|fd| dup_to(2, fd))),
        // SAFETY: close(2) takes any number, and the child uses none of these streams before it is another program.
        Closed(streams) => in_child(&mut host, move || streams.iter().all(|fd| unsafe { libc::close(*fd) } == 0)),
        Ignores(signals) => in_child(&mut host, move || {
            // SAFETY: signal(2) may be called after a fork, and no handler of ours is set.
            signals.iter().all(|signal| unsafe { libc::signal(*signal, libc::SIG_IGN) } != libc::SIG_ERR)
        }),
        // SAFETY: the set lives on this stack, is filled before it is read, and the calls are allowed after a fork.
        BlocksAllSignals => in_child(&mut host, move || unsafe {
            let mut all = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut()) == 0
        }),
        Mask(mask) => in_child(&mut host, move || {
            // SAFETY: umask(2) cannot fail and touches no memory.
            unsafe { libc::umask(mask) };
            true
        }),
        Limit(what, most) => in_child(&mut host, move || {
            let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
            // SAFETY: the limit lives on this stack for the length of the call.
            unsafe { libc::setrlimit(what as _, &limit) == 0 }
        }),
        Env(variables) => variables.iter().for_each(|(name, value)| match value {
            Some(value) => {
                host.env(name, value);
            }
            None => {
                host.env_remove(name);
            }
        }),
        JobServer => {
            let (reader, writer) = pipe();
            let (from, to) = (reader.as_raw_fd(), writer.as_raw_fd());
            in_child(&mut host, move || dup_to(from, 103) && dup_to(to, 104) && dup_to(103, 3) && dup_to(104, 4));
            host.env("MAKEFLAGS", " -j2 --jobserver-auth=3,4").env("MAKELEVEL", "1");
            kept.extend([reader, writer]);
        }
        Full(streams) => streams.iter().for_each(|stream| {
            let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
            match *stream {
                1 => host.stdout(full),
                _ => host.stderr(full),
            };
        }),
        SlowReader => {
            let (reader, writer) = pipe();
            fill(&writer);
            host.stdout(writer);
            late = Some(reader);
        }
        LostTerminal => {
            let (ours, theirs) = terminal();
            host.stdin(theirs.try_clone().unwrap()).stdout(theirs.try_clone().unwrap()).stderr(theirs);
            drop(ours);
        }
    }
    let child = host.spawn().unwrap();
    drop(host);
    let reading = late.map(|reader| {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            let mut text = Vec::new();
            std::fs::File::from(reader).read_to_end(&mut text).unwrap();
            text
        })
    });
    let output = child.wait_with_output().unwrap();
    drop(kept);
    let stdout = match reading {
        Some(reading) => reading.join().unwrap().into_iter().skip_while(|byte| *byte == FILLING).collect(),
        None => output.stdout,
    };
    let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (code, text(stdout), text(output.stderr))
}

/// What a full pipe holds.
const FILLING: u8 = b'~';

/// `work` makes system calls and nothing else.
fn in_child(host: &mut Command, work: impl Fn() -> bool + Send + Sync + 'static) {
    let set = move || if work() { Ok(()) } else { Err(std::io::Error::last_os_error()) };
    // SAFETY: what it does is allowed after a fork.
    unsafe { host.pre_exec(set) };
}

fn dup_to(from: i32, to: i32) -> bool {
    // SAFETY: numbers of descriptors.
    unsafe { libc::dup2(from, to) == to }
}

fn pipe() -> (OwnedFd, OwnedFd) {
    let (reader, writer) = std::io::pipe().unwrap();
    (reader.into(), writer.into())
}

/// Makes it full, and such that it does not wait.
fn fill(writer: &OwnedFd) {
    // SAFETY: the descriptor is open, and the bytes live on this stack.
    unsafe {
        assert_eq!(libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK), 0);
        while libc::write(writer.as_raw_fd(), [FILLING; 4096].as_ptr().cast(), 4096) > 0 {}
        while libc::write(writer.as_raw_fd(), [FILLING].as_ptr().cast(), 1) > 0 {}
    }
}

/// The two ends of a terminal.
fn terminal() -> (OwnedFd, OwnedFd) {
    // SAFETY: the calls of posix_openpt(3); the name is copied before another call.
    unsafe {
        let ours = OwnedFd::from_raw_fd(libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY));
        assert!(libc::grantpt(ours.as_raw_fd()) == 0 && libc::unlockpt(ours.as_raw_fd()) == 0);
        let theirs = libc::open(libc::ptsname(ours.as_raw_fd()), libc::O_RDWR | libc::O_NOCTTY);
        assert!(theirs >= 0);
        (ours, OwnedFd::from_raw_fd(theirs))
    }
}

/// What a report says, without times.
fn said(stdout: &str) -> String {
    let Ok(report) = serde_json::from_str::<Value>(stdout) else { return stdout.to_owned() };
    if let Some(metrics) = report["metrics"].as_array() {
        let metrics = metrics.iter().map(|metric| format!("{} {} {}", metric["id"], metric["score"], metric["reason"]));
        return metrics.collect::<Vec<_>>().join(", ");
    }
    let guards = report["guards"].as_array().cloned().unwrap_or_default();
    let guards = guards.iter().map(|guard| format!("{} {}", guard["id"], guard["verdict"]));
    format!("{} {} {}", report["verdict"], report["outcome"], guards.collect::<Vec<_>>().join(", "))
}

/// What a command does otherwise than alone, and should not.
fn differing((name, args, code): (&str, &[&str], i32), path: &str) -> Vec<String> {
    let ran = |parent: &Parent| {
        let repo = project();
        match name {
            "run" => {}
            _ => {
                repo.write("x.py", "def x():\n    return 2\n");
                repo.stage_all();
            }
        }
        let answer = repo.path().join("../answer").display().to_string();
        let args: Vec<String> = args.iter().map(|arg| arg.replace("ANSWER", &answer)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        child_of(parent, command(repo.path(), &args, &[("PATH", path)]))
    };
    let (alone, expected, complaint) = ran(&Env(&[]));
    assert_eq!(alone, code, "{name}: {expected} {complaint}");
    let mut wrong = Vec::new();
    for (what, parent) in &PARENTS {
        let (code, stdout, stderr) = ran(parent);
        let heard = !matches!(parent, Closed(_) | Full(_) | LostTerminal);
        let otherwise = OTHERWISE.iter().find(|(parent, command, ..)| parent == what && *command == name);
        let is_right = match otherwise {
            Some((_, _, expected, says)) => code == *expected && (stdout.contains(says) || stderr.contains(says)),
            None => code == alone && (!heard || said(&stdout) == said(&expected)),
        };
        if !is_right {
            let short = |text: &str| text.chars().take(700).collect::<String>();
            wrong.push(format!("{name}, {what}: {code}, for {alone}\n{}\n{}", short(&stdout), short(&stderr)));
        }
    }
    wrong
}

#[test]
fn every_command_ends_as_it_does_without() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let path = path_with(&pytest);
    let path = path.as_str();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let commands = COMMANDS.map(|command| scope.spawn(move || differing(command, path)));
        commands.into_iter().flat_map(|command| command.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}\n{} are wrong", wrong.join("\n"), wrong.len());
}

/// The suite's own helpers: a test of another file, run by this same program.
#[test]
fn the_suite_passes_under_any_parent() {
    const TEST: &str = "integration::unjudged::people_are_told";
    let wrong = PARENTS.iter().filter(|(what, _)| !LACKS.contains(what)).filter_map(|(what, parent)| {
        let mut suite = Command::new(std::env::current_exe().unwrap());
        suite.args(["--exact", TEST, "--test-threads", "1"]);
        let (code, stdout, stderr) = child_of(parent, suite);
        (code != 0).then(|| format!("{what}: {code}\n{stdout}\n{stderr}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Under these cargo or the test harness of Rust ends with an error of its own: neither can wait for a child, for example, where children
/// are not reported.
const LACKS: [&str; 9] = [
    "children are not reported",
    "few addresses",
    "files may not grow",
    "no path",
    "neither",
    "full output",
    "full standard error",
    "a slow reader",
    "a lost terminal",
];
