//! Tests that leave folders which are hard to clean. None may disturb the next run.

use crate::support::toolchain::{Bench, passed, rejected, sandboxes};
use crate::support::tools::{Tool, needs};

/// What a test leaves behind in its work tree, its home folder and the folder for temporary files.
const LEAVE: &str = r#"
import atexit, os, flag

def deep(folder, levels):
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("dd", dir_fd=here)
        inner = os.open("dd", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)

def fill(place):
    deep(place, 3000)
    os.mkfifo(os.path.join(place, "pipe"))
    os.symlink("/", os.path.join(place, "root"))
    os.symlink("/dev/zero", os.path.join(place, "zero"))
    for name in [b"\xff\xfe", b"a" * 255, b"new\nline", b"-rf", b" "]:
        os.mkdir(os.path.join(place.encode(), name))
    os.makedirs(os.path.join(place, "locked/inner"))
    os.chmod(os.path.join(place, "locked/inner"), 0)
    os.chmod(os.path.join(place, "locked"), 0)

def test_leaves():
    if not flag.LEAVE:
        return
    for place in [os.getcwd(), os.environ["HOME"], os.environ["TMPDIR"]]:
        fill(place)
    os.remove("calc.py")
    os.mkfifo("calc.py")
    os.remove("test_calc.py")
    os.symlink("/dev/zero", "test_calc.py")
    os.rename("moving", "moved")
    os.symlink("/usr", "moving")
    # Not while pytest still needs it.
    atexit.register(os.chmod, os.getcwd(), 0)
    atexit.register(os.chmod, os.path.join(os.getcwd(), "package"), 0)
"#;

#[test]
fn what_a_test_leaves_is_gone_before_the_next_run() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let code = "def add(a, b):\n    return a + b\n";
    let tests = "from calc import add\nimport os, moving.inner, package.inner\n\ndef test_adds():\n    assert add(1, 2) == 3\n    \
                 for place in ['.', os.environ['HOME'], os.environ['TMPDIR']]:\n        \
                 assert not {'dd', 'pipe', 'root', 'locked', ' '} & set(os.listdir(place))\n";
    for sandbox in sandboxes() {
        let files = [
            ("setup.cfg", ""),
            ("calc.py", code),
            ("flag.py", "LEAVE = False\n"),
            ("moving/inner.py", ""),
            ("package/inner.py", ""),
            ("test_calc.py", tests),
            ("test_leave.py", LEAVE),
        ];
        let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        passed(&bench.change(&[("flag.py", Some("LEAVE = True\n"))]).expect(0), "no-test-regressions");
        passed(
            &bench.change(&[("calc.py", Some("def add(a, b):\n    return b + a\n"))]).expect(0),
            "no-test-regressions",
        );
        let broken = bench.change(&[("calc.py", Some(&code.replace('+', "-")))]).expect(1);
        let red = "test-fails test_calc.py test_calc.py::test_adds";
        rejected(&broken, "no-test-regressions", &[red]);
    }
}
