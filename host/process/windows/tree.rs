//! A program in a job. The host holds the job's only handle, so that no process stands in between.

use std::ffi::OsStr;
use std::io;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, CREATE_SUSPENDED};

use super::job::Job;

/// How long the end of processes that were killed is waited for, as on Unix.
const PATIENCE: Duration = Duration::from_secs(20);

/// Between two looks at them.
const LOOK: Duration = Duration::from_millis(1);

/// The endings of batch files.
const BATCH: [&str; 2] = ["bat", "cmd"];

/// A command whose process was not started yet.
pub struct Starting {
    job: Job,
}

impl Starting {
    /// The command that starts `program` with `args`. The caller sets streams, environment and folder, starts it, and calls
    /// [`Starting::started`] with its number: until then it does nothing. Arguments of a batch file (`.cmd`, `.bat`) reach it as they are, or
    /// the start fails. The other two are for an attendant, of which there is none.
    ///
    /// # Errors
    /// The system gives no job, or a word with `%` is for a batch file.
    pub fn prepare<A: AsRef<OsStr>>(
        _exe: &Path,
        _scratch: &Path,
        program: &OsStr,
        args: impl IntoIterator<Item = A>,
    ) -> io::Result<(Command, Self)> {
        let mut command = Command::new(program);
        command.args(args);
        check_batch_words(&command)?;
        // Suspended: it starts nothing before it is in the job. Without a window, it has no part in the console of the host either: a Ctrl-C
        // there is for the host, which then ends it.
        command.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW);
        Ok((command, Starting { job: Job::new()? }))
    }

    /// `child` is the number of the process that the command started, whose handle is open.
    ///
    /// # Errors
    /// It cannot be put into the job; then it is ended.
    pub fn started(self, child: u32) -> io::Result<ProcessTree> {
        self.job.begin(child)?;
        Ok(ProcessTree { job: self.job })
    }
}

/// The standard library quotes the arguments of a batch file for `cmd.exe`, or refuses them. For `%` it relies on a variable whose text is
/// cut to nothing, which not every `cmd.exe` reads (Wine 8.0 put the value of `%PATH%` in its place), so such words are refused.
fn check_batch_words(command: &Command) -> io::Result<()> {
    let program = Path::new(command.get_program());
    let is_batch =
        program.extension().is_some_and(|ending| BATCH.iter().any(|batch| ending.eq_ignore_ascii_case(batch)));
    let mut words = command.get_args().chain([command.get_program()]);
    match is_batch && words.any(|word| word.as_encoded_bytes().contains(&b'%')) {
        true => Err(io::Error::new(io::ErrorKind::InvalidInput, "a word with % cannot be given to a batch file")),
        false => Ok(()),
    }
}

/// A child and every process that it started. Dropping it ends them, and so does the end of the host, however it ends.
pub struct ProcessTree {
    job: Job,
}

impl ProcessTree {
    /// Ends them at once: there is no request to end that every program hears.
    pub fn ask_to_end(&self) {
        self.job.end();
    }

    /// Ends them.
    pub fn kill(&mut self) {
        self.job.end();
    }

    /// Ends what is left of a child that has ended and was waited for. False: some of it does not end.
    pub fn clear(&mut self) -> bool {
        let begun = Instant::now();
        self.job.end();
        loop {
            match self.job.running() {
                Ok(0) => return true,
                Ok(_) if begun.elapsed() < PATIENCE => thread::sleep(LOOK),
                Ok(_) | Err(_) => return false,
            }
        }
    }

    /// Always None: on Windows the caller gets the failure when it starts the command.
    pub fn start_failure(&self) -> Option<String> {
        None
    }
}
