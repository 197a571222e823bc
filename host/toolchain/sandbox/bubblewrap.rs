//! The sandbox by bubblewrap (bwrap(1)): separate namespaces for files, processes and network, the last with only the loopback device.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::View;

/// Folders that are links into `/usr` on most systems.
const LINKS: [&str; 5] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// Whether it works on this machine: it does not where user namespaces are forbidden.
pub fn works(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.args(["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--"]).arg(program).arg("--version");
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The command line up to the program to run. `exe` is made readable: it starts the command, and says so.
pub fn command(program: &Path, view: &View, dir: &Path, exe: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![program.into()];
    let mut add = |parts: &[&dyn AsRef<std::ffi::OsStr>]| {
        words.extend(parts.iter().map(|part| part.as_ref().to_owned()));
    };
    // Without --as-pid-1 bubblewrap is process 1 of the namespace; when it dies, the kernel kills the rest.
    for word in ["--unshare-all", "--die-with-parent", "--new-session"] {
        add(&[&word]);
    }
    add(&[&"--cap-drop", &"ALL", &"--proc", &"/proc", &"--dev", &"/dev", &"--bind", &view.temp, &"/tmp"]);
    let is_link = |path: &Path| LINKS.iter().any(|link| Path::new(link) == path);
    // Parents first: a mount hides earlier mounts below it.
    // A folder of the search path may be closed to this user.
    let is_own = |path: &&PathBuf| !path.starts_with("/proc") && !path.starts_with("/dev") && path.metadata().is_ok();
    let exe = exe.to_path_buf();
    let mut read: Vec<&PathBuf> = view.read.iter().chain([&exe]).filter(is_own).collect();
    read.sort();
    read.dedup();
    for path in read {
        match fs::read_link(path) {
            Ok(target) if is_link(path) => add(&[&"--symlink", &target, path]),
            _ => add(&[&"--ro-bind-try", path, path]),
        }
    }
    for path in &view.write {
        add(&[&"--bind", path, path]);
    }
    add(&[&"--remount-ro", &"/", &"--chdir", &dir, &"--"]);
    words
}
