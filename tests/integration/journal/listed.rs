//! What lists read of a run: its summary, as long as that is the summary of its record.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

use bstr::ByteSlice;

use guardhost_report::journal::{
    Depth, History, ListedRun, ObjectBody, RECORDS, Records, Secrets, State, latest_listed, newest_first,
};

use crate::integration::report::samples::log::committed;

/// Verdicts of one run: what single guards said is nine tenths of a record.
const VERDICTS: usize = 100;

/// The sample run under another id, with as many verdicts as a run has; without its end where it is at work.
fn record(state: &Path, id: &str, ended: bool) -> Records {
    let records = Records::create(state, id, Secrets::default()).expect("a new run");
    for object in committed().objects {
        let times = match &object.body {
            ObjectBody::Evidence(_) => VERDICTS,
            ObjectBody::Decision(decision) if decision.outcome.is_some() && !ended => 0,
            _ => 1,
        };
        (0..times).for_each(|_| records.record(&object).expect("recorded"));
    }
    records
}

/// What the records say, whatever else is in the folder.
fn derived(state: &Path) -> Vec<ListedRun> {
    let runs = newest_first(state).expect("runs").into_iter();
    runs.map(|dir| History::read(dir, Depth::All).expect("a record").listed()).collect()
}

fn listed(state: &Path) -> Vec<ListedRun> {
    let listed = latest_listed(state, usize::MAX).expect("a list");
    assert_eq!(listed, derived(state), "a list says what the records say");
    listed
}

#[test]
fn a_summary_is_written_with_the_end_and_never_trusted_over_its_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path();
    drop(record(state, "r1", true));
    let at_work = record(state, "r2", false);
    let (summary, record_file) = (state.join("runs/r1/summary.json"), state.join("runs/r1").join(RECORDS));
    let kept = fs::read(&summary).expect("it is written with the end");
    let states = |runs: &[ListedRun]| runs.iter().map(|run| run.state).collect::<Vec<_>>();
    assert_eq!(states(&listed(state)), [State::Running, State::Ended]);
    drop(at_work);
    assert_eq!(states(&listed(state)), [State::Interrupted, State::Ended]);
    assert!(!state.join("runs/r2/summary.json").exists(), "only what has ended cannot change");

    // A run of an older version gets one when it is first listed, and the same.
    fs::remove_file(&summary).expect("there");
    listed(state);
    assert_eq!(fs::read(&summary).expect("written"), kept);
    // Of another version, and torn.
    for other in [kept.replace(b"\"version\":1", b"\"version\":0"), kept[..kept.len() / 2].to_vec()] {
        fs::write(&summary, other).expect("written");
        listed(state);
        assert_eq!(fs::read(&summary).expect("written"), kept);
    }
    // With one bit that a disk changed, wherever it is.
    for bit in (0..kept.len() * 8).step_by(41) {
        let mut flipped = kept.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&summary, flipped).expect("written");
        listed(state);
        assert_eq!(fs::read(&summary).expect("written"), kept, "bit {bit}");
    }

    // Whatever is done to the record, the record counts.
    let sound = fs::read(&record_file).expect("a record");
    let forged = sound.replace(b"Tidy the README", b"Spoil the READM");
    assert_eq!(forged.len(), sound.len());
    let write = |bytes: &[u8]| {
        fs::write(&record_file, bytes).expect("written");
        // Clocks of file systems are coarse.
        let later = SystemTime::now() + std::time::Duration::from_secs(1);
        fs::File::options().write(true).open(&record_file).and_then(|file| file.set_modified(later)).expect("a time");
    };
    write(&forged);
    assert_eq!(listed(state)[1].task.as_deref(), Some("Spoil the READM"));
    assert_eq!(fs::read(&summary).expect("there"), kept, "of a record with a broken seal none is kept");
    write(&sound);
    assert_eq!(listed(state)[1].task.as_deref(), Some("Tidy the README"));
    fs::OpenOptions::new()
        .append(true)
        .open(&record_file)
        .and_then(|mut file| file.write_all(b"{\"of\":\"a newer version\"}\n"))
        .expect("appended");
    assert_eq!(listed(state)[1].unread, 1);
    // It goes with its run.
    fs::remove_dir_all(state.join("runs/r1")).expect("removed");
    assert_eq!(listed(state).len(), 1);
}

/// Bytes that this thread has read.
#[cfg(target_os = "linux")]
fn bytes_read() -> u64 {
    let counts = fs::read_to_string("/proc/thread-self/io").expect("counts of the system");
    let line = counts.lines().find_map(|line| line.strip_prefix("rchar: ")).expect("a count of bytes");
    line.parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn a_list_of_many_runs_reads_a_line_of_each() {
    const RUNS: u64 = 40;
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path();
    (0..RUNS).for_each(|run| drop(record(state, &format!("r{run:02}"), true)));
    let counted = |read: fn(&Path)| {
        let before = bytes_read();
        read(state);
        (bytes_read() - before) / RUNS
    };
    let of_list = counted(|state| drop(latest_listed(state, usize::MAX).expect("a list")));
    let of_records = counted(|state| drop(derived(state)));
    println!("bytes of one run: {of_list} for a list, {of_records} for its record");
    assert!(of_records > 100_000, "{of_records}");
    assert!(of_list < 2_000, "{of_list}");
}
