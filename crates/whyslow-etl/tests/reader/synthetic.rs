//! An independent writer of traces: every field by hand. It shares nothing with the crate.

/// Start of the sessions: 2020-07-29, as `FILETIME`.
pub(crate) const START_TIME: i64 = 132_404_256_000_000_000;
/// Raw time of the session header.
pub(crate) const T0: i64 = 1_000_000;

/// Bytes one after the other, little-endian.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

macro_rules! numbers {
    ($($name:ident $type:ty),*) => {
        $(pub(crate) fn $name(mut self, value: $type) -> Self {
            self.0.extend(value.to_le_bytes());
            self
        })*
    };
}

impl Bytes {
    numbers!(u8 u8, u16 u16, u32 u32, u64 u64, i64 i64);

    pub(crate) fn zeros(mut self, count: usize) -> Self {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    pub(crate) fn utf16(mut self, text: &str) -> Self {
        for unit in text.encode_utf16().chain([0]) {
            self.0.extend(unit.to_le_bytes());
        }
        self
    }

    fn pointer(self, wide: bool, value: u64) -> Self {
        if wide {
            self.u64(value)
        } else {
            self.u32(value as u32)
        }
    }
}

/// What the session header says.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) wide: bool,
    pub(crate) buffer_bytes: u32,
    pub(crate) mode: u32,
    pub(crate) clock: u32,
    pub(crate) frequency: i64,
    pub(crate) end_time: i64,
    pub(crate) buffers_written: u32,
    pub(crate) events_lost: u32,
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
        }
    }
}

impl Header {
    pub(crate) fn payload(&self) -> Vec<u8> {
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
            .u32(8)
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
            .i64(START_TIME)
            .u32(self.clock)
            .u32(2)
            .utf16("Test session")
            .utf16("C:\\trace.etl")
            .0
    }
}

/// One buffer: its events, one behind the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffer {
    pub(crate) cpu: u16,
    pub(crate) flags: u16,
    pub(crate) kind: u16,
    pub(crate) events: Vec<u8>,
    pub(crate) compressed: bool,
}

impl Buffer {
    pub(crate) fn new(cpu: u16) -> Self {
        Self {
            cpu,
            ..Self::default()
        }
    }

    pub(crate) fn push(mut self, event: Vec<u8>) -> Self {
        self.events.extend(event);
        self.events.resize(self.events.len().next_multiple_of(8), 0);
        self
    }

    pub(crate) fn write(&self, header: &Header) -> Vec<u8> {
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

/// A file: the session header's buffer comes of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    pub(crate) header: Header,
    pub(crate) buffers: Vec<Buffer>,
}

impl Trace {
    pub(crate) fn new(buffers: Vec<Buffer>) -> Self {
        Self {
            header: Header::default(),
            buffers,
        }
    }

    pub(crate) fn compressed(mut self) -> Self {
        self.header.mode |= 0x0400_0000;
        for buffer in &mut self.buffers {
            buffer.compressed = true;
        }
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
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

fn size16(bytes: usize) -> u16 {
    u16::try_from(bytes).unwrap()
}

pub(crate) fn system(
    wide: bool,
    hook: u16,
    version: u16,
    time: i64,
    (pid, tid): (u32, u32),
    payload: &[u8],
) -> Vec<u8> {
    let code = if wide { 2 } else { 1 };
    let out = Bytes::default().u16(version).u8(code).u8(0xc0);
    let out = out
        .u16(size16(32 + payload.len()))
        .u16(hook)
        .u32(tid)
        .u32(pid);
    out.i64(time).u32(11).u32(12).bytes(payload).0
}

pub(crate) fn compact(hook: u16, time: i64, (pid, tid): (u32, u32), payload: &[u8]) -> Vec<u8> {
    let out = Bytes::default().u16(2).u8(4).u8(0xc0);
    let out = out
        .u16(size16(24 + payload.len()))
        .u16(hook)
        .u32(tid)
        .u32(pid);
    out.i64(time).bytes(payload).0
}

/// `version` with the bits for counters; `extra` stands before the payload.
pub(crate) fn perfinfo(
    hook: u16,
    version: u16,
    time: i64,
    extra: &[u64],
    payload: &[u8],
) -> Vec<u8> {
    let size = size16(16 + 8 * extra.len() + payload.len());
    let mut out = Bytes::default().u16(version).u8(17).u8(0xc0);
    out = out.u16(size).u16(hook).i64(time);
    for value in extra {
        out = out.u64(*value);
    }
    out.bytes(payload).0
}

pub(crate) fn full(
    time: i64,
    class: [u8; 16],
    (opcode, version): (u8, u16),
    payload: &[u8],
) -> Vec<u8> {
    let out = Bytes::default()
        .u16(size16(48 + payload.len()))
        .u8(20)
        .u8(0xc0);
    let out = out.u8(opcode).u8(4).u16(version).u32(70).u32(60).i64(time);
    out.bytes(&class).u32(5).u32(6).bytes(payload).0
}

pub(crate) fn instance(time: i64, class: [u8; 16], payload: &[u8]) -> Vec<u8> {
    let out = Bytes::default()
        .u16(size16(72 + payload.len()))
        .u8(21)
        .u8(0xc0);
    let out = out.u8(1).u8(4).u16(2).u32(70).u32(60).i64(time);
    out.bytes(&class)
        .u64(5)
        .u32(33)
        .u32(44)
        .zeros(16)
        .bytes(payload)
        .0
}

/// An event of a manifest.
#[derive(Debug, Clone)]
pub(crate) struct Manifest<'a> {
    pub(crate) wide: bool,
    pub(crate) provider: [u8; 16],
    pub(crate) id: u16,
    pub(crate) ids: (u32, u32),
    pub(crate) items: &'a [(u16, Vec<u8>)],
    pub(crate) payload: &'a [u8],
}

impl Manifest<'_> {
    pub(crate) fn at(&self, time: i64) -> Vec<u8> {
        let mut items = Bytes::default();
        for (index, (kind, data)) in self.items.iter().enumerate() {
            let more = u16::from(index + 1 < self.items.len());
            let size = (8 + data.len()).next_multiple_of(8);
            items = items.u16(size16(size)).u16(*kind).u16(more);
            items = items
                .u16(size16(data.len()))
                .bytes(data)
                .zeros(size - 8 - data.len());
        }
        let size = size16(80 + items.0.len() + self.payload.len());
        let code = if self.wide { 19 } else { 18 };
        let (pid, tid) = self.ids;
        let out = Bytes::default().u16(size).u8(code).u8(0xc0);
        let out = out
            .u16(u16::from(!self.items.is_empty()))
            .u16(0)
            .u32(tid)
            .u32(pid);
        let out = out.i64(time).bytes(&self.provider);
        let out = out
            .u16(self.id)
            .u8(3)
            .u8(11)
            .u8(5)
            .u8(9)
            .u16(77)
            .u64(0x8000_0000_0000_0010);
        let out = out.u32(1).u32(2).bytes(&[7; 16]);
        out.bytes(&items.0).bytes(self.payload).0
    }
}

/// A message of the preprocessor with everything its header can have.
pub(crate) fn message(time: i64, guid: [u8; 16], payload: &[u8]) -> Vec<u8> {
    let size = size16(8 + 4 + 16 + 8 + 8 + payload.len());
    let out = Bytes::default().u16(size).u8(0).u8(0x90).u16(99).u16(0xab);
    let out = out.u32(1).bytes(&guid).i64(time).u32(31).u32(32);
    out.bytes(payload).0
}

/// Compresses greedily: the longest match of those with the same three bytes.
pub(crate) fn compress(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 4];
    let (mut flags_at, mut flag) = (0, 32);
    let mut half: Option<usize> = None;
    let mut seen = std::collections::HashMap::new();
    let mut at = 0;
    while at < data.len() {
        if flag == 0 {
            (flags_at, flag) = (out.len(), 32);
            out.extend([0; 4]);
        }
        flag -= 1;
        let key = data.get(at..at + 3);
        let from = key.and_then(|key| seen.insert(key.to_vec(), at));
        let from = from.filter(|from| at - from <= 8192);
        let Some(from) = from else {
            out.push(data[at]);
            at += 1;
            continue;
        };
        let same = (0..data.len() - at).take_while(|i| data[from + i] == data[at + i]);
        let length = same.count();
        out[flags_at + flag / 8] |= 1 << (flag % 8);
        let short = (length - 3).min(7);
        let word = u16::try_from((at - from - 1) << 3 | short).unwrap();
        out.extend(word.to_le_bytes());
        if short == 7 {
            long_length(&mut out, &mut half, length - 3);
        }
        at += length;
    }
    // All flags behind the end are ones, as Windows writes them.
    for bit in 0..flag {
        out[flags_at + bit / 8] |= 1 << (bit % 8);
    }
    out
}

fn long_length(out: &mut Vec<u8>, half: &mut Option<usize>, length: usize) {
    let nibble = u8::try_from((length - 7).min(15)).unwrap();
    match half.take() {
        Some(at) => out[at] |= nibble << 4,
        None => {
            *half = Some(out.len());
            out.push(nibble);
        }
    }
    if nibble == 15 {
        out.push(u8::try_from((length - 22).min(255)).unwrap());
        if length - 22 >= 255 {
            match u16::try_from(length) {
                Ok(length) => out.extend(length.to_le_bytes()),
                Err(_) => {
                    out.extend([0, 0]);
                    out.extend(u32::try_from(length).unwrap().to_le_bytes());
                }
            }
        }
    }
}

/// Numbers that look random, the same in every run.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}
