//! Agents played by shell scripts, and what a provider needs to be asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guardhost_core::change::{Feedback, Reply, Task, Tree};
use guardhost_core::error::Result;
use guardhost_provider::{
    Ask, Cancel, Chain, Environment, Provider, ProviderFailure, ProviderRuntime, Recorder, provide, provide_async,
};

use super::objects::MemoryObjects;
use super::observers::RecordingObserver;

/// Asks providers: a folder with agents on the PATH, scratch space, and a place for what agents leave behind.
pub struct ProviderHarness {
    pub dir: tempfile::TempDir,
    pub events: RecordingObserver,
    pub task: Task,
    pub feedback: Feedback,
    pub tree: Tree,
    pub cancel: Cancel,
    /// Variables of the caller, beside PATH.
    pub vars: Vec<(String, String)>,
    pub record: Option<PathBuf>,
}

impl ProviderHarness {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["bin", "scratch", "left"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        ProviderHarness {
            dir,
            events: RecordingObserver::default(),
            task: Task { text: "Make it new.".into(), ..Task::default() },
            feedback: Feedback::default(),
            tree: tree(&[("a.txt", b"old\n")]),
            cancel: Cancel::default(),
            vars: Vec::new(),
            record: None,
        }
    }

    /// Puts an agent on the PATH. In its script `$LEFT` is a folder that stays.
    pub fn agent(&self, name: &str, script: &str) -> &Self {
        let bin = self.dir.path().join("bin");
        let player = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/agent");
        std::os::unix::fs::symlink(player, bin.join(name)).unwrap();
        let left = self.dir.path().join("left");
        std::fs::write(bin.join(format!("{name}.sh")), format!("LEFT='{}'\n{script}\n", left.display())).unwrap();
        self
    }

    /// What an agent left in `$LEFT`.
    pub fn left(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join("left").join(name)).unwrap()
    }

    pub fn provider(&self, spec: &str) -> Provider {
        Provider::parse(spec, self.dir.path()).unwrap()
    }

    pub fn ask(&self, spec: &str) -> Result<Reply> {
        let mut chain = Chain::new(vec![self.provider(spec)]);
        chain.patience = Duration::ZERO;
        self.ask_chain(&mut chain, 1)
    }

    pub fn ask_chain(&self, chain: &mut Chain, round: u32) -> Result<Reply> {
        provide(&self.question(round), chain, &self.runtime(), &self.events)
    }

    pub async fn ask_chain_async(&self, chain: &mut Chain, round: u32) -> Result<Reply> {
        provide_async(&self.question(round), chain, &self.runtime(), &self.events).await
    }

    fn question(&self, round: u32) -> Ask<'_> {
        let ProviderHarness { task, feedback, tree, .. } = self;
        Ask { task, feedback, tree: Some(tree), round }
    }

    pub fn runtime(&self) -> ProviderRuntime {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.dir.path().join("bin").display());
        let vars = self.vars.iter().cloned().chain([("PATH".to_owned(), path)]);
        ProviderRuntime {
            environment: Environment::new(vars),
            scratch: self.dir.path().join("scratch"),
            exe: env!("CARGO_BIN_EXE_host").into(),
            repository: None,
            cancel: self.cancel.clone(),
            recorder: self.record.as_deref().map(|file| Recorder::create(file).unwrap()),
            step: None,
        }
    }
}

/// The provider's failure that an error of `provide` carries.
pub fn failure(asked: Result<Reply>) -> ProviderFailure {
    let error = asked.map(|reply| String::from_utf8_lossy(&reply.bytes).into_owned()).unwrap_err();
    error.downcast_ref::<ProviderFailure>().unwrap_or_else(|| panic!("{error:?}")).clone()
}

/// Files at their paths, as a tree that cannot be changed: asking writes nothing.
pub fn tree(files: &[(&str, &[u8])]) -> Tree {
    let objects = MemoryObjects::default();
    let oid = objects.put_files(files);
    Tree { objects: Arc::new(objects.frozen()), oid }
}
