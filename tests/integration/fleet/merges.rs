//! A merge that a submitter made, so that it can be judged, is no commit that guards are told of.

use guardhost_fleet::job::{Change, Job};
use guardhost_fleet::queue::Ended;

use super::machines::{Machines, Server};
use crate::support::guest::{Guest, ID};

#[test]
fn guards_are_told_of_the_commits_that_somebody_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let machines = Machines::new(server.address(), 0);
    let repo = &machines.repo;
    repo.write("guard.wasm", Guest::with_last_message().component());
    repo.write("guards.toml", format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\n"));
    repo.commit("guarded");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("a.txt", "one\n");
    repo.commit("Written by a person");
    repo.git(&["checkout", "-q", "-"]);
    repo.write("b.txt", "two\n");
    repo.commit("the base goes on");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Made by the submitter", "topic"]);
    let _worker = machines.worker("w0", &["--doubted", "0"]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let said = |is_made_merge: bool| {
        runtime.block_on(async {
            let queue = machines.queue().await;
            let Job { class, change, transport, .. } = machines.job("HEAD~1..HEAD", &*queue).await;
            let job = Job::new(class, Change { is_made_merge, ..change }, transport).unwrap();
            queue.submit(&job).await.unwrap();
            let ended = queue.wait(&job.id(), std::time::Duration::from_secs(120)).await.unwrap();
            let Some(Ended::Judged(result)) = ended else { panic!("{ended:?}: {}", machines.log("w0")) };
            let report: serde_json::Value = serde_json::from_str(&result.report).unwrap();
            report["guards"][0]["reason"].as_str().unwrap_or_default().to_owned()
        })
    };
    assert_eq!(said(true), "Written by a person\n");
    // Of a merge that somebody wrote they are.
    assert_eq!(said(false), "Made by the submitter\n");
}
