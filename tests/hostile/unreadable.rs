//! Changes that would make a file unreadable to the guards, so that nothing judges it: rejected by the host's own rule, through the real
//! binary, and honest changes that look like them.

use std::fs;

use serde_json::Value;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

const CORE: &str = "def load(path):\n    with open(path) as file:\n        return file.read()\n\n\ndef save(path, text):\n    with open(path, 'w') as file:\n        file.write(text)\n";
const MAIN: &str = "from pkg.core import load, save\n\nsave('b', load('a'))\n";

/// Loses `save`, and does not parse.
const BROKEN: &str = "def load(path):\n    with open(path) as file:\n        return file.read(\n";

fn project() -> TestRepo {
    TestRepo::with(&[
        ("pkg/__init__.py", ""),
        ("pkg/core.py", CORE),
        ("main.py", MAIN),
        ("conf.json", "{\"a\": 1}\n"),
        ("notes.txt", "some notes\n"),
        ("README.md", "# A project\n\nIt has words.\n"),
        ("CLAUDE.md", "# Rules\n\nBe kind.\n"),
        ("app/twin.py", CORE),
    ])
}

/// The rules by which the host itself rejects what is staged: `path rule`.
fn by_host(repo: &TestRepo, skip: &[&str]) -> Vec<String> {
    let ran = host(repo.path(), &[&["check", "--staged", "--format", "json"], skip].concat());
    let report: Value = ran.json();
    assert!(report["guards"].is_array(), "{ran:?}");
    let rows = report["guards"].as_array().unwrap().iter().filter(|row| row["id"] == "host:readable");
    let findings = rows.flat_map(|row| row["findings"].as_array().unwrap());
    let found: Vec<String> = findings
        .map(|finding| format!("{} {}", finding["path"].as_str().unwrap(), finding["rule"].as_str().unwrap()))
        .collect();
    if !found.is_empty() {
        assert_eq!((ran.code, report["verdict"].as_str()), (1, Some("reject")), "{ran:?}");
    }
    found
}

fn python(extra: &[u8]) -> Vec<u8> {
    [BROKEN.as_bytes(), b"# ", extra, b"\n"].concat()
}

fn rename(repo: &TestRepo, from: &str, to: &str) {
    fs::create_dir_all(repo.path().join(to).parent().unwrap()).unwrap();
    fs::rename(repo.path().join(from), repo.path().join(to)).unwrap();
}

/// Moves the folder `pkg`, and puts a link in its place.
fn link_folder(repo: &TestRepo, to: &str, target: &str) {
    rename(repo, "pkg", to);
    repo.symlink(target, "pkg");
}

/// What it is, what is done to the repository, and the finding.
type Trick = (&'static str, fn(&TestRepo), &'static str);

const CORE_IS_NO_TEXT: &str = "pkg/core.py no-longer-text";
const CORE_IS_A_LINK: &str = "pkg/core.py replaced-by-link";

const TRICKS: &[Trick] = &[
    ("a byte that is not UTF-8", |repo| repo.write("pkg/core.py", python(b"\xff")), CORE_IS_NO_TEXT),
    ("a NUL", |repo| repo.write("pkg/core.py", python(b"\0")), CORE_IS_NO_TEXT),
    ("half a pair of UTF-16", |repo| repo.write("pkg/core.py", b"\xff\xfea\0\0\xd8"), CORE_IS_NO_TEXT),
    ("half a unit of UTF-16", |repo| repo.write("pkg/core.py", b"\xff\xfea\0b"), CORE_IS_NO_TEXT),
    ("UTF-16 without a mark", |repo| repo.write("pkg/core.py", b"x\0=\x001\0\n\0"), CORE_IS_NO_TEXT),
    ("a mark of UTF-8 before a NUL", |repo| repo.write("pkg/core.py", b"\xef\xbb\xbfx = 1\0\n"), CORE_IS_NO_TEXT),
    (
        "more bytes than are read",
        |repo| repo.write("pkg/core.py", format!("{BROKEN}#{}", "x".repeat(17 << 20))),
        "pkg/core.py too-large",
    ),
    ("a link to other code", |repo| repo.symlink("../main.py", "pkg/core.py"), CORE_IS_A_LINK),
    ("a link to nothing", |repo| repo.symlink("nowhere.py", "pkg/core.py"), CORE_IS_A_LINK),
    ("a link to a folder", |repo| repo.symlink("../app", "pkg/core.py"), CORE_IS_A_LINK),
    (
        "a link to a link",
        |repo| {
            repo.symlink("app/twin.py", "link.py");
            repo.symlink("../link.py", "pkg/core.py");
        },
        CORE_IS_A_LINK,
    ),
    ("a link to a document", |repo| repo.symlink("../README.md", "pkg/core.py"), CORE_IS_A_LINK),
    (
        "a link out of the repository",
        |repo| repo.symlink("../../../etc/hosts", "README.md"),
        "README.md replaced-by-link",
    ),
    (
        "a submodule",
        |repo| {
            repo.remove("pkg/core.py");
            repo.git(&["rm", "-q", "--cached", "pkg/core.py"]);
            let link = format!("160000,{},pkg/core.py", repo.oid("HEAD"));
            repo.git(&["update-index", "--add", "--cacheinfo", &link]);
        },
        "pkg/core.py replaced-by-submodule",
    ),
    (
        "a submodule for the folder",
        |repo| {
            let link = format!("160000,{},pkg", repo.oid("HEAD"));
            repo.git(&["rm", "-rq", "pkg"]);
            repo.git(&["update-index", "--add", "--cacheinfo", &link]);
        },
        "pkg replaced-by-submodule",
    ),
    (
        "a link for the folder, out of the repository",
        |repo| link_folder(repo, "elsewhere", "../elsewhere"),
        "pkg replaced-by-link",
    ),
    (
        "a link for the folder, to what others wrote",
        |repo| link_folder(repo, "vendor/pkg", "vendor/pkg"),
        "pkg replaced-by-link",
    ),
    (
        "a link for the folder, to test data",
        |repo| link_folder(repo, "tests/fixtures/pkg", "tests/fixtures/pkg"),
        "pkg replaced-by-link",
    ),
    (
        "a link for the folder, to other code",
        |repo| {
            link_folder(repo, "lib/pkg", "lib/pkg");
            repo.write("lib/pkg/core.py", format!("{CORE}\nOTHER = 1\n"));
        },
        "pkg replaced-by-link",
    ),
    (
        "another extension of source",
        |repo| rename(repo, "pkg/core.py", "pkg/core.pyx"),
        "pkg/core.pyx renamed-out-of-sight",
    ),
    ("a backup", |repo| rename(repo, "pkg/core.py", "pkg/core.py.bak"), "pkg/core.py.bak renamed-out-of-sight"),
    ("text", |repo| rename(repo, "pkg/core.py", "docs/core.txt"), "docs/core.txt renamed-out-of-sight"),
    ("no extension", |repo| rename(repo, "pkg/core.py", "pkg/core"), "pkg/core renamed-out-of-sight"),
    ("letter case", |repo| rename(repo, "pkg/core.py", "pkg/core.PY"), "pkg/core.PY renamed-out-of-sight"),
    (
        "code into test data",
        |repo| rename(repo, "pkg/core.py", "tests/fixtures/core.txt"),
        "tests/fixtures/core.txt renamed-out-of-sight",
    ),
    (
        "a rename and a NUL",
        |repo| {
            rename(repo, "pkg/core.py", "pkg/kern.py");
            repo.write("pkg/kern.py", [CORE.as_bytes(), b"#\0\n"].concat());
        },
        "pkg/kern.py no-longer-text",
    ),
    ("data", |repo| repo.write("conf.json", b"{\"a\": \xff}\n"), "conf.json no-longer-text"),
    ("a document", |repo| repo.write("README.md", b"# A project\n\0"), "README.md no-longer-text"),
    ("any text", |repo| repo.write("notes.txt", b"<<<<<<< ours\n\0"), "notes.txt no-longer-text"),
];

#[test]
fn a_change_does_not_make_a_file_unreadable() {
    for (what, trick, expected) in TRICKS {
        let repo = project();
        // Adding everything would take the submodule away again, so it is added first.
        trick(&repo);
        if !what.starts_with("a submodule") {
            // A twin would be the source of a rename that git finds.
            repo.stage_all();
        }
        assert_eq!(by_host(&repo, &[]), [*expected], "{what}");
        assert!(by_host(&repo, &["--skip", "host:readable"]).is_empty(), "{what}, skipped");
    }
}

/// What a person does, and how.
type Honest = (&'static str, fn(&TestRepo));

#[test]
fn honest_changes_are_not_taken_for_tricks() {
    let honest: &[Honest] = &[
        ("UTF-16 with a mark", |repo| repo.write("notes.txt", b"\xff\xfea\0\n\0")),
        ("a new picture", |repo| repo.write("logo.png", b"\x89PNG\0\0")),
        ("a placeholder is filled", |repo| {
            repo.write("logo.png", "");
            repo.commit("empty");
            repo.write("logo.png", b"\x89PNG\0\0");
        }),
        ("a file leaves LFS", |repo| {
            repo.write("logo.png", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 6\n");
            repo.commit("in LFS");
            repo.write("logo.png", b"\x89PNG\0\0");
        }),
        ("binary stays binary", |repo| {
            repo.write("a.bin", b"\0a");
            repo.commit("data");
            repo.write("a.bin", b"\0b");
        }),
        ("agents share their rules", |repo| {
            rename(repo, "CLAUDE.md", "AGENTS.md");
            repo.symlink("AGENTS.md", "CLAUDE.md");
        }),
        ("a copy becomes a link", |repo| repo.symlink("../pkg/core.py", "app/twin.py")),
        ("a folder is linked where it was", |repo| link_folder(repo, "lib/pkg", "lib/pkg")),
        ("a template", |repo| rename(repo, "pkg/core.py", "pkg/core.py.j2")),
        ("a template of a module", |repo| rename(repo, "pkg/core.py", "pkg/core.py-tpl")),
        ("a sample", |repo| rename(repo, "pkg/core.py", "pkg/core.py.example")),
        ("a script", |repo| {
            repo.write("tool.py", format!("#!/usr/bin/env python3\n{CORE}"));
            repo.commit("tool");
            rename(repo, "tool.py", "tool");
        }),
        ("test data", |repo| {
            repo.write("tests/fixtures/a.py", CORE);
            repo.commit("data");
            rename(repo, "tests/fixtures/a.py", "tests/fixtures/a.py.txt");
        }),
        ("another extension that is judged", |repo| rename(repo, "pkg/core.py", "pkg/core.pyi")),
        ("a module of values becomes data", |repo| {
            repo.write("values.js", "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
            repo.commit("values");
            rename(repo, "values.js", "values.json");
        }),
        ("a style sheet in another language", |repo| {
            repo.write("a.css", "a {\n  color: red;\n}\n");
            repo.commit("style");
            rename(repo, "a.css", "a.styl");
        }),
        ("a container of another name", |repo| {
            repo.write("Dockerfile", "FROM scratch\nCOPY a /\n");
            repo.commit("container");
            rename(repo, "Dockerfile", "Dockerfile-dev");
        }),
        ("moved", |repo| rename(repo, "main.py", "tools/main.py")),
        ("a document in another format", |repo| rename(repo, "README.md", "README.rst")),
        ("a name without an extension gets one", |repo| {
            repo.write("NOTES", "words\n");
            repo.commit("notes");
            rename(repo, "NOTES", "NOTES.md");
        }),
        ("a build file that nothing reads gets the name of its next release", |repo| {
            repo.write("build.sc", "object app extends ScalaModule\n");
            repo.commit("build");
            rename(repo, "build.sc", "build.mill");
        }),
        ("code of a language that nothing reads", |repo| {
            repo.write("tool.sc", "println(1)\n");
            repo.commit("a script");
            rename(repo, "tool.sc", "tool.old");
        }),
        ("deleted", |repo| repo.remove("notes.txt")),
    ];
    for (what, change) in honest {
        let repo = project();
        change(&repo);
        repo.stage_all();
        assert_eq!(by_host(&repo, &[]), [] as [&str; 0], "{what}");
    }
}

/// What only a parser can tell, the guards reject themselves.
#[test]
fn a_file_that_parsed_is_not_put_out_of_the_parsers_sight() {
    let rejected = |change: &dyn Fn(&TestRepo)| -> Vec<String> {
        let repo = project();
        change(&repo);
        repo.stage_all();
        let report = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
        let rows = report["guards"].as_array().unwrap().iter().filter(|row| row["verdict"] == "reject");
        let findings =
            rows.flat_map(|row| row["findings"].as_array().unwrap()).filter(|found| found["severity"] == "error");
        findings
            .map(|found| format!("{} {}", found["path"].as_str().unwrap(), found["rule"].as_str().unwrap()))
            .collect()
    };
    let core = |text: String| move |repo: &TestRepo| repo.write("pkg/core.py", &text);
    let deep = format!("x = {}1{}\n", "(".repeat(250), ")".repeat(250));
    let python = ["pkg/core.py became-unreadable"];
    assert_eq!(rejected(&core(format!("# {{% raw %}}\n{BROKEN}"))), python);
    assert_eq!(rejected(&core(format!("{CORE}{deep}"))), python);
    let json = |text: &'static str| move |repo: &TestRepo| repo.write("conf.json", text);
    assert_eq!(rejected(&json("{\"a\": 1, {% x %}\n")), ["conf.json became-unreadable"]);
    assert_eq!(rejected(&json("{\"a\": {{ a }}}\n")), ["conf.json became-unreadable"]);

    // Stuffed with comments, the file itself or another one beside it.
    let load = CORE.split("\n\n\n").next().unwrap();
    let stuffing = |lines: usize| format!("# {}\n", "x".repeat(97)).repeat(lines);
    let stuffed = rejected(&core(format!("{load}\n{}", stuffing(14_000))));
    assert!(stuffed.contains(&"pkg/core.py definition-lost".to_owned()), "{stuffed:?}");
    let beside = |repo: &TestRepo| {
        repo.write("app/twin.py", format!("{load}\n{}", stuffing(12_000)));
        repo.write("pkg/core.py", format!("{load}\n"));
    };
    assert!(rejected(&beside).contains(&"pkg/core.py definition-lost".to_owned()));
}

/// A file does not become exempt by what an accepted change did: the step that would make it so is rejected, and others change nothing.
#[test]
fn no_step_puts_a_file_out_of_sight_for_the_next() {
    let rules = |repo: &TestRepo| -> Vec<String> {
        repo.stage_all();
        let report = host(repo.path(), &["check", "--staged", "--format", "json"]).json();
        let findings = report["guards"].as_array().unwrap().iter().flat_map(|row| row["findings"].as_array().unwrap());
        let errors = findings.filter(|found| found["severity"] == "error");
        errors.map(|found| found["rule"].as_str().unwrap().to_owned()).collect()
    };
    let load = CORE.split("\n\n\n").next().unwrap();
    let words = "words that say nothing ".repeat(400);
    // The step, what it puts before and behind the code, and the rule by which it is rejected.
    let steps = [
        ("a long comment", format!("# {words}\n"), String::new(), None),
        ("a long string", format!("\"\"\"{words}\"\"\"\n"), String::new(), None),
        ("a long line of code", String::new(), format!("\n\nTABLE = \"{words}\"\n"), Some("grown-too-large")),
        ("a mark of generators", "# @generated\n".to_owned(), String::new(), Some("marked-generated")),
        ("many comments", format!("# {}\n", "x".repeat(97)).repeat(1_000), String::new(), None),
    ];
    for (what, head, tail, rejected) in &steps {
        let repo = project();
        repo.write("pkg/core.py", format!("{head}{CORE}{tail}"));
        assert_eq!(rules(&repo), rejected.iter().copied().collect::<Vec<_>>(), "{what}");
        if rejected.is_none() {
            repo.commit("a step");
            let more = format!("# {}\n", "x".repeat(97)).repeat(6_000);
            repo.write("pkg/core.py", format!("{head}{more}{load}\n{tail}"));
            assert!(rules(&repo).contains(&"definition-lost".to_owned()), "{what}");
        }
    }
}

/// In a set whose guards ask for any file, a name of no source file is one by which none of them judges.
#[test]
fn a_rename_is_noticed_where_guards_ask_for_any_file() {
    for (to, found) in [("pkg/core.txt", 1), ("pkg/core.bak", 1), ("pkg/core.pyx", 0), ("pkg/core.py.j2", 0)] {
        let repo = project();
        let rules = "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n[[guard]]\nid = \"no-secrets\"\n";
        repo.write("guards.toml", rules);
        repo.commit("rules");
        rename(&repo, "pkg/core.py", to);
        repo.stage_all();
        assert_eq!(by_host(&repo, &[]).len(), found, "{to}");
    }
}

/// The host decides only for guards that would have judged: enforced ones, and paths that the policy does not exempt.
#[test]
fn the_rule_is_as_wide_as_the_guards_and_the_policy() {
    let rejected = |rules: &str| {
        let repo = project();
        repo.write("guards.toml", format!("schema = 1\n{rules}"));
        repo.commit("rules");
        repo.write("pkg/core.py", python(b"\xff"));
        repo.stage_all();
        !by_host(&repo, &[]).is_empty()
    };
    let guard = "[[guard]]\nid = \"syntax-holds\"\n";
    assert!(rejected(guard));
    assert!(rejected(&format!("[policy]\nallow_unreadable = [\"assets/**\"]\n{guard}")));
    assert!(!rejected(&format!("[policy]\nallow_unreadable = [\"pkg/**\"]\n{guard}")));
    assert!(!rejected(&format!("{guard}mode = \"monitor\"\n")));
    assert!(!rejected(&format!("{guard}paths = {{ exclude = [\"pkg/**\"] }}\n")));
    assert!(!rejected("[[guard]]\nid = \"docs-kept\"\n"));
}

/// What a model sends goes the same way, and the model is told what to do.
#[test]
fn a_patch_of_a_model_is_rejected_and_the_model_is_told() {
    let repo = project();
    let agent = repo.path().join("../agent.sh");
    let patch = "diff --git a/pkg/core.py b/pkg/core.pyx\nsimilarity index 100%\nrename from pkg/core.py\nrename to pkg/core.pyx\n";
    fs::write(&agent, format!("cat > /dev/null\ncat <<'END'\n{patch}END\n")).unwrap();
    let provider = format!("command:sh {}", agent.display());
    let args = ["run", "--task", "Make it fast", "--provider", &provider, "--rounds", "2", "--format", "json"];
    let report = host(repo.path(), &args).expect(1).json();
    let feedback = report["rounds"][0]["feedback"].as_str().unwrap();
    assert!(feedback.contains("host:readable/renamed-out-of-sight"), "{feedback}");
    assert!(feedback.contains("Keep the name pkg/core.py"), "{feedback}");
    assert_eq!(host_with(repo.path(), &["check", "--patch", "-"], patch.as_bytes(), &[]).code, 1);
}
