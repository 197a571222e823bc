//! Refs that stand for what a remote has.

use git2::{Direction, Remote, Repository};

use super::{Repo, failed, made_here};
use guardhost_core::change::Oid;
use guardhost_core::error::Result;

impl Repo {
    /// The refs below `refs/remotes/` that the fetch of a configured remote writes. Any other ref of such a name has no witness: whoever may
    /// push could have made it. So a bare repository, which others push to, has none. A remote on this machine, such as a second clone or a
    /// bundle, is a witness only where `known_here` has its address: whoever works here can make one and commit in it what nobody judges.
    ///
    /// # Errors
    /// Refs or settings cannot be read.
    pub fn fetched_refs(&self, known_here: &[String]) -> Result<Vec<(String, Oid)>> {
        if self.is_bare() {
            return Ok(Vec::new());
        }
        let refs = self.refs("refs/remotes/")?;
        if refs.is_empty() {
            return Ok(refs);
        }
        let store = self.store();
        let handle = store.handle();
        let remotes: Vec<Remote> =
            remotes(&handle)?.into_iter().filter(|remote| is_witness(remote, &handle, known_here)).collect();
        Ok(refs.into_iter().filter(|(name, _)| remotes.iter().any(|remote| writes(remote, name))).collect())
    }

    /// The remotes that are witnesses as of [`Repo::fetched_refs`] and whose fetch writes a ref, by name.
    ///
    /// # Errors
    /// The settings cannot be read.
    pub fn witnesses_of(&self, ref_name: &str, known_here: &[String]) -> Result<Vec<String>> {
        let store = self.store();
        let handle = store.handle();
        let of_ref = |remote: &Remote| is_witness(remote, &handle, known_here) && writes(remote, ref_name);
        let remotes = remotes(&handle)?;
        Ok(remotes
            .iter()
            .filter(|remote| of_ref(remote))
            .filter_map(|remote| Some(remote.name().ok()??.to_owned()))
            .collect())
    }

    /// The remote that git asks where a command names none: that of the branch, which may be a path, else the only one, else `origin`.
    ///
    /// # Errors
    /// The settings cannot be read.
    pub fn default_remote(&self) -> Result<String> {
        let setting = format!("branch.{}.remote", self.head()?.branch.unwrap_or_default());
        let mut set = self.config_entries(&[&setting])?.into_iter().filter(|(name, _)| *name == setting);
        let of_branch = set.next_back().map(|(_, value)| value);
        let store = self.store();
        let handle = store.handle();
        let only = match remotes(&handle)?.as_slice() {
            [only] => only.name().ok().flatten().map(str::to_owned),
            [] | [_, ..] => None,
        };
        Ok(of_branch.or(only).unwrap_or_else(|| "origin".to_owned()))
    }

    /// How git says in the log of a ref that it moved there; None where the last move that is logged went elsewhere.
    ///
    /// # Errors
    /// The log is there and cannot be read.
    pub fn logged_move(&self, ref_name: &str, to: Oid) -> Result<Option<String>> {
        let log = made_here::read(&self.common_dir().join("logs").join(ref_name))?;
        let last = log.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty()).unwrap_or_default();
        let last = String::from_utf8_lossy(last);
        let (who, message) = last.split_once('\t').unwrap_or((&last, ""));
        Ok((made_here::new_of(who) == Some(to)).then(|| message.to_owned()))
    }

    /// The addresses of those remotes that are on this machine.
    ///
    /// # Errors
    /// The settings cannot be read.
    pub fn remotes_on_this_machine(&self) -> Result<Vec<String>> {
        let store = self.store();
        let handle = store.handle();
        let remotes = remotes(&handle)?;
        let addresses = remotes.iter().filter_map(|remote| remote.url().ok());
        Ok(addresses.filter(|url| is_here(url) && !url.contains('\n')).map(str::to_owned).collect())
    }

    /// The ref that stands for the upstream of a branch, by its full name; None where none is configured.
    pub fn upstream_of(&self, branch: &str) -> Option<String> {
        let store = self.store();
        let handle = store.handle();
        handle.branch_upstream_name(branch).ok()?.as_str().ok().map(str::to_owned)
    }
}

/// A repository that is not on this machine, or that people chose.
fn is_witness(remote: &Remote, handle: &Repository, known_here: &[String]) -> bool {
    match remote.url() {
        Ok(url) => !is_this_repository(url, handle) && (!is_here(url) || known_here.iter().any(|known| known == url)),
        Err(_) => false,
    }
}

fn writes(remote: &Remote, name: &str) -> bool {
    remote.refspecs().any(|spec| spec.direction() == Direction::Fetch && spec.dst_matches(name))
}

/// A name that is no UTF-8 is left out: what it fetched is then judged.
fn remotes(handle: &Repository) -> Result<Vec<Remote<'_>>> {
    let failed = |cause| failed("cannot list the remotes", cause);
    let names = handle.remotes().map_err(failed)?;
    let names = names.iter().filter_map(|name| name.ok().flatten());
    names.map(|name| handle.find_remote(name).map_err(failed)).collect()
}

/// Schemes by which git asks another machine. Others, such as `file` and the `ext::` of a program, stay here.
const OF_A_NETWORK: [&str; 9] = ["http", "https", "ssh", "git", "git+ssh", "ssh+git", "git+https", "git+http", "ftps"];

/// Whether what an address names is on this machine: a path, a scheme that asks no other machine, or a loopback name.
fn is_here(url: &str) -> bool {
    let host = match url.split_once("://") {
        Some((scheme, rest)) if OF_A_NETWORK.contains(&scheme.to_ascii_lowercase().as_str()) => rest,
        Some(_) => return true,
        // As git reads it: `host:path` has a colon before the first slash, and `scheme::address` is a program's.
        None => match url.split_once(':') {
            Some((host, path)) if !host.contains('/') && !path.starts_with(':') => host,
            _ => return true,
        },
    };
    let authority = host.split(['/', '?', '#']).next().unwrap_or_default();
    let name = authority.rsplit_once('@').map_or(authority, |(_, name)| name);
    let name = match name.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => name.split(':').next().unwrap_or_default(),
    };
    let is_loopback = |address: std::net::IpAddr| address.is_loopback() || address.is_unspecified();
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name.is_empty()
        || name == "localhost"
        || name.ends_with(".localhost")
        || name.parse().is_ok_and(is_loopback)
        || name.starts_with("127.")
}

/// A repository that is its own remote fetches from itself what nobody judged.
fn is_this_repository(url: &str, handle: &Repository) -> bool {
    let path = url.strip_prefix("file://").unwrap_or(url);
    let real = |path: &std::path::Path| path.canonicalize().ok();
    let here = handle.workdir().unwrap_or(handle.path());
    match real(&here.join(path)) {
        Some(there) => [Some(handle.path()), Some(handle.commondir()), handle.workdir()]
            .into_iter()
            .flatten()
            .any(|own| real(own).as_ref() == Some(&there)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_here;

    #[test]
    fn a_path_a_program_and_a_loopback_name_are_here() {
        for here in [
            "../k",
            "/srv/x.git",
            "./a:b",
            "k.bundle",
            "file:///srv/x",
            "ext::git upload-pack ../k",
            "fd::17",
            "odd://x/y",
            "",
            "http://localhost:8000/x",
            "https://me@127.0.0.1/x",
            "ssh://git@[::1]:22/x",
            "localhost:x",
            "git@127.1:x",
            "http://0.0.0.0/x",
            "http://a.localhost./x",
        ] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in [
            "https://example.com/x.git",
            "git@example.com:x/y",
            "ssh://[2001:db8::1]/x",
            "example.com:x",
            "HTTPS://example.com/x",
        ] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }
}
