//! The same requests to a disk in a `perf.data` file and in an ETW trace: after the whole pipeline
//! they are the same rows of `disk_io`.

#![expect(clippy::expect_used, reason = "a test may stop")]

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;

use whyslow_extract::Extract;
use whyslow_model::tables::{DISK_IO, DiskIoRow, PROCESS, ProcessRow, THREAD, ThreadRow};
use whyslow_model::{DiskFlags, DiskOperation, Named, TraceView, Unwatched};
use whyslow_perfdata::abi::feature;
use whyslow_perfdata::writer::{
    AttrFlag, EventAttr, EventDescription, Features, FileWriter, RecordBuffer, SampleIdentity,
    TracingData,
};
use whyslow_pipeline::Pipeline;
use whyslow_source::Part;
use whyslow_testkit::payload::{DiskIo, Process, Thread};
use whyslow_testkit::{Header, T0, Trace, system};

const PID: u32 = 400;
const TID: u32 = 404;
const DISK: u32 = 3;
const SECTOR: u64 = 512;
/// Above 0, and encoded in the same way in the flags of both systems.
const PRIORITY: i32 = 2;

/// A request as both traces report it; times are ticks of 100 ns since the start of the trace.
struct Request {
    operation: DiskOperation,
    sector: u64,
    bytes: u32,
    issue: i64,
    done: i64,
}

/// Requests that overlap, and one that is not complete when the trace ends.
const REQUESTS: [Request; 4] = [
    Request {
        operation: DiskOperation::Read,
        sector: 2048,
        bytes: 4096,
        issue: 1_000,
        done: 9_000,
    },
    Request {
        operation: DiskOperation::Write,
        sector: 8192,
        bytes: 65536,
        issue: 2_000,
        done: 4_500,
    },
    Request {
        operation: DiskOperation::Flush,
        sector: 0,
        bytes: 0,
        issue: 5_000,
        done: 7_000,
    },
    // It is at the same place again.
    Request {
        operation: DiskOperation::Read,
        sector: 2048,
        bytes: 512,
        issue: 12_000,
        done: 12_300,
    },
];

/// The issue and the completion of every request, in time order.
fn in_order<T>(event: impl Fn(&Request, bool) -> (i64, T)) -> Vec<(i64, T)> {
    let both = |request| [event(request, false), event(request, true)];
    let mut events: Vec<_> = REQUESTS.iter().flat_map(both).collect();
    events.sort_by_key(|(time, _)| *time);
    events
}

/// Fields that both tracepoints share; offsets and sizes are those of Linux 6.18.
const FIELDS: &str = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
    \tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n\
    \tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n";
const OF_ISSUE: &str = "\tfield:unsigned int bytes;\toffset:28;\tsize:4;\tsigned:0;\n\
    \tfield:unsigned short ioprio;\toffset:32;\tsize:2;\tsigned:0;\n\
    \tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;\n";
const OF_COMPLETION: &str = "\tfield:int error;\toffset:28;\tsize:4;\tsigned:1;\n\
    \tfield:unsigned short ioprio;\toffset:32;\tsize:2;\tsigned:0;\n\
    \tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;\n";

/// Numbers of the tracepoints for issues and completions.
const TRACEPOINTS: [u64; 2] = [1001, 1002];

/// Returns the payload of a tracepoint for `request`.
fn raw(request: &Request, is_done: bool) -> Vec<u8> {
    let letters: &[u8] = match request.operation {
        DiskOperation::Read => b"RS",
        DiskOperation::Write => b"WS",
        _ => b"FFS",
    };
    let size = [request.bytes, 0][usize::from(is_done)];
    let sectors = request.bytes / 512;
    // A request without a place completes at sector -1.
    let sector = match (is_done, request.bytes) {
        (true, 0) => u64::MAX,
        _ => request.sector,
    };
    let mut raw = vec![0; 44];
    let number = u16::try_from(TRACEPOINTS[usize::from(is_done)]).expect("a small number");
    raw[0..2].copy_from_slice(&number.to_le_bytes());
    raw[4..8].copy_from_slice(&TID.to_le_bytes());
    raw[8..12].copy_from_slice(&DISK.to_le_bytes());
    raw[16..24].copy_from_slice(&sector.to_le_bytes());
    raw[24..28].copy_from_slice(&sectors.to_le_bytes());
    raw[28..32].copy_from_slice(&size.to_le_bytes());
    raw[32..34].copy_from_slice(&u16::try_from(PRIORITY).expect("small").to_le_bytes());
    raw[34..34 + letters.len()].copy_from_slice(letters);
    raw
}

/// Returns the requests in the form that
/// `perf record -e block:block_rq_issue -e block:block_rq_complete` writes.
fn perf_data() -> Vec<u8> {
    let event = |at: usize, name: &str| EventDescription {
        attr: EventAttr {
            event_type: 2,
            config: TRACEPOINTS[at],
            sample_type: RecordBuffer::RAW_SAMPLE,
            ..EventAttr::default()
        }
        .with(AttrFlag::SampleIdAll),
        name: format!("block:{name}"),
        ids: vec![TRACEPOINTS[at]],
    };
    let names = ["block_rq_issue", "block_rq_complete"];
    let events = [event(0, names[0]), event(1, names[1])];
    let format = |at: usize, fields: &str| {
        let (name, id) = (names[at], TRACEPOINTS[at]);
        let text = format!("name: {name}\nID: {id}\nformat:\n{FIELDS}{fields}\nprint fmt: \"\"\n");
        ("block".to_owned(), text.into_bytes())
    };
    let tracing = TracingData {
        formats: vec![format(0, OF_ISSUE), format(1, OF_COMPLETION)],
        page_bytes: 4096,
        ..TracingData::default()
    };
    let start_ns = 1_000_000_000;
    let identity = |ticks: i64, tid, id| SampleIdentity {
        pid: if tid == 0 { 0 } else { PID },
        tid,
        time_ns: start_ns + ticks.cast_unsigned() * 100,
        cpu: 0,
        id,
    };
    let mut out = RecordBuffer::new();
    out.comm(PID, PID, b"writer.exe", &identity(0, PID, TRACEPOINTS[0]));
    out.comm(PID, TID, b"writer.exe", &identity(0, TID, TRACEPOINTS[0]));
    let told = in_order(|request, is_done| {
        // Completions come in interrupts, on top of the idle thread.
        let tid = [TID, 0][usize::from(is_done)];
        let time = [request.issue, request.done][usize::from(is_done)];
        let identity = identity(time, tid, TRACEPOINTS[usize::from(is_done)]);
        (time, (identity, raw(request, is_done)))
    });
    for (_, (identity, raw)) in told {
        assert!(out.raw_sample(&identity, u64::MAX - 4095, &[], &raw));
    }
    out.finished_round();
    let mut bytes = Cursor::new(Vec::new());
    let mut features = Features::new();
    features.events(&events);
    features.bytes(feature::TRACING_DATA, tracing.to_bytes());
    let mut writer = FileWriter::create(&mut bytes, &events, &features).expect("a header");
    writer.write(out.as_bytes()).expect("records");
    writer.finish(&features).expect("features");
    bytes.into_inner()
}

/// Returns the requests in the form that a Windows session with `DISK_IO` and `DISK_IO_INIT`
/// writes.
fn etw_trace() -> Vec<u8> {
    let process = Process {
        process_id: PID,
        parent_id: 4,
        image: "writer.exe",
        ..Process::default()
    };
    let thread = Thread {
        process_id: PID,
        thread_id: TID,
        ..Thread::default()
    };
    let process = system(true, 0x0303, 4, T0, (0, 0), &process.payload(true, 4));
    let thread = thread.payload(true, 3, false);
    let thread = system(true, 0x0503, 3, T0, (0, 0), &thread);
    let told = in_order(|request, is_done| {
        let io = DiskIo {
            disk: DISK,
            // Synchronous; the priority plus one.
            irp_flags: 0x04 | (PRIORITY.cast_unsigned() + 1) << 17,
            size: request.bytes,
            offset: (request.sector * SECTOR).cast_signed(),
            irp: 0xffff_8000_0000_1000 + request.issue.cast_unsigned(),
            response_time: 90,
            thread: TID,
            ..DiskIo::default()
        };
        let (issue, done) = match request.operation {
            DiskOperation::Read => (0x010c, 0x010a),
            DiskOperation::Write => (0x010d, 0x010b),
            _ => (0x010f, 0x010e),
        };
        if !is_done {
            let payload = io.init_payload(true, 3);
            let time = T0 + request.issue;
            return (time, system(true, issue, 3, time, (PID, TID), &payload));
        }
        let payload = match request.operation {
            DiskOperation::Flush => io.flush_payload(true, 3),
            _ => io.payload(true, 3),
        };
        let time = T0 + request.done;
        (time, system(true, done, 3, time, (0, 0), &payload))
    });
    let events = [process, thread].into_iter();
    let events = events.chain(told.into_iter().map(|(_, event)| event));
    let header = Header {
        buffers_lost: 0,
        ..Header::default()
    };
    Trace::of(header, events.map(|event| (0, event))).bytes()
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("whyslow-disks-{}", std::process::id()));
        let _old = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Returns the rows of a recording's extract, each with the names of its thread and process.
    fn rows(&self, name: &str, recording: &[u8]) -> Vec<(DiskIoRow, (i32, i32))> {
        let file = self.0.join(name);
        fs::write(&file, recording).expect("a file");
        let pipeline = Pipeline {
            memory: 64 << 20,
            lookup: None,
            replace: false,
            redact: false,
            watch: Arc::new(Unwatched),
        };
        let output = file.with_extension("whyslow");
        let made = pipeline.extract(&[Part::plain(&file)], &output);
        let made = made.expect("an extract");
        assert!(made.problems.is_empty(), "{:?}", made.problems);
        let extract = Extract::open(&output).expect("it opens");
        let read = |schema| extract.read(schema, &[]).expect("a table");
        let threads: Vec<ThreadRow> = read(&THREAD).rows().collect();
        let processes: Vec<ProcessRow> = read(&PROCESS).rows().collect();
        let names = |row: &DiskIoRow| {
            let process = &processes[row.process.expect("a process").index()];
            let thread = &threads[row.thread.expect("a thread").index()];
            (process.os_pid, thread.os_tid)
        };
        let mut rows: Vec<_> = read(&DISK_IO).rows().collect();
        rows.sort_by_key(|row: &DiskIoRow| row.issue_ns);
        rows.into_iter()
            .map(|row| {
                let names = names(&row);
                (row, names)
            })
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_same_requests_are_the_same_rows_whatever_recorded_them() {
    whyslow_testenv::fresh();
    let folder = Folder::new();
    let perf = folder.rows("linux.data", &perf_data());
    let etw = folder.rows("windows.etl", &etw_trace());
    assert_eq!((perf.len(), etw.len()), (REQUESTS.len(), REQUESTS.len()));
    for (((linux, who), (windows, who_too)), request) in perf.iter().zip(&etw).zip(&REQUESTS) {
        let numbers = (PID.cast_signed(), TID.cast_signed());
        assert_eq!((*who, *who_too), (numbers, numbers));
        let has_place = request.bytes > 0;
        let offset = (request.sector * SECTOR).cast_signed();
        let expected = DiskIoRow {
            issue_ns: request.issue * 100,
            process: linux.process,
            thread: linux.thread,
            duration_ns: Some((request.done - request.issue) * 100),
            // Only Windows measures it.
            service_ns: None,
            disk: Some(DISK.cast_signed()),
            operation: request.operation.code(),
            offset_bytes: has_place.then_some(offset),
            size_bytes: Some(request.bytes.into()),
            // Only Linux reports it.
            result: Some(0),
            flags: DiskFlags::SYNC.0,
            priority: Some(PRIORITY),
            stack: None,
            file: None,
            // Neither recording has insertions.
            queued_ns: None,
        };
        assert_eq!(*linux, expected);
        assert_eq!((windows.service_ns, windows.result), (Some(9_000), None));
        let same = DiskIoRow {
            // These are row numbers: the traces know different other processes.
            process: linux.process,
            thread: linux.thread,
            service_ns: None,
            result: Some(0),
            ..windows.clone()
        };
        assert_eq!(same, expected);
    }
}
