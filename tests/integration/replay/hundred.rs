//! A hundred runs, over varied changes and with guards that ask, each judged again in another process with another cache.

use crate::support::random::Random;
use crate::support::repo::TestRepo;

use super::{BAD, FENCED, GOOD, HALF, replay, repo, run};

/// Replies of every kind: accepted, rejected by each guard, fixed, refused, misfits, of every format, and no patch at all.
fn pool(random: &mut Random) -> String {
    let number = 2 + random.below(90);
    let of_doc = |new: &str| {
        format!("```diff\n--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n # x\n \n-Some text.\n+{new}\n```\n")
    };
    match random.below(14) {
        0 => GOOD.to_owned(),
        1 => GOOD.replace("return 2", &format!("return {number}")),
        2 => BAD.to_owned(),
        3 => FENCED.to_owned(),
        4 => HALF.to_owned(),
        5 => of_doc(&format!("Other text, {number} words of it.")),
        // Most of a document is gone.
        6 => "```diff\n--- a/README.md\n+++ b/README.md\n@@ -1,9 +1,1 @@\n # x\n-\n-Some text.\n-\n-```console\n-$ x --all --verbose --really-all-of-it\n-$ x --help\n-$ x --version | less\n-```\n```\n".to_owned(),
        7 => format!("```diff\ndiff --git a/n{number}.json b/n{number}.json\nnew file mode 100644\n--- /dev/null\n+++ b/n{number}.json\n@@ -0,0 +1,1 @@\n+{{\"a\": {number}}}\n```\n"),
        8 => format!("```diff\ndiff --git a/n{number}.json b/n{number}.json\nnew file mode 100644\n--- /dev/null\n+++ b/n{number}.json\n@@ -0,0 +1,1 @@\n+{{\"a\": {number}\n```\n"),
        9 => format!("```diff\ndiff --git a/x.py b/y{number}.py\nsimilarity index 100%\nrename from x.py\nrename to y{number}.py\n```\n"),
        10 => "```diff\ndiff --git a/x.py b/x.py\ndeleted file mode 100644\n--- a/x.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def x():\n-    return 1\n```\n".to_owned(),
        11 => format!("*** Begin Patch\n*** Update File: x.py\n@@ def x():\n-    return 1\n+    return {number}\n*** End Patch\n"),
        12 => "I would rather not.".to_owned(),
        _ => "```diff\n--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n```\n".to_owned(),
    }
}

/// Runs that judged nothing have nothing to replay; all the others must be the same.
fn a_quarter(seed: u64) {
    let repo: TestRepo = repo();
    let mut random = Random::new(seed);
    let mut ids = Vec::new();
    for number in 0..25 {
        let mut replies: Vec<String> = (0..1 + random.below(3)).map(|_| pool(&mut random)).collect();
        if number % 10 == 0 {
            replies.insert(0, FENCED.to_owned());
        }
        let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
        let ways: [&[&str]; 4] = [&[], &["--no-fix"], &["--file-hint", "x.py"], &["--compile-fix"]];
        let more = if number % 10 == 0 { ways[0] } else { ways[random.below(4)] };
        ids.push(run(&repo, &replies, more)["run"].as_str().expect("a run").to_owned());
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let again = replay(repo.path(), &ids).expect(0).json();
    assert_eq!(again["same"], true, "{again:#}");
    let runs = again["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 25);
    let changes: Vec<_> = runs.iter().flat_map(|run| run["changes"].as_array().expect("changes")).collect();
    let guards: Vec<_> = changes.iter().flat_map(|change| change["guards"].as_array().expect("guards")).collect();
    let of = |verdict: &str| guards.iter().filter(|guard| guard["recorded"]["verdict"] == verdict).count();
    // The test is worth something only if all of these occur.
    assert!(changes.len() > 20 && of("pass") > 20 && of("reject") > 5 && of("not-applicable") > 5, "{}", changes.len());
    assert!(changes.iter().any(|change| change["fixed"] == true));
    let answers: u64 = guards.iter().filter_map(|guard| guard["answers"].as_u64()).sum();
    assert!(answers > 80, "{answers}");
}

#[test]
fn the_first_quarter_of_a_hundred_runs_is_the_same() {
    a_quarter(1);
}

#[test]
fn the_second_quarter_of_a_hundred_runs_is_the_same() {
    a_quarter(2);
}

#[test]
fn the_third_quarter_of_a_hundred_runs_is_the_same() {
    a_quarter(3);
}

#[test]
fn the_last_quarter_of_a_hundred_runs_is_the_same() {
    a_quarter(4);
}
