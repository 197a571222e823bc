//! A real OCI registry on loopback: Debian's `docker-registry`, which tests start and end themselves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::tools::{Tool, needs};

pub struct Registry {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub host: String,
    data: TempDir,
}

impl Registry {
    /// None when the registry is missing, which was shown. With `htpasswd`, one line of such a file, clients must log in.
    #[track_caller]
    pub fn start(htpasswd: Option<&str>) -> Option<Self> {
        let program = needs(Tool::DockerRegistry)?;
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
