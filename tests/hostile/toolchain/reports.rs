//! Tests and code that try to write their own verdict. Each change breaks `add`, and tries to hide that.

use super::is_rejected;
use crate::support::toolchain::{Bench, passed, sandboxes};
use crate::support::tools::{Tool, needs};

/// What a process of the sandbox can reach: descriptors that it inherited, those of its parents, and files beside the work tree.
const REACH_NODE: &str = r#"
const fs = require('node:fs');
const forged = '{"test":{"name":["adds"],"file":"/calc.test.js","outcome":"passed","detail":""}}\n{"end":{"tests":1}}\n';
const attempt = (work) => { try { work(); } catch {} };
const forge = () => {
  for (let fd = 3; fd < 20; fd++) attempt(() => fs.writeSync(fd, forged));
  for (const pid of ['self', String(process.ppid)]) {
    for (const fd of [1, 3, 4, 5, 6]) attempt(() => fs.appendFileSync(`/proc/${pid}/fd/${fd}`, forged));
  }
  attempt(() => fs.mkdirSync('../scratch/out', { recursive: true }));
  for (const name of ['report.jsonl', 'report.json', 'report.xml']) {
    attempt(() => fs.rmSync('../scratch/out/' + name, { force: true }));
    attempt(() => fs.writeFileSync('../scratch/out/' + name, forged));
    attempt(() => fs.writeFileSync('../reporters/' + name, forged));
  }
  for (const name of fs.readdirSync('../reporters')) attempt(() => fs.writeFileSync('../reporters/' + name, ''));
};
"#;

const NODE: &str = r#"{"private": true, "scripts": {"test": "node --test"}}"#;
const NODE_TESTS: &str = "const { test } = require('node:test');\nconst assert = require('node:assert');\n\
                          const { add } = require('./calc');\ntest('adds', () => assert.equal(add(1, 2), 3));\n";

#[test]
fn of_node_test() {
    let Some(_) = needs(Tool::Node) else { return };
    for sandbox in sandboxes() {
        let files =
            [("package.json", NODE), ("calc.js", "exports.add = (a, b) => a + b;\n"), ("calc.test.js", NODE_TESTS)];
        let bench = Bench::new(sandbox, &files);
        let broken = "exports.add = (a, b) => a - b;\n";
        for (what, attack) in [
            ("at once", "forge();"),
            ("at exit", "process.on('exit', forge);"),
            (
                "with exit code 0",
                "process.on('exit', () => { forge(); process.exitCode = 0; process.reallyExit(0); });",
            ),
            ("leaving early", "setImmediate(() => { forge(); process.reallyExit(0); });"),
        ] {
            let code = format!("{broken}{REACH_NODE}{attack}\n");
            let ran = bench.change(&[("calc.js", Some(&code))]).expect(1);
            is_rejected(&ran, &format!("{sandbox}, {what}"), &[]);
        }
        let renamed = format!("{broken}{REACH_NODE}process.on('exit', forge);\n").replace("a - b", "b + a");
        // All that noise is no failure by itself.
        passed(&bench.change(&[("calc.js", Some(&renamed))]).expect(0), "no-test-regressions");
    }
}

const ADDS: &str = "from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n";

/// The report is a socket, under a number that nobody promises.
const REACH_PYTHON: &str = r#"
def is_socket(fd):
    try:
        return stat.S_ISSOCK(os.fstat(fd).st_mode)
    except OSError:
        return False

def sockets():
    found = [fd for fd in range(3, 64) if is_socket(fd)]
    assert found, "nothing to attack"
    return found

CHILD = f"""
import os
for fd in range(3, 64):
    try:
        os.write(fd, {FORGED!r})
    except OSError:
        pass
"""
"#;

#[test]
fn of_pytest() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    const BROKEN: &str = "def add(a, b):\n    return a - b\n";
    const FORGED: &str =
        r#"b'{"phase":{"id":"test_calc.py::test_adds","when":"call","outcome":"passed","detail":""}}\n{"ended":0}\n'"#;
    for sandbox in sandboxes() {
        let files = [("setup.cfg", ""), ("calc.py", "def add(a, b):\n    return a + b\n"), ("test_calc.py", ADDS)];
        let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        for (what, attack, why) in [
            (
                "lines without the key",
                "[os.write(fd, FORGED) for fd in sockets()]",
                "something other than the test runner",
            ),
            ("a closed report", "[os.close(fd) for fd in sockets()]", "cannot be run any more"),
            ("exit code 0 at once", "os._exit(0)", "ended before its report did"),
            ("exit code 0 at exit", "atexit.register(os._exit, 0)", "its process ended with 0"),
            ("a child that writes", "subprocess.run([sys.executable, '-c', CHILD], close_fds=False)", "test-fails"),
            (
                "a parent's descriptor",
                "subprocess.run(['sh', '-c', 'for fd in /proc/$PPID/fd/*; do echo x >> $fd; done'])",
                "test-fails",
            ),
            ("a forked copy", "(lambda pid: pid or pytest.exit('done', 0))(os.fork())", ""),
            ("a pytest that stops", "pytest.exit('done', 0)", "did not report its outcome"),
        ] {
            let code = format!(
                "import atexit, os, stat, subprocess, sys\nimport pytest\nFORGED = {FORGED}\n{REACH_PYTHON}{BROKEN}"
            );
            // When the test runs, not when it is collected.
            let code = code.replace("    return a", &format!("    {attack}\n    return a"));
            let ran = bench.change(&[("calc.py", Some(&code))]).expect(1);
            is_rejected(&ran, &format!("{sandbox}, {what}"), &[why][..usize::from(what != "a closed report")]);
        }
        // Modules of the tree with the names of those that the runner loads.
        const SHADOW: &str = "import os\nos._exit(0)\n";
        for name in ["pytest.py", "sitecustomize.py", "usercustomize.py", "json.py", "pluggy.py", "_pytest/__init__.py"]
        {
            let ran = bench.change(&[("calc.py", Some(BROKEN)), (name, Some(SHADOW))]).expect(1);
            // Tests of pytest itself would be run by what they test.
            let why = if name.contains("pytest") { "is what runs its tests" } else { "test-fails test_calc.py" };
            is_rejected(&ran, &format!("{sandbox}, {name}"), &[why]);
        }
    }
}

/// Writes what would spoil the report into every descriptor that can be taken: `pidfd_open` and `pidfd_getfd`.
const TAKE: &str = r#"
    unsafe extern "C" { fn syscall(number: i64, ...) -> i64; }
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().into_string().unwrap().parse::<i64>() else { continue };
        let process = unsafe { syscall(434, pid, 0i64) };
        for fd in 0i64..16 {
            let taken = unsafe { syscall(438, process, fd, 0i64) };
            if pid != i64::from(std::process::id()) && taken >= 0 {
                use std::os::fd::FromRawFd;
                let _ = unsafe { std::fs::File::from_raw_fd(taken as i32) }.write_all(b"spoiled\n");
            }
        }
    }
"#;

#[test]
fn of_cargo_test() {
    let Some(_) = needs(Tool::Cargo) else { return };
    const MANIFEST: &str = "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    const TESTS: &str = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n";
    const FORGED: &str = "\\nrunning 1 test\\ntest tests::adds ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\\n";
    let code = |before: &str, result: &str| {
        format!(
            "use std::io::Write;\npub fn add(a: i32, b: i32) -> i32 {{\n    {before}\n    let _ = std::io::stdout().flush();\n    {result}\n}}\n{TESTS}"
        )
    };
    for sandbox in sandboxes() {
        let bench = Bench::new(sandbox, &[("Cargo.toml", MANIFEST), ("src/lib.rs", &code("", "a + b"))]);
        let say = |text: &str| format!("let _ = std::io::stdout().write_all(b\"{text}\");");
        for (what, attack, why) in [
            ("a line of a result", say("test tests::adds ... ok\\n"), "incomplete"),
            ("a whole run", say(FORGED), "incomplete"),
            ("a run on standard error", say(FORGED).replace("stdout()", "stderr()"), "test-fails"),
            (
                "the descriptor",
                "use std::os::fd::FromRawFd; for fd in 3..64 { let mut file = std::mem::ManuallyDrop::new(unsafe { \
                 std::fs::File::from_raw_fd(fd) }); let _ = file.write_all(b\"{}\\n\"); }"
                    .to_owned(),
                "",
            ),
            ("the descriptors of all other processes", TAKE.to_owned(), "test-fails"),
            ("exit code 0", "std::process::exit(0);".to_owned(), ""),
        ] {
            let ran = bench.change(&[("src/lib.rs", Some(&code(&attack, "a - b")))]).expect(1);
            is_rejected(&ran, &format!("{sandbox}, {what}"), &[why]);
        }
    }
}

#[test]
fn of_go_test() {
    let Some(_) = needs(Tool::Go) else { return };
    const TESTS: &str = "package calc\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n";
    const FORGED: &str = r#"{\"Action\":\"pass\",\"Package\":\"calc\",\"Test\":\"TestAdds\"}\n{\"Action\":\"pass\",\"Package\":\"calc\"}\n"#;
    let code = |attack: &str, result: &str| {
        format!(
            "package calc\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"syscall\"\n)\n\nvar _ = fmt.Sprint\nvar _ = os.Exit\nvar _ = syscall.Exit\n\nfunc Add(a, b int) int {{\n\t{attack}\n\treturn {result}\n}}\n"
        )
    };
    for sandbox in sandboxes() {
        let files = [("go.mod", "module calc\n\ngo 1.18\n"), ("calc.go", &code("", "a + b")), ("calc_test.go", TESTS)];
        let bench = Bench::new(sandbox, &files);
        for (what, attack) in [
            ("nothing", String::new()),
            ("an event", format!("fmt.Print(\"{FORGED}\")")),
            ("a line of a result", "fmt.Print(\"--- PASS: TestAdds (0.00s)\\n\")".to_owned()),
            (
                "a parent's descriptor",
                format!(
                    "if f, err := os.OpenFile(fmt.Sprintf(\"/proc/%d/fd/1\", os.Getppid()), os.O_WRONLY, 0); err == nil {{ f.WriteString(\"{FORGED}\") }}"
                ),
            ),
            ("exit code 0", "syscall.Exit(0)".to_owned()),
        ] {
            let ran = bench.change(&[("calc.go", Some(&code(&attack, "a - b")))]).expect(1);
            is_rejected(&ran, &format!("{sandbox}, {what}"), &[]);
        }
    }
}

/// With the packages of a folder in the user's work tree, where git ignores them.
fn with_packages(bench: &Bench, packages: &std::path::Path) {
    let copied =
        std::process::Command::new("cp").arg("-a").arg(packages.join("node_modules")).arg(bench.repo.path()).status();
    assert!(copied.unwrap().success());
}

#[test]
fn of_jest_and_vitest() {
    const CODE: &str = "exports.add = (a, b) => a + b;\n";
    for (tool, runner, head) in
        [(Tool::Jest, "jest", ""), (Tool::Vitest, "vitest", "import { test, expect } from 'vitest';\n")]
    {
        let Some(packages) = needs(tool) else { continue };
        for sandbox in sandboxes() {
            let manifest = format!(r#"{{"private": true, "scripts": {{"test": "{runner}"}}}}"#);
            let tests = format!(
                "{head}{}test('adds', () => expect(add(1, 2)).toBe(3));\n",
                match runner {
                    "jest" => "const { add } = require('./calc.cjs');\n",
                    _ => "import { add } from './calc.cjs';\n",
                }
            );
            let files = [
                ("package.json", manifest.as_str()),
                (".gitignore", "node_modules\n"),
                ("calc.cjs", CODE),
                ("calc.test.js", &tests),
            ];
            let bench = Bench::new(sandbox, &files);
            with_packages(&bench, &packages);
            passed(
                &bench.change(&[("calc.cjs", Some("exports.add = (a, b) => b + a;\n"))]).expect(0),
                "no-test-regressions",
            );
            for (what, attack) in [
                ("nothing", ""),
                ("at once", "forge();"),
                ("at exit", "process.on('exit', forge);"),
                ("with exit code 0", "process.on('exit', () => { forge(); process.exitCode = 0; });"),
            ] {
                let code = format!("{}{REACH_NODE}{attack}\n", CODE.replace('+', "-"));
                let ran = bench.change(&[("calc.cjs", Some(&code))]).expect(1);
                is_rejected(&ran, &format!("{runner}, {sandbox}, {what}"), &[]);
            }
        }
    }
}
