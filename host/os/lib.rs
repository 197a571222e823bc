//! What differs between the operating systems that the host runs on. Each thing has one name, and an implementation for Unix (Linux,
//! macOS) and one for Windows; the compiler holds both to the same signatures. Other crates name a system only where a whole part of them
//! exists on Unix alone: the attendant of agents, the sandbox.
//!
//! - `names`: paths and names as bytes.
//! - `access`: who may read and execute a file.
//! - `stat`: what a file system says of a file.
//! - `open`: files opened without following links or waiting; what reaches the disk.
//! - `regular`: regular files alone, of a bounded size.
//! - `swap`: files that change places.
//! - `memory`: mapped files, pages that may be executed.
//! - `process`: process groups, limits, signals.
//! - `stack`: how much the first thread has.
//! - `inherited`: what a process got from its parent and does not want.
//! - `machine`: errors of the system, random bytes, folders of a user, the terminal.

mod regular;
mod stack;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
#[cfg(any(windows, test))]
mod windows_names;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use regular::{check_regular, open_regular, read_regular};
pub use stack::with_stack;
pub use system::access::{
    KEEPS_MODES, KEEPS_PRIVATE, Private, create_new, inherit_mode, is_executable_by_owner, is_own, make_private,
    may_be_read_by_others, mode, program_at, set_file_mode, set_mode,
};
pub use system::inherited::{close_inherited, forget_parent, settle_inherited, write_all};
pub use system::machine::{
    SYSTEM_VARIABLES, TEMPORARY_FOLDER, cache_folder, home, is_lack, is_system_error, random_bytes, settings_folder,
    terminal_width, variable_name,
};
pub use system::memory::{Map, allocate_in_steps, make_executable, page_size};
pub use system::names::{PATH_LIST_SEPARATOR, absolute, os_str, os_string, path_in_work_tree, shell_path, slashed};
pub use system::open::{
    Links, is_no_file, open_file, open_folder, open_without_waiting, path_of_open, read_exact_at, sync, sync_folder,
};
pub use system::process::{
    HAS_POSIX_SHELL, address_space, become_program, end_with_reader, kill_group, limit_memory_of, limit_process,
    own_group, signal_of,
};
pub use system::stat::{DirStat, STAMPS_CHANGES, Stat, device_of, is_special, stamps_every_write};
pub use system::swap::{
    exchange, has_no_links, is_at, is_same_file, is_unsupported, link, mount, move_to_free, rename, symlink, symlink_at,
};
