//! Agents played by shell scripts, a repository in memory for them to be asked about, and a witness of all events.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use guardhost_core::change::{
    Event, Feedback, FileMode, Objects, Observer, Oid, Reply, RepoPath, Task, Tree, TreeEntry,
};
use guardhost_core::error::Result;
use guardhost_provider::{
    Ask, Cancel, Chain, Environment, Provider, ProviderFailure, ProviderRuntime, Recorder, provide, provide_async,
};

/// A folder with agents on the PATH, scratch space, and room for what they leave behind.
pub struct Stage {
    pub dir: tempfile::TempDir,
    pub events: Witness,
    pub task: Task,
    pub feedback: Feedback,
    pub tree: Tree,
    pub cancel: Cancel,
    /// Variables of the caller, beside PATH.
    pub vars: Vec<(String, String)>,
    pub record: Option<PathBuf>,
}

impl Stage {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["bin", "scratch", "left"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        Stage {
            dir,
            events: Witness::default(),
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
        let Stage { task, feedback, tree, .. } = self;
        Ask { task, feedback, tree: Some(tree), round }
    }

    fn runtime(&self) -> ProviderRuntime {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.dir.path().join("bin").display());
        let vars = self.vars.iter().cloned().chain([("PATH".to_owned(), path)]);
        ProviderRuntime {
            environment: Environment::new(vars),
            scratch: self.dir.path().join("scratch"),
            cancel: self.cancel.clone(),
            recorder: self.record.as_deref().map(|file| Recorder::create(file).unwrap()),
        }
    }
}

/// The failure beneath an error of `provide`.
pub fn failure(asked: Result<Reply>) -> ProviderFailure {
    let error = asked.map(|reply| String::from_utf8_lossy(&reply.bytes).into_owned()).unwrap_err();
    error.downcast_ref::<ProviderFailure>().unwrap_or_else(|| panic!("{error:?}")).clone()
}

/// Keeps every event.
#[derive(Default)]
pub struct Witness(Mutex<Vec<Event>>);

impl Observer for Witness {
    fn see(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl Witness {
    pub fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    /// `claude overloaded -> codex` for each failure.
    pub fn failures(&self) -> Vec<String> {
        let told = self.all().into_iter().filter_map(|event| match event {
            Event::ProviderFailed { provider, class, next, .. } => Some((provider, class, next)),
            _ => None,
        });
        told.map(|(provider, class, next)| format!("{provider} {class} -> {}", next.unwrap_or_default())).collect()
    }
}

/// A tree without a repository.
struct Shelf {
    blobs: BTreeMap<Oid, Arc<[u8]>>,
    files: BTreeMap<RepoPath, TreeEntry>,
}

/// Files at their paths, as a tree.
pub fn tree(files: &[(&str, &[u8])]) -> Tree {
    let mut shelf = Shelf { blobs: BTreeMap::new(), files: BTreeMap::new() };
    for (path, bytes) in files {
        let oid = Oid::hash_object(git2::ObjectType::Blob, bytes).unwrap();
        shelf.blobs.insert(oid, Arc::from(*bytes));
        shelf.files.insert(RepoPath::from(*path), TreeEntry { oid, mode: FileMode::File });
    }
    Tree { objects: Arc::new(shelf), oid: Oid::ZERO_SHA1 }
}

impl Objects for Shelf {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        Ok(self.blobs[&oid].clone())
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        Ok(self.blobs[&oid].len() as u64)
    }

    fn entry(&self, _: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        Ok(self.files.get(path).copied())
    }

    fn is_dir(&self, _: Oid, path: &RepoPath) -> Result<bool> {
        let folder = [path.as_bytes(), b"/"].concat();
        Ok(self.files.keys().any(|file| file.as_bytes().starts_with(&folder)))
    }

    fn blob_named(&self, _: &str) -> Result<Option<Oid>> {
        Ok(None)
    }

    fn walk(&self, _: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        self.files.iter().all(|(path, entry)| visit(path, *entry));
        Ok(())
    }

    fn put_blob(&self, _: &[u8]) -> Result<Oid> {
        panic!("asking writes nothing")
    }

    fn edit_tree(&self, _: Oid, _: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        panic!("asking writes nothing")
    }
}
