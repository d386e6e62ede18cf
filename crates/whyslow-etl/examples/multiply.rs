//! Makes a long trace from a short one, for measurements: `multiply TRACE OUT MEGABYTES`.
//!
//! The events are written again and again, uncompressed. Each copy is stamped to follow the last,
//! so that the result looks like one long session: processes, threads and frames are the same in
//! every copy. What a session reports once is written once: the machine, the rundown at the start,
//! and the rundown at the end with all that a merge has added.

#![expect(clippy::unwrap_used, reason = "a tool for measurements")]

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};

use whyslow_etl::kernel::hooks::{
    event_trace, image, memory, perf_info, process, registry, stack_walk, system_config, thread,
};
use whyslow_etl::{FileSource, Guid, HeaderKind, Identity, Reader, Record, kernel};
use whyslow_testkit::{Buffer, Filler, Header};

type Anything = Box<dyn std::error::Error>;

/// The runtime's rundown of methods.
const CLR_RUNDOWN: Guid = Guid::new(
    0xa669_021c,
    0xc450,
    0x4609,
    [0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18],
);

/// Which copies contain an event.
#[derive(Clone, Copy, PartialEq)]
enum Copies {
    First,
    All,
    Last,
}

struct Event {
    cpu: u16,
    copies: Copies,
    /// Where an event has its times.
    times: [Option<usize>; 2],
    bytes: std::ops::Range<usize>,
}

#[derive(Default)]
struct Session {
    events: Vec<Event>,
    arena: Vec<u8>,
    first: i64,
    last: i64,
}

fn main() -> Result<(), Anything> {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, output, megabytes] = args.as_slice() else {
        return Err("multiply TRACE OUT MEGABYTES".into());
    };
    let wanted = megabytes.parse::<u64>()? * 1_000_000;
    let mut reader = Reader::new(FileSource::new(File::open(input)?)?)?;
    let buffer_bytes = reader.session().buffer_bytes.max(0x1_0000);
    let session = read(&mut reader)?;
    let mut out = BufWriter::with_capacity(1 << 20, File::create(output)?);
    write(&session, buffer_bytes, wanted, &mut out)
}

fn read(reader: &mut Reader<FileSource>) -> Result<Session, Anything> {
    let mut session = Session::default();
    while let Some(record) = reader.next_record()? {
        if session.events.is_empty() {
            session.first = record.raw_time;
        }
        session.last = record.raw_time;
        let start = session.arena.len();
        session.arena.extend_from_slice(record.bytes());
        session.events.push(Event {
            cpu: record.cpu,
            copies: copies(&record),
            times: [header_time(&record), payload_time(&record)],
            bytes: start..session.arena.len(),
        });
    }
    Ok(session)
}

/// *Folklore:* a merge adds classic events of classes that the kernel does not have.
fn copies(record: &Record<'_>) -> Copies {
    if let Some((hook, _)) = kernel::hook(record) {
        return match hook {
            process::DC_START
            | thread::DC_START
            | image::DC_START
            | perf_info::COLLECTION_START => Copies::First,
            process::DC_STOP | thread::DC_STOP | image::DC_STOP | perf_info::COLLECTION_END => {
                Copies::Last
            }
            _ if matches!(hook.group, event_trace::GROUP | system_config::GROUP) => Copies::First,
            _ => Copies::All,
        };
    }
    match record.identity() {
        Identity::Classic { .. } => Copies::Last,
        Identity::Event(event) if event.provider == CLR_RUNDOWN => Copies::Last,
        _ => Copies::All,
    }
}

fn header_time(record: &Record<'_>) -> Option<usize> {
    match record.kind() {
        HeaderKind::PerfInfo => Some(8),
        HeaderKind::Message | HeaderKind::Error => None,
        _ => Some(16),
    }
}

/// The raw times at the start of payloads: of the event a stack belongs to, of the start of the
/// operation that the event ends, of the first packed switch.
fn payload_time(record: &Record<'_>) -> Option<usize> {
    let (hook, version) = kernel::hook(record)?;
    let has = match hook {
        stack_walk::STACK
        | stack_walk::KERNEL_KEY
        | stack_walk::USER_KEY
        | perf_info::MESSAGE_ISR
        | perf_info::THREADED_DPC
        | perf_info::ISR
        | perf_info::DPC
        | perf_info::TIMER_DPC
        | memory::HARD_FAULT
        | thread::PACKED_SWITCHES => true,
        registry::COUNTERS | registry::CONFIG => false,
        _ => hook.group == registry::GROUP && version >= 2,
    };
    let payload = record.payload();
    let is_stated = payload.get(..8).is_some_and(|time| time != [0; 8]);
    (has && is_stated).then_some(record.bytes().len() - payload.len())
}

fn write(
    session: &Session,
    buffer_bytes: u32,
    wanted: u64,
    out: &mut BufWriter<File>,
) -> Result<(), Anything> {
    let header = Header {
        buffer_bytes,
        ..Header::default()
    };
    let period = session.last - session.first + 1;
    let mut buffers = 1_u64;
    let mut shift = 0;
    let mut filler = Filler::new(buffer_bytes);
    out.seek(SeekFrom::Start(buffer_bytes.into()))?;
    loop {
        let is_last = (buffers * u64::from(buffer_bytes)) + session.arena.len() as u64 >= wanted;
        for event in session.events.iter().skip(1) {
            let is_due = match event.copies {
                Copies::First => shift == 0,
                Copies::All => true,
                Copies::Last => is_last,
            };
            if is_due && let Some(full) = filler.push(event.cpu, session.stamped(event, shift)) {
                out.write_all(&full.write(&header))?;
                buffers += 1;
            }
        }
        if is_last {
            break;
        }
        shift += period;
    }
    for rest in filler.finish() {
        out.write_all(&rest.write(&header))?;
        buffers += 1;
    }
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&session.start(&header, shift, u32::try_from(buffers)?))?;
    Ok(out.flush()?)
}

impl Session {
    fn stamped(&self, event: &Event, shift: i64) -> Vec<u8> {
        let mut bytes = self.arena[event.bytes.clone()].to_vec();
        for at in event.times.into_iter().flatten() {
            add(&mut bytes[at..at + 8], shift);
        }
        bytes
    }

    /// Returns the first buffer: the session header with the new length and size.
    fn start(&self, header: &Header, shift: i64, buffers: u32) -> Vec<u8> {
        let mut event = self.arena[self.events[0].bytes.clone()].to_vec();
        let payload = &mut event[32..];
        payload[..4].copy_from_slice(&header.buffer_bytes.to_le_bytes());
        let frequency_at = if payload[0x2c] == 8 { 0x100 } else { 0xf8 };
        let frequency = i64::from_le_bytes(payload[frequency_at..][..8].try_into().unwrap());
        let longer = i128::from(shift) * 10_000_000 / i128::from(frequency.max(1));
        add(&mut payload[0x10..0x18], longer as i64);
        // No longer compressed.
        payload[0x23] &= !0x04;
        payload[0x24..0x28].copy_from_slice(&buffers.to_le_bytes());
        let mut first = Buffer::new(0).push(event);
        (first.kind, first.flags) = (4, 1);
        first.write(header)
    }
}

fn add(number: &mut [u8], shift: i64) {
    let old = i64::from_le_bytes(number.try_into().unwrap());
    number.copy_from_slice(&(old + shift).to_le_bytes());
}
