//! Reads and writes guards.toml and guards.lock of the work tree.

use std::path::{Path, PathBuf};

use crate::context::CommandContext;
use guardhost_core::change::{Event, Observer, RepoPath};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_git::{Repo, WorkTreeLock, recover};
use guardhost_policy::GuardFiles;
use guardhost_policy::config::{FILE, GuardsToml, LOCK, LockFile, in_folder};
use guardhost_policy::{SCHEMA, SCHEMA_FILE, uses_schema_copy, vendored};

/// Bytes of a file of the rules.
const LARGEST: u64 = 16 << 20;

pub struct PinFiles {
    root: PathBuf,
    /// guards.toml; None when there is none.
    pub text: Option<String>,
    pub rules: Option<GuardsToml>,
    /// None when there is none; an error when it cannot be used.
    pub lock: Option<Result<LockFile>>,
    lock_text: Option<String>,
    /// Shared rules that [`PinFiles::write`] writes too: name and content.
    pub shared: Option<(String, Vec<u8>)>,
}

impl PinFiles {
    /// # Errors
    /// `Kind::Usage` in a bare repository; `Kind::Config` for a guards.toml that is wrong.
    pub fn read(repo: &Repo, ctx: &CommandContext) -> Result<Self> {
        let mut files = PinFiles::texts(repo)?;
        files.rules = files.text.as_deref().map(|text| files.parse(text)).transpose()?;
        let notices = files.rules.iter().flat_map(|rules| rules.notices(FILE));
        notices.for_each(|text| ctx.see(&Event::Notice { text }));
        Ok(files)
    }

    /// The files as they are, without an answer to whether the rules make sense.
    ///
    /// # Errors
    /// `Kind::Usage` in a bare repository; the disk.
    pub fn texts(repo: &Repo) -> Result<Self> {
        let root = repo.workdir().ok_or_else(|| {
            Fault::new(FaultKind::Usage, "a bare repository has no guards.toml to work on")
                .hint("run this in a clone with a work tree")
        })?;
        let text = read(&root.join(FILE))?;
        let lock_text = read(&root.join(LOCK))?;
        let lock = lock_text.as_deref().map(|text| LockFile::parse(text.as_bytes(), LOCK));
        Ok(PinFiles { root: root.to_path_buf(), text, rules: None, lock, lock_text, shared: None })
    }

    /// The rules of a text that is, or will be, `guards.toml` of this work tree.
    ///
    /// # Errors
    /// `Kind::Config`: the text is wrong, or what it extends is.
    pub fn parse(&self, text: &str) -> Result<GuardsToml> {
        GuardsToml::parse(text.as_bytes(), FILE, &|path| match &self.shared {
            Some((name, bytes)) if name == path => Ok(Some(bytes.clone())),
            Some(_) | None => in_folder(&self.root, path),
        })
    }

    pub fn place(&self) -> GuardFiles<'static> {
        GuardFiles::WorkTree(self.root.clone())
    }

    /// # Errors
    /// `Kind::Config` when there is no guards.toml.
    pub fn rules(&self) -> Result<&GuardsToml> {
        self.rules.as_ref().ok_or_else(|| {
            Fault::new(
                FaultKind::Config,
                format!("there is no {FILE}, so that nothing is pinned: the embedded guards judge"),
            )
            .hint("`host guard add ID|SOURCE` writes one")
            .into()
        })
    }

    /// # Errors
    /// `Kind::Config` when there is none, or it cannot be used.
    pub fn lock(self) -> Result<LockFile> {
        self.lock.unwrap_or_else(|| {
            let what = format!("there is no {LOCK}: expected one beside {FILE}");
            Err(Fault::new(FaultKind::Config, what).hint("run `host guard lock`").code("lock-missing").into())
        })
    }

    /// The current lock, or an empty one with a notice if it cannot be used.
    pub fn lock_or_none(&self) -> (LockFile, Option<String>) {
        match &self.lock {
            None => (LockFile::default(), None),
            Some(Ok(lock)) => (lock.clone(), None),
            Some(Err(error)) => {
                (LockFile::default(), Some(format!("{LOCK} is rewritten, as it cannot be used: {error}")))
            }
        }
    }

    /// Notices for components in `.guards/` that differ from `lock`.
    pub fn stale(&self, lock: &LockFile) -> Result<Vec<String>> {
        let mut notices = Vec::new();
        for locked in lock.components.iter().filter(|locked| locked.source.is_remote()) {
            let name = vendored(&locked.id);
            if self.place().read(&name)?.is_some_and(|there| there.digest() != locked.digest.as_str()) {
                notices.push(format!("{name} is not the component that is locked now: run `host guard vendor`"));
            }
        }
        Ok(notices)
    }

    /// To fetch a component takes a while, in which a person may save guards.toml, or another host write both.
    fn check_unchanged(&self) -> Result<()> {
        for (name, then) in [(FILE, &self.text), (LOCK, &self.lock_text)] {
            if read(&self.root.join(name))? != *then {
                return Err(Fault::new(
                    FaultKind::Config,
                    format!("{name} was changed by somebody else while this ran"),
                )
                .hint("nothing was written; run it again")
                .code("changed-meanwhile")
                .into());
            }
        }
        Ok(())
    }

    /// Writes the files that differ, and returns their names. A copy of the schema for editors is kept up to date with them.
    ///
    /// # Errors
    /// `Kind::Config`: something differs and the run is `--locked`, or somebody else wrote the files since they were read; the disk.
    pub fn write(&self, text: Option<&str>, lock: &LockFile, ctx: &CommandContext) -> Result<Vec<String>> {
        let repo = ctx.repo()?;
        if !ctx.locked() {
            recover(&repo, ctx)?;
        }
        let mut wanted: Vec<(&str, String)> = Vec::new();
        // The rules that guards.toml extends come first, since it names their digest.
        if let Some((name, bytes)) = &self.shared
            && read(&self.root.join(name))?.is_none_or(|there| there.as_bytes() != bytes)
        {
            wanted.push((name, String::from_utf8_lossy(bytes).into_owned()));
        }
        if let Some(text) = text.filter(|text| self.text.as_deref() != Some(*text)) {
            wanted.push((FILE, text.to_owned()));
        }
        let rendered = lock.render();
        let held = read(&self.root.join(LOCK))?;
        if held.as_deref() != Some(rendered.as_str()) {
            wanted.push((LOCK, rendered));
        }
        if ctx.locked() && !wanted.is_empty() {
            let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
            let what = format!("{} would change: expected nothing to do, as this run is --locked", names.join(" and "));
            return Err(Fault::new(FaultKind::Config, what)
                .hint("run the same where CI is not set, or with --locked=false, and commit what changes")
                .code("locked")
                .into());
        }
        if !ctx.locked() && text.or(self.text.as_deref()).is_some_and(uses_schema_copy) {
            let path = self.root.join(SCHEMA_FILE);
            if !std::fs::read(&path).is_ok_and(|bytes| bytes == SCHEMA.as_bytes()) {
                wanted.push((SCHEMA_FILE, SCHEMA.to_owned()));
            }
        }
        // guards.toml first: if the host is killed between the two, the lock does not fit, and every command says what to run.
        if !wanted.is_empty() {
            let mut files = WorkTreeLock::take(&repo, ctx)?;
            self.check_unchanged()?;
            wanted.iter().try_for_each(|(name, content)| files.write(&RepoPath::from(*name), content.as_bytes()))?;
        }
        Ok(wanted.into_iter().map(|(name, _)| name.to_owned()).collect())
    }
}

fn read(path: &Path) -> Result<Option<String>> {
    match guardhost_os::read_regular(path, LARGEST) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(Fault::new(FaultKind::Config, format!("{} is not UTF-8", path.display())).into()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(Error::new(error).context(Fault::new(FaultKind::Config, format!("cannot read {}", path.display()))))
        }
    }
}
