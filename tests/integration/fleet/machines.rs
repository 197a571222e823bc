//! A fleet on this machine: a server, workers as processes, and a repository with many changes.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

use guardhost_core::process_env::ProcessEnv;
use guardhost_fleet::job::{Class, Job, ObjectSource};
use guardhost_fleet::keys::KnownKeys;
use guardhost_fleet::objects;
use guardhost_fleet::queue::{Address, Queue};
use guardhost_fleet::settings::FleetSettings;
use guardhost_git::range;
use guardhost_policy::PolicySource;
use tempfile::TempDir;

use crate::support::cli::{Ran, command, host_with};
use crate::support::nats::Nats;
use crate::support::repo::TestRepo;
use crate::support::servers::{self, Running};

/// What holds the queue. It can be ended by SIGKILL and started again with what it kept.
pub enum Server {
    Nats(Nats),
    Postgres { installed: servers::Postgres, folder: PathBuf, port: u16 },
}

impl Server {
    pub fn nats(folder: &Path) -> Option<(Self, Running)> {
        let nats = Nats::new(folder)?;
        let running = nats.start();
        Some((Server::Nats(nats), running))
    }

    pub fn postgres(folder: &Path) -> Option<(Self, Running)> {
        let Some(installed) = servers::postgres().pop() else {
            servers::skip("postgres", "no PostgreSQL is installed");
            return None;
        };
        let running = installed.start(folder, false);
        let port = running.port;
        Some((Server::Postgres { installed, folder: folder.to_owned(), port }, running))
    }

    pub fn again(&self) -> Running {
        match self {
            Server::Nats(nats) => nats.start(),
            Server::Postgres { installed, folder, port } => installed.again(folder, *port),
        }
    }

    pub fn address(&self) -> String {
        match self {
            Server::Nats(nats) => nats.address(),
            Server::Postgres { port, .. } => format!("postgresql://test@127.0.0.1:{port}/postgres"),
        }
    }
}

/// Ends with the value, by SIGKILL.
pub struct WorkerProcess(pub Child);

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The files of a fleet: keys, mirrors, caches.
pub struct Machines {
    pub folder: TempDir,
    pub repo: TestRepo,
    pub address: String,
    /// Of workers, beside the queue and the keys.
    pub env: Vec<(&'static str, String)>,
}

impl Machines {
    /// A repository in whose last `changes` commits every third breaks a file.
    pub fn new(address: String, changes: usize) -> Self {
        let repo = TestRepo::with(&[("conf/a.json", "{\n  \"a\": \"one\"\n}\n"), ("README.md", "# Read\n")]);
        for number in 0..changes {
            let broken = if number % 3 == 0 { "\"" } else { "" };
            repo.write(format!("conf/{number}.json"), format!("{{\n  \"a\": \"{number}\"{broken}\n}}\n"));
            repo.commit(&format!("change {number}"));
        }
        let machines = Machines { folder: tempfile::tempdir().unwrap(), repo, address, env: Vec::new() };
        let lines: Vec<String> = (0..6).map(|number| machines.key_line(&format!("w{number}"))).collect();
        std::fs::write(machines.keys(), lines.concat()).unwrap();
        machines
    }

    pub fn keys(&self) -> PathBuf {
        self.folder.path().join("workers.txt")
    }

    fn key_line(&self, name: &str) -> String {
        self.run(&["fleet", "key", "--worker-key", &self.key_file(name), "--worker-name", name]).expect(0).stdout
    }

    fn key_file(&self, name: &str) -> String {
        self.folder.path().join(format!("{name}.key")).display().to_string()
    }

    /// `host` in the repository.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let (keys, address) = (self.keys().display().to_string(), self.address.as_str());
        let env = [("GUARDHOST_QUEUE", address), ("GUARDHOST_FLEET_KEYS", &keys)];
        host_with(self.repo.path(), arguments, b"", &env)
    }

    /// Starts a worker that has a mirror of its own, and may fetch from the repository.
    pub fn worker(&self, name: &str, more: &[&str]) -> WorkerProcess {
        let remote = self.repo.path().display().to_string();
        let mirrors = self.folder.path().join(format!("{name}-mirrors"));
        self.worker_of(name, &mirrors, &[&["--allow-remote", &remote], more].concat())
    }

    /// One that may fetch from nowhere.
    pub fn misconfigured_worker(&self, name: &str, more: &[&str]) -> WorkerProcess {
        let mirrors = self.folder.path().join(format!("{name}-mirrors"));
        self.worker_of(name, &mirrors, &[&["--allow-remote", "https://example.org/another-team"], more].concat())
    }

    /// One that can write no mirror, as on a full disk: a file stands in the place of their folder.
    pub fn full_worker(&self, name: &str, more: &[&str]) -> WorkerProcess {
        let remote = self.repo.path().display().to_string();
        let mirrors = self.folder.path().join(format!("{name}-mirrors"));
        std::fs::write(&mirrors, "no room").unwrap();
        self.worker_of(name, &mirrors, &[&["--allow-remote", &remote], more].concat())
    }

    fn worker_of(&self, name: &str, mirrors: &Path, more: &[&str]) -> WorkerProcess {
        let (keys, key, mirrors) =
            (self.keys().display().to_string(), self.key_file(name), mirrors.display().to_string());
        let arguments = ["worker", "--worker-key", &key, "--worker-name", name, "--mirrors", &mirrors];
        let mut env = vec![("GUARDHOST_QUEUE", self.address.as_str()), ("GUARDHOST_FLEET_KEYS", &keys)];
        env.extend(self.env.iter().map(|(name, value)| (*name, value.as_str())));
        let mut command = command(self.folder.path(), &[&arguments, more].concat(), &env);
        let log = std::fs::File::create(self.folder.path().join(format!("{name}.log"))).unwrap();
        WorkerProcess(
            command.stdin(std::process::Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap(),
        )
    }

    pub fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    pub async fn queue(&self) -> Arc<dyn Queue> {
        let address: Address = self.address.parse().unwrap();
        address.open(FleetSettings { patience: Duration::from_secs(120), ..FleetSettings::default() }).await.unwrap()
    }

    pub fn known(&self) -> KnownKeys {
        KnownKeys::read(&self.keys()).unwrap()
    }

    /// The job of a commit, with its pack in the queue.
    pub async fn job(&self, commit: &str, queue: &dyn Queue) -> Job {
        let process = self.process();
        let repo = self.repo.open();
        let candidate = range(&repo, commit).unwrap();
        let tip = candidate.commits.last().and_then(|commit| commit.oid);
        let submission =
            guardhost_server::judging::job_of(&repo, &candidate, tip, None, None, &source(&process), &guards::EMBEDDED)
                .unwrap();
        let env: Vec<_> = std::env::vars_os().filter(|(name, _)| name == "PATH").collect();
        let pack = objects::pack(repo.common_dir(), &submission.change, &env).await.unwrap();
        let pack = Some(queue.put_object(&pack).await.unwrap());
        Job::new(Class::Fast, submission.change, ObjectSource { pack, remote: Some(submission.remote) }).unwrap()
    }

    pub fn process(&self) -> ProcessEnv {
        ProcessEnv {
            cwd: self.repo.path().to_path_buf(),
            exe: env!("CARGO_BIN_EXE_host").into(),
            temp: std::env::temp_dir(),
            threads: 1,
            ..ProcessEnv::default()
        }
    }

    /// What `host check` says of a commit, without what differs between machines.
    pub fn local(&self, commit: &str) -> String {
        self.local_with(commit, None)
    }

    pub fn local_with(&self, commit: &str, task: Option<&str>) -> String {
        let mut arguments = vec!["check", "--range", commit, "--format", "json", "--fresh"];
        arguments.extend(task.iter().flat_map(|task| ["--task", task]));
        let ran = self.run(&arguments);
        let mut report = ran.json();
        let object = report.as_object_mut().unwrap();
        ["schema_version", "notices"].iter().for_each(|name| drop(object.shift_remove(*name)));
        for guard in object["guards"].as_array_mut().unwrap() {
            let guard = guard.as_object_mut().unwrap();
            ["micros", "cached", "reused"].iter().for_each(|name| drop(guard.shift_remove(*name)));
        }
        report.to_string()
    }

    /// The newest commits, oldest first.
    pub fn commits(&self, count: usize) -> Vec<String> {
        let listed = self.repo.git(&["rev-list", "--reverse", &format!("--max-count={count}"), "HEAD"]);
        listed.lines().map(str::to_owned).collect()
    }
}

pub fn source(process: &ProcessEnv) -> PolicySource<'_> {
    PolicySource {
        process,
        embedded: &guards::EMBEDDED,
        config: None,
        offline: true,
        demands_lock: false,
        fresh: true,
        shared: None,
        remember: None,
    }
}
