//! What the server says of a repository on its disk.

use serde_json::json;

use super::served::Served;
use crate::support::repo::TestRepo;

const OLD: &str =
    "import os\nfrom .b import y\n\n\ndef x(a, b=1):\n    return y(a)\n\n\ndef gone():\n    return x(1)\n";
const NEW: &str =
    "import os\nfrom .b import y\n\n\ndef x(a, b=1):\n    return y(a)\n\n\ndef came():\n    return x(2)\n";

#[test]
fn the_files_of_a_repository_are_read_with_the_parsers_of_the_guards() {
    let repo = TestRepo::with(&[
        ("p/a.py", OLD),
        ("p/b.py", "def y(n):\n    return n\n"),
        ("README.md", "# p\n"),
        ("package.json", "{\"dependencies\":{\"react\":\"18\"}}\n"),
    ]);
    let base = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("p/a.py", NEW);
    repo.stage_all();
    repo.git(&["commit", "-q", "-m", "Change a"]);
    let changed = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.git(&["revert", "--no-edit", "HEAD"]);
    let folder = tempfile::tempdir().expect("a folder");
    let root = repo.path().to_str().expect("a name");
    let served = Served::start(&folder.path().join("data"), &["--root", root]);
    let get = |path: &str| {
        let (status, answer) = served.get(path);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    };
    let facts = get(&format!("/repo/fingerprint?target={root}"));
    assert_eq!((&facts["declared_deps"]["npm"], &facts["declared_frameworks"]), (&json!(["react"]), &json!(["react"])));
    assert_eq!((&facts["stack"], &facts["manifest_files"]), (&json!(["npm"]), &json!(["package.json"])));
    let imports = get("/file/imports?path=p/a.py");
    assert_eq!(imports[1], json!({ "module": ".b", "symbol_imported": "y", "alias": null, "line": 2 }));
    let exports = get("/file/exports?path=p/a.py");
    let export = |name: &str, line: u32| json!({ "name": name, "kind": "function", "lineno": line, "public": true });
    assert_eq!(exports, json!([export("x", 5), export("gone", 9)]), "neither what is imported nor what is private");
    let symbol = get("/symbol?path=p/a.py&name=x");
    assert_eq!((&symbol["signature"], &symbol["callers"][0]["line"]), (&json!("x(a, b=…)"), &json!(10)));
    let delta = get(&format!("/diff?base={base}&branch={changed}"))["files"][0]["ast_top_level_delta"].clone();
    assert_eq!(delta, json!({ "added": ["came"], "removed": ["gone"], "modified": [] }));
    let blame = get("/repo/blame/p/a.py");
    assert_eq!((&blame[0]["commit"], &blame[0]["reverted_by"]), (&json!(base), &json!(null)));
    let churn = get("/repo/churn/p/a.py?since=1w");
    assert_eq!((&churn["mods"], &churn["reverts"]), (&json!(3), &json!(1)));
    let context = get("/repo/context");
    assert_eq!(context["churn"][0], json!({ "path": "p/a.py", "mods": 3 }));
    let (one, two) = (get("/file/fingerprint?path=p/a.py"), get("/file/fingerprint?path=README.md"));
    assert!(one["ast_hash"].is_string() && two["ast_hash"].is_null(), "{one} {two}");
    for (path, status) in [
        ("/file/imports?path=README.md", 404),
        ("/file/imports?path=p/missing.py", 404),
        ("/symbol?path=p/a.py&name=nothing", 404),
        ("/diff?base=nothing&branch=HEAD", 400),
        ("/repo/context?target=/", 403),
        ("/repo/blame/../../etc/passwd", 404),
    ] {
        assert_eq!(served.get(path).0, status, "{path}");
    }
}
