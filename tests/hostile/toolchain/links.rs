//! Links that were committed under the names of installed packages.

use std::fs;
use std::os::unix::fs::symlink;

use super::is_rejected;
use crate::support::toolchain::{Bench, sandboxes};
use crate::support::tools::{Tool, needs};

const SECRET: &str = "s3cret-of-the-user";

/// The test reads the secret if it can, and fails with what it read.
#[test]
fn a_virtual_environment_that_is_a_link_opens_nothing() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    for (how, link) in [("the folder", ".venv"), ("a folder above it", "sub")] {
        for sandbox in sandboxes() {
            let outside = tempfile::tempdir().unwrap();
            fs::write(outside.path().join("secret"), SECRET).unwrap();
            let environment = if link == ".venv" { outside.path().to_path_buf() } else { outside.path().join(".venv") };
            fs::create_dir_all(environment.join("bin")).unwrap();
            symlink(pytest.join("bin/python"), environment.join("bin/python")).unwrap();
            fs::copy(pytest.join("pyvenv.cfg"), environment.join("pyvenv.cfg")).unwrap();
            symlink(pytest.join("lib"), environment.join("lib")).unwrap();
            let secret = outside.path().join("secret");
            let tests = format!(
                "import flag, pathlib\n\ndef test_it():\n    assert not flag.TRY\n\ndef test_secret():\n    if flag.TRY:\n        \
                 try:\n            text = pathlib.Path({secret:?}).read_text()\n        except OSError:\n            return\n        \
                 assert False, 'READ ' + text\n"
            );
            let files = [("setup.cfg", ""), ("flag.py", "TRY = False\n"), ("test_it.py", &tests)];
            let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
            bench.repo.symlink(&outside.path().display().to_string(), link);
            bench.repo.commit("a link");
            let ran = bench.change(&[("flag.py", Some("TRY = True\n"))]).expect(1);
            is_rejected(&ran, &format!("{sandbox}, {how}"), &["test_it.py::test_it"]);
            assert!(!ran.stdout.contains(SECRET) && !ran.stdout.contains("READ"), "{sandbox}, {how}: {ran:?}");
        }
    }
}

#[test]
fn node_modules_that_are_a_link_open_nothing() {
    let Some(_) = needs(Tool::Node) else { return };
    for sandbox in sandboxes() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), SECRET).unwrap();
        let secret = outside.path().join("secret");
        let tests = format!(
            "const {{ test }} = require('node:test');\nconst {{ TRY }} = require('./flag');\ntest('it', () => {{ if (TRY) throw new Error('tried'); }});\n\
             test('secret', () => {{ if (!TRY) return; let text; try {{ text = require('node:fs').readFileSync({secret:?}, 'utf8'); }} catch {{ return; }}\n\
             throw new Error('READ ' + text); }});\n"
        );
        let files = [
            ("package.json", r#"{"private": true, "scripts": {"test": "node --test it.test.js"}}"#),
            ("flag.js", "exports.TRY = false;\n"),
            ("it.test.js", &tests),
        ];
        let bench = Bench::new(sandbox, &files);
        bench.repo.symlink(&outside.path().display().to_string(), "node_modules");
        bench.repo.commit("a link");
        let ran = bench.change(&[("flag.js", Some("exports.TRY = true;\n"))]).expect(1);
        is_rejected(&ran, sandbox, &["it.test.js > it"]);
        assert!(!ran.stdout.contains(SECRET) && !ran.stdout.contains("READ"), "{sandbox}: {ran:?}");
    }
}

/// The host prepares a run outside of every sandbox. The user's work tree stands at the base, so that it has what the host links to.
#[test]
fn a_project_folder_that_becomes_a_link_is_none() {
    let command = "echo ok 1 - runs; echo 1..1";
    let rules = format!(
        "schema = 1\n[[runner]]\nname = \"own\"\nfolder = \"sub/web\"\ncommand = \"{command}\"\nreport = \"tap\"\n\
         [[guard]]\nid = \"no-test-regressions\"\ngrants = [\"toolchain\", \"repo\"]\nlimits = {{ seconds = 240 }}\n"
    );
    for (link, below) in [("sub/web", ""), ("sub", "web")] {
        for sandbox in sandboxes() {
            let outside = tempfile::tempdir().unwrap();
            let victim = outside.path().join(below);
            fs::create_dir_all(&victim).unwrap();
            let files = [(".gitignore", "node_modules\n"), ("sub/web/a.txt", "one\n")];
            let bench = Bench::new(sandbox, &files).with_rules(&rules);
            bench.repo.write("sub/web/node_modules/pkg/index.js", "");
            bench.repo.git(&["rm", "-rq", "--cached", "sub"]);
            let target =
                bench.repo.git_with(&["hash-object", "-w", "--stdin"], outside.path().display().to_string().as_bytes());
            bench.repo.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{},{link}", target.trim())]);
            bench.repo.git(&["commit", "-qm", "a link"]);
            let ran = bench.judge().expect(1);
            is_rejected(&ran, &format!("{sandbox}, {link}"), &["`sub/web` is no folder of this tree"]);
            assert_eq!(fs::read_dir(&victim).unwrap().count(), 0, "{sandbox}, {link}: the host wrote outside");
        }
    }
}
