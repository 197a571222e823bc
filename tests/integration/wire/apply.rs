//! `host apply`.

use super::place::Place;
use super::{CODE, RULES};

const GOOD: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n";
const LINES: &str = "one\ntwo\nthree\nfour\nfive\n";

fn place() -> Place {
    let files = [("guards.toml", RULES), ("x.py", CODE), ("a.txt", LINES), ("blanks.txt", "alpha  \nbeta\t\ngamma\n")];
    Place::new(&files)
}

/// Each on a clean work tree.
fn apply(place: &Place, name: &str, patch: &str, more: &[&str]) {
    place.record_with(name, &[&["apply", "--patch", "-"], more].concat(), patch);
    place.repo.git(&["reset", "-q", "--hard"]);
}

#[test]
fn strategies() {
    let place = place();
    apply(&place, "apply-exact", GOOD, &[]);
    apply(&place, "apply-offset", &GOOD.replace("-1,2 +1,2", "-9,2 +9,2"), &[]);
    apply(&place, "apply-recount", "--- a/a.txt\n+++ b/a.txt\n@@ -2,2 +2,2 @@\n two\n-three\n+3\n four\n", &[]);
    let blanks = "--- a/blanks.txt\n+++ b/blanks.txt\n@@ -1,3 +1,3 @@\n alpha\n-beta\n+delta\n gamma\n";
    apply(&place, "apply-whitespace", blanks, &[]);
    apply(&place, "apply-whole-file", "a.txt\n````\none\n2\nthree\n````\n", &["--file-hint", "a.txt"]);
    let done = GOOD.replace("return 1", "return 0").replace("return 2", "return 1");
    apply(&place, "apply-already-applied", &done, &[]);
    let search = "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n";
    apply(&place, "apply-search-replace", search, &[]);
    let v4a = "*** Begin Patch\n*** Add File: b.txt\n+new\n*** Delete File: a.txt\n*** Update File: x.py\n*** Move to: y.py\n@@\n-    return 1\n+    return 2\n*** End Patch\n";
    apply(&place, "apply-add-delete-rename", v4a, &[]);
}

/// The patch names the blob that it was made for, and the file has moved on in two of its lines.
#[test]
fn three_way() {
    let place = place();
    let shown = place.repo.git(&["rev-parse", "HEAD:a.txt"]);
    place.repo.write("a.txt", LINES.replace("two\nthree", "TWO\nTHREE"));
    place.commit("two");
    let claims = |new: &str| {
        format!(
            "diff --git a/a.txt b/a.txt\nindex {}..1234567 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -2,4 +2,4 @@\n two\n three\n four\n-five\n+{new}\n",
            &shown[..8]
        )
    };
    apply(&place, "apply-three-way", &claims("5"), &[]);
    let conflict = claims("5").replace(" two\n", "-two\n+2\n").replace("-five\n+5\n", " five\n");
    apply(&place, "apply-conflict", &conflict, &[]);
}

#[test]
fn what_is_not_placed() {
    let place = place();
    apply(&place, "apply-misfit", &GOOD.replace("return 1", "return 7"), &[]);
    let twice = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-three\n+3\n";
    apply(&place, "apply-misfit-of-two-files", twice, &[]);
    apply(&place, "apply-refused", "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n", &[]);
    apply(&place, "apply-no-patch", "I would rather not.\n", &[]);
    place.repo.write("x.py", "def x():\n    return 1  # mine\n");
    apply(&place, "apply-dirty", GOOD, &[]);
}

#[test]
fn guards() {
    let place = place();
    let broken = GOOD.replace("return 2", "return (2");
    apply(&place, "apply-rejected", &broken, &[]);
    apply(&place, "apply-rejected-dry-run", &broken, &["--dry-run"]);
    apply(&place, "apply-no-guards", &broken, &["--no-guards"]);
    apply(&place, "apply-dry-run", GOOD, &["--dry-run"]);
    let fenced = "--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\n";
    apply(&place, "apply-fixed", fenced, &["--fix"]);
    place.record("apply-no-such-file", &["apply", "--patch", "../nowhere.patch"]);
}
