//! Objects on their way to a worker: from real repositories, with real git.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use guardhost_fleet::job::{Change, Class, Job, ObjectSource};
use guardhost_fleet::objects::{Mirrors, Packer, Pull, PullMirrors, Remotes, pack};
use guardhost_fleet::queue::Queue;
use guardhost_fleet::queue::memory::MemoryQueue;
use guardhost_fleet::settings::FleetSettings;
use tempfile::TempDir;

struct Work {
    folder: TempDir,
    queue: MemoryQueue,
}

fn env() -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name == "PATH").collect()
}

impl Work {
    /// A repository with a base commit, and a tree that nobody committed.
    fn new() -> (Self, Change) {
        let work = Work { folder: tempfile::tempdir().unwrap(), queue: MemoryQueue::new(FleetSettings::default()) };
        std::fs::create_dir(work.repo()).unwrap();
        work.git(&["init", "-q", "-b", "main"]);
        for (name, text) in [("a.txt", "one\n"), ("b.txt", "two\n")] {
            std::fs::write(work.repo().join(name), text).unwrap();
        }
        work.git(&["add", "-A"]);
        work.git(&["commit", "-q", "-m", "base"]);
        std::fs::write(work.repo().join("a.txt"), "changed\n").unwrap();
        work.git(&["add", "-A"]);
        let change = Change {
            repository: "0".repeat(32),
            base: work.git(&["rev-parse", "HEAD"]),
            tree: work.git(&["write-tree"]),
            tip: None,
            rules: None,
            is_made_merge: false,
            message: None,
            task: None,
            policy: "c".repeat(64),
        };
        (work, change)
    }

    fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@localhost"]).args(arguments).current_dir(self.repo());
        let output = command.env_remove("GIT_DIR").output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn mirrors(&self, remotes: &[&str]) -> Mirrors {
        let remotes: Vec<String> = remotes.iter().map(|remote| (*remote).to_owned()).collect();
        // What is no plain address allows nothing.
        let remotes = Remotes::new(&remotes).unwrap_or_default();
        Mirrors::new(self.folder.path().join("mirrors"), remotes, env())
    }

    async fn job(&self, change: &Change, remote: &str) -> Job {
        let bytes = pack(&self.repo().join(".git"), change, &env()).await.unwrap();
        let pack = Some(self.queue.put_object(&bytes).await.unwrap());
        Job::new(Class::Fast, change.clone(), ObjectSource { pack, remote: Some(remote.to_owned()) }).unwrap()
    }
}

impl Work {
    /// As `host submit --stdin` makes it.
    async fn job_of_many(&self, change: &Change, remote: &str) -> Job {
        let env = env();
        let packer = Packer::open(&self.repo().join(".git"), &env).unwrap();
        let pack = match packer.pack(change).await.unwrap() {
            Some(bytes) => Some(self.queue.put_object(&bytes).await.unwrap()),
            None => None,
        };
        Job::new(Class::Fast, change.clone(), ObjectSource { pack, remote: Some(remote.to_owned()) }).unwrap()
    }
}

fn read(mirror: &Path, object: &str) -> String {
    let output = Command::new("git").arg("--git-dir").arg(mirror).args(["cat-file", "-p", object]).output().unwrap();
    assert!(output.status.success(), "{object}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn the_base_comes_from_the_remote_and_the_change_through_the_queue() {
    let (work, change) = Work::new();
    let remote = work.repo().display().to_string();
    let (mirrors, job) = (work.mirrors(&[&remote]), work.job(&change, &remote).await);
    let mirror = mirrors.prepare(&job, &work.queue).await.unwrap();
    assert_eq!(read(&mirror, &format!("{}:a.txt", change.tree)), "changed\n");
    assert_eq!(read(&mirror, &format!("{}:b.txt", change.base)), "two\n");
    // What is there is not fetched again: the repository may be gone.
    std::fs::remove_dir_all(work.repo()).unwrap();
    assert_eq!(mirrors.prepare(&job, &work.queue).await.unwrap(), mirror);
    let work_tree = mirror.join("a.txt");
    assert!(!work_tree.exists(), "there is no work tree");
}

#[tokio::test]
async fn commits_keep_their_names_and_a_large_change_stays_a_pack() {
    let (work, change) = Work::new();
    for number in 0..1200 {
        std::fs::write(work.repo().join(format!("{number}.txt")), format!("{number}\n")).unwrap();
    }
    work.git(&["add", "-A"]);
    work.git(&["commit", "-q", "-m", "tip"]);
    let (tip, tree) = (work.git(&["rev-parse", "HEAD"]), work.git(&["rev-parse", "HEAD^{tree}"]));
    let change = Change { tip: Some(tip.clone()), tree, ..change };
    let remote = work.repo().display().to_string();
    for job in [work.job(&change, &remote).await, work.job_of_many(&change, &remote).await] {
        let mirrors = work.mirrors(&[&remote]);
        let mirror = mirrors.prepare(&job, &work.queue).await.unwrap();
        assert_eq!(read(&mirror, &format!("{tip}:700.txt")), "700\n");
        std::fs::remove_dir_all(mirror).unwrap();
    }
}

/// Of a commit that a remote has nothing is sent, whatever the branch of the base; of one beyond it, what the remote lacks.
#[tokio::test]
async fn many_changes_send_what_no_remote_has() {
    let (work, change) = Work::new();
    work.git(&["commit", "-q", "-m", "tip"]);
    let (tip, tree) = (work.git(&["rev-parse", "HEAD"]), work.git(&["rev-parse", "HEAD^{tree}"]));
    let remote = work.folder.path().join("remote").display().to_string();
    work.git(&["clone", "-q", "--bare", ".", &remote]);
    work.git(&["update-ref", "refs/remotes/origin/main", &tip]);
    let pushed = Change { tip: Some(tip.clone()), tree, ..change };
    let job = work.job_of_many(&pushed, &remote).await;
    assert_eq!(job.transport.pack, None);
    let mirror = work.mirrors(&[&remote]).prepare(&job, &work.queue).await.unwrap();
    assert_eq!(read(&mirror, &format!("{tip}:a.txt")), "changed\n");
    // Two commits beyond: the base of the second is at no remote.
    for text in ["second\n", "third\n"] {
        std::fs::write(work.repo().join("a.txt"), text).unwrap();
        work.git(&["commit", "-q", "-a", "-m", text]);
    }
    let tip = work.git(&["rev-parse", "HEAD"]);
    let base = work.git(&["rev-parse", "HEAD~1"]);
    let tree = work.git(&["rev-parse", "HEAD^{tree}"]);
    let job = work.job_of_many(&Change { tip: Some(tip.clone()), base, tree, ..pushed }, &remote).await;
    let mirror = work.mirrors(&[&remote]).prepare(&job, &work.queue).await.unwrap();
    assert_eq!(read(&mirror, &format!("{tip}:a.txt")), "third\n");
}

/// The tip of the other branch may be on no branch of the remote yet, or be there already.
#[tokio::test]
async fn the_commit_of_the_rules_comes_from_either_place() {
    for is_remote in [false, true] {
        let (work, change) = Work::new();
        let remote = work.folder.path().join("remote").display().to_string();
        work.git(&["clone", "-q", "--bare", ".", &remote]);
        work.git(&["commit", "-q", "-m", "tip"]);
        let (tip, tree) = (work.git(&["rev-parse", "HEAD"]), work.git(&["rev-parse", "HEAD^{tree}"]));
        work.git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
        std::fs::write(work.repo().join("rules.txt"), "rules\n").unwrap();
        work.git(&["add", "-A"]);
        work.git(&["commit", "-q", "-m", "rules"]);
        let rules = work.git(&["rev-parse", "HEAD"]);
        if is_remote {
            work.git(&["push", "-q", &remote, "other"]);
            work.git(&["update-ref", "refs/remotes/origin/other", &rules]);
        }
        let change = Change { tip: Some(tip.clone()), rules: Some(rules.clone()), tree, ..change };
        for job in [work.job(&change, &remote).await, work.job_of_many(&change, &remote).await] {
            let mirror = work.mirrors(&[&remote]).prepare(&job, &work.queue).await.unwrap();
            assert_eq!(read(&mirror, &format!("{rules}:rules.txt")), "rules\n");
            assert_eq!(read(&mirror, &format!("{tip}:a.txt")), "changed\n");
            std::fs::remove_dir_all(mirror).unwrap();
        }
    }
}

#[tokio::test]
async fn a_worker_fetches_from_nowhere_else() {
    let (work, change) = Work::new();
    let remote = work.repo().display().to_string();
    let marker = work.folder.path().join("ran");
    let command = format!("ext::sh -c \"touch {}\"", marker.display());
    for (allowed, remote) in [("https://example.org/team", remote.as_str()), ("ext::", command.as_str()), ("", "")] {
        let job = work.job(&change, remote).await;
        let failure = work.mirrors(&[allowed]).prepare(&job, &work.queue).await.unwrap_err();
        assert!(failure.is_passing(), "another worker may have it: {failure:?}");
    }
    assert!(!marker.exists(), "a remote ran a command");
}

/// An allowed server may send on to one that is not: an address of the worker's own network, for one.
#[tokio::test]
async fn a_redirect_leads_nowhere() {
    let (work, change) = Work::new();
    let listening = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listening.local_addr().unwrap();
    let (asked, mut questions) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listening.accept().await.unwrap();
            let mut head = vec![0; 4_096];
            let read = tokio::io::AsyncReadExt::read(&mut stream, &mut head).await.unwrap_or(0);
            asked.send(String::from_utf8_lossy(&head[..read]).lines().next().unwrap_or_default().to_owned()).unwrap();
            let answer = format!(
                "HTTP/1.1 302 Found\r\nLocation: http://{address}/other/secret.git/info/refs?service=git-upload-pack\r\n\
                 Content-Length: 0\r\nConnection: close\r\n\r\n"
            );
            tokio::io::AsyncWriteExt::write_all(&mut stream, answer.as_bytes()).await.unwrap();
        }
    });
    let remote = format!("http://{address}/team/x.git");
    let job = work.job(&change, &remote).await;
    work.mirrors(&[&format!("http://{address}/team")]).prepare(&job, &work.queue).await.unwrap_err();
    let mut first = Vec::new();
    while let Ok(question) = questions.try_recv() {
        first.push(question);
    }
    assert!(first.iter().any(|line| line.contains("/team/x.git")), "it was asked: {first:?}");
    assert!(!first.iter().any(|line| line.contains("/other/")), "{first:?}");
}

#[tokio::test]
async fn objects_that_are_not_what_they_are_called_are_not_taken() {
    let (work, change) = Work::new();
    let remote = work.repo().display().to_string();
    let mut bytes = pack(&work.repo().join(".git"), &change, &env()).await.unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    let name = work.queue.put_object(&bytes).await.unwrap();
    let transport = ObjectSource { pack: Some(name), remote: Some(remote.clone()) };
    let broken = Job::new(Class::Fast, change.clone(), transport).unwrap();
    let mirrors = work.mirrors(&[&remote]);
    assert!(mirrors.prepare(&broken, &work.queue).await.is_err());
    // A pack that is right, and of another change.
    let other = Change { tree: work.git(&["rev-parse", "HEAD^{tree}"]), ..change.clone() };
    let wrong = work.job(&other, &remote).await;
    let wrong = Job::new(Class::Fast, change.clone(), wrong.transport).unwrap();
    let failure = mirrors.prepare(&wrong, &work.queue).await.unwrap_err();
    assert!(!failure.is_passing() && failure.reason.contains("all objects"), "{failure:?}");
    let gone = ObjectSource { pack: Some("0".repeat(64)), remote: Some(remote.clone()) };
    let gone = Job::new(Class::Fast, change.clone(), gone).unwrap();
    assert!(mirrors.prepare(&gone, &work.queue).await.unwrap_err().reason.contains("submit it again"));
    // None of it did any harm.
    let job = work.job(&change, &remote).await;
    let mirror = mirrors.prepare(&job, &work.queue).await.unwrap();
    assert_eq!(read(&mirror, &format!("{}:a.txt", change.tree)), "changed\n");
}

/// A branch `release` is gone, and `release/1` is there: git keeps no two refs of which one is a folder of the other.
#[tokio::test]
async fn a_branch_that_becomes_a_folder_stops_no_mirror() {
    let (work, change) = Work::new();
    let remote = work.repo().display().to_string();
    let first = work.git(&["rev-parse", "HEAD"]);
    work.git(&["branch", "release"]);
    work.git(&["update-ref", "refs/pull/1/head", "HEAD"]);
    let (mirrors, job) = (work.mirrors(&[&remote]), work.job(&change, &remote).await);
    let mirror = mirrors.prepare(&job, &work.queue).await.unwrap();
    let pulls = work.folder.path().join("pulls");
    let pulls = PullMirrors::new(pulls, Remotes::new(std::slice::from_ref(&remote)).unwrap(), env());
    let pull = Pull { remote: &remote, number: 1, head: &first, base: "release" };
    assert_eq!(pulls.fetch(pull).await.unwrap().base, first);

    work.git(&["branch", "-D", "release"]);
    work.git(&["switch", "-q", "-c", "release/1"]);
    std::fs::write(work.repo().join("c.txt"), "three\n").unwrap();
    work.git(&["add", "-A"]);
    work.git(&["commit", "-q", "-m", "on the new branch"]);
    let base = work.git(&["rev-parse", "HEAD"]);
    std::fs::write(work.repo().join("c.txt"), "four\n").unwrap();
    work.git(&["add", "-A"]);
    let tree = work.git(&["write-tree"]);
    let change = Change { base: base.clone(), tree, ..change };
    let job = work.job(&change, &remote).await;
    assert_eq!(mirrors.prepare(&job, &work.queue).await.unwrap(), mirror);
    assert_eq!(read(&mirror, "refs/remotes/origin/release/1"), read(&mirror, &base));
    // What was on the branch that is gone is still there.
    assert!(!read(&mirror, &first).is_empty());
    assert_eq!(pulls.fetch(Pull { base: "release/1", ..pull }).await.unwrap().base, base);
}

/// A change on top of a commit that was not pushed, and one in a shallow clone.
#[tokio::test]
async fn what_is_not_pushed_comes_in_the_pack() {
    let (work, change) = Work::new();
    let remote = work.folder.path().join("remote").display().to_string();
    work.git(&["clone", "-q", "--bare", ".", &remote]);
    work.git(&["remote", "add", "origin", &remote]);
    work.git(&["fetch", "-q", "origin"]);
    work.git(&["commit", "-q", "-m", "not pushed"]);
    let base = work.git(&["rev-parse", "HEAD"]);
    std::fs::write(work.repo().join("b.txt"), "on top\n").unwrap();
    work.git(&["add", "-A"]);
    let tree = work.git(&["write-tree"]);
    let change = Change { base: base.clone(), tree, ..change };
    let job = work.job(&change, &remote).await;
    let mirror = work.mirrors(&[&remote]).prepare(&job, &work.queue).await.unwrap();
    assert_eq!(read(&mirror, &format!("{base}:a.txt")), "changed\n");
    assert_eq!(read(&mirror, &format!("{}:b.txt", change.tree)), "on top\n");
    // What the remote has is not sent again.
    let pushed = pack(&work.repo().join(".git"), &change, &env()).await.unwrap();
    work.git(&["push", "-q", "origin", "HEAD:main"]);
    let rest = pack(&work.repo().join(".git"), &change, &env()).await.unwrap();
    let entries = |pack: &[u8]| guardhost_fleet::objects::measure(pack).unwrap().entries;
    assert!(entries(&rest) < entries(&pushed), "{} and {}", entries(&rest), entries(&pushed));
}

/// Failures name who has to do something about them.
#[tokio::test]
async fn a_failure_has_an_owner() {
    use guardhost_fleet::failure::FailureOwner::{Job as OfJob, Remote, Worker};
    let (work, change) = Work::new();
    let gone = work.folder.path().join("gone").display().to_string();
    let here = work.repo().display().to_string();
    let nowhere = Change { base: "1".repeat(40), ..change.clone() };
    let bare = |change: &Change, remote: &str| {
        let transport = ObjectSource { pack: None, remote: Some(remote.to_owned()) };
        Job::new(Class::Fast, change.clone(), transport).unwrap()
    };
    let mirrors = work.mirrors(&[&here, &gone]);
    let owner = async |job: &Job| mirrors.prepare(job, &work.queue).await.unwrap_err().owner;
    assert_eq!(owner(&bare(&change, "https://example.org/other")).await, Worker);
    assert_eq!(owner(&bare(&change, &gone)).await, Remote);
    assert_eq!(owner(&bare(&nowhere, &here)).await, OfJob);
    assert!(mirrors.may_take(&bare(&change, &here)).is_ok() && mirrors.may_take(&bare(&change, "/other")).is_err());
    mirrors.probe().await.unwrap();
    // A folder that cannot be written: root may write everywhere, so a file stands in its place.
    let blocked = work.folder.path().join("blocked");
    std::fs::write(&blocked, "").unwrap();
    let remotes = Remotes::new(std::slice::from_ref(&here)).unwrap();
    let broken = Mirrors::new(blocked, remotes, env());
    assert_eq!(broken.prepare(&bare(&change, &here), &work.queue).await.unwrap_err().owner, Worker);
    assert!(broken.probe().await.unwrap_err().contains("cannot write"));
}
