//! What a pack comes to, read before git sees a byte of it: a pack of some kilobytes can hold gigabytes, compressed, or as deltas that
//! copy. The sizes stand in the headers of its entries, and in the first two numbers of each delta.

use flate2::{Decompress, FlushDecompress, Status};

/// Bytes of one object. Git forges refuse files above 100 MB.
pub const MOST_OBJECT: u64 = 256 << 20;
/// Bytes of all entries, as git inflates them: about 4 s.
pub const MOST_INFLATED: u64 = 1 << 30;
/// Bytes of all objects. Those of deltas are made one after another, so that this is time and not memory: about 20 s.
pub const MOST_MADE: u64 = 4 << 30;
/// Entries, each of which git keeps some 100 bytes of.
pub const MOST_ENTRIES: u32 = 1_000_000;

/// Bytes behind the last entry: the SHA-1 of all before.
const TRAILER: usize = 20;
/// Bits of a size: what is longer is no size of a file.
const SIZE_BITS: u32 = 56;

/// The sizes of a pack that is within bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackSize {
    pub entries: u32,
    /// Of the largest object.
    pub largest: u64,
    pub inflated: u64,
    /// Of all objects, with those of deltas.
    pub made: u64,
}

/// Why git is not given a pack.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackRefused {
    #[error("it is no pack: {0}")]
    NoPack(&'static str),
    #[error("it has {0} entries, and at most {MOST_ENTRIES} are taken")]
    Entries(u32),
    #[error("one object has {0} bytes, and at most {MOST_OBJECT} are taken")]
    Object(u64),
    #[error("it inflates to more than {MOST_INFLATED} bytes")]
    Inflated,
    #[error("its objects have more than {MOST_MADE} bytes")]
    Made,
}

/// # Errors
/// See [`PackRefused`]. Nothing is inflated beyond the bounds, and nothing is kept of it.
pub fn measure(pack: &[u8]) -> Result<PackSize, PackRefused> {
    let header = pack.get(..12).ok_or(PackRefused::NoPack("it is too short"))?;
    let number = |at: usize| header[at..at + 4].iter().fold(0, |number: u32, byte| number << 8 | u32::from(*byte));
    if &header[..4] != b"PACK" || !matches!(number(4), 2 | 3) {
        return Err(PackRefused::NoPack("it begins with other bytes"));
    }
    let mut size = PackSize { entries: number(8), ..PackSize::default() };
    if size.entries > MOST_ENTRIES {
        return Err(PackRefused::Entries(size.entries));
    }
    let mut rest = &pack[12..];
    for _ in 0..size.entries {
        rest = entry(rest, pack.len() - rest.len(), &mut size)?;
    }
    match rest.len() {
        TRAILER => Ok(size),
        _ => Err(PackRefused::NoPack("its entries do not end where it does")),
    }
}

/// Counts one entry, and answers with what is behind it.
fn entry<'p>(bytes: &'p [u8], at: usize, size: &mut PackSize) -> Result<&'p [u8], PackRefused> {
    let cut = PackRefused::NoPack("it ends within an entry");
    let (first, mut rest) = bytes.split_first().ok_or(cut.clone())?;
    let mut length = u64::from(first & 15);
    if first & 128 != 0 {
        let (high, behind) = varint(rest, 4, length)?;
        (length, rest) = (high, behind);
    }
    let is_delta = match first >> 4 & 7 {
        1..=4 => false,
        6 => {
            rest = offset(rest, at)?;
            true
        }
        7 => {
            rest = rest.get(20..).ok_or(cut)?;
            true
        }
        _ => return Err(PackRefused::NoPack("an entry has no known type")),
    };
    if length > MOST_OBJECT {
        return Err(PackRefused::Object(length));
    }
    size.inflated += length;
    if size.inflated > MOST_INFLATED {
        return Err(PackRefused::Inflated);
    }
    let (begin, rest) = inflate(rest, length)?;
    let sizes = match is_delta {
        true => {
            let (base, behind) = varint(&begin, 0, 0)?;
            let (result, _) = varint(behind, 0, 0)?;
            [base, result]
        }
        false => [length, 0],
    };
    // The base of a delta is an object, too, and git makes room for it.
    let largest = sizes[0].max(sizes[1]);
    if largest > MOST_OBJECT {
        return Err(PackRefused::Object(largest));
    }
    size.largest = size.largest.max(largest);
    size.made += if is_delta { sizes[1] } else { sizes[0] };
    match size.made > MOST_MADE {
        true => Err(PackRefused::Made),
        false => Ok(rest),
    }
}

/// A number of seven bits a byte, the lowest first, put above the bits that are known.
fn varint(bytes: &[u8], mut shift: u32, mut number: u64) -> Result<(u64, &[u8]), PackRefused> {
    for (at, byte) in bytes.iter().enumerate() {
        if shift > SIZE_BITS - 7 {
            return Err(PackRefused::NoPack("a size has too many bytes"));
        }
        number |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte & 128 == 0 {
            return Ok((number, &bytes[at + 1..]));
        }
    }
    Err(PackRefused::NoPack("it ends within a size"))
}

/// How far back the base of a delta is: at an earlier entry.
fn offset(bytes: &[u8], at: usize) -> Result<&[u8], PackRefused> {
    let mut back = 0_u64;
    for (read, byte) in bytes.iter().take(8).enumerate() {
        back = (back << 7) + u64::from(byte & 127);
        if byte & 128 == 0 {
            let is_before = back > 0 && back + 12 <= at as u64;
            return is_before.then(|| &bytes[read + 1..]).ok_or(PackRefused::NoPack("a delta has no base before it"));
        }
        back += 1;
    }
    Err(PackRefused::NoPack("the place of a base cannot be read"))
}

/// The first bytes of what an entry inflates to, and what is behind it. It must come to the length that its header says.
fn inflate(bytes: &[u8], length: u64) -> Result<(Vec<u8>, &[u8]), PackRefused> {
    /// Two numbers of a delta.
    const BEGIN: usize = 20;
    let (mut zlib, mut buffer, mut begin) = (Decompress::new(true), vec![0; 32 << 10], Vec::new());
    loop {
        let read = usize::try_from(zlib.total_in()).unwrap_or(usize::MAX);
        let before = zlib.total_out();
        let input = bytes.get(read..).unwrap_or_default();
        let status = zlib.decompress(input, &mut buffer, FlushDecompress::None);
        let status = status.map_err(|_| PackRefused::NoPack("an entry cannot be inflated"))?;
        let made = usize::try_from(zlib.total_out() - before).unwrap_or(0);
        begin.extend(buffer.iter().take(made.min(BEGIN - begin.len())));
        let read_now = usize::try_from(zlib.total_in()).unwrap_or(usize::MAX);
        if zlib.total_out() > length {
            return Err(PackRefused::NoPack("an entry is longer than its header says"));
        }
        match status {
            Status::StreamEnd if zlib.total_out() == length => return Ok((begin, &bytes[read_now.min(bytes.len())..])),
            Status::StreamEnd => return Err(PackRefused::NoPack("an entry is shorter than its header says")),
            Status::Ok | Status::BufError if read_now == read && made == 0 => {
                return Err(PackRefused::NoPack("it ends within an entry"));
            }
            Status::Ok | Status::BufError => {}
        }
    }
}
