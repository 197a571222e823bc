//! The session keyring (session-keyring(7)), which a process gets from the one that started it. No namespace separates keys.

use std::io;

/// Gives this thread, and what it starts, an empty keyring in the place of the user's session's. The system calls for keys are refused in
/// the sandbox; this is for what the kernel itself looks up for a process, as network file systems do.
///
/// # Errors
/// Another keyring cannot be made. A system without keys, or one that lets this process use none, needs none.
#[cfg(target_os = "linux")]
pub fn leave_session() -> io::Result<()> {
    // SAFETY: no name is passed, so that the kernel reads no memory; it makes a keyring and changes this thread's credentials.
    let made =
        unsafe { libc::syscall(libc::SYS_keyctl, libc::KEYCTL_JOIN_SESSION_KEYRING, std::ptr::null::<libc::c_char>()) };
    let error = io::Error::last_os_error();
    match (made, error.raw_os_error()) {
        (0.., _) | (_, Some(libc::ENOSYS | libc::EPERM | libc::EACCES)) => Ok(()),
        _ => Err(error),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn leave_session() -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn session() -> i64 {
        // SAFETY: numbers are passed alone.
        unsafe {
            libc::syscall(libc::SYS_keyctl, libc::KEYCTL_GET_KEYRING_ID, libc::KEY_SPEC_SESSION_KEYRING, 0) as i64
        }
    }

    #[test]
    fn the_session_of_the_caller_is_left() {
        let callers = session();
        leave_session().expect("a keyring");
        // Where keys cannot be used, both are refused.
        assert!(callers == -1 || session() != callers, "{callers}");
    }
}
