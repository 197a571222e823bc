//! What the kernel has for every process of a user or of a machine, and no namespace keeps apart.

use super::is_rejected;
use crate::support::toolchain::{Bench, sandboxes};
use crate::support::tools::{Tool, needs};

/// Fails with the names of what the kernel did, and with those of what a test may do and could not. Numbers of system calls from 425 on
/// are the same on all machines.
const TESTS: &str = r#"
import ctypes, errno, platform, socket, flag

CALLS = {"x86_64": {"add_key": 248, "request_key": 249, "keyctl": 250}, "aarch64": {"add_key": 217, "request_key": 218, "keyctl": 219}}
SESSION, USER = -3, -4
libc = ctypes.CDLL(None, use_errno=True)

def call(number, *args):
    ctypes.set_errno(0)
    return libc.syscall(number, *args) >= 0 or ctypes.get_errno() != errno.EACCES

def makes(family, kind, protocol=0):
    try:
        socket.socket(family, kind, protocol).close()
    except PermissionError:
        return False
    except OSError:
        pass
    return True

def test_it():
    assert not flag.TRY

def test_kernel():
    if not flag.TRY:
        return
    calls = CALLS[platform.machine()]
    done = {
        "the session's keyring": call(calls["keyctl"], 0, SESSION, 0),
        "the user's keyring": call(calls["keyctl"], 0, USER, 0),
        "search": call(calls["request_key"], b"user", b"no such key", None, SESSION),
        "a key that outlives the run": call(calls["add_key"], b"user", b"of-a-test", b"x", 1, SESSION),
        "io_uring": call(425, 1, ctypes.create_string_buffer(120)),
        "vsock": makes(40, socket.SOCK_STREAM),
        "packets": makes(17, socket.SOCK_RAW),
        "netlink of any kind": makes(16, socket.SOCK_RAW, 16),
    }
    assert not any(done.values()), "DONE " + str([what for what in done if done[what]])
    if flag.NETWORK:
        usual = [makes(family, socket.SOCK_STREAM) for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)]
        assert all(usual) and makes(16, socket.SOCK_RAW, 0), "REFUSED " + str(usual)
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
"#;

#[test]
fn keys_rings_and_the_sockets_of_the_machine_are_closed() {
    let Some(pytest) = needs(Tool::Pytest) else { return };
    for sandbox in sandboxes() {
        let network = if sandbox == "bubblewrap" { "True" } else { "False" };
        let flags = |tries: &str| format!("TRY = {tries}\nNETWORK = {network}\n");
        let files = [("setup.cfg", ""), ("flag.py", &*flags("False")), ("test_it.py", TESTS)];
        let bench = Bench::new(sandbox, &files).with_pytest(&pytest);
        let ran = bench.change(&[("flag.py", Some(&flags("True")))]).expect(1);
        // The test that always fails then shows that the other one ran.
        is_rejected(&ran, sandbox, &["test_it.py::test_it"]);
        assert!(!ran.stdout.contains("test_kernel"), "{sandbox}: {ran:?}");
    }
}
