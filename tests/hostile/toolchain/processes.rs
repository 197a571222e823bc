//! Processes that try to outlive their sandbox.

use std::fs;

use crate::support::toolchain::{Bench, passed, rejected, sandboxes};
use crate::support::tools::{Tool, needs};

/// Command lines with this word; it is in no other process's.
fn alive(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(mark)).count()
}

/// Starts chains of processes in sessions of their own: each link forks the next one and exits. They write where the next candidate's
/// code will be. The last test of the file starts them: what they write is not for this run.
const TESTS: &str = r#"
import subprocess, sys
import leave
from calc import add

CHAIN = '''
import os  # MARK
os.setsid()
while True:
    if os.fork():
        os._exit(0)
    try:
        with open("calc.py", "w") as file:
            file.write("def add(a, b):\\n    return 3\\n")
    except OSError:
        pass
'''

def test_adds():
    assert add(1, 2) == 3

def test_leaves():
    nothing = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.DEVNULL)
    for _ in range(leave.CHAINS):
        subprocess.Popen([sys.executable, "-c", CHAIN], **nothing)
"#;

#[test]
fn a_chain_of_forks_ends_with_its_sandbox() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    for sandbox in sandboxes() {
        let mark = format!("chain-{sandbox}-{}", std::process::id());
        let (code, tests) = ("def add(a, b):\n    return a + b\n", TESTS.replace("MARK", &mark));
        let files = [("setup.cfg", ""), ("leave.py", "CHAINS = 0\n"), ("calc.py", code), ("test_calc.py", &tests)];
        let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        for chains in [1, 4] {
            let leaving = bench.change(&[("leave.py", Some(&format!("CHAINS = {chains}\n")))]);
            passed(&leaving.expect(0), "no-test-regressions");
            assert_eq!(alive(&mark), 0, "{sandbox}: {chains} chains, and some are left");
            // What a chain would write makes this pass.
            let broken = bench.change(&[("calc.py", Some(&code.replace('+', "-")))]).expect(1);
            rejected(&broken, "no-test-regressions", &["test-fails test_calc.py test_calc.py::test_adds"]);
        }
    }
}

#[test]
fn the_sandbox_that_is_left_cannot_end_its_supervisor() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    for sandbox in sandboxes() {
        let tests = "import os, signal, flag\n\ndef test_it():\n    pid = os.getpid()\n    while flag.KILL and pid > 1:\n        \
                     try:\n            pid = int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])\n            \
                     os.kill(pid, signal.SIGKILL)\n        except (OSError, ValueError):\n            break\n";
        let files = [("setup.cfg", ""), ("flag.py", "KILL = False\n"), ("test_it.py", tests)];
        let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        passed(&bench.change(&[("flag.py", Some("KILL = True\n"))]).expect(0), "no-test-regressions");
    }
}
