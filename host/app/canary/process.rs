//! Starts what a hook would be started by, for a limited time.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use guardhost_core::error::{Context, Result};
use guardhost_os::{kill_group, own_group};

/// How a process ended.
#[derive(Debug)]
pub(super) enum ProcessEnd {
    /// None for a process that a signal ended. All that it wrote.
    By { code: Option<i32>, said: String },
    /// It was killed when its time was over.
    TooLate(Duration),
}

/// Time between two looks at a process.
const LOOK: Duration = Duration::from_millis(3);

/// `folder` is for what the process writes.
pub(super) fn run(mut command: Command, input: &[u8], limit: Duration, folder: &Path) -> Result<ProcessEnd> {
    let output = folder.join("said");
    let file = File::create(&output).context("cannot write a temporary file")?;
    let errors = file.try_clone().context("cannot write a temporary file")?;
    command.stdin(Stdio::piped()).stdout(file).stderr(errors);
    own_group(&mut command);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    // A process that reads nothing may have ended.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(input));
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().context("cannot wait for a process")? {
            Some(status) => break status,
            None if begun.elapsed() > limit => {
                end(&mut child);
                return Ok(ProcessEnd::TooLate(limit));
            }
            None => std::thread::sleep(LOOK),
        }
    };
    let said = std::fs::read(&output).context("cannot read a temporary file")?;
    Ok(ProcessEnd::By { code: status.code(), said: String::from_utf8_lossy(&said).into_owned() })
}

/// With everything that it started.
fn end(child: &mut Child) {
    kill_group(child);
    let _ = child.wait();
}
