//! What a person sees on standard error while a run goes on.

use std::io::Write;
use std::process::Command;
use std::sync::{Arc, Mutex};

use guardhost_core::change::{Event, Observer, RunEnd};
use guardhost_core::error::FaultKind;
use guardhost_display::Terminal;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::cli::{command, home, host};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

/// A repository, and the name of an agent that runs this script.
fn stage(script: &str) -> (TestRepo, String) {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    let agent = repo.path().join("../agent.sh");
    std::fs::write(&agent, script).unwrap();
    (repo, format!("command:sh {}", agent.display()))
}

#[test]
fn an_interruption_is_said_once() {
    let (repo, agent) = stage("cat >/dev/null; touch \"$0.asked\"; sleep 60");
    let args = ["run", "--task", "x", "--provider", &agent];
    let child = command(repo.path(), &args, &[]).spawn().unwrap();
    while !repo.path().join("../agent.sh.asked").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    let told: Vec<&str> = said.lines().filter(|line| line.contains("interrupted")).collect();
    let [live, error] = told.as_slice() else { panic!("{said}") };
    assert!(live.starts_with("round 1/3: interrupted after "), "{said}");
    assert_eq!(*error, "error: interrupted while sh was asked", "{said}");
    assert!(!said.contains("cause") && !said.contains("note"), "{said}");
}

#[test]
fn an_error_that_ends_a_run_is_said_once() {
    let (repo, agent) = stage("cat >/dev/null; echo it broke >&2; exit 3");
    let said = host(repo.path(), &["run", "--task", "x", "--provider", &agent]).expect(6).stderr;
    assert!(said.contains("error: no answer from sh (crashed)\n") && said.contains("round 1/3: no provider"), "{said}");
    assert_eq!(said.matches("it broke").count(), 1, "{said}");
    assert!(!said.contains("note") && !said.contains("failed (crashed)"), "{said}");
}

/// What a terminal without a live line shows.
fn lines(events: &[Event]) -> String {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let shown = Shared::default();
    let terminal = Terminal::lines(shown.clone());
    events.iter().for_each(|event| terminal.see(event));
    let bytes = shown.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

fn failed(next: Option<&str>) -> Event {
    Event::ProviderFailed {
        provider: "one".to_owned(),
        class: "crashed",
        message: "it broke".to_owned(),
        next: next.map(str::to_owned),
    }
}

#[test]
fn more_rounds_than_were_announced_are_announced() {
    let mut events: Vec<Event> = (1..=3).map(|round| Event::RoundStarted { round, rounds: 3 }).collect();
    events.extend([failed(Some("two")), Event::RoundStarted { round: 4, rounds: 6 }]);
    events.push(Event::RoundStarted { round: 5, rounds: 6 });
    let shown = lines(&events);
    let expected = "round 3/3: one failed (crashed): it broke; asking two instead\n\
                    round 4/6: up to 3 rounds more with the provider that is asked now\n";
    assert_eq!(shown, expected);
}

/// Only the error of the run takes its place.
#[test]
fn a_failure_that_does_not_end_the_run_is_shown() {
    let end = Event::RunEnded { outcome: RunEnd::Failed(FaultKind::Provider), commit: None, rounds: 1, micros: 38_000 };
    let begin = Event::RoundStarted { round: 1, rounds: 1 };
    let error = Event::Failed { error: "no answer from one (crashed): it broke".to_owned() };
    let ended = "round 1/1: no provider answered after 38.0 ms\n";
    let failure = "round 1/1: one failed (crashed): it broke\n";
    assert_eq!(lines(&[begin.clone(), failed(None), error, end.clone()]), ended);
    assert_eq!(lines(&[begin, failed(None), end]), format!("{failure}{ended}"));
    assert_eq!(lines(&[failed(None)]), "one failed (crashed): it broke\n", "outside of a run nothing ends it");
}

/// Runs the program in a terminal of 24 lines and 60 columns, and prints what it writes there.
const IN_TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 60, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn lines_that_stay_are_broken_at_words() {
    let Some(python) = needs(Tool::Python) else { return };
    let (repo, agent) = stage("cat >/dev/null; echo 'I would rather not change anything here.'");
    let mut command = Command::new(python);
    command.args(["-c", IN_TERMINAL, env!("CARGO_BIN_EXE_host"), "run", "--task", "x", "--rounds", "1"]);
    command.args(["--provider", &agent, "--color", "never"]).current_dir(repo.path()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", home()).env("LANG", "C.UTF-8");
    let shown = command.env("TERM", "xterm").output().unwrap();
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let lines: Vec<String> = text.split(['\n', '\r']).map(without_sequences).collect();
    let at =
        lines.iter().position(|line| line.starts_with("round 1/1: no patch")).unwrap_or_else(|| panic!("{text:?}"));
    // The live line follows on the same line, behind as many spaces as the terminal has columns left.
    let parts: Vec<String> = lines[at..].iter().map(|line| line.chars().take(60).collect()).collect();
    let parts: Vec<&str> = parts.iter().map(|part: &String| part.trim_end()).filter(|part| !part.is_empty()).collect();
    assert!(parts[1].starts_with("    "), "{parts:?}");
    let said = format!("{} {}", parts[0], parts[1].trim_start());
    let whole =
        "round 1/1: no patch: There is no patch in the reply. Send a unified diff, or answer NO_CHANGES_NEEDED alone";
    assert!(said.starts_with(whole), "{said}");
}

/// A line without what moves the cursor and deletes.
fn without_sequences(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        shown.push_str(before);
        rest = after.find(|c: char| c.is_ascii_alphabetic()).map_or("", |end| &after[end + 1..]);
    }
    shown + rest
}
