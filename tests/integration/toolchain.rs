//! Builds and tests with real toolchains, in every sandbox that this machine has.

mod lines_run;
mod linters;
mod mutants;
mod nearest;
mod red_first;
mod rounds;
mod runners;
mod sandbox;

use crate::support::toolchain::{Bench, passed, rejected, said, sandboxes};
use crate::support::tools::{Tool, needs};

#[test]
fn python() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    const CODE: &str = "def add(a, b):\n    return a + b\n";
    const WRONG: &str = "def add(a, b):\n    return a - b\n";
    const ADDS: &str = "from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
    const ZERO: &str = "\ndef test_zero():\n    assert add(0, 0) == 0\n";
    const RED: &str = "\ndef test_red():\n    assert False\n";
    let tests = [ADDS, ZERO, RED].concat();
    for sandbox in sandboxes() {
        let files =
            [("pyproject.toml", "[project]\nname = \"calc\"\n"), ("src/calc.py", CODE), ("tests/test_calc.py", &tests)];
        let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        let broken = bench.change(&[("src/calc.py", Some(WRONG))]).expect(1);
        rejected(
            &broken,
            "no-test-regressions",
            &["test-fails tests/test_calc.py tests/test_calc.py::test_adds passed on the base"],
        );
        passed(&broken, "builds");

        // The base's answer is kept by now.
        let without = [ADDS.split("def").next().unwrap(), ZERO].concat();
        let hidden = bench.change(&[("src/calc.py", Some(WRONG)), ("tests/test_calc.py", Some(&without))]).expect(1);
        let lost = "test-lost tests/test_calc.py tests/test_calc.py::test_adds passed on the base; the change deletes it, and put back it fails";
        rejected(&hidden, "no-test-regressions", &[lost]);

        let skipped =
            ["import pytest\n@pytest.mark.skip\ndef test_adds(): pass\nfrom calc import add\n", ZERO].concat();
        let skipped = bench.change(&[("tests/test_calc.py", Some(&skipped))]).expect(1);
        rejected(&skipped, "no-test-regressions", &["test-skipped tests/test_calc.py tests/test_calc.py::test_adds"]);

        let unreadable = bench.change(&[("src/calc.py", Some("def add(a, b:\n    return a + b\n"))]).expect(1);
        rejected(&unreadable, "builds", &["new-error src/calc.py "]);
        rejected(
            &unreadable,
            "no-test-regressions",
            &["suite-broken tests/test_calc.py tests/test_calc.py cannot be run any more, and 2 tests"],
        );

        let fine = [ADDS, ZERO, "\ndef test_more():\n    assert add(1, 1) == 2\n"].concat();
        let fine = bench.change(&[
            ("src/calc.py", Some("def add(a, b):\n    return b + a\n")),
            ("tests/test_calc.py", Some(&fine)),
        ]);
        passed(&fine.expect(0), "no-test-regressions");
    }
}

#[test]
fn a_package_that_pytest_uses_itself() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let test = "from iniconfig import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n";
    let files = [
        ("pyproject.toml", "[project]\nname = \"iniconfig\"\n"),
        ("src/iniconfig/__init__.py", "def add(a, b):\n    return a + b\n"),
        ("tests/test_iniconfig.py", test),
    ];
    let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
    let broken = bench.change(&[("src/iniconfig/__init__.py", Some("def add(a, b):\n    return a - b\n"))]).expect(1);
    let red = "test-fails tests/test_iniconfig.py tests/test_iniconfig.py::test_adds passed on the base";
    rejected(&broken, "no-test-regressions", &[red]);
}

#[test]
fn rust() {
    let Some(_) = needs(Tool::Cargo) else { return };
    const CODE: &str = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    \
                        #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn zero() {\n        \
                        assert_eq!(add(0, 0), 0);\n    }\n}\n";
    const MANIFEST: &str = "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    // An example that never compiled is nobody's fault, but `cargo test` would build it.
    const OLD: &str = "fn main() {\n    let x: u8 = \"no\";\n}\n";
    for sandbox in sandboxes() {
        let bench = Bench::new(sandbox, &[("Cargo.toml", MANIFEST), ("src/lib.rs", CODE)]);
        let wrong = CODE.replace("a + b", "a - b");
        let broken = bench.change(&[("src/lib.rs", Some(&wrong))]).expect(1);
        rejected(&broken, "no-test-regressions", &["test-fails - calc tests::adds passed on the base and fails now"]);
        passed(&broken, "builds");

        let hidden = wrong.replace("    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n", "");
        let hidden = bench.change(&[("src/lib.rs", Some(&hidden))]).expect(1);
        rejected(&hidden, "no-test-regressions", &["test-lost - calc tests::adds passed on the base and is gone"]);

        let unbuilt = bench.change(&[("src/lib.rs", Some(&CODE.replace("a + b", "a + c")))]).expect(1);
        rejected(&unbuilt, "builds", &["new-error src/lib.rs error[E0425]"]);
        rejected(&unbuilt, "no-test-regressions", &["suite-broken - the tests of cargo-test ran on the base"]);

        let bench = Bench::new(sandbox, &[("Cargo.toml", MANIFEST), ("src/lib.rs", CODE), ("examples/old.rs", OLD)]);
        let moved = format!("\n\n// Moved down.\n{OLD}");
        let other =
            bench.change(&[("src/lib.rs", Some(&CODE.replace("a + b", "b + a"))), ("examples/old.rs", Some(&moved))]);
        passed(&other, "builds");
    }
}

#[test]
fn node() {
    let Some(_) = needs(Tool::Node) else { return };
    const TESTS: &str = "const { test, describe } = require('node:test');\nconst assert = require('node:assert');\n\
                         const { add } = require('./calc');\ndescribe('add', () => {\n  test('adds', () => assert.equal(add(1, 2), 3));\n  \
                         test('zero', () => assert.equal(add(0, 0), 0));\n});\n";
    for sandbox in sandboxes() {
        let manifest = r#"{"name": "calc", "private": true, "scripts": {"test": "node --test"}}"#;
        let files = [
            ("web/package.json", manifest),
            ("web/calc.js", "exports.add = (a, b) => a + b;\n"),
            ("web/calc.test.js", TESTS),
        ];
        let bench = Bench::new(sandbox, &files);
        let wrong = ("web/calc.js", Some("exports.add = (a, b) => a - b;\n"));
        let broken = bench.change(&[wrong]).expect(1);
        rejected(
            &broken,
            "no-test-regressions",
            &["test-fails web/calc.test.js web/calc.test.js > add > adds passed on the base"],
        );
        assert!(said(&broken, "builds").0.starts_with("not-applicable"), "{broken:?}");

        let hidden = bench.change(&[wrong, ("web/calc.test.js", None)]).expect(1);
        let lost =
            ["adds", "zero"].map(|name| format!("test-lost web/calc.test.js web/calc.test.js > add > {name} passed"));
        rejected(&hidden, "no-test-regressions", &lost.each_ref().map(String::as_str));

        let unloadable = bench.change(&[("web/calc.js", Some("exports.add = (a, b) => {\n"))]).expect(1);
        rejected(
            &unloadable,
            "no-test-regressions",
            &["suite-broken web/calc.test.js web/calc.test.js cannot be run any more, and 2 tests"],
        );
    }
}
