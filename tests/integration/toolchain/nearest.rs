//! The nearest tests come first, with real runners.

use crate::support::toolchain::{Bench, passed, rejected, sandboxes};
use crate::support::tools::{Tool, needs};

const ADD: &str = "def add(a, b):\n    return a + b\n";
const SUB: &str = "def sub(a, b):\n    return a - b\n";
const TEST_ADD: &str = "from calc.adding import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
const TEST_SUB: &str = "from calc.taking import sub\n\ndef test_takes():\n    assert sub(3, 2) == 1\n";
/// It speaks of no module that is changed, and depends on one.
const TEST_ALL: &str = "import calc\n\ndef test_all():\n    assert calc.total() == 3\n";
const TOTAL: &str = "from calc import adding\n\ndef total():\n    return getattr(adding, 'a' + 'dd')(a=1, b=2)\n";

#[test]
fn python() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let files = [
        ("pyproject.toml", "[project]\nname = \"calc\"\n"),
        ("calc/__init__.py", TOTAL),
        ("calc/adding.py", ADD),
        ("calc/taking.py", SUB),
        ("tests/test_adding.py", TEST_ADD),
        ("tests/test_taking.py", TEST_SUB),
        ("tests/test_whole.py", TEST_ALL),
    ];
    let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
    let guard = "no-test-regressions";
    let broken = bench.change(&[("calc/adding.py", Some("def add(a, b):\n    return a - b\n"))]).expect(1);
    let near = "test-fails tests/test_adding.py tests/test_adding.py::test_adds passed on the base and fails now";
    rejected(&broken, guard, &[near, "not-run - 2 other tests of the base were not run"]);

    // The nearest test goes on to pass, and another one fails: only the whole accepts.
    let far = bench.change(&[("calc/adding.py", Some("def add(x, b):\n    return x + b\n"))]).expect(1);
    let whole = "test-fails tests/test_whole.py tests/test_whole.py::test_all passed on the base and fails now";
    rejected(&far, guard, &[whole]);
    let fine = bench.change(&[("calc/adding.py", Some("def add(a, b):\n    return b + a\n"))]).expect(0);
    passed(&fine, guard);

    // What needs the tests before it fails alone on the base too, and is no finding.
    let files = [
        ("pyproject.toml", "[project]\nname = \"calc\"\n"),
        ("adding.py", ADD),
        ("test_a.py", "import builtins\n\ndef test_first():\n    builtins.READY = True\n"),
        (
            "test_adding.py",
            "import adding, builtins\n\ndef test_adds():\n    assert builtins.READY and adding.add(1, 2) == 3\n",
        ),
        ("test_b.py", "def test_last():\n    pass\n"),
    ];
    let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
    passed(&bench.change(&[("adding.py", Some("def add(a, b):\n    return b + a\n"))]).expect(0), guard);
}

#[test]
fn go() {
    let Some(_) = needs(Tool::Go) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let test = |package: &str, call: &str| {
        format!(
            "package {package}\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {{\n\tif {call} != 3 {{\n\t\tt.Fatal(\"no\")\n\t}}\n}}\n"
        )
    };
    let (add, sub, mul) = (test("add", "Add(1, 2)"), test("sub", "Sub(5, 2)"), test("mul", "Mul(1, 3)"));
    let files = [
        ("go.mod", "module example.org/calc\n\ngo 1.18\n"),
        ("add/add.go", "package add\n\nfunc Add(a, b int) int { return a + b }\n"),
        ("add/add_test.go", &*add),
        ("sub/sub.go", "package sub\n\nfunc Sub(a, b int) int { return a - b }\n"),
        ("sub/sub_test.go", &*sub),
        ("mul/mul.go", "package mul\n\nfunc Mul(a, b int) int { return a * b }\n"),
        ("mul/mul_test.go", &*mul),
    ];
    let bench = Bench::new(sandbox, &files);
    let broken = [("mul/mul.go", Some("package mul\n\nfunc Mul(a, b int) int { return a + b }\n"))];
    let red = "test-fails - example.org/calc/mul TestIt passed on the base and fails now";
    rejected(&bench.change(&broken).expect(1), "no-test-regressions", &[red, "not-run - 2 other tests"]);
}
