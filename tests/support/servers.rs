//! Real servers for tests: found on this machine, started on a free port in a folder of their own, ended by their process id. What is not
//! installed is said out loud, and the test that wanted it counts as skipped, not as held.
//!
//! Used by the tests of crates as well: it needs nothing but the standard library.

#![allow(dead_code)]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Says that a test did not look, and why; fails it where `GUARDHOST_TEST_REQUIRE` asks for all tools, or for this one.
pub fn skip(what: &str, why: &str) {
    let required = std::env::var("GUARDHOST_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == "all" || name.trim() == what), "{what} is required: {why}");
    // Past libtest, which shows what a test prints only when it fails.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("SKIPPED {what}: {why}\n").as_bytes());
}

/// A port for a server that is started next: see [`free_ports`].
pub fn free_port() -> u16 {
    let [port] = free_ports();
    port
}

/// Different ports that no other program is given for a minute, though a server that names one can bind it. Each is left as the local port of a
/// closed connection (TIME_WAIT): a port that was only let go went to another test's server before ours had started.
pub fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    std::array::from_fn(|_| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let client = TcpStream::connect(address).expect("a connection");
        // The side that closes first keeps the port.
        drop(listener.accept().expect("a connection"));
        drop(client);
        address.port()
    })
}

/// A server that ends with the value.
pub struct Running {
    child: Child,
    pub port: u16,
}

impl Running {
    /// Starts a program and waits until its port answers.
    pub fn start(command: Command, port: u16, log: &Path) -> Running {
        Running::try_start(command, port, log).unwrap_or_else(|log| panic!("{log}"))
    }

    /// Err: what it wrote before it ended by itself.
    pub fn try_start(mut command: Command, port: u16, log: &Path) -> Result<Running, String> {
        let log_file = fs::File::create(log).expect("a log");
        command.stdin(Stdio::null()).stdout(log_file.try_clone().expect("a log")).stderr(log_file);
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut running = Running { child, port };
        let end = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if running.child.try_wait().expect("its state").is_some() {
                return Err(fs::read_to_string(log).unwrap_or_default());
            }
            assert!(Instant::now() < end, "{}", fs::read_to_string(log).unwrap_or_default());
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(running)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // By SIGKILL: its folder goes with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An installed PostgreSQL.
pub struct Postgres {
    /// Its folder `bin`.
    pub bin: PathBuf,
    /// `postgres (PostgreSQL) 15.18`
    pub version: String,
}

/// Those of Debian, and those that `GUARDHOST_TEST_POSTGRES` names: folders `bin`, with `:` between them.
pub fn postgres() -> Vec<Postgres> {
    let of_debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = of_debian.map(|entry| entry.path().join("bin")).collect();
    if let Some(named) = std::env::var_os("GUARDHOST_TEST_POSTGRES") {
        folders.extend(std::env::split_paths(&named));
    }
    folders.sort();
    let version = |bin: &Path| {
        let said = Command::new(bin.join("postgres")).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&said.stdout).trim().to_owned()).filter(|text| !text.is_empty())
    };
    folders.into_iter().filter_map(|bin| Some(Postgres { version: version(&bin)?, bin })).collect()
}

impl Postgres {
    /// A new, empty database. Writes are not synchronised unless `durable`.
    pub fn start(&self, folder: &Path, durable: bool) -> Running {
        self.start_with(folder, durable, &[])
    }

    /// With more settings, as `name=value`.
    pub fn start_with(&self, folder: &Path, durable: bool, more: &[&str]) -> Running {
        let data = folder.join("data");
        fs::create_dir_all(&data).expect("a folder");
        if is_root() {
            for path in [folder, &data] {
                std::os::unix::fs::chown(path, Some(65534), Some(65534)).expect("its owner");
            }
        }
        let made = self
            .command("initdb", folder)
            .args(["--no-sync", "-A", "trust", "-U", "test", "-E", "UTF8", "-D"])
            .arg(&data)
            .output();
        let made = made.expect("initdb");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        self.serve(folder, free_port(), durable, more).unwrap_or_else(|log| panic!("{log}"))
    }

    /// One that was ended, with what it kept, on the port that it had.
    pub fn again(&self, folder: &Path, port: u16) -> Running {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            // Processes of the one that was killed may still hold its memory: then it ends at once.
            match self.serve(folder, port, false, &[]) {
                Ok(running) => return running,
                Err(log) => assert!(Instant::now() < end, "{log}"),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Err: what it wrote before it ended by itself.
    fn serve(&self, folder: &Path, port: u16, durable: bool, more: &[&str]) -> Result<Running, String> {
        let data = folder.join("data");
        let mut server = self.command("postgres", folder);
        server.arg("-D").arg(&data).args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
        server.args(["-c", &format!("port={port}"), "-c", &format!("fsync={}", if durable { "on" } else { "off" })]);
        server.args(more.iter().flat_map(|setting| ["-c", setting]));
        let log = std::env::temp_dir().join(format!("postgres-{port}.log"));
        let running = Running::try_start(server, port, &log)?;
        // It listens before it lets anyone in.
        let is_ready = || fs::read_to_string(&log).unwrap_or_default().contains("ready to accept connections");
        let end = Instant::now() + Duration::from_secs(60);
        while !is_ready() {
            assert!(Instant::now() < end, "{}", fs::read_to_string(&log).unwrap_or_default());
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = fs::remove_file(&log);
        Ok(running)
    }

    fn command(&self, name: &str, folder: &Path) -> Command {
        let program = self.bin.join(name);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(program);
                command
            }
            false => Command::new(program),
        };
        command.current_dir(folder).env("LC_ALL", "C").env_remove("LD_PRELOAD");
        command
    }
}

/// PostgreSQL refuses to run as root.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}
