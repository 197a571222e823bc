//! Two changes that bring in what one may not: the first in bytes, or under a name, that no guard reads, the second with nothing new but the
//! name, or without the byte. Whatever comes into the guards' sight is judged as if it were added.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// A path, what is wrong there, and the rule that says so.
const WRONG: [(&str, &str, &str); 7] = [
    ("src/swallows.py", "def f():\n    pass\n\n\ntry:\n    f()\nexcept Exception:\n    pass\n", "error-swallowed"),
    ("src/unbound.py", "def f():\n    return no_such_name(3)\n", "name-unbound"),
    ("src/stops.py", "def f():\n    breakpoint()\n", "debugger-left"),
    ("src/misses.py", "from .nowhere import q\n\nprint(q)\n", "module-missing"),
    ("src/misfits.py", "def f(a):\n    return a\n\n\nf(1, 2, 3)\n", "call-misfits"),
    ("src/breaks.py", "def f(:\n", "python-syntax"),
    ("src/breaks.js", "function f( {\n", "javascript-syntax"),
];

/// How the first change puts a text out of sight.
enum Disguise {
    /// Under a path of its own: the folder before the name, and what follows the name without its ending, then with it.
    Name(&'static str, fn(&str, &str) -> String),
    /// In bytes that are no text, or no file.
    Bytes(fn(&TestRepo, &str, &[u8])),
}

fn disguises() -> Vec<(&'static str, Disguise)> {
    use Disguise::{Bytes, Name};
    vec![
        ("a document", Name("src", |stem, _| format!("{stem}.txt"))),
        ("a document of Markdown", Name("src", |stem, ending| format!("{stem}_{ending}.md"))),
        ("no ending", Name("src", |stem, ending| format!("{stem}_{ending}"))),
        ("a language that nobody reads", Name("src", |stem, ending| format!("{stem}_{ending}.cob"))),
        ("a backup", Name("src", |stem, ending| format!("{stem}.{ending}.orig"))),
        ("a template by its ending", Name("src", |stem, ending| format!("{stem}.{ending}.j2"))),
        ("a sample", Name("src", |stem, ending| format!("{stem}.{ending}.sample"))),
        ("a template by its folder", Name("templates", |stem, ending| format!("{stem}.{ending}"))),
        ("what others wrote", Name("vendor", |stem, ending| format!("{stem}.{ending}"))),
        ("what tests read", Name("tests/fixtures", |stem, ending| format!("{stem}.{ending}"))),
        ("an example", Name("examples", |stem, ending| format!("{stem}.{ending}"))),
        ("what a program wrote", Name("dist", |stem, ending| format!("{stem}.{ending}"))),
        ("what tests compare with", Name("src/__snapshots__", |stem, ending| format!("{stem}.{ending}"))),
        ("a byte that is not UTF-8", Bytes(|repo, path, text| repo.write(path, [text, b"// \xe9\n"].concat()))),
        ("a NUL", Bytes(|repo, path, text| repo.write(path, [text, b"\0"].concat()))),
        ("UTF-16 without a mark", Bytes(|repo, path, text| repo.write(path, wide(text)))),
        ("more bytes than are read", Bytes(|repo, path, text| repo.write(path, [text, &[b'\n'; 17 << 20]].concat()))),
        (
            "a link",
            Bytes(|repo, path, _| {
                fs::create_dir_all(repo.path().join(path).parent().unwrap()).unwrap();
                std::os::unix::fs::symlink("../README.md", repo.path().join(path)).unwrap();
            }),
        ),
        (
            "a submodule",
            Bytes(|repo, path, _| {
                // Git takes an empty folder for a submodule that is not checked out.
                fs::create_dir_all(repo.path().join(path)).unwrap();
                let link = format!("160000,{},{path}", repo.oid("HEAD"));
                repo.git(&["update-index", "--add", "--cacheinfo", &link]);
            }),
        ),
    ]
}

fn wide(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|byte| [*byte, 0]).collect()
}

/// With lines that make it similar to itself, whatever its name, and to no other file.
fn text(path: &str, wrong: &str) -> String {
    let (name, ending) = path.rsplit_once('.').unwrap();
    let name = name.replace('/', "_");
    let line = |number| match ending {
        "py" => format!("{name}_{number} = {number}\n"),
        _ => format!("export const {name}_{number} = {number};\n"),
    };
    (0..20).map(line).collect::<String>() + wrong
}

/// What is staged: each error's path and rule.
pub(super) fn errors(repo: &TestRepo) -> BTreeSet<(String, String)> {
    repo.stage_all();
    let report = host(repo.path(), &["check", "--staged", "--format", "json"]).json();
    let findings = report["guards"].as_array().unwrap().iter().flat_map(|row| row["findings"].as_array().unwrap());
    let errors = findings.filter(|found| found["severity"] == "error");
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    errors.map(|found| (word(&found["path"]), word(&found["rule"]))).collect()
}

#[test]
fn what_comes_into_sight_is_judged_as_if_it_were_added() {
    let added = TestRepo::with(&[("README.md", "# A project\n")]);
    WRONG.iter().for_each(|(path, wrong, _)| added.write(path, text(path, wrong)));
    let expected = errors(&added);
    for (path, _, rule) in WRONG {
        assert!(expected.contains(&(path.to_owned(), rule.to_owned())), "{path} {rule}: {expected:?}");
    }
    for (what, disguise) in disguises() {
        let repo = TestRepo::with(&[("README.md", "# A project\n")]);
        let mut hidden = Vec::new();
        for (path, wrong, _) in WRONG {
            let text = text(path, wrong);
            match &disguise {
                Disguise::Name(folder, name) => {
                    let (stem, ending) = path.strip_prefix("src/").unwrap().split_once('.').unwrap();
                    let stem = if ending == "js" { format!("{stem}_js") } else { stem.to_owned() };
                    hidden.push(Path::new(folder).join(name(&stem, ending)));
                    repo.write(hidden.last().unwrap(), text);
                }
                Disguise::Bytes(write) => write(&repo, path, text.as_bytes()),
            }
        }
        repo.commit("out of sight");
        for path in hidden {
            fs::remove_file(repo.path().join(path)).unwrap();
        }
        for (path, wrong, _) in WRONG {
            let there = repo.path().join(path);
            let _ = fs::remove_file(&there).or_else(|_| fs::remove_dir(&there));
            repo.write(path, text(path, wrong));
        }
        let found = errors(&repo);
        let passed: Vec<_> = expected.difference(&found).collect();
        assert!(passed.is_empty(), "{what}: {passed:?} passed");
    }
}

/// What was judged stays the same file under another name: what is wrong there since long is nobody's news.
#[test]
fn a_file_that_was_in_sight_is_no_news() {
    let honest = ["src/deeper/swallows.py", "tests/test_swallows.py", "src/swallows.pyi", "examples/swallows.py"];
    let (path, wrong, rule) = WRONG[0];
    for to in honest {
        let repo = TestRepo::with(&[(path, &text(path, wrong))]);
        fs::create_dir_all(repo.path().join(to).parent().unwrap()).unwrap();
        fs::rename(repo.path().join(path), repo.path().join(to)).unwrap();
        assert!(!errors(&repo).iter().any(|(_, found)| found == rule), "{to}");
    }
}
