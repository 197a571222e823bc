//! Two changes that bring in what one may not: the first in a text that no reader of its language can follow, the second takes away what
//! stands in the reader's way. Whatever can be read then for the first time is judged as if it were added, and so are the lines that come out
//! of a comment or a string.

use std::collections::BTreeSet;

use crate::support::repo::TestRepo;

use super::first_seen::errors;

/// A path, a text with something wrong in it, and the rule that says so.
const WRONG: [(&str, &str, &str); 14] = [
    ("src/swallows.py", "def f():\n    pass\n\n\ntry:\n    f()\nexcept Exception:\n    pass\n", "error-swallowed"),
    ("src/unbound.py", "def f():\n    return no_such_name(3)\n", "name-unbound"),
    ("src/misses.py", "from .nowhere import q\n\nprint(q)\n", "module-missing"),
    ("src/misfits.py", "def f(a):\n    return a\n\n\nf(1, 2, 3)\n", "call-misfits"),
    ("src/swallows.js", "export function f(g) {\n  try {\n    g();\n  } catch (e) {}\n}\n", "error-swallowed"),
    ("src/unbound.ts", "export function f(): number {\n  return noSuchName(3);\n}\n", "name-unbound"),
    (
        "src/Swallows.java",
        "class Swallows {\n  void f() {\n    try {\n      g();\n    } catch (Exception e) {\n    }\n  }\n}\n",
        "error-swallowed",
    ),
    (
        "src/Swallows.kt",
        "fun swallows(g: () -> Unit) {\n    try {\n        g()\n    } catch (e: Exception) {\n    }\n}\n",
        "error-swallowed",
    ),
    (
        "src/Swallows.cs",
        "class Swallows {\n  void F() {\n    try {\n      G();\n    } catch (System.Exception) {\n    }\n  }\n}\n",
        "error-swallowed",
    ),
    ("src/swallows.php", "<?php\ntry {\n    f();\n} catch (Exception $e) {\n}\n", "error-swallowed"),
    ("src/swallows.rb", "begin\n  f\nrescue StandardError\nend\n", "error-swallowed"),
    ("src/swallows.cpp", "void f() {\n  try {\n    g();\n  } catch (...) {\n  }\n}\n", "error-swallowed"),
    (
        "src/verifies.rs",
        "pub fn f(b: Builder) -> Builder {\n    b.danger_accept_invalid_certs(true)\n}\n",
        "tls-unverified",
    ),
    ("src/swallows.swift", "func f() {\n  do {\n    try g()\n  } catch {\n  }\n}\n", "error-swallowed"),
];

/// What the first change writes round a text, or into it.
type Trick = fn(&str) -> String;

fn tricks() -> Vec<(&'static str, Trick)> {
    vec![
        ("a bracket too many", |text| format!("{text}\n)\n")),
        ("a bracket that is not closed", |text| format!("{text}\n(\n")),
        ("a bracket that is not closed before it", |text| format!("((\n{text}")),
        ("a string that is not closed", |text| format!("{text}\n\"\n")),
        ("a string that is not closed before it", |text| format!("\"\n{text}")),
        ("a conflict", |text| format!("<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n")),
        ("a mark of a conflict", |text| format!("{text}=======\n")),
        ("a fence of Markdown", |text| format!("```markdown\n{text}\n")),
        ("words of a reply", |text| format!("Here is the whole file:\n\n{text}")),
        ("marks of a template", |text| format!("{{% if x %}}\n{text}{{% endif %}}\n")),
        ("a name of a template", |text| format!("{{{{ header }}}}\n{text}")),
        ("marks of another template", |text| format!("<% header %>\n{text}")),
        ("nesting that is too deep", |text| format!("{text}\n{}{}\n", "(".repeat(20_000), ")".repeat(20_000))),
        ("more bytes than are read", |text| format!("{text}{}", "\n".repeat(5 << 20))),
        ("a word alone", |text| format!("{text}\n~~~ ~~~ ?\n")),
        ("a control character", |text| format!("{text}\n\u{7}\u{1b}\n")),
        ("a string that does nothing", |text| format!("\"\"\"\n{text}\"\"\"\n")),
        ("a string that has a name", |text| format!("x = \"\"\"\n{text}\"\"\"\n")),
        ("a string with backticks", |text| format!("x = `\n{text}`\n")),
        ("a comment", |text| format!("/*\n{text}*/\n")),
        ("a string of one sign", |text| format!("x = \"\n{}\"\n", text.replace('"', "'"))),
        ("another string of one sign", |text| format!("x = '\n{}'\n", text.replace('\'', ""))),
        ("a here-document", |text| format!("x = <<EOF\n{text}EOF\n")),
        ("a here-document of PHP", |text| format!("<?php\n$x = <<<'EOF'\n{text}EOF;\n")),
        ("a raw string of Rust", |text| format!("const X: &str = r#\"\n{text}\"#;\n")),
        ("a mark of another language", |text| format!("<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS>\n{text}")),
    ]
}

/// Kotlin and Swift have no such strings, but their grammars, which are behind the languages, read one without an error: docs/security.md
/// says so.
fn is_open(what: &str, path: &str) -> bool {
    what == "a string of one sign" && (path.ends_with(".kt") || path.ends_with(".swift"))
}

/// A text of the language in which nothing is wrong.
fn harmless(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "py" | "rb")) => "# Nothing yet.\n",
        Some((_, "php")) => "<?php\n// Nothing yet.\n",
        Some(_) | None => "// Nothing yet.\n",
    }
}

fn write_all(repo: &TestRepo, written: Trick) {
    WRONG.iter().for_each(|(path, text, _)| repo.write(path, written(text)));
}

fn empty() -> TestRepo {
    TestRepo::with(&[("README.md", "# A project\n")])
}

/// What is wrong, each with its path and rule.
fn all_wrong() -> BTreeSet<(String, String)> {
    WRONG.iter().map(|(path, _, rule)| (String::from(*path), String::from(*rule))).collect()
}

/// What the files were before they broke, each in a folder of its own: never there, read without what is wrong, or read with it and removed.
const PASTS: [&str; 3] = ["src/never", "src/harmless", "src/removed"];

fn path_in(folder: &str, path: &str) -> String {
    path.replacen("src", folder, 1)
}

#[test]
fn what_can_be_read_for_the_first_time_is_judged_as_if_it_were_added() {
    let write = |repo: &TestRepo, written: Trick| {
        for (folder, (path, text, _)) in PASTS.iter().flat_map(|folder| WRONG.iter().map(move |wrong| (folder, wrong)))
        {
            repo.write(path_in(folder, path), written(text));
        }
    };
    let added = empty();
    write(&added, str::to_owned);
    let in_all = |(path, rule): (String, String)| PASTS.map(|folder| (path_in(folder, &path), rule.clone()));
    let expected: BTreeSet<_> = all_wrong().into_iter().flat_map(in_all).collect();
    let found = errors(&added);
    assert_eq!(expected.difference(&found).collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "{found:?}");
    for (what, trick) in tricks() {
        let repo = empty();
        for (path, text, _) in WRONG {
            repo.write(path_in("src/harmless", path), harmless(path));
            repo.write(path_in("src/removed", path), text);
        }
        repo.commit("can be followed");
        std::fs::remove_dir_all(repo.path().join("src/removed")).unwrap();
        repo.commit("removed");
        write(&repo, trick);
        // What can be read all the same is told at once.
        let told = errors(&repo);
        repo.commit("cannot be followed");
        write(&repo, str::to_owned);
        let found: BTreeSet<_> = told.union(&errors(&repo)).cloned().collect();
        let passed: Vec<_> = expected.difference(&found).filter(|(path, _)| !is_open(what, path)).collect();
        assert!(passed.is_empty(), "{what}: {passed:?} passed");
    }
}

/// Tricks that make a comment or a string of a text that is read: what comes out of one is a changed line, whatever it was before.
const READ_ALL_THE_SAME: [&str; 9] = [
    "a string that does nothing",
    "a string that has a name",
    "a string with backticks",
    "a string of one sign",
    "another string of one sign",
    "a here-document",
    "a here-document of PHP",
    "a raw string of Rust",
    "a comment",
];

/// What was wrong in a file before somebody broke it is old when the file is mended, and what its base had is not lost by breaking it.
#[test]
fn what_could_be_read_before_it_broke_is_no_news() {
    let old = all_wrong();
    for (what, trick) in tricks().into_iter().filter(|(what, _)| !READ_ALL_THE_SAME.contains(what)) {
        let repo = empty();
        write_all(&repo, str::to_owned);
        repo.commit("can be followed");
        write_all(&repo, trick);
        repo.commit("cannot be followed");
        repo.write("README.md", "# The project\n");
        repo.commit("something else");
        write_all(&repo, str::to_owned);
        let found = errors(&repo);
        let news: Vec<_> = old.intersection(&found).collect();
        assert!(news.is_empty(), "{what}: {news:?} is old");
    }
}

/// A test that goes while its file is broken is lost all the same.
#[test]
fn nothing_is_lost_behind_a_broken_file() {
    let (first, second) = ("def test_a():\n    assert 1 + 1 == 2\n", "\n\ndef test_b():\n    assert 2 + 2 == 4\n");
    let path = "tests/test_sums.py";
    let repo = TestRepo::with(&[(path, &format!("{first}{second}"))]);
    repo.write(path, first);
    let lost = errors(&repo);
    assert!(!lost.is_empty());
    repo.write(path, format!("{first})\n"));
    repo.commit("cannot be followed");
    repo.write(path, first);
    assert_eq!(errors(&repo), lost);
}

/// What could be read stays what it was, and so does what a person allowed: a mended line makes nothing else of the file news.
#[test]
fn what_could_be_read_is_no_news() {
    let (path, text, rule) = WRONG[0];
    let said = (path.to_owned(), rule.to_owned());
    let allowed =
        text.replace("except Exception:", "except Exception:  # guardhost: allow error-swallowed it is tried again");
    for (what, before, after) in [
        ("another line", text.to_owned(), format!("{text}\nx = 1\n")),
        ("it broke, and is broken still", format!("{text}\n)\n"), format!("{text}\nx = 1\n)\n")),
        ("a comment that the base has", format!("{allowed}\n)\n"), allowed.clone()),
    ] {
        let repo = TestRepo::with(&[(path, &before)]);
        repo.write(path, after);
        let found = errors(&repo);
        assert!(!found.contains(&said) && !found.iter().any(|(_, rule)| rule == "comment-added"), "{what}: {found:?}");
    }
}
