//! Hostile packs: each is refused before git sees a byte of it, and what git itself makes is taken.

use std::io::Write;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use guardhost_fleet::objects::{PackRefused, measure};
use proptest::prelude::*;

const BLOB: u8 = 3;
const OFFSET: u8 = 6;
const REFERENCE: u8 = 7;

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(bytes).unwrap();
    zlib.finish().unwrap()
}

/// So many zeros, without them in memory.
fn zeros(count: u64) -> Vec<u8> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    let block = vec![0; 1 << 20];
    for _ in 0..count >> 20 {
        zlib.write_all(&block).unwrap();
    }
    zlib.finish().unwrap()
}

/// The header of an entry: its type and the size that it claims.
fn header(kind: u8, mut size: u64) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (size & 15) as u8];
    size >>= 4;
    while size > 0 {
        *bytes.last_mut().unwrap() |= 128;
        bytes.push((size & 127) as u8);
        size >>= 7;
    }
    bytes
}

fn number(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let more = value > 127;
        bytes.push((value & 127) as u8 | if more { 128 } else { 0 });
        value >>= 7;
        if !more {
            return bytes;
        }
    }
}

fn entry(kind: u8, claimed: u64, data: &[u8]) -> Vec<u8> {
    [header(kind, claimed), zlib(data)].concat()
}

/// A delta of these two sizes, against a base that is named.
fn delta(base: u64, result: u64) -> Vec<u8> {
    let data = [number(base), number(result), vec![0x90, 1]].concat();
    [header(REFERENCE, data.len() as u64), vec![7; 20], zlib(&data)].concat()
}

fn pack(count: u32, entries: &[Vec<u8>]) -> Vec<u8> {
    [b"PACK".to_vec(), 2_u32.to_be_bytes().to_vec(), count.to_be_bytes().to_vec(), entries.concat(), vec![0; 20]]
        .concat()
}

/// With the number of its entries.
fn whole_pack(entries: &[Vec<u8>]) -> Vec<u8> {
    pack(entries.len() as u32, entries)
}

fn hostile() -> Vec<(String, Vec<u8>)> {
    let blob = || entry(BLOB, 5, b"hello");
    let offset = |bytes: &[u8]| [header(OFFSET, 4), bytes.to_vec(), zlib(&[5, 5, 0x90, 5])].concat();
    let long = |count: usize| [vec![BLOB << 4 | 128], vec![255; count], vec![127]].concat();
    let mut packs: Vec<(String, Vec<u8>)> = [
        ("nothing", Vec::new()),
        ("a beginning", b"PACK".to_vec()),
        ("other bytes", b"KCAP\0\0\0\x02\0\0\0\0aaaaaaaaaaaaaaaaaaaa".to_vec()),
        ("an old version", [b"PACK\0\0\0\x01".to_vec(), vec![0; 24]].concat()),
        ("a new version", [b"PACK\0\0\0\x04".to_vec(), vec![0; 24]].concat()),
        ("too few entries", pack(3, &[blob(), blob()])),
        ("too many entries", pack(1, &[blob(), blob()])),
        ("all entries that there can be", pack(u32::MAX, &[blob()])),
        ("a million and one", pack(1_000_001, &[blob()])),
        ("no trailer", whole_pack(&[blob()])[..12 + blob().len()].to_vec()),
        ("a long trailer", [whole_pack(&[blob()]), vec![0; 9]].concat()),
        ("type 0", whole_pack(&[entry(0, 5, b"hello")])),
        ("type 5", whole_pack(&[entry(5, 5, b"hello")])),
        ("no zlib", whole_pack(&[[header(BLOB, 5), vec![1, 2, 3, 4, 5, 6, 7, 8]].concat()])),
        ("a size of 20 bytes", whole_pack(&[[long(20), zlib(b"x")].concat()])),
        ("a size without an end", pack(1, &[long(200)])),
        ("a blob of 400 MB", whole_pack(&[[header(BLOB, 400 << 20), zeros(1 << 20)].concat()])),
        ("a blob of 1 MB that claims 5 bytes", whole_pack(&[[header(BLOB, 5), zeros(1 << 20)].concat()])),
        ("a blob of 5 bytes that claims 200 MB", whole_pack(&[entry(BLOB, 200 << 20, b"hello")])),
        ("a blob of an exabyte", whole_pack(&[entry(BLOB, 1 << 60, b"hello")])),
        ("a delta that makes a terabyte", whole_pack(&[delta(5, 1 << 40)])),
        ("a delta of a base of a terabyte", whole_pack(&[delta(1 << 40, 5)])),
        ("deltas that make 5 GB", whole_pack(&(0..40).map(|_| delta(5, 128 << 20)).collect::<Vec<_>>())),
        ("a delta without sizes", whole_pack(&[[header(REFERENCE, 0), vec![7; 20], zlib(b"")].concat()])),
        ("a delta of half a size", whole_pack(&[[header(REFERENCE, 1), vec![7; 20], zlib(&[255])].concat()])),
        ("a delta of an endless size", whole_pack(&[[header(REFERENCE, 30), vec![7; 20], zlib(&[255; 30])].concat()])),
        ("a delta without a base", whole_pack(&[[header(REFERENCE, 4), vec![7; 3]].concat()])),
        ("a base before the pack", whole_pack(&[blob(), offset(&[127])])),
        ("a base at itself", whole_pack(&[blob(), offset(&[0])])),
        ("a base without an end", whole_pack(&[blob(), offset(&[255; 12])])),
    ]
    .into_iter()
    .map(|(name, bytes)| (name.to_owned(), bytes))
    .collect();
    let whole = whole_pack(&[blob(), delta(5, 9), blob()]);
    packs.extend((0..whole.len()).step_by(5).map(|cut| (format!("cut at {cut}"), whole[..cut].to_vec())));
    packs
}

#[test]
fn hostile_packs_are_refused_before_git_sees_them() {
    let packs = hostile();
    for (name, bytes) in &packs {
        assert!(measure(bytes).is_err(), "{name}: {:?}", measure(bytes));
    }
    // docs/security.md names this number.
    assert!(packs.len() >= 44, "{}", packs.len());
    assert_eq!(measure(&whole_pack(&[entry(BLOB, 5, b"hello"), delta(5, 9)])).map(|size| size.made), Ok(14));
    let large = whole_pack(&[delta(5, 1 << 40)]);
    assert_eq!(measure(&large), Err(PackRefused::Object(1 << 40)));
}

/// What git packs is within bounds, and comes to what its objects come to.
#[test]
fn packs_of_git_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str], input: &str| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@localhost"]).args(arguments).current_dir(&folder);
        command.env_remove("GIT_DIR").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        output.stdout
    };
    git(&["init", "-q"], "");
    for number in 0..20 {
        let lines: String =
            (0..2000).map(|line| format!("{line} {}\n", if line == number { "changed" } else { "line" })).collect();
        std::fs::write(folder.path().join("a.txt"), lines).unwrap();
        git(&["add", "-A"], "");
        git(&["commit", "-q", "-m", "x"], "");
    }
    for options in [["--delta-base-offset", "--thin"], ["--thin", "--window=0"], ["--thin", "--window=10"]] {
        let arguments = [&["pack-objects", "--revs", "--stdout", "-q"], &options[..]].concat();
        for revisions in ["HEAD\n", "HEAD\n^HEAD~5\n", "HEAD\n^HEAD\n"] {
            let bytes = git(&arguments, revisions);
            let size = measure(&bytes).unwrap();
            let blobs = if revisions == "HEAD\n" {
                20
            } else if revisions.contains('~') {
                5
            } else {
                0
            };
            assert_eq!(size.entries, blobs * 3, "{revisions}");
            assert!(size.made >= u64::from(blobs) * 18_000, "{size:?}");
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = measure(&bytes);
        let _ = measure(&[b"PACK\0\0\0\x02\0\0\0\x05".to_vec(), bytes].concat());
    }

    /// A flipped byte is refused, or changes nothing that memory depends on.
    #[test]
    fn a_flipped_byte_makes_no_pack_larger_than_its_bounds(at in 0_usize..80, with in 1_u8..=255) {
        let mut bytes = whole_pack(&[entry(BLOB, 5, b"hello"), delta(5, 9), entry(BLOB, 5, b"again")]);
        let at = at % bytes.len();
        bytes[at] ^= with;
        if let Ok(size) = measure(&bytes) {
            prop_assert!(size.largest <= 256 << 20 && size.made <= 4 << 30);
        }
    }
}
