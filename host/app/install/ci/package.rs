//! The wheel that a build service installs. Its digest stands in the file, so that no other bytes run there, whoever owns a name or an address.

use std::path::Path;

use guardhost_core::component::Component;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_os::read_regular;
use guardhost_policy::config::{ComponentSource, Trust};
use guardhost_policy::fetch::download;

use crate::cli::{CiService, PackageArgs};
use crate::context::CommandContext;

/// Bytes of the largest wheel that is read: one of a development build has no more.
const LARGEST: u64 = 1 << 30;

/// Where the wheel is, and its digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CiPackage {
    source: WheelSource,
    /// SHA-256, in hexadecimal: one for the wheel of each system that builds.
    digests: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum WheelSource {
    /// `guardhost==1.2.3`, which pip asks its index for.
    Index(String),
    Https(String),
    /// A path in the repository.
    Repository(String),
    /// An absolute path on the machines that build.
    Machine(String),
}

impl CiPackage {
    /// What the options name, with the digest of what is there. None where they name nothing.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: it cannot be fetched, has another digest, or its digest is not known.
    pub fn from_args(args: &PackageArgs, ctx: &CommandContext) -> Result<Option<Self>> {
        let Some(named) = &args.package else { return Ok(None) };
        let given: Vec<String> = args.sha256.iter().map(|digest| digest.to_ascii_lowercase()).collect();
        let source = WheelSource::from_name(named, ctx)?;
        let found = source.digest(ctx)?;
        let digests = match (found, given.is_empty()) {
            (Some(found), true) => vec![found],
            (Some(found), false) if !given.contains(&found) => {
                let what = format!("{named} has the SHA-256 {found}, and --sha256 names another");
                return Err(Fault::new(FaultKind::Usage, what).hint("ask whoever made it for the digest").into());
            }
            (Some(_) | None, false) => given,
            (None, true) => {
                return Err(Fault::new(FaultKind::Usage, format!("the SHA-256 of {named} is not known"))
                    .hint("give it with --sha256: without a digest, whoever owns a name runs code in your builds")
                    .into());
            }
        };
        Ok(Some(CiPackage { source, digests }))
    }

    /// The line for pip: the wheel, and each digest that it may have.
    pub(super) fn requirement(&self, service: CiService) -> String {
        let wheel = match &self.source {
            WheelSource::Repository(path) => format!("{}{path}", checkout(service)),
            WheelSource::Index(text) | WheelSource::Https(text) | WheelSource::Machine(text) => text.clone(),
        };
        self.digests.iter().fold(wheel, |line, digest| format!("{line} --hash=sha256:{digest}"))
    }

    /// The package of a line that [`CiPackage::requirement`] made.
    pub(super) fn read(line: &str, service: CiService) -> Option<Self> {
        let mut words = line.split(' ');
        let wheel = words.next()?;
        let source = match wheel.strip_prefix(checkout(service)) {
            Some(path) => WheelSource::Repository(path.to_owned()),
            None if wheel.starts_with("guardhost==") => WheelSource::Index(wheel.to_owned()),
            None if wheel.starts_with("https://") => WheelSource::Https(wheel.to_owned()),
            None => WheelSource::Machine(wheel.to_owned()),
        };
        let digests: Option<Vec<String>> =
            words.map(|word| Some(word.strip_prefix("--hash=sha256:")?.to_owned())).collect();
        digests.filter(|digests| !digests.is_empty()).map(|digests| CiPackage { source, digests })
    }
}

impl WheelSource {
    fn from_name(named: &str, ctx: &CommandContext) -> Result<Self> {
        let wrong = |what: &str, hint: &str| Fault::new(FaultKind::Usage, format!("{named}: {what}")).hint(hint);
        let source = if let Some(version) = named.strip_prefix("guardhost==") {
            let is_version = version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+".contains(&byte));
            if version.is_empty() || !is_version {
                return Err(wrong("this is no version", "guardhost==1.2.3").into());
            }
            WheelSource::Index(named.to_owned())
        } else if named.contains("://") {
            if !named.starts_with("https://") || named.contains('@') {
                return Err(
                    wrong("the address is stored in a file that everybody reads", "https, without a password").into()
                );
            }
            WheelSource::Https(named.to_owned())
        } else {
            Self::from_path(named, ctx)?
        };
        let text = match &source {
            WheelSource::Index(text) | WheelSource::Https(text) => text,
            WheelSource::Repository(path) | WheelSource::Machine(path) => path,
        };
        // It stands in YAML, in a shell's variable and in a line for pip.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~/+:%=&?,@!".contains(c);
        if let Some(odd) = text.chars().find(|c| !is_plain(*c)) {
            return Err(wrong(&format!("its path holds {odd:?}"), "name a path of plain letters").into());
        }
        if !matches!(source, WheelSource::Index(_)) && !text.ends_with(".whl") {
            return Err(wrong("this is no wheel", "the name of one ends in .whl: docs/install.md").into());
        }
        Ok(source)
    }

    /// A file of the work tree, wherever the repository is checked out; any other is of the machine.
    fn from_path(named: &str, ctx: &CommandContext) -> Result<Self> {
        let path = ctx.path(Path::new(named));
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let root = ctx.repo()?.workdir().and_then(|root| root.canonicalize().ok());
        let inside = root.and_then(|root| real.strip_prefix(root).ok().map(Path::to_path_buf));
        let text = |path: &Path| path.to_str().map(|path| path.replace('\\', "/"));
        let no_text = || Fault::new(FaultKind::Usage, format!("{}: the path is not UTF-8", path.display()));
        match inside {
            Some(inside) => Ok(WheelSource::Repository(text(&inside).ok_or_else(no_text)?)),
            None => Ok(WheelSource::Machine(text(&path).ok_or_else(no_text)?)),
        }
    }

    /// The digest of the wheel's bytes. None for a wheel of an index, whose client checks it, and for a download while
    /// the host is offline.
    fn digest(&self, ctx: &CommandContext) -> Result<Option<String>> {
        let unread =
            |what: &str| Fault::new(FaultKind::Usage, format!("cannot read {what}")).hint("nothing was written");
        let wheel = match self {
            WheelSource::Index(_) => return Ok(None),
            WheelSource::Https(_) if ctx.is_offline() => return Ok(None),
            WheelSource::Https(url) => {
                download(&ComponentSource::Https(url.clone()), &ctx.policies().registry(&Trust::default()))
                    .with_context(|| unread(url))?
                    .component
            }
            WheelSource::Repository(path) => {
                let repo = ctx.repo()?;
                let root = repo.workdir().unwrap_or(&ctx.process.cwd).to_path_buf();
                Component::from(read_regular(&root.join(path), LARGEST).with_context(|| unread(path))?)
            }
            // The machines that build may have it where this one has nothing.
            WheelSource::Machine(path) => match read_regular(path.as_ref(), LARGEST) {
                Ok(bytes) => Component::from(bytes),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error).with_context(|| unread(path)),
            },
        };
        Ok(Some(wheel.digest().trim_start_matches("sha256:").to_owned()))
    }
}

/// How a line for pip names the folder of the checkout: pip reads variables in braces.
fn checkout(service: CiService) -> &'static str {
    match service {
        CiService::Github | CiService::Forgejo => "${GITHUB_WORKSPACE}/",
        CiService::Gitlab => "${CI_PROJECT_DIR}/",
    }
}
