//! Seals of the lines of `records.jsonl`: each is the digest of its line and of the seal before it, so that no bit of a line, and no line but
//! the last, can change unseen. A seal is no signature: whoever may write the file can seal it anew.

use guardhost_core::canonical::sha256;

/// Stands between the object of a line and its seal, which ends the line.
const FIELD: &[u8] = b",\"seal\":\"";
const END: &[u8] = b"\"}";
/// Bytes of a digest as it is written.
const DIGEST: usize = "sha256:".len() + 64;
/// Bytes of the end of a file in which the seal of its last line stands, with the line feed.
pub const TAIL: u64 = (FIELD.len() + DIGEST + END.len() + 1) as u64;

/// The seal of the last line; empty before the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seal(String);

/// Whether the lines are as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SealState {
    Kept,
    /// Written before lines were sealed: what changed in them cannot be told.
    Unsealed,
    /// This line, from 1, or what is before it, is not what was written.
    Changed(usize),
    /// The last line has no end: its writer was killed, or the file was cut.
    Torn(usize),
}

impl Seal {
    /// The line with its seal, for a JSON object that is not empty. `object` may end with line feeds; the result ends with one.
    pub fn add(&mut self, object: &[u8]) -> Vec<u8> {
        let object = object.trim_ascii_end();
        let body = object.strip_suffix(b"}").unwrap_or(object);
        self.0 = self.digest(body);
        [body, FIELD, self.0.as_bytes(), END, b"\n"].concat()
    }

    fn digest(&self, body: &[u8]) -> String {
        sha256(&[self.0.as_bytes(), b"\n", body].concat())
    }
}

/// Checks a whole file.
pub fn check(file: &[u8]) -> SealState {
    let mut seal = Seal::default();
    let mut unsealed = 0;
    let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
    for (number, line) in (1..).zip(&lines) {
        let Some(line) = line.strip_suffix(b"\n") else { return SealState::Torn(number) };
        match split(line) {
            Some((body, written)) => {
                let own = seal.digest(body);
                if own.as_bytes() != written || unsealed > 0 {
                    return SealState::Changed(number);
                }
                seal.0 = own;
            }
            None if seal == Seal::default() => unsealed += 1,
            None => return SealState::Changed(number),
        }
    }
    if unsealed > 0 { SealState::Unsealed } else { SealState::Kept }
}

/// The seal of the last line of a file that ends so; None where that has none, or no end.
pub fn last(tail: &[u8]) -> Option<String> {
    let (_, seal) = split(tail.strip_suffix(b"\n")?)?;
    String::from_utf8(seal.to_vec()).ok()
}

/// The line before its seal, and the seal.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(END)?;
    let at = line.len().checked_sub(DIGEST)?;
    let (before, seal) = line.split_at(at);
    Some((before.strip_suffix(FIELD)?, seal))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut seal = Seal::default();
        let lines = [&b"{\"a\":1}\n"[..], b"{\"b\":\"\\u001b\"}", b"{\"c\":[{}]}\n"];
        lines.into_iter().flat_map(|line| seal.add(line)).collect()
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let file = written();
        assert_eq!(check(&file), SealState::Kept);
        for line in file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            serde_json::from_slice::<serde_json::Value>(line).unwrap();
        }
        for bit in 0..file.len() * 8 {
            let mut other = file.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!matches!(check(&other), SealState::Kept | SealState::Unsealed), "bit {bit}");
        }
    }

    #[test]
    fn a_line_that_is_gone_moved_or_torn_is_found() {
        let file = written();
        let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
        assert_eq!(check(&[lines[0], lines[2]].concat()), SealState::Changed(2));
        assert_eq!(check(&[lines[1], lines[0], lines[2]].concat()), SealState::Changed(1));
        assert_eq!(check(&file[..file.len() - 3]), SealState::Torn(3));
        assert_eq!(check(b"{\"a\":1}\n"), SealState::Unsealed);
        assert_eq!(check(&[b"{\"a\":1}\n", lines[0]].concat()), SealState::Changed(2));
    }
}
