//! Runners that `guards.toml` names, with the real tools.

use crate::support::toolchain::{Bench, passed, rejected, said, sandboxes};
use crate::support::tools::{Tool, needs};

/// One runner in a project: what it is, and a change that breaks it.
struct Project<'a> {
    runner: &'a str,
    files: &'a [(&'a str, &'a str)],
    broken: (&'a str, &'a str),
    finding: &'a str,
}

fn judge(project: &Project) {
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let Project { runner, files, broken: (path, text), finding } = project;
    let guard =
        "[[guard]]\nid = \"no-test-regressions\"\ngrants = [\"toolchain\", \"repo\"]\nlimits = { seconds = 240 }\n";
    let bench = Bench::new(sandbox, files).with_rules(&format!("schema = 1\n[[runner]]\n{runner}\n{guard}"));
    let code = files.iter().find(|(known, _)| known == path).unwrap().1;
    let ran = bench.change(&[(path, Some(&format!("{code}\n")))]).expect(0);
    passed(&ran, "no-test-regressions");
    let ran = bench.change(&[(path, Some(text))]).expect(1);
    rejected(&ran, "no-test-regressions", &[finding]);
}

#[test]
fn ctest() {
    let Some(_) = needs(Tool::Ctest) else { return };
    judge(&Project {
        runner: "preset = \"ctest\"",
        files: &[
            (
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.10)\nproject(calc NONE)\nenable_testing()\nadd_test(NAME adds COMMAND sh ${CMAKE_SOURCE_DIR}/adds.sh)\nadd_test(NAME zero COMMAND sh -c true)\n",
            ),
            ("adds.sh", "test $((1 + 1)) = 2\n"),
        ],
        broken: ("adds.sh", "test $((1 - 1)) = 2\n"),
        finding: "test-fails - adds passed on the base and fails now",
    });
}

#[test]
fn phpunit() {
    let Some(_) = needs(Tool::Phpunit) else { return };
    judge(&Project {
        runner: "preset = \"phpunit\"\nfolder = \"app\"",
        files: &[
            (
                "app/phpunit.xml",
                "<phpunit><testsuites><testsuite name=\"all\"><directory>tests</directory></testsuite></testsuites></phpunit>\n",
            ),
            ("app/calc.php", "<?php\nfunction add($a, $b) { return $a + $b; }\n"),
            (
                "app/tests/CalcTest.php",
                "<?php\nrequire_once __DIR__ . '/../calc.php';\nfinal class CalcTest extends PHPUnit\\Framework\\TestCase {\n    public function testAdds(): void { $this->assertSame(3, add(1, 2)); }\n    public function testZero(): void { $this->assertSame(0, add(0, 0)); }\n}\n",
            ),
        ],
        broken: ("app/calc.php", "<?php\nfunction add($a, $b) { return $a - $b; }\n"),
        finding: "test-fails app/tests/CalcTest.php CalcTest > testAdds passed on the base and fails now",
    });
}

#[test]
fn maven() {
    let Some(_) = needs(Tool::Maven) else { return };
    let code = |operator: char| {
        format!(
            "package calc;\npublic class Calc {{\n    public static int add(int a, int b) {{ return a {operator} b; }}\n}}\n"
        )
    };
    judge(&Project {
        runner: "preset = \"maven\"",
        files: &[
            (
                "pom.xml",
                "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion><groupId>calc</groupId><artifactId>calc</artifactId><version>1</version>\n<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>\n<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies></project>\n",
            ),
            ("src/main/java/calc/Calc.java", &code('+')),
            (
                "src/test/java/calc/CalcTest.java",
                "package calc;\nimport static org.junit.Assert.assertEquals;\nimport org.junit.Test;\npublic class CalcTest {\n    @Test public void adds() { assertEquals(3, Calc.add(1, 2)); }\n    @Test public void zero() { assertEquals(0, Calc.add(0, 0)); }\n}\n",
            ),
        ],
        broken: ("src/main/java/calc/Calc.java", &code('-')),
        finding: "test-fails",
    });
}

#[test]
fn rspec() {
    let Some(_) = needs(Tool::Rspec) else { return };
    let spec = "require_relative \"../lib/calc\"\nRSpec.describe \"add\" do\n  it(\"adds\") { expect(add(1, 2)).to eq 3 }\n  it(\"zero\") { expect(add(0, 0)).to eq 0 }\nend\n";
    judge(&Project {
        runner: "preset = \"rspec\"",
        files: &[("lib/calc.rb", "def add(a, b)\n  a + b\nend\n"), ("spec/calc_spec.rb", spec)],
        broken: ("lib/calc.rb", "def add(a, b)\n  a - b\nend\n"),
        finding: "test-fails spec/calc_spec.rb spec/calc_spec.rb > add adds passed on the base and fails now",
    });
    judge(&Project {
        runner: "preset = \"rspec\"",
        files: &[("lib/calc.rb", "def add(a, b)\n  a + b\nend\n"), ("spec/calc_spec.rb", spec)],
        broken: ("lib/calc.rb", "def add(a, b)\n  a + b\n"),
        finding: "suite-broken spec/calc_spec.rb spec/calc_spec.rb cannot be run any more, and 2 tests",
    });
}

#[test]
fn minitest() {
    let Some(_) = needs(Tool::Minitest) else { return };
    judge(&Project {
        runner: "preset = \"minitest\"",
        files: &[
            ("lib/calc.rb", "def add(a, b)\n  a + b\nend\n"),
            (
                "test/test_calc.rb",
                "require \"minitest/autorun\"\nrequire \"calc\"\nclass TestCalc < Minitest::Test\n  def test_adds; assert_equal 3, add(1, 2); end\n  def test_zero; assert_equal 0, add(0, 0); end\nend\n",
            ),
        ],
        broken: ("lib/calc.rb", "def add(a, b)\n  a - b\nend\n"),
        finding: "test-fails test/test_calc.rb test/test_calc.rb > TestCalc > test_adds passed on the base and fails now",
    });
}

#[test]
fn unittest() {
    let Some(_) = needs(Tool::Python) else { return };
    judge(&Project {
        runner: "preset = \"unittest\"",
        files: &[
            ("calc.py", "def add(a, b):\n    return a + b\n"),
            (
                "test_calc.py",
                "import unittest\nfrom calc import add\n\nclass TestAdd(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n",
            ),
        ],
        broken: ("calc.py", "def add(a, b):\n    return a - b\n"),
        finding: "test-fails test_calc.py test_calc.py > TestAdd > test_adds passed on the base and fails now",
    });
}

/// What a tree brings in the place of a report is none, and what contradicts the exit code proves nothing.
#[test]
fn a_report_of_another_run() {
    let Some(sandbox) = sandboxes().first().copied() else { return };
    let report = "<testsuites><testsuite tests=\"1\"><testcase name=\"adds\"/></testsuite></testsuites>\n";
    let runner = "[[runner]]\nname = \"own\"\ncommand = \"sh run.sh\"\nreport = \"junit\"\nfiles = [\"out/*.xml\"]\n";
    let guard = "[[guard]]\nid = \"no-test-regressions\"\ngrants = [\"toolchain\", \"repo\"]\n";
    let write = format!("mkdir -p out && printf '%s' '{}' > out/a.xml", report.trim());
    let bench = Bench::new(sandbox, &[("run.sh", &write)]).with_rules(&format!("schema = 1\n{runner}{guard}"));
    passed(&bench.change(&[("a.txt", Some("a"))]).expect(0), "no-test-regressions");
    for script in ["exit 0\n".to_owned(), format!("{write}; exit 1\n"), format!("{write}; truncate -s 40 out/a.xml\n")]
    {
        let ran = bench.change(&[("run.sh", Some(&script)), ("out/a.xml", Some(report))]).expect(1);
        let (verdict, findings) = said(&ran, "no-test-regressions");
        assert_eq!(verdict, "reject", "{script}: {ran:?}");
        assert!(
            findings[0].starts_with("suite-broken - the tests of own ran on the base and do not run now"),
            "{findings:?}"
        );
    }
}
