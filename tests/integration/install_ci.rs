//! `host install github`, `gitlab` and `forgejo`, and `action.yml`: what they write installs the bytes of one digest and no others, and judges
//! what it should. The scripts are run by bash with the real pip; the program of the wheel says how it was started.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use sha2::{Digest, Sha256};

use crate::support::cli::{Ran, host, host_with};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const SERVICES: [(&str, &str); 3] = [
    ("github", ".github/workflows/guardhost.yml"),
    ("forgejo", ".forgejo/workflows/guardhost.yml"),
    ("gitlab", ".gitlab-ci.yml"),
];
const WHEEL: &str = "ci/guardhost-1.2.3-py3-none-any.whl";
const NO_DIGEST: &str = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

/// A wheel whose program prints its arguments, and what it was told of the rules.
fn wheel(path: &Path, says: &str) -> String {
    let script = "import sys, zipfile\n\
        wheel = zipfile.ZipFile(sys.argv[1], 'w')\n\
        info = 'guardhost-1.2.3.dist-info/'\n\
        program = zipfile.ZipInfo('guardhost-1.2.3.data/scripts/guardhost')\n\
        program.external_attr = 0o100755 << 16\n\
        wheel.writestr(program, '#!/bin/sh\\necho ' + sys.argv[2] + ' \"$@\" allowed=$GUARDHOST_ALLOW_RULE_CHANGES\\n')\n\
        wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: guardhost\\nVersion: 1.2.3\\n')\n\
        wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n\
        wheel.writestr(info + 'RECORD', '')\n\
        wheel.close()\n";
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = Command::new("python3").args(["-I", "-c", script]).arg(path).arg(says).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    Sha256::digest(fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A repository with the wheel, and the digest of it.
fn repo() -> (TestRepo, String) {
    let repo = TestRepo::with(&[("a", "a\n")]);
    let digest = wheel(&repo.path().join(WHEEL), "judging");
    (repo, digest)
}

/// The scripts of a file in their order: what stands below `run: |` and `- |`, or behind `run:`.
fn scripts(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut indent = line.len() - line.trim_start().len();
        let line = line.trim_start();
        let line = match line.strip_prefix("- ") {
            Some(run) if run.starts_with("run:") => {
                // The key stands beside others of its step.
                indent += 2;
                run
            }
            Some(item) => item,
            None => line,
        };
        if let "run: |" | "|" = line {
            let mut block = String::new();
            while let Some(line) = lines.next_if(|line| line.len() - line.trim_start().len() > indent) {
                block.push_str(line);
                block.push('\n');
            }
            found.push(block);
        } else if let Some(one) = line.strip_prefix("run: ") {
            found.push(one.trim_matches('\'').to_owned());
        }
    }
    found.retain(|script| !script.contains("apt-get"));
    found
}

/// A build of the checkout.
struct Build<'a> {
    checkout: &'a Path,
    scratch: tempfile::TempDir,
}

impl<'a> Build<'a> {
    fn new(checkout: &'a Path) -> Self {
        fs::write(checkout.join("pip.py"), "open(__file__ + '.ran', 'w')\n").unwrap();
        Build { checkout, scratch: tempfile::tempdir().unwrap() }
    }

    /// All scripts in one shell, as GitLab runs them; for the others it is the same but for variables that none of them uses.
    fn run(&self, scripts: &[String], variables: &[(&str, &str)]) -> Output {
        let mut bash = Command::new("bash");
        bash.args(["-e", "-o", "pipefail", "-c", &scripts.join("\n")]).current_dir(self.checkout).env_clear();
        bash.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.scratch.path());
        bash.env("RUNNER_TEMP", self.scratch.path()).env("TMPDIR", self.scratch.path());
        bash.env("GITHUB_WORKSPACE", self.checkout).env("CI_PROJECT_DIR", self.checkout);
        // Nothing is fetched.
        bash.env("PIP_NO_INDEX", "1").envs(variables.iter().copied());
        let output = bash.output().unwrap();
        assert!(!self.checkout.join("pip.py.ran").exists(), "{output:?}");
        output
    }
}

/// The requirement that a file holds.
fn requirement(text: &str) -> String {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("GUARDHOST: \"")).unwrap();
    line.trim_end_matches('"').to_owned()
}

fn read(repo: &TestRepo, path: &str) -> String {
    String::from_utf8(repo.read(path)).unwrap()
}

#[test]
fn a_build_installs_these_bytes_and_no_others() {
    for (target, path) in SERVICES {
        let (repo, digest) = repo();
        let ran = host(repo.path(), &["install", target, "--package", WHEEL]).expect(0);
        assert!(ran.stdout.contains(path), "{ran:?}");
        let text = read(&repo, path);
        let line = requirement(&text);
        assert!(line.ends_with(&format!("/{WHEEL} --hash=sha256:{digest}")), "{line}");
        let variables = [
            ("GUARDHOST", line.as_str()),
            ("BASE", "b"),
            ("HEAD", "h"),
            ("CI_PIPELINE_SOURCE", "push"),
            ("CI_COMMIT_BEFORE_SHA", "b"),
            ("CI_COMMIT_SHA", "h"),
        ];
        let ran = Build::new(repo.path()).run(&scripts(&text), &variables);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            ran.status.success() && said.contains("judging check --range b...h --allow-empty"),
            "{target}: {ran:?}"
        );
        // A pull request that brings another wheel, or an index that has other bytes under the name.
        wheel(&repo.path().join(WHEEL), "judged_by_the_author");
        let ran = Build::new(repo.path()).run(&scripts(&text), &variables);
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(!ran.status.success() && said.contains("DO NOT MATCH THE HASHES"), "{target}: {said}");
        assert!(!said.contains("judged_by_the_author"), "{target}: {said}");
    }
}

#[test]
fn the_action_does_the_same() {
    let (repo, digest) = repo();
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml")).unwrap();
    let run = |package: &str, digest: &str, more: &[(&str, &str)]| {
        let variables = [("PACKAGE", package), ("SHA256", digest), ("BASE", "b"), ("HEAD", "h")];
        let ran = Build::new(repo.path()).run(&scripts(&action), &[&variables, more].concat());
        (
            ran.status.success(),
            format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr)),
        )
    };
    let absolute = repo.path().join(WHEEL).display().to_string();
    let two = format!("{NO_DIGEST} {digest}");
    for (package, digests) in [(WHEEL, &digest), (&absolute, &two)] {
        let (success, said) = run(package, digests, &[("ARGS", "--skip x"), ("GUARDHOST_ALLOW_RULE_CHANGES", "false")]);
        assert!(success, "{said}");
        let expected = "judging check --range b...h --allow-empty --format github --skip x allowed=false\n";
        assert!(said.contains(expected), "{said}");
    }
    assert!(run(WHEEL, &digest, &[("RANGE", "x..y")]).1.contains("--range x..y"));
    for (package, digests) in [("", &*digest), (WHEEL, ""), ("guardhost==1.2.3", "")] {
        let (success, said) = run(package, digests, &[]);
        assert!(!success && said.contains("::error::the inputs package and sha256"), "{said}");
    }
    let (success, said) = run(WHEEL, NO_DIGEST, &[]);
    assert!(!success && said.contains("DO NOT MATCH THE HASHES"), "{said}");
}

#[test]
fn a_merge_request_of_gitlab_needs_the_label_to_change_rules() {
    let (repo, _) = repo();
    host(repo.path(), &["install", "gitlab", "--package", WHEEL]).expect(0);
    let text = read(&repo, ".gitlab-ci.yml");
    let line = requirement(&text);
    for (labels, target, expected) in [
        ("", "", "--range d...h --allow-empty allowed=0"),
        ("docs,guardhost-rules", "", "--range d...h --allow-empty allowed=1"),
        ("not-guardhost-rules,guardhost-rules-not", "t", "--range t...h --allow-empty allowed=0"),
    ] {
        let variables = [
            ("GUARDHOST", line.as_str()),
            ("CI_PIPELINE_SOURCE", "merge_request_event"),
            ("CI_MERGE_REQUEST_LABELS", labels),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", target),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "d"),
            ("CI_COMMIT_BEFORE_SHA", "0000"),
            ("CI_COMMIT_SHA", "h"),
        ];
        let ran = Build::new(repo.path()).run(&scripts(&text), &variables);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(said.contains(expected), "{labels}: {ran:?}");
    }
}

/// By the schemas that GitHub's editors use.
#[test]
fn the_workflows_and_the_action_have_the_form_of_the_schema() {
    let (Some(validator), Some(_)) = (needs(Tool::ActionValidator), needs(Tool::Node)) else { return };
    let (repo, _) = repo();
    let validate = |path: &str| Command::new(&validator).arg(path).current_dir(repo.path()).output().unwrap();
    for (target, path) in &SERVICES[..2] {
        host(repo.path(), &["install", target, "--package", WHEEL]).expect(0);
        // The validator knows by the path what a file is.
        let workflow = format!(".github/workflows/{target}.yml");
        repo.write(&workflow, read(&repo, path));
        let ran = validate(&workflow);
        assert!(ran.status.success(), "{target}: {ran:?}");
        repo.write(&workflow, read(&repo, path).replace("runs-on:", "runs_on:"));
        assert!(!validate(&workflow).status.success(), "{target}: it takes everything");
    }
    repo.write("action.yml", fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml")).unwrap());
    let ran = validate("action.yml");
    assert!(ran.status.success(), "{ran:?}");
}

/// What is not there, or what nobody vouched for, is not written into a file that runs it.
#[test]
fn what_cannot_be_fetched_is_not_written() {
    let (repo, digest) = repo();
    repo.write("ci/guardhost-1.2.3.tar.gz", "x");
    let before = repo.snapshot();
    let missing = "ci/guardhost-9-py3-none-any.whl";
    for (target, path) in SERVICES {
        for (args, words) in [
            (&[][..], "without a digest, whoever owns a name runs code in your builds"),
            (&["--package", "guardhost==1.2.3"], "give it with --sha256"),
            (&["--package", "https://example.org/guardhost-1-py3-none-any.whl", "--offline"], "give it with --sha256"),
            (&["--package", "http://example.org/guardhost-1-py3-none-any.whl", "--sha256", &digest], "https"),
            (&["--package", "https://u:p@example.org/g.whl", "--sha256", &digest], "without a password"),
            (&["--package", missing], "cannot read ci/guardhost-9-py3-none-any.whl"),
            (&["--package", WHEEL, "--sha256", NO_DIGEST], "names another"),
            (&["--package", "ci/guardhost-1.2.3.tar.gz"], "this is no wheel"),
            (&["--package", "guardhost==1.2.3; rm", "--sha256", &digest], "this is no version"),
            (&["--package", "ci/\"$(x)\".whl", "--sha256", &digest], "its path holds"),
        ] {
            let ran = host(repo.path(), &[&["install", target], args].concat()).expect(2);
            assert!(ran.stderr.contains(words), "{target} {args:?}: {ran:?}");
            assert!(!repo.path().join(path).exists(), "{target} {args:?}");
        }
        let init = host(repo.path(), &["init", "--ci", target, "--commits", "0"]).expect(2);
        assert!(init.stderr.contains("without a digest"), "{init:?}");
    }
    assert_eq!(repo.snapshot(), before);
    // An index is asked by pip alone, which gets the digests of all systems that build.
    let line = ["install", "github", "--package", "guardhost==1.2.3", "--sha256", NO_DIGEST, "--sha256", &digest];
    host(repo.path(), &line).expect(0);
    let expected = format!("guardhost==1.2.3 --hash=sha256:{NO_DIGEST} --hash=sha256:{digest}");
    assert_eq!(requirement(&read(&repo, SERVICES[0].1)), expected);
}

/// The file of an earlier version is replaced, one that somebody edited is not, and the package is asked for once.
#[test]
fn a_workflow_is_known_again() {
    for (target, path) in &SERVICES[..2] {
        let (repo, _) = repo();
        let run = |args: &[&str]| -> Ran { host_with(repo.path(), &[&["install", target], args].concat(), b"", &[]) };
        let state = || run(&["--status", "--format", "json"]).expect(0).json()["files"][0]["state"].clone();
        run(&["--package", WHEEL]).expect(0);
        let text = read(&repo, path);
        run(&[]).expect(0);
        assert_eq!((read(&repo, path), state()), (text.clone(), "installed".into()));
        repo.write(path, text.replace("fetch-depth: 0", "fetch-depth: 1"));
        for args in [&["--package", WHEEL][..], &["--remove"]] {
            let ran = run(args).expect(3);
            assert!(ran.stderr.contains("it was edited since it was written"), "{ran:?}");
        }
        assert_eq!(state(), "outdated");
        repo.write(path, "name: mine\n");
        assert!(run(&["--package", WHEEL]).expect(3).stderr.contains("another file has this name"));
        assert_eq!(state(), "absent");
    }
    let (repo, _) = repo();
    let path = SERVICES[0].1;
    let earlier = "# Written by `host install github`; `host install github --remove` deletes it.\nname: Guardhost\n# pip install guardhost==0.1.0\n";
    repo.write(path, earlier);
    host(repo.path(), &["install", "github"]).expect(2);
    host(repo.path(), &["install", "github", "--package", WHEEL]).expect(0);
    assert!(!read(&repo, path).contains("0.1.0"));
}

/// The pipeline of a project gets one job, and its own lines stay.
#[test]
fn jobs_of_gitlab_stay() {
    let (repo, _) = repo();
    let run = |args: &[&str]| host(repo.path(), &[&["install", "gitlab"], args].concat());
    for before in ["stages: [build]\nbuild:\n  stage: build\n  script: make", "test:\n  script: make test\n"] {
        repo.write(".gitlab-ci.yml", before);
        run(&["--package", WHEEL]).expect(0);
        let text = read(&repo, ".gitlab-ci.yml");
        assert!(text.starts_with(before) && text.contains("\nguardhost:\n"), "{text}");
        assert_eq!(text.contains("\n  stage: .pre\n"), before.starts_with("stages"), "{text}");
        run(&["--remove"]).expect(0);
        assert_eq!(read(&repo, ".gitlab-ci.yml"), before);
    }
    repo.write(".gitlab-ci.yml", "guardhost:\n  script: mine\n");
    assert!(run(&["--package", WHEEL]).expect(3).stderr.contains("another job of the name guardhost"));
}

/// An approval that outlived its commit would let whoever pushes next change the rules.
#[test]
fn an_approval_counts_for_the_commit_at_which_it_was_given() {
    let (repo, _) = repo();
    host(repo.path(), &["install", "github", "--package", WHEEL]).expect(0);
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml")).unwrap();
    for text in [read(&repo, SERVICES[0].1), action] {
        let allows: Vec<&str> = text.lines().filter(|line| line.contains("GUARDHOST_ALLOW_RULE_CHANGES:")).collect();
        assert!(
            !allows.is_empty() && allows.iter().all(|line| line.contains("github.event.action == 'labeled'")),
            "{text}"
        );
        assert!(!text.contains("labels.*.name"), "{text}");
    }
}
