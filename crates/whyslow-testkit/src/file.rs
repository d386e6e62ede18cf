//! Trace files: the session header, buffers, and ways to rearrange or damage them.

use std::collections::BTreeMap;

use crate::bytes::Bytes;
use crate::compress::compress;
use crate::event::system;

/// Start of the sessions: 2020-07-29, as `FILETIME`.
pub const START_TIME: i64 = 132_404_256_000_000_000;
/// Raw time of the session header.
pub const T0: i64 = 1_000_000;

/// What the session header says.
#[derive(Debug, Clone)]
pub struct Header {
    /// Whether the machine has pointers of 8 bytes.
    pub wide: bool,
    /// Size of a buffer.
    pub buffer_bytes: u32,
    /// How it was recorded: 1 sequential, 2 circular …
    pub mode: u32,
    /// 1 performance counter, 2 system time, 3 processor cycles.
    pub clock: u32,
    /// Ticks of the performance counter per second.
    pub frequency: i64,
    /// When it ended, as `FILETIME`; 0 for never.
    pub end_time: i64,
    /// Buffers written, as stated.
    pub buffers_written: u32,
    /// Events lost, as stated.
    pub events_lost: u32,
    /// Buffers lost, as stated.
    pub buffers_lost: u32,
    /// Processors.
    pub cpus: u32,
    /// When the session began, as a Windows time.
    pub start_time: i64,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            wide: true,
            buffer_bytes: 0x1000,
            mode: 1,
            clock: 1,
            frequency: 10_000_000,
            end_time: START_TIME + 50_000_000,
            buffers_written: 3,
            events_lost: 0,
            buffers_lost: 2,
            cpus: 8,
            start_time: START_TIME,
        }
    }
}

impl Header {
    /// Returns the payload of the first event.
    pub fn payload(&self) -> Vec<u8> {
        let zone = Bytes::default()
            .u32(300)
            .utf16("Eastern")
            .zeros(64 - 16)
            .bytes(&[0, 0, 11, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0])
            .u32(0)
            .utf16("Eastern summer")
            .zeros(64 - 30)
            .bytes(&[0, 0, 3, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0])
            .u32(-60_i32 as u32)
            .0;
        assert_eq!(zone.len(), 172);
        let start = Bytes::default()
            .u32(self.buffer_bytes)
            .bytes(&[10, 0, 1, 5])
            .u32(19045)
            .u32(self.cpus)
            .i64(self.end_time)
            .u32(156_250)
            .u32(500)
            .u32(self.mode)
            .u32(self.buffers_written)
            .u32(1)
            .u32(if self.wide { 8 } else { 4 })
            .u32(self.events_lost)
            .u32(3592)
            .pointer(self.wide, 0x1234_5678)
            .pointer(self.wide, 0x8765_4321)
            .bytes(&zone)
            .u32(0);
        start
            .i64(START_TIME - 36_000_000_000)
            .i64(self.frequency)
            .i64(self.start_time)
            .u32(self.clock)
            .u32(self.buffers_lost)
            .utf16("Test session")
            .utf16("C:\\trace.etl")
            .0
    }
}

/// One buffer: its events, one after another.
#[derive(Debug, Clone, Default)]
pub struct Buffer {
    /// The processor.
    pub cpu: u16,
    /// Flags: 2 events lost, 4 buffer lost.
    pub flags: u16,
    /// 0 generic, 2 packed switches, 4 header.
    pub kind: u16,
    /// The events.
    pub events: Vec<u8>,
    /// Whether it is written compressed.
    pub compressed: bool,
}

impl Buffer {
    /// Returns an empty buffer of a processor.
    pub fn new(cpu: u16) -> Self {
        Self {
            cpu,
            ..Self::default()
        }
    }

    /// Adds an event.
    #[must_use]
    pub fn push(mut self, event: Vec<u8>) -> Self {
        self.events.extend(event);
        self.events.resize(self.events.len().next_multiple_of(8), 0);
        self
    }

    /// Returns the bytes in the file.
    pub fn write(&self, header: &Header) -> Vec<u8> {
        let end = 72 + self.events.len();
        let mut body = self.events.clone();
        if self.compressed {
            body = compress(&body);
        } else {
            assert!(end <= header.buffer_bytes as usize, "events of {end} bytes");
            body.resize(header.buffer_bytes as usize - 72, 0xff);
        }
        let cpu_flag = if self.cpu > 0xff { 0x20 } else { 0 };
        let flags = self.flags | cpu_flag | if self.compressed { 0x40 } else { 0 };
        let size = u32::try_from(72 + body.len()).unwrap();
        let end = u32::try_from(end).unwrap();
        let out = Bytes::default()
            .u32(size)
            .u32(end)
            .u32(0)
            .u32(0)
            .i64(0)
            .i64(1);
        let out = out.u64(0).u16(self.cpu).u16(0).u32(3).u32(end);
        out.u16(flags).u16(self.kind).zeros(16).bytes(&body).0
    }
}

/// A file: the session header's buffer is added automatically.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The session header.
    pub header: Header,
    /// The buffers after that of the session header.
    pub buffers: Vec<Buffer>,
}

impl Trace {
    /// Returns a trace of some buffers.
    pub fn new(buffers: Vec<Buffer>) -> Self {
        Self {
            header: Header::default(),
            buffers,
        }
    }

    /// Returns it with all buffers except the first compressed.
    #[must_use]
    pub fn compressed(mut self) -> Self {
        self.header.mode |= 0x0400_0000;
        for buffer in &mut self.buffers {
            buffer.compressed = true;
        }
        self
    }

    /// Returns a trace of events in order of time, each with its processor: they fill buffers, and
    /// each full buffer goes to the file.
    pub fn of(header: Header, events: impl IntoIterator<Item = (u16, Vec<u8>)>) -> Self {
        let mut filler = Filler::new(header.buffer_bytes);
        let events = events.into_iter();
        let mut buffers: Vec<_> = events
            .filter_map(|(cpu, event)| filler.push(cpu, event))
            .collect();
        buffers.extend(filler.finish());
        Self { header, buffers }
    }

    /// Returns it as a circular file with room for `keep` buffers after the first: only the last
    /// ones are left, the newest before the oldest.
    #[must_use]
    pub fn wrapped(mut self, keep: usize) -> Self {
        let written = self.buffers.len();
        let first = written.saturating_sub(keep);
        self.header.mode = 2;
        self.header.buffers_written = u32::try_from(written + 1).unwrap();
        let kept = self.buffers.drain(first..);
        let mut places: Vec<_> = (first..written).zip(kept).collect();
        places.sort_by_key(|(number, _)| number % keep);
        self.buffers = places.into_iter().map(|(_, buffer)| buffer).collect();
        self
    }

    /// Returns it in the form that a session which was never closed leaves.
    #[must_use]
    pub fn unclosed(mut self) -> Self {
        (self.header.end_time, self.header.buffers_written) = (0, 0);
        self
    }

    /// Returns one file with several sessions of a machine, one after another.
    #[must_use]
    pub fn merged(sessions: Vec<Self>) -> Self {
        let mut header = sessions[0].header.clone();
        header.mode |= 0x1_0000;
        let buffers = sessions.into_iter().flat_map(|session| session.buffers);
        Self {
            header,
            buffers: buffers.collect(),
        }
    }

    /// Returns the session in two files: buffers with an odd number go to the second.
    #[must_use]
    pub fn split(self) -> (Self, Self) {
        let mut parts = (Self::new(Vec::new()), Self::new(Vec::new()));
        (parts.0.header, parts.1.header) = (self.header.clone(), self.header);
        for (number, buffer) in self.buffers.into_iter().enumerate() {
            if number % 2 == 0 {
                parts.0.buffers.push(buffer);
            } else {
                parts.1.buffers.push(buffer);
            }
        }
        parts
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let payload = self.header.payload();
        let event = system(self.header.wide, 0, 2, T0, (4, 8), &payload);
        let mut first = Buffer::new(0).push(event);
        (first.kind, first.flags) = (4, 1);
        let mut out = first.write(&self.header);
        for buffer in &self.buffers {
            out.extend(buffer.write(&self.header));
        }
        out
    }
}

/// Fills buffers, one for each processor at a time.
#[derive(Debug)]
pub struct Filler {
    room: usize,
    open: BTreeMap<u16, Buffer>,
}

impl Filler {
    /// Starts without buffers, which will have this many bytes each.
    pub fn new(buffer_bytes: u32) -> Self {
        Self {
            room: buffer_bytes as usize - 72,
            open: BTreeMap::new(),
        }
    }

    /// Adds an event; returns the full buffer that had no room for it.
    pub fn push(&mut self, cpu: u16, event: Vec<u8>) -> Option<Buffer> {
        let open = self.open.entry(cpu).or_insert_with(|| Buffer::new(cpu));
        let is_full = open.events.len() + event.len() > self.room;
        let full = is_full.then(|| std::mem::replace(open, Buffer::new(cpu)));
        *open = std::mem::take(open).push(event);
        full
    }

    /// Returns the buffers that are not full.
    pub fn finish(self) -> impl Iterator<Item = Buffer> {
        self.open.into_values()
    }
}
