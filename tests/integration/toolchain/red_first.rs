//! The tests of a change on the base's code, with real runners.

use crate::support::cli::Ran;
use crate::support::toolchain::{Bench, passed, rejected, said, sandboxes};
use crate::support::tools::{Tool, needs};

const RULES: &str = "schema = 1\n[[guard]]\nid = \"red-first\"\ngrants = [\"toolchain\"]\nlimits = { seconds = 240 }\n";

/// What the account of the change says of its tests.
fn proof(ran: &Ran) -> String {
    let json = ran.json();
    let proofs = json["proofs"].as_array().unwrap_or_else(|| panic!("{ran:?}"));
    let proof = proofs.iter().find(|proof| proof["guard"] == "red-first").unwrap_or_else(|| panic!("{ran:?}"));
    proof["state"].as_str().unwrap().to_owned()
}

#[test]
fn python() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    const CODE: &str = "def find(users, name):\n    return users.get(name)\n";
    const FIXED: &str = "def find(users, name):\n    return users.get(name.lower())\n";
    const TESTS: &str = "import json, pathlib\nfrom users import find\n\nUSERS = json.loads(pathlib.Path('tests/data/users.json').read_text())\n\n\
                         def test_known():\n    assert find(USERS, 'ada') == 1\n";
    const UPPER: &str = "\ndef test_upper_case():\n    assert find(USERS, 'BOB') == 2\n";
    const LOWER: &str = "\ndef test_lower_case():\n    assert find(USERS, 'bob') == 2\n";
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let files = [
        ("pyproject.toml", "[project]\nname = \"users\"\n"),
        ("src/users.py", CODE),
        ("tests/test_users.py", TESTS),
        ("tests/data/users.json", "{\"ada\": 1}"),
    ];
    let bench = Bench::new(sandbox, &files).with_pytest(&pytest).with_rules(RULES);
    let data = ("tests/data/users.json", Some("{\"ada\": 1, \"bob\": 2}"));
    let red = [TESTS, UPPER].concat();
    let red = [("src/users.py", Some(FIXED)), ("tests/test_users.py", Some(red.as_str())), data];
    let ran = bench.change_as("fix: names in upper case", &red).expect(0);
    passed(&ran, "red-first");
    assert_eq!(proof(&ran), "proved");

    // The data of the new test comes with it, so that it passes on the base's code.
    let green = [TESTS, LOWER].concat();
    let green = [("src/users.py", Some(FIXED)), ("tests/test_users.py", Some(green.as_str())), data];
    let ran = bench.change_as("fix: names in upper case", &green).expect(1);
    rejected(&ran, "red-first", &["never-red tests/test_users.py tests/test_users.py::test_lower_case passes without"]);
    assert_eq!(proof(&ran), "refuted");
    let ran = bench.change_as("feat: names in upper case", &green).expect(0);
    assert_eq!(said(&ran, "red-first").1.len(), 1, "a feature is warned");

    // The runner's settings are those of the base: the change cannot leave out its own test on the base's code alone.
    let hides = [green[0], green[1], data, ("pytest.ini", Some("[pytest]\naddopts = -k known\n"))];
    let ran = bench.change_as("fix: names in upper case", &hides);
    assert_ne!(proof(&ran), "proved", "{ran:?}");

    let new = "from users import find_all\n\ndef test_all():\n    assert find_all({}) == []\n";
    let code = [CODE, "\n\ndef find_all(users):\n    return list(users)\n"].concat();
    let adds = [("src/users.py", Some(code.as_str())), ("tests/test_all.py", Some(new))];
    let ran = bench.change_as("fix: all users can be listed", &adds).expect(0);
    assert_eq!(proof(&ran), "proved", "what is missing on the base is what the change adds: {ran:?}");
}

#[test]
fn a_flaky_test_decides_nothing() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let bench = Bench::new(sandbox, &[("setup.cfg", ""), ("calc.py", "X = 1\n")]).with_pytest(&pytest);
    let bench = bench.with_rules(&format!("{RULES}settings = {{ runs = 5 }}\n"));
    // A hundred tests that flip a coin on the base's code: five equal runs of one happen, five equal runs of all do not.
    let test = "import calc, os, pytest\n\n@pytest.mark.parametrize('n', range(100))\ndef test_x(n):\n    \
                assert calc.X == 2 or os.urandom(1)[0] % 2\n";
    let ran = bench.change_as("fix: X is two", &[("calc.py", Some("X = 2\n")), ("test_calc.py", Some(test))]);
    let (_, findings) = said(&ran, "red-first");
    assert!(findings.iter().any(|finding| finding.contains("it is flaky")), "{ran:?}");
}

#[test]
fn rust() {
    let Some(_) = needs(Tool::Cargo) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    const MANIFEST: &str = "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    const CODE: &str = "pub fn half(a: i32) -> i32 {\n    a / 2\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    \
                        fn even() {\n        assert_eq!(half(4), 2);\n    }\n}\n";
    let bench = Bench::new(sandbox, &[("Cargo.toml", MANIFEST), ("src/lib.rs", CODE)]).with_rules(RULES);
    let fixed = CODE.replace("a / 2", "a.div_euclid(2)");
    let with = |name: &str, body: &str| {
        let test = format!("    }}\n\n    #[test]\n    fn {name}() {{\n        {body}\n    }}\n}}\n");
        fixed.replace("    }\n}\n", &test)
    };
    let red = with("negative", "assert_eq!(half(-3), -2);");
    let ran = bench.change_as("fix: halves of odd negative numbers", &[("src/lib.rs", Some(&red))]).expect(0);
    assert_eq!(proof(&ran), "proved", "tests inside of the code are put into that of the base: {ran:?}");
    let green = with("odd", "assert_eq!(half(3), 1);");
    let ran = bench.change_as("fix: halves of odd negative numbers", &[("src/lib.rs", Some(&green))]).expect(1);
    rejected(&ran, "red-first", &["never-red src/lib.rs calc tests::odd passes without the change too"]);
}

#[test]
fn go() {
    let Some(_) = needs(Tool::Go) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    const TESTS: &str = "package calc\n\nimport \"testing\"\n\nfunc TestEven(t *testing.T) {\n\tif Half(4) != 2 {\n\t\tt.Fatal()\n\t}\n}\n";
    let files = [
        ("go.mod", "module example.org/calc\n\ngo 1.19\n"),
        ("calc.go", "package calc\n\nfunc Half(a int) int { return a / 2 }\n"),
        ("calc_test.go", TESTS),
    ];
    let bench = Bench::new(sandbox, &files).with_rules(RULES);
    let fixed = ("calc.go", Some("package calc\n\nfunc Half(a int) int { return a >> 1 }\n"));
    let test = |value: &str| {
        format!(
            "{TESTS}\nfunc TestOdd(t *testing.T) {{\n\tif Half({value}) != {value}>>1 {{\n\t\tt.Fatal()\n\t}}\n}}\n"
        )
    };
    let ran = bench.change_as("Fix halves of negatives", &[fixed, ("calc_test.go", Some(&test("-3")))]).expect(0);
    assert_eq!(proof(&ran), "proved", "{ran:?}");
    let ran = bench.change_as("Fix halves of negatives", &[fixed, ("calc_test.go", Some(&test("3")))]).expect(1);
    rejected(&ran, "red-first", &["never-red calc_test.go example.org/calc TestOdd passes without the change too"]);
}

/// A spec is the same one wherever it stands, and one that changes is one of the change.
#[test]
fn specs_of_minitest() {
    let Some(_) = needs(Tool::Minitest) else { return };
    let Some(sandbox) = sandboxes().first().copied() else { return };
    const SPECS: &str = "require \"minitest/autorun\"\nrequire \"calc\"\ndescribe \"add\" do\n  it \"takes zeros\" do\n    \
                         _(add(0, 0)).must_equal 0\n  end\nend\n";
    let files = [("lib/calc.rb", "def add(a, b)\n  a.abs + b\nend\n"), ("test/calc_test.rb", SPECS)];
    let rules = RULES.replace("[[guard]]", "[[runner]]\npreset = \"minitest\"\n[[guard]]");
    let bench = Bench::new(sandbox, &files).with_rules(&rules);
    let fixed = ("lib/calc.rb", Some("def add(a, b)\n  a + b\nend\n"));
    let change = |specs: &str| bench.change_as("Fix negatives", &[fixed, ("test/calc_test.rb", Some(specs))]).expect(0);

    let before = "  it \"takes negatives\" do\n    _(add(-1, 0)).must_equal(-1)\n  end\n  it";
    let ran = change(&SPECS.replace("  it", before));
    assert_eq!((proof(&ran).as_str(), said(&ran, "red-first").1.len()), ("proved", 0), "{ran:?}");
    let ran = change(&SPECS.replace("    _", "    _(add(-1, 0)).must_equal(-1)\n    _"));
    assert_eq!(proof(&ran), "proved", "{ran:?}");
}
