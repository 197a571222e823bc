//! Which changed lines no test goes over, with real runners.

use crate::support::cli::Ran;
use crate::support::toolchain::{Bench, said, sandboxes};
use crate::support::tools::{Tool, needs};

const GUARD: &str = "[[guard]]\nid = \"lines-run\"\ngrants = [\"toolchain\", \"repo\"]\nlimits = { seconds = 240 }\n";

/// What the account of the change says, and the metrics `run`, `not-run` and `not-known`.
fn proof(ran: &Ran) -> (String, [u64; 3]) {
    let json = ran.json();
    let find = |list: &str, key: &str| {
        let found = json[list].as_array().unwrap_or_else(|| panic!("{ran:?}"));
        found.iter().find(|one| one[key] == "lines-run").cloned().unwrap_or_else(|| panic!("{ran:?}"))
    };
    let guard = find("guards", "id");
    let metric = |name: &str| guard["metrics"][name].as_f64().unwrap_or_else(|| panic!("{ran:?}")) as u64;
    (find("proofs", "guard")["state"].as_str().unwrap().to_owned(), ["run", "not-run", "not-known"].map(metric))
}

/// A project whose tests go over one branch of what changes, and then over both.
struct Project<'a> {
    runner: &'a str,
    manifest: (&'a str, &'a str),
    code: (&'a str, &'a str, &'a str),
    /// The test of one branch, and of both.
    test: (&'a str, &'a str, &'a str),
    line: u32,
}

fn judge(project: &Project, with: impl Fn(Bench) -> Bench) {
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let Project { runner, manifest, code: (path, old, new), test: (test_path, weak, strong), line } = project;
    let bench = |test: &str| {
        let files = [*manifest, (*path, *old), (*test_path, test)];
        with(Bench::new(sandbox, &files).with_rules(&format!("schema = 1\n{runner}{GUARD}")))
    };
    let ran = bench(weak).change(&[(path, Some(new))]).expect(0);
    let finding = format!("not-run {path} no test goes over line {line} of {path}");
    assert_eq!(said(&ran, "lines-run"), ("pass".to_owned(), vec![finding]), "{ran:?}");
    let (state, [run, not_run, not_known]) = proof(&ran);
    assert_eq!((state.as_str(), not_run, not_known), ("refuted", 1, 0), "{ran:?}");
    assert!(run > 0, "{ran:?}");
    let ran = bench(strong).change(&[(path, Some(new))]).expect(0);
    assert_eq!(proof(&ran), ("proved".to_owned(), [run + 1, 0, 0]), "{ran:?}");
}

const PYTHON: (&str, &str, &str) = (
    "users.py",
    "def price(age):\n    cost = 10\n    return cost\n",
    // The comment would leave the line out, if the change had a say in it.
    "def price(age):\n    cost = 10\n    if age < 18:\n        cost = 5  # pragma: no cover\n    return cost\n",
);

#[test]
fn python() {
    let Some(environment) = needs(Tool::CoveragePy) else { return };
    let weak = "from users import price\n\ndef test_price():\n    assert price(40) == 10\n";
    let project = Project {
        runner: "",
        manifest: ("pyproject.toml", "[project]\nname = \"users\"\n\n[tool.coverage.run]\nomit = [\"*\"]\n"),
        code: PYTHON,
        test: ("tests/test_users.py", weak, &weak.replace("== 10", "== 10 and price(3) == 5")),
        line: 4,
    };
    judge(&project, |bench| bench.with_pytest(&environment));
}

#[test]
fn unittest() {
    let Some(environment) = needs(Tool::CoveragePy) else { return };
    let weak = "import unittest\nfrom users import price\n\nclass TestPrice(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(price(40), 10)\n";
    let project = Project {
        runner: "[[runner]]\npreset = \"unittest\"\n",
        manifest: ("tests/__init__.py", ""),
        code: PYTHON,
        test: ("tests/test_users.py", weak, &format!("{weak}        self.assertEqual(price(3), 5)\n")),
        line: 4,
    };
    judge(&project, |bench| bench.with_pytest(&environment));
}

/// Without coverage.py nothing is known, and nothing is refuted.
#[test]
fn without_coverage_py() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let (path, old, new) = PYTHON;
    let test = "from users import price\n\ndef test_price():\n    assert price(40) == 10\n";
    let files = [("pyproject.toml", "[project]\nname = \"users\"\n"), (path, old), ("tests/test_users.py", test)];
    let bench = Bench::new(sandbox, &files).with_pytest(&pytest).with_rules(&format!("schema = 1\n{GUARD}"));
    let ran = bench.change(&[(path, Some(new))]).expect(0);
    assert_eq!(proof(&ran), ("not-known".to_owned(), [0, 0, 2]), "{ran:?}");
    let (_, findings) = said(&ran, "lines-run");
    assert!(findings[0].contains("coverage.py is not installed"), "{findings:?}");
}

#[test]
fn node() {
    let Some(_) = needs(Tool::Node) else { return };
    let test = |more: &str| {
        format!(
            "const {{ test }} = require('node:test');\nconst assert = require('node:assert');\nconst {{ price }} = require('./users');\ntest('price', () => {{\n  assert.equal(price(40), 10);\n{more}}});\n"
        )
    };
    let project = Project {
        runner: "",
        manifest: ("package.json", "{\"name\": \"users\", \"scripts\": {\"test\": \"node --test\"}}\n"),
        code: (
            "users.js",
            "function price(age) {\n  let cost = 10;\n  return cost;\n}\nexports.price = price;\n",
            "function price(age) {\n  let cost = 10;\n  if (age < 18) {\n    cost = 5;\n  }\n  return cost;\n}\nexports.price = price;\n",
        ),
        test: ("users.test.js", &test(""), &test("  assert.equal(price(3), 5);\n")),
        line: 4,
    };
    judge(&project, |bench| bench);
}

#[test]
fn go() {
    let Some(_) = needs(Tool::Go) else { return };
    let weak = "package calc\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tif Price(40) != 10 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n";
    let strong = weak.replace("Price(40) != 10", "Price(40) != 10 || Price(3) != 5");
    let project = Project {
        runner: "",
        manifest: ("go.mod", "module example.org/calc\n\ngo 1.18\n"),
        code: (
            "calc.go",
            "package calc\n\nfunc Price(age int) int {\n\tcost := 10\n\treturn cost\n}\n",
            "package calc\n\nfunc Price(age int) int {\n\tcost := 10\n\tif age < 18 {\n\t\tcost = 5\n\t}\n\treturn cost\n}\n",
        ),
        test: ("calc_test.go", weak, &strong),
        line: 6,
    };
    judge(&project, |bench| bench);
}

const RUBY: (&str, &str, &str) = (
    "lib/calc.rb",
    "def price(age)\n  cost = 10\n  cost\nend\n",
    "def price(age)\n  cost = 10\n  if age < 18\n    cost = 5\n  end\n  cost\nend\n",
);

#[test]
fn minitest() {
    let Some(_) = needs(Tool::Minitest) else { return };
    let weak = "require \"minitest/autorun\"\nrequire \"calc\"\nclass TestCalc < Minitest::Test\n  def test_price; assert_equal 10, price(40); end\nend\n";
    let project = Project {
        runner: "[[runner]]\npreset = \"minitest\"\n",
        manifest: ("Rakefile", ""),
        code: RUBY,
        test: ("test/test_calc.rb", weak, &weak.replace("price(40); end", "price(40); assert_equal 5, price(3); end")),
        line: 4,
    };
    judge(&project, |bench| bench);
}

#[test]
fn rspec() {
    let Some(_) = needs(Tool::Rspec) else { return };
    let weak = "require_relative \"../lib/calc\"\nRSpec.describe \"price\" do\n  it(\"is\") { expect(price(40)).to eq 10 }\nend\n";
    let project = Project {
        runner: "[[runner]]\npreset = \"rspec\"\n",
        manifest: (".rspec", ""),
        code: RUBY,
        test: ("spec/calc_spec.rb", weak, &weak.replace("to eq 10 }", "to eq 10; expect(price(3)).to eq 5 }")),
        line: 4,
    };
    judge(&project, |bench| bench);
}
