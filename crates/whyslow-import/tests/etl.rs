//! Real Windows traces, where they are available: each is imported whole, twice, with the same
//! tables.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use real::{folder, import};
use support::Outcome;
use whyslow_etl::decode::{Decoder, DescribedBy};
use whyslow_etl::{FileSource, Reader};
use whyslow_model::tables::{
    AddressRow, CpuSampleRow, DiskIoRow, EventCountRow, FileCallRow, FileRow, ModuleRow,
    ProblemRow, ProcessRow, StackRow, TcpConnectionRow, ThreadRow, TraceRow,
};
use whyslow_model::{FileId, FileOperation, Named};

fn traces(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(traces(&path));
        } else if path.extension().is_some_and(|extension| extension == "etl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Larger files are imported only once, except the one that has most kinds of events.
const MOST_TWICE: u64 = 1_000_000;

/// How many events are decoded into fields.
#[derive(Default)]
struct Decoded {
    /// The fields cover the whole payload.
    whole: u64,
    /// A description does not fit, or does not cover all of the payload.
    partly: u64,
    /// Nothing describes it.
    unknown: u64,
}

impl Decoded {
    fn of(path: &Path) -> Self {
        let source = FileSource::new(File::open(path).unwrap()).unwrap();
        let (mut decoder, mut decoded) = (Decoder::default(), Self::default());
        let mut reader = Reader::new(&source).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            decoder.learn(&record);
        }
        let mut reader = Reader::new(&source).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            let kind = decoder.kind(&record);
            let last = decoder.fields(kind, &record).last();
            let is_whole = last.is_none_or(|field| field.item.name.0 != b"Rest");
            match (decoder.about(kind).described_by, is_whole) {
                (DescribedBy::Nothing, _) => decoded.unknown += 1,
                (_, false) => decoded.partly += 1,
                (_, true) => decoded.whole += 1,
            }
        }
        decoded
    }
}

/// Returns a line that sums up a trace.
fn line(outcome: &Outcome, decoded: &Decoded) -> String {
    let trace: TraceRow = outcome.rows().remove(0);
    let events: i64 = outcome
        .rows::<EventCountRow>()
        .iter()
        .map(|row| row.count)
        .sum();
    let processes = outcome.rows::<ProcessRow>().len();
    let threads = outcome.rows::<ThreadRow>().len();
    let modules = outcome.rows::<ModuleRow>().len();
    let samples = outcome.rows::<CpuSampleRow>().len();
    let lost = trace.lost_events;
    let Decoded {
        whole,
        partly,
        unknown,
    } = decoded;
    let mut line = format!(
        "{events} events, {whole} decoded, {partly} partly, {unknown} unknown, {lost} lost, {processes} processes, {threads} threads, {modules} modules, \
         {samples} samples"
    );
    for problem in outcome.rows::<ProblemRow>() {
        write!(line, ", {} {}", problem.count, problem.kind).unwrap();
    }
    line
}

#[test]
fn every_trace_is_imported_whole_twice_to_the_same_tables() {
    let Some(dir) = folder() else { return };
    let mut table = String::new();
    for path in traces(&dir) {
        let name = path.strip_prefix(&dir).unwrap().display().to_string();
        let once = import(std::slice::from_ref(&path));
        let decoded = Decoded::of(&path);
        if fs::metadata(&path).unwrap().len() < MOST_TWICE || name.contains("2.x64") {
            let twice = import(&[path]);
            assert!(once.tables == twice.tables, "{name} differs");
        }
        writeln!(table, "{name}: {}", line(&once, &decoded)).unwrap();
    }
    // Files of other collections may be in the same folder.
    for line in include_str!("etl.txt").lines() {
        assert!(
            table.lines().any(|l| l == line),
            "{line}\nis not in\n{table}"
        );
    }
}

#[test]
fn samples_have_their_stacks_and_stacks_their_modules() {
    let Some(dir) = folder() else { return };
    let outcome = import(&[dir.join("perfview/net.4.5.2.x64.etl")]);
    let samples: Vec<CpuSampleRow> = outcome.rows();
    assert_eq!(samples.len(), 79_528);
    let threads: Vec<ThreadRow> = outcome.rows();
    // Windows takes stacks of idle threads only where an interrupt ran on top of them.
    let is_busy = |sample: &&CpuSampleRow| threads[sample.thread.index()].idle_cpu.is_none();
    let busy = samples.iter().filter(is_busy);
    let without = busy.clone().filter(|sample| sample.stack.is_none());
    assert_eq!((busy.clone().count(), without.count()), (6_215, 1));
    let addresses: Vec<AddressRow> = outcome.rows();
    let stacks: Vec<StackRow> = outcome.rows();
    let mut frames = 0;
    let mut outside: Vec<(i32, i64)> = Vec::new();
    for sample in &samples {
        let mut node = sample.stack;
        while let Some(stack) = node.map(|node| &stacks[node.index()]) {
            node = stack.parent;
            let address = stack.address.map(|address| &addresses[address.index()]);
            frames += usize::from(address.is_some());
            let homeless = address.filter(|address| address.module.is_none());
            outside.extend(homeless.map(|address| (stack.kind, address.rva)));
        }
    }
    // The hardware abstraction layer has code in a page of its own, outside any image.
    let (kernel, user): (Vec<_>, Vec<_>) = outside.into_iter().partition(|(kind, _)| *kind == 1);
    assert_eq!(kernel, [(1, 0xffff_ffff_ffd0_3003_u64.cast_signed()); 50]);
    // The rest are stubs of the .NET runtime, which it does not report.
    let outside = user.len();
    assert!(outside * 400 < frames, "{outside} of {frames} frames");
}

/// Returns how many events of a kind a trace has, by the ends of their names.
fn events(outcome: &Outcome, names: &[&str]) -> i64 {
    let counts: Vec<EventCountRow> = outcome.rows();
    let counts = counts.iter();
    let counts = counts.filter(|count| names.contains(&count.event.as_str()));
    counts.map(|count| count.count).sum()
}

#[test]
fn connections_faults_and_requests_of_real_traces_are_complete() {
    let Some(dir) = folder() else { return };
    for name in ["perfview/net.4.5.2.x64.etl", "perfview/net.4.5.2.x86.etl"] {
        let outcome = import(&[dir.join(name)]);
        let connections: Vec<TcpConnectionRow> = outcome.rows();
        let sum = |of: fn(&TcpConnectionRow) -> i64| connections.iter().map(of).sum::<i64>();
        let sends = events(&outcome, &["TcpIp/Send", "TcpIp/SendIPV6"]);
        let receives = events(&outcome, &["TcpIp/Recv", "TcpIp/RecvIPV6"]);
        assert!(sends > 100 && receives > 100, "{name}");
        assert_eq!(sum(|row| row.sends), sends, "{name}");
        assert_eq!(sum(|row| row.receives), receives, "{name}");
        assert!(
            connections.iter().all(|row| row.process.is_some()),
            "{name}"
        );
        let calls: Vec<FileCallRow> = outcome.rows();
        let of = |operation: FileOperation| {
            let calls = calls.iter();
            calls.filter(move |row| row.operation == operation.code())
        };
        let mappings = of(FileOperation::Map).map(|row| row.count).sum::<i64>();
        assert_eq!(mappings, events(&outcome, &["FileIO/MapFile"]), "{name}");
        let faults: Vec<_> = of(FileOperation::Fault).collect();
        let count: i64 = faults.iter().map(|row| row.count).sum();
        assert_eq!(count, events(&outcome, &["Memory/HardFault"]), "{name}");
        assert!(
            count > 0 && faults.iter().all(|row| row.file.is_some()),
            "{name}"
        );
        let files: Vec<FileRow> = outcome.rows();
        let named = |id: Option<FileId>| id.map(|id| files[id.index()].path.as_str());
        let faulted: Vec<_> = faults.iter().map(|row| named(row.file)).collect();
        let unnamed = faulted.iter().filter(|name| **name == Some("[unnamed]"));
        assert!(unnamed.count() * 20 <= faulted.len(), "{name}: {faulted:?}");
        let requests: Vec<DiskIoRow> = outcome.rows();
        let with_file: Vec<_> = requests.iter().filter_map(|row| named(row.file)).collect();
        let known = with_file
            .iter()
            .filter(|name| **name != "[unnamed]")
            .count();
        assert!(
            known * 10 > requests.len() * 8,
            "{name}: {known} of {}",
            requests.len()
        );
        // Volumes have their letters.
        assert!(
            with_file.iter().any(|path| path.starts_with(r"C:\")),
            "{name}"
        );
    }
    let network = import(&[dir.join("tx/KernelNetwork.etl")]);
    let connections: Vec<TcpConnectionRow> = network.rows();
    assert!(!connections.is_empty());
    assert!(connections.iter().any(|row| row.sends + row.receives > 0));
}
