//! Requests to disks: their completions are recorded, whichever thread they interrupt.

use std::collections::BTreeMap;

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::{Raw, Recording};
use crate::{Scratch, recorded_whole};

/// Reaches the disk with each block.
const WRITES: &str = "dd if=/dev/zero of=\"$0\" bs=4096 count=300 oflag=direct,dsync 2>/dev/null";

/// That many writes need at least so many requests.
const LEAST: usize = 300;

/// Number of the disk and place, where the fields of all these tracepoints are.
fn place(raw: &Raw) -> (u32, u64) {
    let disk = u32::from_ne_bytes(raw.bytes[8..12].try_into().unwrap());
    let sector = u64::from_ne_bytes(raw.bytes[16..24].try_into().unwrap());
    (disk, sector)
}

fn sectors(raw: &Raw) -> u32 {
    u32::from_ne_bytes(raw.bytes[24..28].try_into().unwrap())
}

/// How many requests with data were issued, and how many of them are not complete in the end.
fn counted(recording: &Recording) -> (usize, usize) {
    let (mut issued, mut open) = (0, BTreeMap::new());
    let mut raws: Vec<&Raw> = recording.raws.iter().collect();
    raws.sort_by_key(|raw| raw.time_ns);
    let mut missed = 0;
    for raw in raws.into_iter().filter(|raw| sectors(raw) > 0) {
        match raw.event.as_str() {
            "block:block_rq_issue" => {
                issued += 1;
                missed += usize::from(open.insert(place(raw), ()).is_some());
            }
            "block:block_rq_complete" => {
                open.remove(&place(raw));
            }
            _ => {}
        }
    }
    (issued, missed + open.len())
}

/// How many writes the disks of this machine have completed since it started.
fn completed_writes() -> u64 {
    let text = std::fs::read_to_string("/proc/diskstats").unwrap();
    let writes = text
        .lines()
        .filter_map(|line| line.split_whitespace().nth(7));
    writes.filter_map(|number| number.parse::<u64>().ok()).sum()
}

/// Records the writes, and says whether they reached a disk: a file system in memory has none. `None`, after saying so,
/// where recording is not permitted.
fn written(use_bpf: bool) -> Option<(Recording, bool)> {
    let before = completed_writes();
    let scratch = Scratch::new();
    let output = scratch.path("disks.data");
    let file = scratch.path("written");
    let command = [
        "sh".as_ref(),
        "-c".as_ref(),
        WRITES.as_ref(),
        file.as_os_str(),
    ];
    let mut settings = Settings::new(&output);
    settings.use_bpf = use_bpf;
    recorded_whole(&settings, &command)?;
    let recording = Recording::read(&output);
    assert_eq!(recording.undescribed, [""; 0]);
    Some((recording, completed_writes() - before >= LEAST as u64))
}

#[test]
fn each_request_is_there_once_with_its_completion() {
    if !has(Feature::Bpf) {
        return;
    }
    let Some((recording, on_disk)) = written(true) else {
        return;
    };
    let (issued, open) = counted(&recording);
    assert!(issued >= LEAST || !on_disk, "{issued}");
    // Requests of others may be under way in the end. One that is there twice is open, too.
    println!("{issued} requests, {open} open");
    assert!(open <= issued / 20 + 5, "{open} of {issued}");
}

#[test]
fn without_programs_events_of_the_tracepoints_do_it() {
    let Some((recording, on_disk)) = written(false) else {
        return;
    };
    let (issued, _) = counted(&recording);
    assert!(issued >= LEAST || !on_disk, "{issued}");
}
