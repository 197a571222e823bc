//! A real OCI registry on loopback: Debian's `docker-registry`, which tests start and end themselves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub struct Registry {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub host: String,
    data: TempDir,
}

impl Registry {
    /// None when no registry can be had, with the reason on standard error. `htpasswd` is one line, for those who must log in.
    pub fn start(htpasswd: Option<&str>) -> Option<Self> {
        let program = match program() {
            Ok(program) => program,
            Err(why) => {
                eprintln!("skipped: no OCI registry to test against: {why}");
                return None;
            }
        };
        let data = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut config = format!(
            "version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: 127.0.0.1:{port}\n",
            data.path().join("data").display()
        );
        if let Some(line) = htpasswd {
            let file = data.path().join("htpasswd");
            fs::write(&file, format!("{line}\n")).unwrap();
            config.push_str(&format!("auth:\n  htpasswd:\n    realm: test\n    path: {}\n", file.display()));
        }
        let file = data.path().join("config.yml");
        fs::write(&file, config).unwrap();
        let mut child = Command::new(program)
            .arg("serve")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the registry starts");
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = child.try_wait().unwrap() {
                let said: Vec<_> = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok).collect();
                panic!("the registry ended ({status}): {}", said.join("\n"));
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "the registry does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Registry { child, host: format!("127.0.0.1:{port}"), data })
    }

    /// The file of a blob or manifest, as the registry keeps it.
    pub fn blob(&self, digest: &str) -> PathBuf {
        let hex = digest.strip_prefix("sha256:").unwrap();
        let folder = self.data.path().join("data/docker/registry/v2/blobs/sha256");
        folder.join(&hex[..2]).join(hex).join("data")
    }

    pub fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Installed, or unpacked once from Debian's package into the build's own folder. The error says why neither.
fn program() -> Result<PathBuf, String> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PROGRAM.get_or_init(find).clone()
}

fn find() -> Result<PathBuf, String> {
    let installed = Path::new("/usr/bin/docker-registry");
    if installed.exists() {
        return Ok(installed.to_owned());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docker-registry");
    let program = folder.join("usr/bin/docker-registry");
    if program.exists() {
        return Ok(program);
    }
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let run = |program: &str, args: &[&str]| -> Result<(), String> {
        let output = Command::new(program).args(args).current_dir(scratch.path()).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(format!("{program} {}: {said}", args.join(" "))) }
    };
    if let Err(why) = run("apt-get", &["download", "docker-registry"]) {
        // A new machine has no lists of packages yet.
        run("apt-get", &["update"]).and_then(|()| run("apt-get", &["download", "docker-registry"])).map_err(|_| why)?;
    }
    let package = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path());
    let package = package.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "deb"));
    let package = package.ok_or("apt-get downloaded nothing")?;
    run("dpkg-deb", &["-x", &package.display().to_string(), "unpacked"])?;
    // Of two test runs at once one wins.
    let _ = fs::rename(scratch.path().join("unpacked"), &folder);
    if program.exists() { Ok(program) } else { Err("the package holds no registry".to_owned()) }
}
