//! Each test is started as a process of its own kind of command line, so that a program can be its own child. That everything has ended is
//! seen by a pipe which all of them hold: it ends when the last of them does.

mod arguments;

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use guardhost_process::{ProcessTree, Starting};

/// A process that nobody ended would live so long. No test waits for it: one that hangs is a failure.
const LONG: Duration = Duration::from_secs(600);

/// What a test waits for the end of a pipe before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// `CREATE_BREAKAWAY_FROM_JOB`.
const LEAVE_JOB: u32 = 0x0100_0000;

/// Said when all processes of a part are there.
const READY: &str = "ready";

const TESTS: [(&str, fn()); 7] = [
    ("a_grandchild_ends_when_the_tree_is_killed", a_grandchild_ends_when_the_tree_is_killed),
    ("a_grandchild_ends_when_the_tree_is_dropped", a_grandchild_ends_when_the_tree_is_dropped),
    ("a_grandchild_ends_when_the_host_is_killed", a_grandchild_ends_when_the_host_is_killed),
    ("a_grandchild_that_is_left_is_cleared_away", a_grandchild_that_is_left_is_cleared_away),
    ("a_grandchild_does_not_leave_the_job", a_grandchild_does_not_leave_the_job),
    ("a_program_that_is_not_there_is_told", a_program_that_is_not_there_is_told),
    ("arguments_of_a_batch_file_arrive_or_are_refused", arguments::arrive_or_are_refused),
];

pub fn main() {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let part = words.first().and_then(|word| word.to_str()).unwrap_or_default();
    match part.strip_prefix("part:") {
        Some("sleep") => ready_and_sleep(),
        Some("parent") => {
            start(&["part:sleep"], 0).expect("it starts itself");
            thread::sleep(LONG);
        }
        Some("gone") => {
            let child = start(&["part:sleep"], 0).expect("it starts itself");
            drop(child);
            std::process::exit(7);
        }
        Some("leaver") => {
            // Refused, or in the job all the same: whoever reads the pipe sees it.
            if start(&["part:sleep"], LEAVE_JOB).is_err() {
                println!("{READY}");
            }
            thread::sleep(LONG);
        }
        Some("host") => {
            let _held = tree(&["part:parent"], Stdio::inherit());
            thread::sleep(LONG);
        }
        Some("arguments") => arguments::say(&words[1..]),
        Some(_) => panic!("no such part"),
        None => run(part),
    }
}

/// As a test program does, with a filter as its only option.
fn run(filter: &str) {
    if filter == "--list" {
        TESTS.iter().for_each(|(name, _)| println!("{name}: test"));
        return;
    }
    for (name, test) in TESTS.iter().filter(|(name, _)| filter.starts_with('-') || name.contains(filter)) {
        test();
        println!("test {name} ... ok");
    }
}

fn ready_and_sleep() -> ! {
    println!("{READY}");
    thread::sleep(LONG);
    std::process::exit(0)
}

fn this() -> PathBuf {
    env::current_exe().expect("this program has a file")
}

/// This program in another part, with its streams.
fn start(words: &[&str], flags: u32) -> std::io::Result<Child> {
    Command::new(this()).args(words).creation_flags(flags).spawn()
}

fn tree(words: &[&str], output: Stdio) -> (Child, ProcessTree) {
    let (mut command, starting) =
        Starting::prepare(Path::new(""), Path::new(""), this().as_os_str(), words).expect("there is a job");
    let child = command.stdin(Stdio::null()).stdout(output).spawn().expect("it starts itself");
    let tree = starting.started(child.id()).expect("it is taken into the job");
    (child, tree)
}

/// All that is said until nobody holds the pipe, read aside: `ready` is sent when it was said.
struct Said {
    ready: mpsc::Receiver<()>,
    ended: mpsc::Receiver<()>,
}

impl Said {
    fn by(output: ChildStdout) -> Self {
        let ((ready, is_ready), (ended, has_ended)) = (mpsc::channel(), mpsc::channel());
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            let _ = output.read_line(&mut line);
            if line.trim() == READY {
                let _ = ready.send(());
            }
            let _ = output.read_to_end(&mut Vec::new());
            let _ = ended.send(());
        });
        Said { ready: is_ready, ended: has_ended }
    }

    fn wait_until_ready(&self) {
        self.ready.recv_timeout(PATIENCE).expect("all processes are there");
        assert!(self.ended.try_recv().is_err(), "they live");
    }

    fn wait_until_ended(&self) {
        self.ended.recv_timeout(PATIENCE).expect("no process is left that holds the pipe");
    }
}

fn a_grandchild_ends_when_the_tree_is_killed() {
    let (mut child, mut tree) = tree(&["part:parent"], Stdio::piped());
    let said = Said::by(child.stdout.take().expect("a pipe"));
    said.wait_until_ready();
    tree.kill();
    said.wait_until_ended();
    assert!(!child.wait().expect("it is waited for").success());
    assert!(tree.clear());
}

fn a_grandchild_ends_when_the_tree_is_dropped() {
    let (mut child, tree) = tree(&["part:parent"], Stdio::piped());
    let said = Said::by(child.stdout.take().expect("a pipe"));
    said.wait_until_ready();
    drop(tree);
    said.wait_until_ended();
}

fn a_grandchild_ends_when_the_host_is_killed() {
    let mut host =
        Command::new(this()).arg("part:host").stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
    let said = Said::by(host.stdout.take().expect("a pipe"));
    said.wait_until_ready();
    host.kill().expect("it is killed");
    said.wait_until_ended();
}

fn a_grandchild_that_is_left_is_cleared_away() {
    let (mut child, mut tree) = tree(&["part:gone"], Stdio::piped());
    let said = Said::by(child.stdout.take().expect("a pipe"));
    said.wait_until_ready();
    assert_eq!(child.wait().expect("it is waited for").code(), Some(7));
    assert!(tree.clear());
    said.wait_until_ended();
}

fn a_grandchild_does_not_leave_the_job() {
    let (mut child, mut tree) = tree(&["part:leaver"], Stdio::piped());
    let said = Said::by(child.stdout.take().expect("a pipe"));
    said.wait_until_ready();
    tree.kill();
    said.wait_until_ended();
}

fn a_program_that_is_not_there_is_told() {
    let missing = env::temp_dir().join("guardhost-no-such-program.exe");
    let no_words: [&str; 0] = [];
    let (mut command, _starting) =
        Starting::prepare(Path::new(""), Path::new(""), missing.as_os_str(), no_words).expect("there is a job");
    assert_eq!(command.spawn().map(drop).map_err(|error| error.kind()), Err(std::io::ErrorKind::NotFound));
}
