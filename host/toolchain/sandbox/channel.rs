//! The descriptor over which a test runner reports: a socket, so that no other process can open it through `/proc`. Every line of a
//! report begins with a key that only the runner's reporter was given. A line without it makes the whole report unusable.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use super::records::{ReportFrom, SandboxRecords};

/// Bytes of one report: a hundred thousand tests with the text of some failures.
const MOST: u64 = 64 << 20;

/// The host's end.
pub struct Channel {
    key: String,
    from: ReportFrom,
    socket: UnixStream,
}

impl Channel {
    /// The host's end, and the sandbox's. The key is the first line that can be read from the latter.
    pub fn open(from: ReportFrom) -> io::Result<(Self, OwnedFd)> {
        let mut random = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut random)?;
        let key: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let (mut socket, theirs) = UnixStream::pair()?;
        if from == ReportFrom::Descriptor {
            socket.write_all(format!("{key}\n").as_bytes())?;
        }
        Ok((Channel { key, from, socket }, theirs.into()))
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// Reads to the end, which is when no process has the other end any more.
    pub fn read(self) -> io::Result<SandboxRecords> {
        let mut bytes = Vec::new();
        match (&self.socket).take(MOST + 1).read_to_end(&mut bytes) {
            // The end, after all that was written: the key was not read.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
            read => drop(read?),
        }
        if bytes.len() as u64 > MOST {
            // A writer must not wait for a reader that has gone.
            io::copy(&mut &self.socket, &mut io::sink())?;
            return Ok(Err(format!("the report has more than {} MiB", MOST >> 20)));
        }
        Ok(match self.from {
            ReportFrom::Descriptor => records(&bytes, &self.key),
            ReportFrom::Stdout => Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()),
        })
    }
}

fn records(bytes: &[u8], key: &str) -> SandboxRecords {
    let text = std::str::from_utf8(bytes).map_err(|_| "the report is not UTF-8".to_owned())?;
    if !text.is_empty() && !text.ends_with('\n') {
        return Err("the report ends in the middle of a line".to_owned());
    }
    let record = |line: &str| line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ')).map(str::to_owned);
    let records: Option<Vec<String>> = text.lines().map(record).collect();
    records.ok_or_else(|| "something other than the test runner wrote into its report".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_the_key() {
        assert_eq!(records(b"k a\nk {}\n", "k"), Ok(vec!["a".to_owned(), "{}".to_owned()]));
        assert_eq!(records(b"", "k"), Ok(vec![]));
        for forged in ["k a\n{\"end\":true}\n", "k a", "ka\n", "k a\n\n"] {
            assert!(records(forged.as_bytes(), "k").is_err(), "{forged}");
        }
        assert!(records(b"k \xff\n", "k").is_err());
    }
}
