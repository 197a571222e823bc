//! Many patches judged in one process, as a service does.

use std::thread;

use guardhost_core::change::{NullObserver, Reply, Verdict};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::JudgeContext;
use guardhost_pipeline::many::PatchJudge;
use guardhost_policy::PolicySource;

use crate::support::repo::TestRepo;

/// What the patch of this number must come to; None: it does not fit.
fn patch(number: usize) -> (String, Option<Verdict>) {
    let (old, new, verdict) = match number % 3 {
        0 => ("\"one\"", format!("\"{number}\""), Some(Verdict::Pass)),
        1 => ("\"one\"", format!("\"{number}\" \"{number}\""), Some(Verdict::Reject)),
        _ => ("\"another\"", format!("\"{number}\""), None),
    };
    let diff =
        format!("--- a/conf/a.json\n+++ b/conf/a.json\n@@ -1,3 +1,3 @@\n {{\n-  \"a\": {old}\n+  \"a\": {new}\n }}\n");
    (diff, verdict)
}

/// More checks than one handle of the repository is used for, from two threads, in an order that differs from run to run.
#[test]
fn each_patch_is_judged_by_itself() {
    let repo = TestRepo::with(&[("conf/a.json", "{\n  \"a\": \"one\"\n}\n"), ("README.md", "# Read\n")]);
    let process = ProcessEnv {
        cwd: repo.path().to_path_buf(),
        exe: env!("CARGO_BIN_EXE_host").into(),
        temp: std::env::temp_dir(),
        threads: 2,
        ..ProcessEnv::default()
    };
    let source = PolicySource {
        process: &process,
        embedded: &guards::EMBEDDED,
        config: None,
        offline: true,
        demands_lock: false,
        fresh: false,
        shared: None,
        remember: None,
    };
    let opened = repo.open();
    let head = opened.head().unwrap();
    let judges = PatchJudge::new(opened, head, &source).unwrap();
    let judge_all = |numbers: Vec<usize>| {
        for number in numbers {
            let (diff, wanted) = patch(number);
            let reply = Reply { bytes: diff.into_bytes(), ..Reply::default() };
            let context = JudgeContext { task: None, observer: &NullObserver };
            let judged = judges.judge(&reply, &context).unwrap().ok();
            let found = judged.as_ref().map(|judged| judged.judged().unwrap().judgement().verdict());
            assert_eq!(found, wanted, "patch {number}");
            let Some(judged) = judged else { continue };
            let [file] = &judged.candidate().files[..] else { panic!("{:?}", judged.candidate().files) };
            let text = judged.candidate().objects.blob(file.after.unwrap().oid).unwrap();
            assert!(String::from_utf8_lossy(&text).contains(&format!("\"{number}\"")), "patch {number}");
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| judge_all((0..120).collect()));
        scope.spawn(|| judge_all((0..120).rev().collect()));
    });
}
