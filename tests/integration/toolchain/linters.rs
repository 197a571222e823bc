//! The repository's own linters, as they are installed.

use std::path::Path;
use std::process::Command;

use crate::support::cli::host_with;
use crate::support::toolchain::{Bench, passed, path_with, rejected, said, sandboxes};
use crate::support::tools::{Tool, needs};

const GUARD: &str = "[[guard]]\nid = \"no-lint-regressions\"\ngrants = [\"toolchain\"]\nlimits = { seconds = 240 }\n";
const ID: &str = "no-lint-regressions";

fn bench(sandbox: &'static str, files: &[(&str, &str)], linter: &str) -> Bench {
    Bench::new(sandbox, files).with_rules(&format!("schema = 1\n{linter}\n{GUARD}"))
}

/// With the programs of a virtual environment on the search path.
fn with_programs(mut bench: Bench, environment: &Path) -> Bench {
    bench.env.push(("PATH".to_owned(), path_with(environment)));
    bench
}

#[test]
fn ruff_and_mypy_judge_by_the_configuration_of_the_base() {
    let Some(environment) = needs(Tool::Mypy) else { return };
    const CODE: &str = "import os\n\n\ndef add(a: int, b: int) -> int:\n    return a + b\n";
    const WRONG: &str = "import os\n\n\ndef add(a: int, b: int) -> int:\n    return str(a + c)\n";
    const CONFIGURED: &str = "[tool.ruff.lint]\nselect = [\"F\"]\n[tool.mypy]\nfiles = [\"src\"]\n";
    for sandbox in sandboxes() {
        let files = [("pyproject.toml", CONFIGURED), ("src/calc.py", CODE), ("untyped.py", "x: int = \"old\"\n")];
        let bench = with_programs(bench(sandbox, &files, ""), &environment);
        // The import that nothing uses is an objection of the base's, and it moves down.
        let moved = bench.change(&[("src/calc.py", Some(&format!("\"\"\"Adds.\"\"\"\n\n{CODE}")))]).expect(0);
        passed(&moved, ID);

        let new = [
            "new-objection src/calc.py mypy: error: Incompatible return value type (got \"str\", expected \"int\")",
            "new-objection src/calc.py mypy: error: Name \"c\" is not defined",
            "new-objection src/calc.py ruff: F821 Undefined name `c`",
        ];
        let broken = bench.change(&[("src/calc.py", Some(WRONG))]).expect(1);
        rejected(&broken, ID, &new);
        let loosened = "[tool.ruff.lint]\nselect = []\n[tool.mypy]\nfiles = [\"src\"]\nignore_errors = true\n";
        for configuration in [Some(loosened), None] {
            let broken = bench.change(&[("src/calc.py", Some(WRONG)), ("pyproject.toml", configuration)]).expect(1);
            rejected(&broken, ID, &new);
        }
        let documented = bench.change(&[("README.md", Some("# Calc\n"))]).expect(0);
        assert!(said(&documented, ID).0.starts_with("not-applicable"), "{documented:?}");
    }
}

#[test]
fn what_steers_a_linter_is_the_bases() {
    let Some(environment) = needs(Tool::Mypy) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    const WRONG: &str = "import os\n\n\ndef one() -> int:\n    return \"x\"\n";
    let code = "def one() -> int:\n    return 1\n";
    let files = [("ruff.toml", "[lint]\nselect = [\"F\"]\n"), ("mypy.ini", "[mypy]\n"), ("app/m.py", code)];
    let bench = with_programs(bench(sandbox, &files, ""), &environment);
    let ruff = |path: &str| format!("new-objection {path} ruff: F401 [*] `os` imported but unused");
    let mypy = |path: &str| format!("new-objection {path} mypy: error: Incompatible return value type");
    let unseen = |path: &str, tool: &str, then: &str| {
        format!("new-objection {path} {tool}: it does not look at this file any more, and on the base it did{then}")
    };
    let usual = [mypy("app/m.py"), ruff("app/m.py")];
    for (path, text) in [(".ignore", "*.py\n"), ("app/.ignore", "*\n"), (".gitignore", "*.py\n")] {
        let ran = bench.change(&[("app/m.py", Some(WRONG)), (path, Some(text))]).expect(1);
        rejected(&ran, ID, &usual.each_ref().map(String::as_str));
    }
    // What only moves into a folder that a linter leaves out is rejected too: it is judged no more.
    for (text, moved) in [(format!("import os\n{code}"), "venv/m.py"), (code.to_owned(), "dist/m.py")] {
        let ran = bench.change(&[("app/m.py", None), (moved, Some(&text))]).expect(1);
        rejected(&ran, ID, &[&unseen(moved, "ruff", ", as app/m.py")]);
    }
    // mypy reads a stub in the place of the module beside it.
    let ran = bench.change(&[("app/m.py", Some(WRONG)), ("app/m.pyi", Some("def one() -> int: ...\n"))]).expect(1);
    rejected(&ran, ID, &[&unseen("app/m.py", "mypy", ""), &ruff("app/m.py")]);
    passed(&bench.change(&[("app/m.py", Some("def one() -> int:\n    return 2\n"))]).expect(0), ID);
}

/// The work tree stands at the change, as in CI.
#[test]
fn a_linter_that_the_change_brings_judges_nothing() {
    let Some(environment) = needs(Tool::Ruff) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let files = [("ruff.toml", "[lint]\nselect = [\"F\"]\n"), ("m.py", "x = 1\n")];
    for (folder, active) in [(".venv", false), ("env", true)] {
        let mut bench = with_programs(bench(sandbox, &files, ""), &environment);
        let own = bench.repo.path().join(folder);
        if active {
            let path = format!("{}/bin:{}", own.display(), path_with(&environment));
            bench.env.retain(|(name, _)| name != "PATH");
            bench.env.extend([("VIRTUAL_ENV".to_owned(), own.display().to_string()), ("PATH".to_owned(), path)]);
        }
        bench.repo.write("m.py", "import os\n\nx = 1\n");
        for name in ["python", "ruff"] {
            bench.repo.write(format!("{folder}/bin/{name}"), "#!/bin/sh\nexit 0\n");
            bench.repo.set_executable(&format!("{folder}/bin/{name}"), true);
        }
        bench.repo.write(format!("{folder}/pyvenv.cfg"), "home = /usr/bin\n");
        bench.repo.commit("a linter");
        let ran = bench.judge().expect(1);
        rejected(&ran, ID, &["new-objection m.py ruff: F401 [*] `os` imported but unused"]);
    }
}

#[test]
fn eslint_of_the_project_counts_errors() {
    let Some(packages) = needs(Tool::Eslint) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let configured = "module.exports = [{ rules: { \"no-undef\": \"error\", \"no-unused-vars\": \"warn\" } }];\n";
    let files = [
        (".gitignore", "node_modules\n"),
        ("web/package.json", "{\"name\": \"web\", \"private\": true}\n"),
        ("web/eslint.config.js", configured),
        ("web/total.js", "const a = 1;\nexports.a = a;\n"),
    ];
    let bench = bench(sandbox, &files, "");
    let missing = bench.change(&[("web/total.js", Some("const a = 2;\nexports.a = a;\n"))]).expect(5);
    assert_eq!(said(&missing, ID).0, "error: it could not look: eslint in web: eslint is not installed");

    let target = bench.repo.path().join("web/node_modules");
    let copied = Command::new("cp").arg("-a").arg(packages.join("node_modules")).arg(target).status().expect("cp");
    assert!(copied.success());
    let warned = bench.change(&[("web/total.js", Some("const a = 1;\nconst b = 2;\nexports.a = a;\n"))]).expect(0);
    passed(&warned, ID);
    let broken = bench.change(&[("web/total.js", Some("const a = 1;\nexports.a = a + zz;\n"))]).expect(1);
    rejected(&broken, ID, &["new-objection web/total.js eslint: no-undef: 'zz' is not defined."]);
    let unreadable = bench.change(&[("web/total.js", Some("const a = ;\n"))]).expect(1);
    rejected(&unreadable, ID, &["new-objection web/total.js eslint: Parsing error: Unexpected token ;"]);
}

#[test]
fn clippy_counts_its_warnings() {
    let Some(_) = needs(Tool::Cargo) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let manifest = "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lints.clippy]\nneedless_return = \"warn\"\n";
    let bench = bench(sandbox, &[("Cargo.toml", manifest), ("src/lib.rs", "pub fn one() -> u8 {\n    1\n}\n")], "");
    let warned = bench.change(&[("src/lib.rs", Some("pub fn one() -> u8 {\n    return 1;\n}\n"))]).expect(1);
    let objection = "new-objection src/lib.rs clippy: warning: unneeded `return` statement";
    rejected(&warned, ID, &[objection]);
    for settings in ["[build]\nrustflags = [\"-Aclippy::all\"]\n", "[alias]\nclippy = \"check\"\n"] {
        let warns = ("src/lib.rs", Some("pub fn one() -> u8 {\n    return 1;\n}\n"));
        let silenced = bench.change(&[warns, (".cargo/config.toml", Some(settings))]).expect(1);
        rejected(&silenced, ID, &[objection]);
    }
}

#[test]
fn a_linter_of_the_rules_reports_as_it_likes() {
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let marks = "grep -n TODO *.txt | sed 's/$/ is not done/'";
    let linter = format!(
        "[[linter]]\nname = \"todo\"\nfolder = \"notes\"\ncommand = \"\"\"{marks}\"\"\"\nreport = \"lines\"\nconfiguration = [\"*.cfg\"]\n"
    );
    let files = [("notes/a.txt", "one\nTODO two\n"), ("notes/b.txt", "three\n"), ("c.txt", "four\n")];
    let bench = bench(sandbox, &files, &linter);
    let elsewhere = bench.change(&[("c.txt", Some("TODO four\n"))]).expect(0);
    assert!(said(&elsewhere, ID).0.starts_with("not-applicable"), "{elsewhere:?}");
    let moved = bench.change(&[("notes/a.txt", Some("none\none\nTODO two\n"))]).expect(0);
    passed(&moved, ID);
    let new = bench.change(&[("notes/b.txt", Some("TODO three\n"))]).expect(1);
    rejected(&new, ID, &["new-objection notes/b.txt todo: TODO three is not done"]);

    // One that fails by a warning alone objects to it, and one that only warns does not.
    for (end, expected) in [("exit 1", 1), ("exit 0", 0)] {
        let warns = format!("grep -n five c.txt /dev/null | sed 's/five/ warning: five/'; {end}");
        let linter = format!("[[linter]]\nname = \"count\"\ncommand = \"\"\"{warns}\"\"\"\nreport = \"lines\"\n");
        let bench = Bench::new(sandbox, &files).with_rules(&format!("schema = 1\n{linter}{GUARD}"));
        let warned = bench.change(&[("c.txt", Some("five\n"))]).expect(expected);
        match expected {
            0 => passed(&warned, ID),
            _ => rejected(&warned, ID, &["new-objection c.txt count: warning: five"]),
        }
    }

    // What is no report is no pass.
    let linter = "[[linter]]\nname = \"todo\"\ncommand = \"echo all is well\"\nreport = \"checkstyle\"\n";
    let bench = Bench::new(sandbox, &files).with_rules(&format!("schema = 1\n{linter}{GUARD}"));
    let unread = bench.change(&[("c.txt", Some("five\n"))]).expect(5);
    assert_eq!(said(&unread, ID).0, "error: it could not look: todo: its report is none of Checkstyle's");
}

#[test]
fn init_turns_the_guard_on_where_the_linters_of_head_run() {
    let Some(environment) = needs(Tool::Ruff) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let pin = "\n[[guard]]\nid = \"no-lint-regressions\"\ngrants = [\"toolchain\"]\n";
    for (configured, state, expected) in [
        ("[tool.ruff]\n", "on: ruff: 1 objection already", true),
        ("[tool.ruff]\n[tool.pyright]\n", "off: pyright: pyright is not installed, ruff: 1 objection already", false),
    ] {
        let files = [("pyproject.toml", configured), ("calc.py", "import os\n")];
        let bench = with_programs(bench(sandbox, &files, ""), &environment);
        let env: Vec<(&str, &str)> = bench.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let ran = host_with(bench.repo.path(), &["init"], b"", &env);
        let said = ran.stdout.clone() + &ran.stderr;
        assert!(said.contains(state), "{said}");
        let rules = String::from_utf8(bench.repo.read("guards.toml")).unwrap();
        assert_eq!(rules.contains(pin), expected, "{rules}");
        assert_eq!(rules.contains("# id = \"no-lint-regressions\""), !expected, "{rules}");
    }
}
