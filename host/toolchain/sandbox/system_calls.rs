//! The system calls that are refused in every sandbox, whatever confines the rest (seccomp(2)). What they reach is in no namespace, and
//! Landlock does not restrict it.

use std::collections::BTreeMap;

use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use guardhost_core::error::{Context, Result};

/// The user's keys (keyrings(7)): Kerberos tickets, passwords that a login kept. A key that is added outlives the run, and the next one
/// could read it. io_uring makes sockets without the system call for them.
const OUTSIDE: [i64; 4] = [libc::SYS_keyctl, libc::SYS_add_key, libc::SYS_request_key, libc::SYS_io_uring_setup];

/// Ways from one process into another: the test runner, or cargo, holds the report that the tests must not write.
const INTO_OTHERS: [i64; 4] =
    [libc::SYS_pidfd_getfd, libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev];

/// The bit of x86-64's second table of system calls, x32, which does the same under other numbers.
const X32: i64 = 0x4000_0000;

/// The sockets that a command may make. `socketpair` always stays: it reaches nothing outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sockets {
    /// Landlock does not restrict UDP or sockets with a path.
    None,
    /// Those that a network namespace, and a view of the files, keep in. Tests start servers on the loopback device, and ask the kernel
    /// for its addresses over one kind of netlink. A virtual machine's sockets to its host (vsock(7)) are among those that are not kept in.
    OfTheNamespace,
}

/// For this process and all that it starts, for good.
pub fn refuse(sockets: Sockets) -> Result<()> {
    seccompiler::apply_filter(&filter(sockets)?).context("cannot filter system calls")
}

fn filter(sockets: Sockets) -> Result<seccompiler::BpfProgram> {
    // A call without a rule is refused whatever its arguments are.
    let whole = OUTSIDE.into_iter().chain(INTO_OTHERS).map(|call| (call, Vec::new()));
    let calls = whole.chain([(libc::SYS_socket, refused_sockets(sockets)?)]);
    let x32 = if cfg!(target_arch = "x86_64") { X32 } else { 0 };
    let rules: BTreeMap<i64, Vec<SeccompRule>> =
        calls.flat_map(|(call, rules)| [(call, rules.clone()), (call | x32, rules)]).collect();
    let arch: TargetArch = std::env::consts::ARCH.try_into().context("no filter for this architecture")?;
    let refuse = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).context("cannot make the system call filter")?;
    filter.try_into().context("cannot compile the system call filter")
}

/// By the arguments of socket(2): the family and, third, the protocol.
fn refused_sockets(sockets: Sockets) -> Result<Vec<SeccompRule>> {
    match sockets {
        Sockets::None => Ok(Vec::new()),
        Sockets::OfTheNamespace => {
            let kept = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
            let others = kept.into_iter().map(|family| argument(0, SeccompCmpOp::Ne, family)).collect::<Result<_>>()?;
            let netlink = argument(0, SeccompCmpOp::Eq, libc::AF_NETLINK)?;
            let no_route = argument(2, SeccompCmpOp::Ne, libc::NETLINK_ROUTE)?;
            [others, vec![netlink, no_route]].map(SeccompRule::new).into_iter().map(known).collect()
        }
    }
}

fn argument(at: u8, is: SeccompCmpOp, value: libc::c_int) -> Result<SeccompCondition> {
    known(SeccompCondition::new(at, SeccompCmpArgLen::Dword, is, u64::from(value.unsigned_abs())))
}

fn known<T>(made: Result<T, seccompiler::BackendError>) -> Result<T> {
    made.context("cannot make the system call filter")
}
