//! Real traces, where they are: all of them whole and in order, and four beside what Microsoft's
//! own reader printed of them.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use whyslow_etl::{Identity, Reader, Record, kernel};

use crate::touch::{walk, walk_reader};

/// Returns the folder of real traces: `etl` in `$WHYSLOW_DATA`, or in `shared/data` beside the
/// checkout.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("WHYSLOW_DATA").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let beside = above.map(|dir| dir.join("shared/data"));
    let found = named.into_iter().chain(beside).map(|dir| dir.join("etl"));
    let found = found.into_iter().find(|dir| dir.is_dir());
    if found.is_none() {
        println!("skipped: no real traces; set WHYSLOW_DATA to the folder that holds etl/");
    }
    found
}

pub(crate) fn traces(dir: &Path) -> Vec<PathBuf> {
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

/// Every trace is walked to its end without damage, in order, with all the bytes of its buffers
/// accounted for.
#[test]
fn every_trace_is_whole_and_in_order() {
    let Some(dir) = folder() else { return };
    let mut table = String::new();
    for path in traces(&dir) {
        let bytes = fs::read(&path).unwrap();
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        let touched = walk_reader(&mut reader).unwrap();
        let name = path.strip_prefix(&dir).unwrap().display();
        let faults: Vec<_> = reader.faults().iter().collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
        assert!(
            touched
                .order
                .is_sorted_by_key(|(time, cpu, _)| (*time, *cpu)),
            "{name}"
        );
        let session = reader.session();
        let (buffers, lost) = (reader.buffers(), session.events_lost);
        table += &format!(
            "{name}: {} events, {buffers} buffers, {lost} lost\n",
            touched.records
        );
        assert_eq!(u64::from(session.buffers_written), buffers, "{name}");
    }
    // Files of other collections may lie beside these.
    for line in include_str!("real.txt").lines() {
        assert!(
            table.lines().any(|l| l == line),
            "{line}\nis not in\n{table}"
        );
    }
}

/// Every event of the kernel whose layout is known decodes to its last byte; what is not known is
/// listed.
#[test]
fn kernel_events_decode_to_their_last_byte() {
    let Some(dir) = folder() else { return };
    let mut decoded = 0_u64;
    let (mut unknown, mut left) = (BTreeMap::new(), BTreeMap::new());
    for path in traces(&dir) {
        // These deliberately tag 64-bit payloads as 32-bit ones.
        let mistagged = path.to_str().unwrap().contains("_data_64_");
        let mut reader = Reader::new(fs::read(&path).unwrap()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            if mistagged {
                continue;
            }
            let Some(event) = kernel::describe(&record) else {
                if let Some(hook) = kernel::hook(&record) {
                    *unknown.entry(hook).or_insert(0_u64) += 1;
                }
                continue;
            };
            let mut fields = event.fields(record.payload(), record.pointer_size());
            black_box(fields.by_ref().fold(0, |sum, (name, _)| sum + name.len()));
            decoded += 1;
            if !fields.rest().is_empty() {
                let key = (event.class, event.name, fields.rest().len());
                *left.entry(key).or_insert(0_u64) += 1;
            }
        }
    }
    println!("{decoded} decoded; unknown (group, opcode, version): {unknown:?}");
    assert!(left.is_empty(), "{left:?}");
    assert!(decoded > 280_000);
}

/// Whatever is missing at the end, all before it is there.
#[test]
fn real_traces_cut_at_every_page() {
    let Some(dir) = folder() else { return };
    for name in [
        "perfview/gcevents.etl",
        "monogame/PerfViewData.etl",
        "s4/waasmedic.20251005_113019_195.etl",
    ] {
        let bytes = fs::read(dir.join(name)).unwrap();
        let step = if bytes.len() > 40_000 { 4096 } else { 256 };
        let whole = walk(&bytes).unwrap().records;
        let mut most = 0;
        for length in (step.max(1024)..bytes.len()).step_by(step) {
            let records = walk(&bytes[..length]).unwrap().records;
            assert!(
                records >= most && records <= whole,
                "{name} cut at {length}"
            );
            most = records;
        }
    }
}

#[test]
fn real_traces_with_flipped_bytes() {
    let Some(dir) = folder() else { return };
    let mut random = whyslow_testkit::Random(4711);
    for name in ["perfview/gcevents.etl", "monogame/PerfViewData.etl"] {
        let seed = fs::read(dir.join(name)).unwrap();
        for _ in 0..60 {
            let mut bytes = seed.clone();
            for _ in 0..20 {
                let at = 4096 + random.below(bytes.len() - 4096);
                bytes[at] = random.number().to_le_bytes()[1];
            }
            assert!(walk(&bytes).unwrap().records > 1, "{name}");
        }
    }
}

/// An event line of a reference: time in microseconds, processor, payload length, process, thread.
pub(crate) type Line = (i64, u16, usize, Option<u32>, Option<u32>);

pub(crate) fn reference_line(line: &str) -> Line {
    let (time, rest) = line["EVENT ".len()..].split_once(": ").unwrap();
    let digits: String = time.chars().filter(char::is_ascii_digit).collect();
    let value = |key: &str| {
        let from = rest.find(key).unwrap() + key.len();
        let text: String = rest[from..].chars().take_while(|c| *c != ';').collect();
        text.replace(',', "").parse::<i64>().unwrap()
    };
    let id = |key| u32::try_from(value(key)).ok();
    let (cpu, length) = (value(" ProceNum="), value(" DataLen="));
    (
        digits.parse().unwrap(),
        u16::try_from(cpu).unwrap(),
        usize::try_from(length).unwrap(),
        id(" PID="),
        id(" TID="),
    )
}

/// Names of kernel events as the references have them.
const NAMES: &[(u16, &str)] = &[
    (0x0000, "EventTrace"),
    (0x0005, "EventTrace/Extension"),
    (0x0020, "EventTrace/EndExtension"),
    (0x0008, "EventTrace/RundownComplete"),
    (0x010a, "DiskIO/Read"),
    (0x010b, "DiskIO/Write"),
    (0x010c, "DiskIO/ReadInit"),
    (0x010d, "DiskIO/WriteInit"),
    (0x010e, "DiskIO/FlushBuffers"),
    (0x010f, "DiskIO/FlushInit"),
    (0x0220, "Memory/HardFault"),
    (0x0301, "Process/Start"),
    (0x0302, "Process/Stop"),
    (0x0303, "Process/DCStart"),
    (0x0304, "Process/DCStop"),
    (0x0320, "Process/PerfCtr"),
    (0x0321, "Process/PerfCtrRundown"),
    (0x0327, "Process/Defunct"),
    (0x0501, "Thread/Start"),
    (0x0502, "Thread/Stop"),
    (0x060a, "TcpIp/Send"),
    (0x060b, "TcpIp/Recv"),
    (0x060d, "TcpIp/Disconnect"),
    (0x060f, "TcpIp/Accept"),
    (0x061a, "TcpIp/SendIPV6"),
    (0x061b, "TcpIp/RecvIPV6"),
    (0x080a, "UdpIp/Send"),
    (0x080b, "UdpIp/Recv"),
    (0x081a, "UdpIp/SendIPV6"),
    (0x081b, "UdpIp/RecvIPV6"),
    (0x0b0a, "SystemConfig/CPU"),
    (0x0b0b, "SystemConfig/PhyDisk"),
    (0x0b0c, "SystemConfig/LogDisk"),
    (0x0b0d, "SystemConfig/NIC"),
    (0x0b0f, "SystemConfig/Services"),
    (0x0b10, "SystemConfig/Power"),
    (0x0b11, "SystemConfig/Network"),
    (0x0b16, "SystemConfig/PnP"),
    (0x0b17, "SystemConfig/IDEChannel"),
    (0x0f2e, "PerfInfo/Sample"),
    (0x0f49, "PerfInfo/CollectionStart"),
    (0x0f4a, "PerfInfo/CollectionEnd"),
    (0x140a, "Image/Load"),
    (0x030a, "Image/Load"),
    (0x1402, "Image/Unload"),
    (0x1403, "Image/DCStart"),
    (0x1404, "Image/DCStop"),
];

/// Name of a kernel event that the reference counts: it leaves out samples of idle processors.
fn counted_name(record: &Record<'_>) -> Option<&'static str> {
    let Identity::Kernel { group, opcode, .. } = record.identity() else {
        return None;
    };
    let hook = u16::from_le_bytes([opcode, group]);
    let payload = record.payload();
    let idle = hook == 0x0f2e && payload[8..12] == [0; 4] && payload[14] & 3 == 0;
    let name = NAMES.iter().find(|(of, _)| *of == hook && !idle);
    name.map(|(_, name)| *name)
}

/// Counts of kernel events by name, and time, processor, payload length, process and thread of every
/// event line, against what TraceEvent printed. Thread and process are compared of events that are
/// not of the kernel; of those the reference shows what the payload or other events say.
fn compare(dir: &Path, trace: &str, reference: &str) {
    let bytes = fs::read(dir.join(trace)).unwrap();
    let text = fs::read_to_string(dir.join(reference)).unwrap();
    let mut reader = Reader::new(bytes).unwrap();
    let clock = reader.clock();
    let mut counts = BTreeMap::new();
    let mut lines: BTreeMap<i64, Vec<Line>> = BTreeMap::new();
    while let Some(record) = reader.next_record().unwrap() {
        if let Some(name) = counted_name(&record) {
            *counts.entry(name).or_insert(0) += 1;
        }
        let us = (clock.ns(record.raw_time) + 500).div_euclid(1000);
        let (length, ids) = (
            record.payload().len(),
            (record.process_id(), record.thread_id()),
        );
        let line = (us, record.cpu, length, ids.0, ids.1);
        lines.entry(us).or_default().push(line);
    }
    let mut compared = (0, 0);
    for line in text.lines() {
        if let Some(count) = line.strip_prefix("COUNT Windows Kernel/") {
            let (name, count) = count.rsplit_once(':').unwrap();
            if !name.starts_with("SysConfig/") {
                assert_eq!(counts.remove(name), count.parse().ok(), "{trace}: {name}");
                compared.0 += 1;
            }
        } else if line.starts_with("EVENT ") {
            let (us, cpu, length, pid, tid) = reference_line(line);
            let by_header = !line.contains(": Windows Kernel/");
            let near = lines.range(us - 1..=us + 1).flat_map(|(_, lines)| lines);
            let fits = near.into_iter().any(|ours| {
                (ours.1, ours.2) == (cpu, length) && (!by_header || (ours.3, ours.4) == (pid, tid))
            });
            assert!(fits, "{trace}: {line}");
            compared.1 += 1;
        }
    }
    println!(
        "{trace}: {} names of kernel events, {} lines",
        compared.0, compared.1
    );
    assert!(
        counts.is_empty(),
        "{trace}: not in the reference: {counts:?}"
    );
}

#[test]
fn the_reference_agrees() {
    let Some(dir) = folder() else { return };
    for (trace, reference) in [
        ("net.4.5.2.x64.etl", "net.4.5.2.x64.baseline.txt"),
        ("net.4.5.2.x86.etl", "net.4.5.2.x86.baseline.txt"),
        ("gcevents.etl", "gcevents.baseline.txt"),
        (
            "gcrundownevents.clrRundown.etl",
            "gcrundownevents.baseline.txt",
        ),
    ] {
        compare(&dir.join("perfview"), trace, reference);
    }
}
