//! Small edits of changed lines, with real runners.

use crate::support::cli::Ran;
use crate::support::toolchain::{Bench, said, sandboxes};
use crate::support::tools::{Tool, needs};

const RULES: &str =
    "schema = 1\n[[guard]]\nid = \"mutants\"\ngrants = [\"toolchain\", \"repo\"]\nlimits = { seconds = 240 }\n";

/// What the account of the change says, and the metrics `killed`, `survived` and `not-run`.
fn proof(ran: &Ran) -> (String, [u64; 3]) {
    let json = ran.json();
    let find = |list: &str, key: &str| {
        let found = json[list].as_array().unwrap_or_else(|| panic!("{ran:?}"));
        found.iter().find(|one| one[key] == "mutants").cloned().unwrap_or_else(|| panic!("{ran:?}"))
    };
    let guard = find("guards", "id");
    let metric = |name: &str| guard["metrics"][name].as_f64().unwrap_or_else(|| panic!("{ran:?}")) as u64;
    (find("proofs", "guard")["state"].as_str().unwrap().to_owned(), ["killed", "survived", "not-run"].map(metric))
}

#[test]
fn python() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    const CODE: &str = "def is_adult(age):\n    return age > 17\n";
    const NEW: &str = "def is_adult(age):\n    return age >= 18\n";
    let weak = "from users import is_adult\n\ndef test_ages():\n    assert is_adult(40) and not is_adult(3)\n";
    let strong = weak.replace("40", "18").replace("3)", "17)");
    let more = "def test_other():\n    pass\n";
    let bench = |tests: &str| {
        let files = [
            ("pyproject.toml", "[project]\nname = \"users\"\n"),
            ("users.py", CODE),
            ("tests/test_users.py", tests),
            ("tests/test_other.py", more),
            ("tests/test_third.py", more),
        ];
        Bench::new(sandbox, &files).with_pytest(&pytest)
    };
    let ran = bench(weak).with_rules(RULES).change(&[("users.py", Some(NEW))]).expect(0);
    let (_, findings) = said(&ran, "mutants");
    assert_eq!(proof(&ran), ("refuted".to_owned(), [1, 2, 0]), "{findings:?}");
    let survivor =
        "mutant-survived users.py with `return age > 18` in the place of `return age >= 18` all 3 tests pass";
    assert!(findings.iter().any(|finding| finding == survivor), "{findings:?}");

    let threshold = format!("{RULES}settings = {{ threshold = 80 }}\n");
    bench(weak).with_rules(&threshold).change(&[("users.py", Some(NEW))]).expect(1);
    let ran = bench(&strong).with_rules(&threshold).change(&[("users.py", Some(NEW))]).expect(0);
    assert_eq!((proof(&ran), said(&ran, "mutants").1.len()), (("proved".to_owned(), [3, 0, 0]), 0), "{ran:?}");
}

/// What does not build was never run.
#[test]
fn go() {
    let Some(_) = needs(Tool::Go) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let test = "package calc\n\nimport \"testing\"\n\nfunc TestGreet(t *testing.T) {\n\tif Greet(\"a\", \"b\") != \"ab\" {\n\t\tt.Fatal(\"no\")\n\t}\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n";
    let code =
        "package calc\n\nfunc Greet(a, b string) string {\n\treturn b\n}\n\nfunc Add(a, b int) int {\n\treturn b\n}\n";
    let files = [("go.mod", "module example.org/calc\n\ngo 1.18\n"), ("calc.go", code), ("calc_test.go", test)];
    let bench = Bench::new(sandbox, &files).with_rules(RULES);
    let new = code.replacen("return b", "return a + b", 1).replacen("return b", "return a + b", 1);
    let ran = bench.change(&[("calc.go", Some(&new))]).expect(0);
    assert_eq!(proof(&ran), ("proved".to_owned(), [1, 0, 1]), "strings cannot be subtracted: {ran:?}");
}
