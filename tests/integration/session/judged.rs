//! Writes under judgement, and what happens meanwhile.

use super::*;

#[test]
fn guards_judge_every_write_against_the_work_tree_as_it_stands() {
    let repo = repo();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    let before = repo.snapshot();
    let patched = session.safe_patch("src/x.py", &diff_to("return ("), &hash(CODE)).unwrap();
    let written = session.write_file("src/x.py", text("def one(:\n"), Some(&hash(CODE))).unwrap();
    let made = session.write_file("new.json", text("{"), None).unwrap();
    for (answer, path) in [(patched, "src/x.py"), (written, "src/x.py"), (made, "new.json")] {
        denied(&answer, ErrorType::RejectedByGuards);
        assert!(answer.message.contains("syntax-holds"), "{answer:?}");
        let finding = &answer.findings[0];
        assert_eq!((finding.guard.as_str(), finding.path.as_deref()), ("syntax-holds", Some(path)));
        assert!(finding.line.is_some() && finding.help.is_some());
    }
    assert_eq!(repo.snapshot(), before);
    // Broken before and not committed: this write did not cause it.
    let broken = format!("{CODE}def three(:\n");
    repo.write("src/x.py", &broken);
    done(session.safe_patch("src/x.py", &diff_to("return 3"), &hash(&broken)).unwrap());
    // Against HEAD it is new.
    let report = session.check(CheckedChanges::WorkTree, None).unwrap();
    assert_eq!(report.verdict(), guardhost_core::change::Verdict::Reject);
    assert_eq!(session.check(CheckedChanges::Staged, None).unwrap().verdict(), guardhost_core::change::Verdict::Pass);
    repo.stage_all();
    assert_eq!(session.check(CheckedChanges::Staged, None).unwrap().verdict(), guardhost_core::change::Verdict::Reject);
    repo.write("guards.toml", "schema = 1\n");
    assert!(
        session.check(CheckedChanges::WorkTree, None).unwrap().refusal.is_some(),
        "the rules are no part of a change"
    );
}

#[test]
fn a_guard_that_breaks_keeps_the_file_too() {
    struct Broken;
    impl Observer for Broken {
        fn see(&self, _: &Event) {}
    }
    impl SessionHost for Broken {
        fn gate(&self, _: &Repo, head: &Head, _: RuleChanges) -> Result<Gate> {
            let machine = EngineContext { threads: 1, ..machine() };
            let source = guardhost_engine::GuardSource::Bytes {
                bytes: b"not a component".to_vec().into(),
                origin: "test".to_owned(),
            };
            let guards = GuardSet::new(vec![GuardSpec { source, ..GuardSpec::builtin("broken") }], &machine)?;
            Ok(gate_of(guards, RulesAt { commit: head.commit, tree: head.tree }))
        }

        fn analyzers(&self, _: &Repo, _: bool) -> Result<GuardSet> {
            GuardSet::new(Vec::new(), &machine())
        }
    }
    let repo = repo();
    let before = repo.snapshot();
    let mut session = Session::open(repo.path(), &Broken).unwrap();
    let answer = session.safe_patch("src/x.py", &diff_to("return 3"), &hash(CODE)).unwrap();
    denied(&answer, ErrorType::RejectedByGuards);
    assert_eq!(answer.findings[0].guard, "broken");
    assert_eq!(repo.snapshot(), before);
}

#[test]
fn a_file_that_changes_while_guards_judge_is_not_overwritten() {
    let repo = repo();
    let file = repo.path().join("src/x.py");
    let host = TestHost::meanwhile(move || fs::write(file, "# saved by a person\n").unwrap());
    let mut session = Session::open(repo.path(), &host).unwrap();
    let answer = session.safe_patch("src/x.py", &diff_to("return 3"), &hash(CODE)).unwrap();
    denied(&answer, ErrorType::HashMismatch);
    assert_eq!(answer.latest_file_state.unwrap().content.as_deref(), Some("# saved by a person\n"));
    assert_eq!(repo.status(), " M src/x.py", "nothing stays behind");
}

#[test]
fn a_new_file_does_not_take_the_place_of_one_that_came_meanwhile() {
    let repo = repo();
    let file = repo.path().join("new/x.py");
    let host = TestHost::meanwhile(move || {
        fs::create_dir(file.parent().unwrap()).unwrap();
        fs::write(file, "# a person's\n").unwrap();
    });
    let mut session = Session::open(repo.path(), &host).unwrap();
    denied(&session.write_file("new/x.py", text("x = 1\n"), None).unwrap(), ErrorType::HashMismatch);
    assert_eq!(repo.read("new/x.py"), b"# a person's\n");
    assert_eq!(repo.status(), "?? new/x.py");
}

#[test]
fn a_folder_that_becomes_a_link_leads_nowhere() {
    let repo = repo();
    let outside = repo.path().parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x.py"), CODE).unwrap();
    let (source, target) = (repo.path().join("src"), outside.clone());
    let host = TestHost::meanwhile(move || {
        fs::rename(&source, source.with_file_name("moved")).unwrap();
        std::os::unix::fs::symlink(&target, &source).unwrap();
    });
    let mut session = Session::open(repo.path(), &host).unwrap();
    denied(&session.safe_patch("src/x.py", &diff_to("return 3"), &hash(CODE)).unwrap(), ErrorType::Refused);
    assert_eq!(fs::read_to_string(outside.join("x.py")).unwrap(), CODE);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn sessions_take_turns_and_lose_no_write() {
    let repo = TestRepo::with(&[("log.txt", "")]);
    let add = |name: &str| {
        let host = TestHost::default();
        let mut session = Session::open(repo.path(), &host).unwrap();
        for number in 0..6 {
            // As a model would: read, add a line, and start again when somebody was faster.
            loop {
                let state = session.read_file("log.txt", LineRange::default()).unwrap().unwrap();
                let content = format!("{}{name} {number}\n", state.content.unwrap());
                let answer = session.write_file("log.txt", text(&content), Some(&state.sha256)).unwrap();
                if answer.success {
                    break;
                }
                denied(&answer, ErrorType::HashMismatch);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| add("a"));
        scope.spawn(|| add("b"));
    });
    assert_eq!(String::from_utf8(repo.read("log.txt")).unwrap().lines().count(), 12);
}

#[test]
fn a_read_only_file_stays() {
    let repo = repo();
    fs::set_permissions(repo.path().join("src/x.py"), fs::Permissions::from_mode(0o444)).unwrap();
    let host = TestHost::default();
    let mut session = Session::open(repo.path(), &host).unwrap();
    denied(&session.safe_patch("src/x.py", &diff_to("return 3"), &hash(CODE)).unwrap(), ErrorType::Refused);
}

/// A file that holds credentials is not shown: not by a read, a misfit or an outdated hash.
#[test]
fn credentials_are_not_shown() {
    const KEY: &str = "first\n-----BEGIN PRIVATE KEY-----\nhunter2\nlast\n";
    let repo = repo();
    let host = TestHost::default();
    for path in ["notes.txt", "server.pem", "credentials.json"] {
        repo.write(path, KEY);
        let mut session = Session::open(repo.path(), &host).unwrap();
        denied(&session.read_file(path, LineRange::default()).unwrap().unwrap_err(), ErrorType::Refused);
        let misfit = "@@ -1,3 +1,3 @@\n first\n-hunter\n+hunter3\n last\n";
        let answers = [
            session.safe_patch(path, misfit, &hash(KEY)).unwrap(),
            session.safe_patch(path, misfit, NOTHING).unwrap(),
            session.write_file(path, text("x\n"), Some(NOTHING)).unwrap(),
        ];
        for answer in answers {
            assert!(!answer.success, "{answer:?}");
            assert!(!serde_json::to_string(&answer).unwrap().contains("hunter2"), "{answer:?}");
        }
    }
}

/// A guard repeats what a change drops, and the model may not read the file that it drops it from.
#[test]
fn what_a_guard_says_of_a_file_with_a_private_key_is_not_shown() {
    let key = format!("-----BEGIN {} KEY-----\\nMIIEvQIBADANBgkqh", "PRIVATE");
    let page = format!("# A\n\nSet it up:\n\n```sh\nexport KEY=\"{key}\"\nmake install\nmake all\n```\n\nThe end.\n");
    let repo = TestRepo::with(&[("README.md", page.as_str())]);
    repo.write("README.md", "# A\n\nSet it up:\n\nThe end.\n");
    repo.stage_all();
    let host = TestHost::default();
    let session = Session::open(repo.path(), &host).unwrap();
    let report = session.check(CheckedChanges::Staged, None).unwrap();
    let findings: Vec<_> = report.judgement.evidence.iter().flat_map(|evidence| evidence.verdict.findings()).collect();
    assert!(!findings.is_empty(), "no guard says anything");
    for finding in findings {
        assert!(finding.message.starts_with("what it says is not shown") && finding.help.is_none(), "{finding:?}");
    }
}
