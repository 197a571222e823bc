//! `host serve`, `host submit`, `host worker` and `host fleet`: found and started as git and cargo do with commands that are programs of
//! their own. docs/decisions/server.md says why the server is one.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;

/// The name of the server's program.
const SERVER: &str = "guardhost-server";

/// Goes on as the server, with the same words. `command` is what was asked for, `called` the name that this program was called by.
///
/// # Errors
/// The server is not installed ([`FaultKind::Usage`], `server-missing`), or cannot be started.
pub fn become_server(command: &str, words: &[OsString], called: &str, process: &ProcessEnv) -> Result<u8> {
    let path = process.var("PATH").unwrap_or_default();
    let Some(server) = find(&process.exe, path) else {
        let what = format!("`host {command}` is a command of the program {SERVER}, which is not installed");
        let hint = format!(
            "install it from the package or checkout that host came from (docs/install.md): beside {}, or anywhere on the PATH",
            process.exe.display()
        );
        return Err(Fault::new(FaultKind::Usage, what).hint(hint).code("server-missing").into());
    };
    let words = words.get(1..).unwrap_or_default();
    guardhost_os::become_program(Command::new(&server).args(words), OsStr::new(called))
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot start {}", server.display())))
}

/// Beside this program's own file, to which links lead, and then on the PATH.
fn find(own: &Path, path: &OsStr) -> Option<PathBuf> {
    let name = format!("{SERVER}{}", std::env::consts::EXE_SUFFIX);
    let own = own.canonicalize().ok()?;
    let beside = own.parent().map(Path::to_owned);
    beside.into_iter().chain(std::env::split_paths(path)).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn the_server_beside_this_program_comes_before_one_on_the_path() {
        let folder = tempfile::tempdir_in(std::env::temp_dir()).unwrap();
        let [own, other] = ["own", "other"].map(|name| folder.path().canonicalize().unwrap().join(name));
        let file = |at: &std::path::Path, name: &str| {
            std::fs::create_dir_all(at).unwrap();
            std::fs::write(at.join(name), "").unwrap();
        };
        file(&own, "host");
        file(&other, "guardhost-server");
        let host = own.join("host");
        let find = || find(&host, other.as_os_str());
        assert_eq!(find(), Some(other.join("guardhost-server")));
        file(&own, "guardhost-server");
        assert_eq!(find(), Some(own.join("guardhost-server")));
    }
}
