//! A session: what it reads, what it writes, and everything that it does not write.

mod judged;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::Result;
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, HostServices, default_set};
use guardhost_gate::{Gate, RuleChanges, RulesAt};
use guardhost_git::{Head, Repo};
use host::session::{
    CheckedChanges, Encoding, ErrorType, LineRange, NewFileContent, Session, SessionHost, WriteAnswer,
};
use sha2::{Digest, Sha256};

use crate::support::judging::{gate_of, machine};
use crate::support::repo::TestRepo;

/// The embedded guards, and something that happens while they judge.
#[derive(Default)]
struct TestHost {
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl TestHost {
    fn meanwhile(work: impl FnOnce() + Send + 'static) -> Self {
        TestHost { meanwhile: Mutex::new(Some(Box::new(work))) }
    }
}

impl Observer for TestHost {
    fn see(&self, event: &Event) {
        if let Event::Judging { .. } = event
            && let Some(work) = self.meanwhile.lock().unwrap().take()
        {
            work();
        }
    }
}

impl SessionHost for TestHost {
    fn gate(&self, repo: &Repo, head: &Head, _: RuleChanges) -> Result<Gate> {
        let services = HostServices { commits: Some(repo.store()), ..machine().services };
        Ok(gate_of(
            GuardSet::new(default_set(&guards::EMBEDDED, &[])?, &EngineContext { threads: 1, services, ..machine() })?,
            RulesAt { commit: head.commit, tree: head.tree },
        ))
    }
    fn analyzers(&self, _: &Repo, _: bool) -> Result<GuardSet> {
        GuardSet::new(guardhost_engine::analyzers(&guards::EMBEDDED), &machine())
    }
}

const NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const CODE: &str = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";

fn hash(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes.as_ref()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn repo() -> TestRepo {
    TestRepo::with(&[("src/x.py", CODE), ("README.md", "# x\n")])
}

/// What turns the `return 2` of [`CODE`] into something else.
fn diff_to(to: &str) -> String {
    format!("--- a/src/x.py\n+++ b/src/x.py\n@@ -4,3 +4,3 @@\n \n def two():\n-    return 2\n+    {to}\n")
}

#[track_caller]
fn denied(answer: &WriteAnswer, error: ErrorType) {
    assert!(!answer.success, "{answer:?}");
    assert_eq!(answer.error_type, Some(error), "{answer:?}");
}

#[track_caller]
fn done(answer: WriteAnswer) -> WriteAnswer {
    assert!(answer.success, "{answer:?}");
    assert_eq!(answer.error_type, None);
    answer
}

fn text(content: &str) -> NewFileContent {
    NewFileContent::Text(content.to_owned())
}

#[test]
fn a_read_gives_content_version_and_the_hash_of_the_whole_file() {
    let repo = repo();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let whole = session.read_file("src/x.py", LineRange::default()).unwrap().unwrap();
    assert_eq!(whole.content.as_deref(), Some(CODE));
    assert_eq!((whole.version, whole.size, whole.total_lines), (1, CODE.len() as u64, 6));
    let part = session.read_file("src/x.py", LineRange { offset: 4, limit: Some(1) }).unwrap().unwrap();
    assert_eq!((part.content.as_deref(), part.version), (Some("def two():\n"), 2));
    assert_eq!([&part.sha256, &whole.sha256], [&hash(CODE), &hash(CODE)]);
    let beyond = session.read_file("src/x.py", LineRange { offset: 400, limit: None }).unwrap().unwrap();
    assert_eq!(beyond.content.as_deref(), Some(""));

    repo.write("latin.txt", b"caf\xe9\nplain\n");
    let bytes = session.read_file("latin.txt", LineRange::default()).unwrap().unwrap();
    assert_eq!((bytes.encoding, bytes.content.as_deref()), (Encoding::Base64, Some("Y2Fm6QpwbGFpbgo=")));
    repo.write("dos.txt", "1\r\n2\r\n");
    let dos = session.read_file("dos.txt", LineRange::default()).unwrap().unwrap();
    assert_eq!(dos.content.as_deref(), Some("1\r\n2\r\n"));
    denied(&session.read_file("nowhere", LineRange::default()).unwrap().unwrap_err(), ErrorType::NotFound);
    denied(&session.read_file("src/x.py/below", LineRange::default()).unwrap().unwrap_err(), ErrorType::Refused);
}

#[test]
fn nothing_outside_the_repository_and_nothing_secret_is_reached() {
    let repo = repo();
    let outside = repo.path().parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x"), "secret").unwrap();
    repo.symlink("../outside", "out");
    repo.symlink("../outside/x", "out.txt");
    repo.symlink("src/x.py", "in.py");
    repo.symlink(".git", "git");
    repo.write(".gitignore", "git\n");
    repo.write(".env", "KEY=1\n");
    repo.write("nested/.git/config", "");
    repo.write("nested/x", "x");
    let absolute = outside.join("x").display().to_string();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let before = (repo.snapshot(), fs::read(outside.join("x")).unwrap());
    let paths = [
        "../outside/x",
        "src/../../outside/x",
        &absolute,
        "/etc/passwd",
        "out/x",
        "out/new",
        "out.txt",
        "in.py",
        "git/config",
        "git/hooks/pre-commit",
        ".git/config",
        ".GIT/config",
        "src/.git/x",
        "nested/x",
        "nested/new",
        ".env",
        "src",
        "",
        "/",
        "~/x",
        "a\\b",
        "aux.txt",
    ];
    for path in paths {
        denied(&session.read_file(path, LineRange::default()).unwrap().unwrap_err(), ErrorType::Refused);
        denied(&session.write_file(path, text("x = 1\n"), None).unwrap(), ErrorType::Refused);
        denied(&session.safe_patch(path, "@@ -0,0 +1 @@\n+x\n", NOTHING).unwrap(), ErrorType::Refused);
    }
    assert_eq!((repo.snapshot(), fs::read(outside.join("x")).unwrap()), before);
}

#[test]
fn a_pipe_is_not_waited_for() {
    let repo = repo();
    let made = std::process::Command::new("mkfifo").arg(repo.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    denied(&session.read_file("pipe", LineRange::default()).unwrap().unwrap_err(), ErrorType::Refused);
    denied(&session.write_file("pipe", text("x = 1\n"), None).unwrap(), ErrorType::Refused);
    // Nor does it keep other files from being written.
    done(session.write_file("new.py", text("x = 1\n"), None).unwrap());
}

#[test]
fn what_is_protected_is_read_and_not_written() {
    let repo = TestRepo::with(&[(".github/workflows/ci.yml", "on: push\n"), ("guards.toml", "schema = 1\n")]);
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    for path in [".github/workflows/ci.yml", "guards.toml"] {
        let state = session.read_file(path, LineRange::default()).unwrap().unwrap();
        denied(&session.write_file(path, text("x"), Some(&state.sha256)).unwrap(), ErrorType::Refused);
    }
    denied(&session.write_file("Guards.lock", text("x"), None).unwrap(), ErrorType::Refused);
}

#[test]
fn a_patch_is_written_and_the_new_state_comes_back() {
    let repo = repo();
    repo.set_executable("src/x.py", true);
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let read = session.read_file("src/x.py", LineRange::default()).unwrap().unwrap();
    let answer = done(session.safe_patch("src/x.py", &diff_to("return 3"), &read.sha256).unwrap());
    let written = CODE.replace("return 2", "return 3");
    assert_eq!(repo.read("src/x.py"), written.as_bytes());
    assert_eq!(answer.message, "Patch applied successfully.");
    let state = answer.latest_file_state.unwrap();
    assert_eq!((state.content.as_deref(), &state.sha256), (Some(written.as_str()), &hash(&written)));
    assert!(state.version > read.version);
    let mode = fs::metadata(repo.path().join("src/x.py")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(repo.status(), " M src/x.py", "nothing but this file, and nothing staged");
    // Again: there is nothing to do, and that is no failure.
    let again = diff_to("return 3");
    done(session.safe_patch("src/x.py", &again, &state.sha256).unwrap());
    // Hashes are compared as numbers are, not as text.
    let shouted = format!("sha256:{}", hash(&written).to_uppercase());
    done(session.safe_patch("src/x.py", &diff_to("return 4").replace("return 2", "return 3"), &shouted).unwrap());
}

#[test]
fn a_header_may_be_missing_or_odd_but_not_of_another_file() {
    let hunk = "@@ -4,3 +4,3 @@\n \n def two():\n-    return 2\n+    return 3\n";
    let repo = repo();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let absolute = repo.path().join("src/x.py").display().to_string();
    let same = [
        hunk.to_owned(),
        format!("```diff\n{hunk}```\n"),
        format!("--- original\n+++ modified\n{hunk}"),
        format!("--- x.py\n+++ x.py\n{hunk}"),
        format!("--- a/repo/src/x.py\n+++ b/repo/src/x.py\n{hunk}"),
        format!("--- {absolute}\n+++ {absolute}\n{hunk}"),
        format!("--- ./src/x.py\n+++ ./src/x.py\n{hunk}"),
    ];
    for diff in same {
        repo.write("src/x.py", CODE);
        done(session.safe_patch("src/x.py", &diff, &hash(CODE)).unwrap());
        assert_eq!(repo.read("src/x.py"), CODE.replace("return 2", "return 3").as_bytes(), "{diff}");
    }
    repo.write("src/x.py", CODE);
    repo.write("x.py", CODE);
    let before = repo.snapshot();
    let others = [
        format!("--- a/src/y.py\n+++ b/src/y.py\n{hunk}"),
        // There is a file of that name.
        format!("--- a/x.py\n+++ b/x.py\n{hunk}"),
        format!("{}--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# x\n+# y\n", diff_to("return 3")),
        format!("diff --git a/src/x.py b/src/y.py\nrename from src/x.py\nrename to src/y.py\n{hunk}"),
        "--- a/src/x.py\n+++ /dev/null\n@@ -1,6 +0,0 @@\n-def one():\n-    return 1\n-\n-\n-def two():\n-    return 2\n".to_owned(),
        "diff --git a/src/x.py b/src/x.py\nold mode 100644\nnew mode 100755\n".to_owned(),
        "Here it is:\n\n```python\nprint('all of it')\n```\n".to_owned(),
        "--- a/src/x.py\n+++ b/src/x.py\n".to_owned(),
        "I cannot do that.".to_owned(),
        String::new(),
        diff_to("return 3").replace("return 2", "return 7"),
    ];
    for diff in others {
        // A session of its own for each, so that the count does not come in.
        let mut session = Session::open(repo.path(), &host).unwrap();
        let answer = session.safe_patch("src/x.py", &diff, &hash(CODE)).unwrap();
        denied(&answer, ErrorType::InvalidPatch);
        assert_eq!(answer.latest_file_state, None, "the model has the content already");
        assert!(!answer.message.is_empty());
    }
    assert_eq!(repo.snapshot(), before);
}

/// `i` an invalid patch, `o` one that fits, `h` a wrong hash, `g` one that guards reject, `w` a whole file: and what comes
/// of each, `I` and `L` being INVALID_PATCH and …LIMIT_EXCEEDED.
#[test]
fn the_second_invalid_patch_in_a_row_gives_advice() {
    let script = |calls: &str| -> String {
        let repo = repo();
        let host = TestHost::default();
        let mut session = Session::open(repo.path(), &host).unwrap();
        let mut value = 2;
        let mut outcome = |(at, call): (usize, char)| {
            let base = hash(repo.read("src/x.py"));
            let from = |to: &str, value: i32| diff_to(to).replace("return 2", &format!("return {value}"));
            // Other spellings name the same file.
            let path =
                ["src/x.py", "./src//x.py", "docs/../src/x.py", &repo.path().join("src/x.py").display().to_string()]
                    [at % 4]
                    .to_owned();
            let answer = match call {
                'i' => session.safe_patch(&path, "nonsense", &base),
                'h' => session.safe_patch(&path, &from("return 9", value), NOTHING),
                'g' => session.safe_patch(&path, &from("return (", value), &base),
                'w' => session.write_file(&path, text(&format!("{CODE}# {at}\n")), Some(&base)),
                _ => {
                    value += 1;
                    session.safe_patch(&path, &from(&format!("return {value}"), value - 1), &base)
                }
            };
            match answer.unwrap() {
                WriteAnswer { success: true, .. } => '.',
                WriteAnswer { error_type: Some(ErrorType::InvalidPatch), .. } => 'I',
                WriteAnswer { error_type: Some(ErrorType::HashMismatch), .. } => 'H',
                WriteAnswer { error_type: Some(ErrorType::RejectedByGuards), .. } => 'G',
                answer => {
                    denied(&answer, ErrorType::InvalidPatchLimitExceeded);
                    assert!(answer.message.starts_with("You have failed to generate a valid patch for this file multiple times. Do not try safe_patch again"));
                    assert_eq!(answer.latest_file_state, None);
                    'L'
                }
            }
        };
        calls.chars().enumerate().map(&mut outcome).collect()
    };
    let told = ["ii", "iiii", "ioi", "ihi", "igi", "iwi", "ihioiii"].map(|calls| format!("{calls} {}", script(calls)));
    insta::assert_debug_snapshot!(told, @r#"
    [
        "ii IL",
        "iiii ILIL",
        "ioi I.I",
        "ihi IHI",
        "igi IGI",
        "iwi I.L",
        "ihioiii IHI.ILI",
    ]
    "#);
}

#[test]
fn another_file_has_another_count() {
    let repo = repo();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    for path in ["src/x.py", "README.md"] {
        let base = hash(repo.read(path));
        denied(&session.safe_patch(path, "nonsense", &base).unwrap(), ErrorType::InvalidPatch);
    }
}

#[test]
fn a_stale_hash_gets_the_latest_state_and_writes_nothing() {
    let repo = repo();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let base = session.read_file("src/x.py", LineRange::default()).unwrap().unwrap().sha256;
    repo.write("src/x.py", "# by somebody else\n");
    let before = repo.snapshot();
    for answer in [
        session.safe_patch("src/x.py", &diff_to("return 3"), &base).unwrap(),
        session.write_file("src/x.py", text("x = 1\n"), Some(&base)).unwrap(),
        session.write_file("src/x.py", text("x = 1\n"), Some("")).unwrap(),
    ] {
        denied(&answer, ErrorType::HashMismatch);
        assert_eq!(answer.message, "State Mismatch: File has changed on disk since it was last read.");
        let state = answer.latest_file_state.unwrap();
        assert_eq!(state.content.as_deref(), Some("# by somebody else\n"));
        assert_eq!(state.sha256, hash("# by somebody else\n"));
    }
    denied(&session.write_file("src/x.py", text("x = 1\n"), None).unwrap(), ErrorType::HashRequired);
    assert_eq!(repo.snapshot(), before);
}

#[test]
fn new_files_come_with_their_folders() {
    let repo = repo();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let made =
        session.safe_patch("a/b/new.py", "--- /dev/null\n+++ b/a/b/new.py\n@@ -0,0 +1 @@\n+x = 1\n", NOTHING).unwrap();
    done(made);
    assert_eq!(repo.read("a/b/new.py"), b"x = 1\n");
    done(session.write_file("c/new.py", text("y = 1\n"), None).unwrap());
    done(session.write_file("d/new.py", text("y = 1\n"), Some(NOTHING)).unwrap());
    denied(&session.write_file("e/new.py", text("y = 1\n"), Some(&hash("y"))).unwrap(), ErrorType::HashMismatch);
    denied(&session.write_file("f/new.py", text("y = (\n"), None).unwrap(), ErrorType::RejectedByGuards);
    assert!(!repo.path().join("e").exists() && !repo.path().join("f").exists());
    // A file without content and no file are the same to a model.
    repo.write("empty.py", "");
    done(session.safe_patch("empty.py", "@@ -0,0 +1 @@\n+x = 1\n", NOTHING).unwrap());
    assert_eq!(repo.read("empty.py"), b"x = 1\n");
}

#[test]
fn bytes_that_nobody_touched_survive() {
    let repo = TestRepo::with(&[("README.md", "# x\n")]);
    let latin = b"# caf\xe9 \xff\none = 1\ntwo = 2\nthree = 3\n".to_vec();
    let dos = "one = 1\r\ntwo = 2\r\nthree = 3".to_owned();
    repo.write("latin.txt", &latin);
    repo.write("dos.txt", &dos);
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let diff = "@@ -1,3 +1,3 @@\n one = 1\n-two = 2\n+two = 22\n three = 3\n";
    done(session.safe_patch("latin.txt", diff, &hash(&latin)).unwrap());
    assert_eq!(repo.read("latin.txt"), b"# caf\xe9 \xff\none = 1\ntwo = 22\nthree = 3\n");
    done(session.safe_patch("dos.txt", diff, &hash(&dos)).unwrap());
    assert_eq!(repo.read("dos.txt"), b"one = 1\r\ntwo = 22\r\nthree = 3");
    // Written as a whole by a model that sees no carriage returns.
    done(session.write_file("dos.txt", text("one = 1\ntwo = 3\n"), Some(&hash(repo.read("dos.txt")))).unwrap());
    assert_eq!(repo.read("dos.txt"), b"one = 1\r\ntwo = 3\r\n");
    // Base64 is to the byte.
    let exact = || NewFileContent::Base64("YQ0KYgr/".to_owned());
    done(session.write_file("latin.txt", exact(), Some(&hash(repo.read("latin.txt")))).unwrap());
    assert_eq!(repo.read("latin.txt"), b"a\r\nb\n\xff");
    // What was text stays text.
    let unreadable = session.write_file("dos.txt", exact(), Some(&hash(repo.read("dos.txt")))).unwrap();
    denied(&unreadable, ErrorType::RejectedByGuards);
    let broken = session.write_file("other", NewFileContent::Base64("?".to_owned()), None).unwrap();
    denied(&broken, ErrorType::InvalidContent);
}
