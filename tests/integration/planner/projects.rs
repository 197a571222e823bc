//! Small repositories of four languages, and one of two, each with a source, its test and documents.

pub struct Project {
    pub name: &'static str,
    pub files: &'static [(&'static str, &'static str)],
    /// The source that the test is about.
    pub source: &'static str,
    /// A source that no test is about.
    pub other: &'static str,
    pub test: &'static str,
    /// The id of a test in it, as the runner of the language writes it.
    pub test_id: &'static str,
    /// Whether that id begins with the test's path; else the test is looked for by its name.
    pub id_has_path: bool,
    /// A path that does not exist, and the real one that is nearest.
    pub invented: (&'static str, &'static str),
    /// A path for a new source, and one for a new test.
    pub new: &'static str,
    pub new_test: &'static str,
}

const README: (&str, &str) = ("README.md", "# it\n\nIt counts.\n");
const GUIDE: (&str, &str) = ("docs/guide.md", "# Guide\n\nHow to count.\n");

pub const PROJECTS: [Project; 5] = [
    Project {
        name: "python",
        files: &[
            README,
            GUIDE,
            ("pyproject.toml", "[project]\nname = \"tally\"\n"),
            ("src/tally/__init__.py", ""),
            ("src/tally/count.py", "def count(things):\n    return len(things) + 1\n"),
            ("src/tally/show.py", "def show(n):\n    return str(n)\n"),
            (
                "tests/test_count.py",
                "import pytest\nfrom tally.count import count\n\n\ndef test_count():\n    assert count([1]) == 1\n",
            ),
        ],
        source: "src/tally/count.py",
        other: "src/tally/show.py",
        test: "tests/test_count.py",
        test_id: "tests/test_count.py::test_count",
        id_has_path: true,
        invented: ("tally/count.py", "src/tally/count.py"),
        new: "src/tally/parse.py",
        new_test: "tests/test_show.py",
    },
    Project {
        name: "rust",
        files: &[
            README,
            GUIDE,
            ("Cargo.toml", "[package]\nname = \"tal-ly\"\nversion = \"0.1.0\"\n"),
            ("src/lib.rs", "pub mod count;\npub mod show;\n"),
            ("src/count.rs", "pub fn count(things: &[u8]) -> usize {\n    things.len() + 1\n}\n"),
            ("src/show.rs", "pub fn show(n: usize) -> String {\n    n.to_string()\n}\n"),
            (
                "tests/counting.rs",
                "use tal_ly::count::count;\n\n#[test]\nfn one_is_one() {\n    assert_eq!(count(&[1]), 1);\n}\n",
            ),
        ],
        source: "src/count.rs",
        other: "src/show.rs",
        test: "tests/counting.rs",
        test_id: "tal-ly counting::one_is_one",
        id_has_path: false,
        invented: ("src/counts.rs", "src/count.rs"),
        new: "src/parse.rs",
        new_test: "tests/showing.rs",
    },
    Project {
        name: "go",
        files: &[
            README,
            GUIDE,
            ("go.mod", "module example.org/tally\n\ngo 1.22\n"),
            (
                "internal/count/count.go",
                "package count\n\nfunc Count(things []int) int {\n\treturn len(things) + 1\n}\n",
            ),
            ("internal/show/show.go", "package show\n\nfunc Show() string {\n\treturn \"\"\n}\n"),
            (
                "internal/count/count_test.go",
                "package count\n\nimport \"testing\"\n\nfunc TestCount(t *testing.T) {\n\tif Count([]int{1}) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
            ),
        ],
        source: "internal/count/count.go",
        other: "internal/show/show.go",
        test: "internal/count/count_test.go",
        test_id: "example.org/tally/internal/count TestCount/of_one",
        id_has_path: false,
        invented: ("pkg/count/count.go", "internal/count/count.go"),
        new: "internal/parse/parse.go",
        new_test: "internal/show/show_test.go",
    },
    Project {
        name: "node",
        files: &[
            README,
            GUIDE,
            ("package.json", "{ \"name\": \"tally\", \"type\": \"module\" }\n"),
            ("lib/count.js", "export const count = (things) => things.length + 1;\n"),
            ("lib/show.js", "export const show = String;\n"),
            (
                "test/count.test.js",
                "import test from 'node:test';\nimport { count } from '../lib/count.js';\ntest('counts one', () => count([1]));\n",
            ),
        ],
        source: "lib/count.js",
        other: "lib/show.js",
        test: "test/count.test.js",
        test_id: "counting > counts one",
        id_has_path: false,
        invented: ("src/count.js", "lib/count.js"),
        new: "lib/parse.js",
        new_test: "test/show.test.js",
    },
    Project {
        name: "mixed",
        files: &[
            README,
            GUIDE,
            ("web/package.json", "{ \"name\": \"web\" }\n"),
            ("web/src/page.ts", "export function page() {\n  return 1;\n}\n"),
            ("server/pyproject.toml", "[project]\nname = \"server\"\n"),
            ("server/app/__init__.py", ""),
            ("server/app/db.py", "def rows():\n    return [1]\n"),
            ("server/tests/test_db.py", "from app import db\n\n\ndef test_rows():\n    assert db.rows() == []\n"),
        ],
        source: "server/app/db.py",
        other: "web/src/page.ts",
        test: "server/tests/test_db.py",
        test_id: "server/tests/test_db.py::test_rows",
        id_has_path: true,
        invented: ("app/db.py", "server/app/db.py"),
        new: "server/app/cache.py",
        new_test: "server/tests/test_cache.py",
    },
];
