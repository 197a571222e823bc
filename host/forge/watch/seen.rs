//! Deliveries that were read: by their id and by their body, in memory and, where a file is named, after a restart too.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// Deliveries that are remembered. A forge with a hundred pull requests a day sends so many in ten days.
const REMEMBERED: usize = 4096;
/// Bytes of a line: two digests in hexadecimal digits, a blank and the end.
const LINE: usize = 64 + 1 + 64 + 1;

/// SHA-256 of the id, and the HMAC of the body.
type SeenDelivery = ([u8; 32], [u8; 32]);

#[derive(Default)]
pub(super) struct SeenDeliveries {
    read: VecDeque<SeenDelivery>,
    file: Option<(PathBuf, File)>,
    lines: usize,
}

impl SeenDeliveries {
    /// Those of an earlier process. A torn line is left out: its delivery was never answered.
    pub fn kept_at(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        (&mut file).take((4 * REMEMBERED * LINE) as u64).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut read: VecDeque<SeenDelivery> = text.lines().filter_map(parsed).collect();
        while read.len() > REMEMBERED {
            read.pop_front();
        }
        let mut seen = SeenDeliveries { read, file: None, lines: 0 };
        seen.rewrite(path)?;
        Ok(seen)
    }

    pub fn has(&self, id: &str, body: &[u8; 32]) -> bool {
        let id = digest(id);
        self.read.iter().any(|(known, of)| *known == id || of == body)
    }

    /// On disk when it returns, where there is a file.
    pub fn add(&mut self, id: &str, body: [u8; 32]) -> io::Result<()> {
        let read = (digest(id), body);
        if let Some((path, file)) = &mut self.file {
            file.write_all(line(&read).as_bytes())?;
            file.sync_data()?;
            self.lines += 1;
            if self.lines > 2 * REMEMBERED {
                let path = path.clone();
                self.rewrite(&path)?;
            }
        }
        if self.read.len() == REMEMBERED {
            self.read.pop_front();
        }
        self.read.push_back(read);
        Ok(())
    }

    /// The file with what is remembered, whole or as it was.
    fn rewrite(&mut self, path: &Path) -> io::Result<()> {
        let unfinished = path.with_extension("part");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&unfinished)?;
        let text: String = self.read.iter().map(line).collect();
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)?;
        self.lines = self.read.len();
        self.file = Some((path.to_owned(), OpenOptions::new().append(true).open(path)?));
        Ok(())
    }
}

fn digest(id: &str) -> [u8; 32] {
    Sha256::digest(id).into()
}

fn line((id, body): &SeenDelivery) -> String {
    let hex = |bytes: &[u8; 32]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("{} {}\n", hex(id), hex(body))
}

fn parsed(line: &str) -> Option<SeenDelivery> {
    let (id, body) = line.split_once(' ')?;
    Some((super::webhook::digits(id)?, super::webhook::digits(body)?))
}
