//! Large honest changes, and deep ones: every guard of the default set judges them, or says why it does not. None fails.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::candidate::candidate;
use crate::support::cli::host;
use crate::support::guest::Guest;
use crate::support::judging;
use crate::support::repo::TestRepo;

use super::{error, spec};
use guardhost_engine::{GuardSpec, Limits};

/// Path and text.
type File = (String, String);

/// So many bytes of these pieces.
fn filled(bytes: usize, head: &str, piece: impl Fn(usize) -> String) -> String {
    let mut text = head.to_owned();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text += &piece(number);
    }
    text
}

fn python(number: usize) -> String {
    format!(
        "def f{number}(a, b):\n    \"\"\"Says what it does.\"\"\"\n    key = a + {number}\n    if key in b:\n        raise ValueError(\"the key %s is known\" % key)\n    return {{\"key\": key, \"items\": [x for x in b if x != a]}}\n\n\n"
    )
}

fn tests(number: usize) -> String {
    format!("def test_f{number}():\n    assert f({number}) == {number}\n    assert g(\"a\") is not None\n\n\n")
}

fn go(number: usize) -> String {
    format!(
        "func f{number}(a int, b string) (int, error) {{\n\tif a > {number} {{\n\t\treturn a, fmt.Errorf(\"token = %q\", b)\n\t}}\n\treturn len(b) + {number}, nil\n}}\n\n"
    )
}

fn rust(number: usize) -> String {
    format!(
        "/// Says what it does.\npub fn f{number}(a: usize, b: &[usize]) -> Vec<usize> {{\n    let key = a + {number};\n    b.iter().copied().filter(|x| *x != key).collect()\n}}\n\n"
    )
}

fn typescript(number: usize) -> String {
    format!(
        "export function f{number}(a: number, b: number[]) {{\n  const key = a + {number};\n  return {{ key, items: b.filter((x) => x !== a) }};\n}}\n\n"
    )
}

fn php(number: usize) -> String {
    format!(
        "function f{number}($a, $b) {{\n    $key = $a + {number};\n    return [\"key\" => $key, \"items\" => array_filter($b, fn($x) => $x !== $a)];\n}}\n\n"
    )
}

fn section(number: usize) -> String {
    format!("## Section {number}\n\nSome words, with `code` and a [link](#section-{number}).\n\n")
}

/// A manifest of npm and its lock file.
fn package(packages: usize) -> Vec<File> {
    let manifest = "{ \"name\": \"a\", \"version\": \"1.0.0\", \"dependencies\": { \"p0\": \"^1.0.0\" } }\n";
    let mut lock = String::from(
        "{\n  \"name\": \"a\",\n  \"version\": \"1.0.0\",\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {\n    \"\": {\n      \"name\": \"a\",\n      \"version\": \"1.0.0\",\n      \"dependencies\": { \"p0\": \"^1.0.0\" }\n    }",
    );
    for number in 0..packages {
        let next = (number + 1) % packages;
        let _ = write!(
            lock,
            ",\n    \"node_modules/p{number}\": {{\n      \"version\": \"1.0.{number}\",\n      \"resolved\": \"https://registry.example.com/p{number}/-/p{number}-1.0.{number}.tgz\",\n      \"integrity\": \"sha512-{number:086}==\",\n      \"dependencies\": {{ \"p{next}\": \"^1.0.0\" }}\n    }}"
        );
    }
    lock += "\n  }\n}\n";
    vec![("package.json".to_owned(), manifest.to_owned()), ("package-lock.json".to_owned(), lock)]
}

/// The verdicts of the default set on what is staged; no guard fails, and none leaves a file out for its size.
fn verdicts(repo: &TestRepo) -> Vec<(String, String)> {
    let report = host(repo.path(), &["check", "--staged", "--format", "json"]).json();
    let rows = report["guards"].as_array().unwrap();
    for row in rows {
        assert_ne!(row["verdict"], "error", "{row}");
        let findings = row["findings"].as_array().into_iter().flatten();
        assert!(!findings.into_iter().any(|finding| finding["rule"] == "not-judged"), "{row}");
    }
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(&row["id"]), text(&row["verdict"]))).collect()
}

#[test]
fn two_megabytes_are_judged_by_every_guard_that_reads_them() {
    const FILE: usize = 2_000_000;
    let one = |path: &str, head: &str, piece: fn(usize) -> String| vec![(path.to_owned(), filled(FILE, head, piece))];
    let many = |path: &str, piece: fn(usize) -> String| -> Vec<File> {
        (0..400).map(|number| (path.replace('#', &number.to_string()), filled(10_000, "", piece))).collect()
    };
    let half = |name: &str| {
        (format!("{name}/{name}.go"), filled(1_000_000, &format!("package {name}\n\nimport \"fmt\"\n\n"), go))
    };
    let third = |name: &str| (format!("{name}.php"), filled(370_000, "<?php\n\n", php));
    #[rustfmt::skip]
    let changes: [(Vec<File>, &[&str]); 9] = [
        (one("a.py", "", python), &["syntax-holds", "no-secrets", "no-undefined-names", "no-leftovers"]),
        (one("tests/test_a.py", "from a import f, g\n\n\n", tests), &["no-skipped-tests", "syntax-holds", "no-leftovers"]),
        (one("src/lib.rs", "", rust), &["syntax-holds", "no-secrets", "no-undefined-names", "no-leftovers"]),
        (many("m/f#.ts", typescript), &["syntax-holds", "no-secrets", "no-undefined-names", "imports-resolve", "calls-match-signatures"]),
        (many("m/f#.rs", rust), &["syntax-holds", "no-secrets", "no-undefined-names"]),
        (["a", "b"].map(half).into(), &["syntax-holds", "no-secrets", "imports-resolve"]),
        (["a", "b", "c"].map(third).into(), &["syntax-holds", "no-secrets"]),
        (one("docs/a.md", "# A document\n\n", section), &["links-resolve", "docs-kept", "no-leftovers"]),
        (package(25_000), &["locks-agree", "syntax-holds", "no-leftovers"]),
    ];
    for (files, guards) in changes {
        let repo = TestRepo::with(&[("README.md", "# Words\n"), ("a/__init__.py", "f = g = len\n")]);
        files.iter().for_each(|(path, text)| repo.write(path, text));
        repo.stage_all();
        let verdicts = verdicts(&repo);
        for guard in guards {
            let verdict = verdicts.iter().find(|(id, _)| id == guard).map(|(_, verdict)| verdict.as_str());
            assert_eq!(verdict, Some("pass"), "{guard} of {}: {verdicts:?}", files[0].0);
        }
    }
}

/// Many links to one file are one question, and what is not followed or listed is counted where everybody sees it.
#[test]
fn a_hundred_thousand_links_are_judged_and_ten_thousand_broken_ones_counted() {
    let repo = TestRepo::with(&[("README.md", "# Words\n"), ("target.md", "# Target\n")]);
    let judged = |text: String| {
        repo.write("many.md", text);
        repo.stage_all();
        let report = host(repo.path(), &["check", "--staged", "--guard", "links-resolve", "--format", "json"]).json();
        report["guards"][0].clone()
    };
    let to_one = judged(filled(5_000_000, "# Many\n\n", |number| format!("- [words about {number:020}](target.md)\n")));
    assert_eq!((&to_one["verdict"], &to_one["findings"]), (&"pass".into(), &serde_json::json!([])), "{to_one}");
    let broken = judged((0..10_000).map(|number| format!("- [it](gone{number}.md)\n")).collect());
    assert_eq!(broken["verdict"], "reject");
    let findings = broken["findings"].as_array().unwrap();
    assert_eq!(findings[0]["rule"], "too-many-links");
    let message = findings[0]["message"].as_str().unwrap();
    let numbers: Vec<usize> = message.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    assert_eq!(findings.len() - 1 + numbers.iter().sum::<usize>(), 10_000, "each link is listed or counted: {message}");
}

/// A parser that reads the rest of a chain as the body of `else` recurses for each link.
#[test]
fn chains_of_else_are_judged_whatever_their_length() {
    let chain = |path: &str, links: usize| {
        let link = |number: usize| match path {
            "a.go" => format!(" else if x == {number} {{\n\t\treturn {number}\n\t}}"),
            _ => format!(" else if ($x == {number}) {{\n    return {number};\n}}"),
        };
        let links: String = (0..links).map(link).collect();
        match path {
            "a.go" => {
                format!("package a\n\nfunc f(x int) int {{\n\tif x < 0 {{\n\t\treturn 0\n\t}}{links}\n\treturn 1\n}}\n")
            }
            _ => {
                format!("<?php\n\nfunction f($x) {{\nif ($x < 0) {{\n    return 0;\n}}{links}\n    return 1;\n}}\n")
            }
        }
    };
    for path in ["a.go", "a.php"] {
        let repo = TestRepo::with(&[("README.md", "# Words\n")]);
        let verdict_of = |text: String| {
            repo.write(path, text);
            repo.stage_all();
            verdicts(&repo).into_iter().find(|(id, _)| id == "syntax-holds").unwrap().1
        };
        let broken = |links: usize| chain(path, links).replace("return 1", "return (1");
        assert_eq!(verdict_of(chain(path, 5_000)), "pass", "{path}");
        assert_eq!(verdict_of(broken(5_000)), "reject", "{path}");
        assert_eq!(verdict_of(chain(path, 280)), "pass", "{path}");
        repo.commit("a chain");
        assert_eq!(verdict_of(broken(5_000)), "reject", "{path}");
    }
}

/// What a call may use grows with the files that it judges, and does not for a small change.
#[test]
fn limits_grow_with_the_change() {
    let limits = Limits { fuel: 100_000_000, ..Limits::default() };
    let endless = GuardSpec { limits, ..spec(&Guest::checking("(loop $l (br $l))")) };
    let growing = spec(&Guest::checking("(loop $l (drop (memory.grow (i32.const 16))) (br $l))"));
    for (bytes, fuel, memory) in [(10, 100_000_000, 64), (1 << 20, 300_000_000, 80), (16 << 20, 1_500_000_000, 320)] {
        let text = vec![b'x'; bytes];
        let change = candidate(&[], &[("a.txt", &text)]);
        let evidence = judging::evidence(&change, endless.clone());
        assert_eq!(error(&evidence).0, "out-of-fuel");
        assert!((fuel..fuel + 1_000_000).contains(&evidence.fuel), "{bytes}: {}", evidence.fuel);
        let evidence = judging::evidence(&change, growing.clone());
        assert_eq!(error(&evidence).2, format!("it wanted more than its {memory} MiB of memory"), "{bytes}");
    }
    let largest = Limits::default().for_bytes(u64::MAX);
    assert_eq!((largest.fuel, largest.memory), (Limits::MAX_FUEL, Limits::MAX_MEMORY));
    let most = Limits { fuel: Limits::MAX_FUEL, memory: Limits::MAX_MEMORY, ..Limits::default() };
    assert_eq!(most.for_bytes(1 << 30), most);
}
