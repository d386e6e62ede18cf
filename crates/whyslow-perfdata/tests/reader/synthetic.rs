//! An independent writer of `perf.data` files: fields by hand, in either byte order. It shares no
//! code with the crate.

/// Bytes in one byte order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bytes {
    pub(crate) big: bool,
    pub(crate) out: Vec<u8>,
}

impl Bytes {
    pub(crate) fn new(big: bool) -> Self {
        Self {
            big,
            out: Vec::new(),
        }
    }

    pub(crate) fn u8(mut self, value: u8) -> Self {
        self.out.push(value);
        self
    }

    pub(crate) fn u16(mut self, value: u16) -> Self {
        let bytes = if self.big {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        };
        self.out.extend(bytes);
        self
    }

    pub(crate) fn u32(mut self, value: u32) -> Self {
        let bytes = if self.big {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        };
        self.out.extend(bytes);
        self
    }

    pub(crate) fn i32(self, value: i32) -> Self {
        self.u32(value as u32)
    }

    pub(crate) fn u64(mut self, value: u64) -> Self {
        let bytes = if self.big {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        };
        self.out.extend(bytes);
        self
    }

    pub(crate) fn words(mut self, values: &[u64]) -> Self {
        for &value in values {
            self = self.u64(value);
        }
        self
    }

    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.out.extend(bytes);
        self
    }

    pub(crate) fn zeros(mut self, count: usize) -> Self {
        self.out.resize(self.out.len() + count, 0);
        self
    }

    /// Text with a NUL, padded to 8 bytes, as in kernel records.
    pub(crate) fn name(self, text: &str) -> Self {
        let padded = (text.len() + 1).next_multiple_of(8);
        self.raw(text.as_bytes()).zeros(padded - text.len())
    }

    /// Length and text, padded to 64 bytes, as in feature sections.
    pub(crate) fn string(self, text: &str) -> Self {
        let padded = (text.len() + 1).next_multiple_of(64);
        let length = u32::try_from(padded).unwrap();
        self.u32(length)
            .raw(text.as_bytes())
            .zeros(padded - text.len())
    }

    /// Makes a record from the bytes written.
    pub(crate) fn record(self, ty: u32, misc: u16) -> Vec<u8> {
        let size = u16::try_from(self.out.len() + 8).unwrap();
        Self::new(self.big)
            .u32(ty)
            .u16(misc)
            .u16(size)
            .raw(&self.out)
            .out
    }
}

/// An event to declare.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) attr_bytes: usize,
    pub(crate) kind: u32,
    pub(crate) config: u64,
    pub(crate) period: u64,
    pub(crate) sample_type: u64,
    pub(crate) read_format: u64,
    /// Numbers of the one-bit flags that are set.
    pub(crate) flags: Vec<u32>,
    pub(crate) precise: u8,
    pub(crate) branch_sample_type: u64,
    pub(crate) regs_user: u64,
    pub(crate) regs_intr: u64,
    pub(crate) stack_user: u32,
    pub(crate) clockid: i32,
    pub(crate) ids: Vec<u64>,
    pub(crate) name: &'static str,
}

/// `sample_id_all`.
pub(crate) const SAMPLE_ID_ALL: u32 = 18;

impl Default for Event {
    fn default() -> Self {
        Self {
            attr_bytes: 128,
            kind: 1,
            config: 0,
            period: 1_000_000,
            sample_type: IDENTIFIER | TID | TIME | CPU,
            read_format: 0,
            flags: vec![SAMPLE_ID_ALL],
            precise: 0,
            branch_sample_type: 0,
            regs_user: 0,
            regs_intr: 0,
            stack_user: 0,
            clockid: 0,
            ids: vec![1],
            name: "cpu-clock",
        }
    }
}

pub(crate) const TID: u64 = 1 << 1;
pub(crate) const TIME: u64 = 1 << 2;
pub(crate) const CPU: u64 = 1 << 7;
pub(crate) const IDENTIFIER: u64 = 1 << 16;

impl Event {
    /// The attribute as C lays it out: its bit fields from the least significant bit on
    /// little-endian machines, from the most significant one on big-endian machines.
    pub(crate) fn attr(&self, big: bool) -> Vec<u8> {
        let mut flags = 0_u64;
        let mut set = |number: u32, width: u32, value: u64| {
            let shift = if big { 64 - number - width } else { number };
            flags |= value << shift;
        };
        for &number in &self.flags {
            set(number, 1, 1);
        }
        set(15, 2, u64::from(self.precise));
        let whole = Bytes::new(big)
            .u32(self.kind)
            .u32(u32::try_from(self.attr_bytes).unwrap())
            .u64(self.config)
            .u64(self.period)
            .u64(self.sample_type)
            .u64(self.read_format)
            .u64(flags)
            .u32(1)
            .u32(0)
            .words(&[11, 12])
            .u64(self.branch_sample_type)
            .u64(self.regs_user)
            .u32(self.stack_user)
            .i32(self.clockid)
            .u64(self.regs_intr)
            .u32(0)
            .u16(127)
            .u16(0)
            .u32(0)
            .u32(0)
            .u64(0)
            .u64(13)
            .zeros(4096);
        whole.out[..self.attr_bytes].to_vec()
    }
}

/// A file to make.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub(crate) big: bool,
    pub(crate) events: Vec<Event>,
    pub(crate) records: Vec<u8>,
    pub(crate) features: Vec<(u16, Vec<u8>)>,
    /// The header says that there is no data, as after the recorder was killed.
    pub(crate) unfinished: bool,
}

impl File {
    pub(crate) fn new(big: bool) -> Self {
        let events = vec![Event::default()];
        Self {
            big,
            events,
            ..Self::default()
        }
    }

    pub(crate) fn bytes(&self) -> Bytes {
        Bytes::new(self.big)
    }

    pub(crate) fn push(&mut self, record: &[u8]) -> &mut Self {
        self.records.extend(record);
        self
    }

    /// Pushes a sample of the default event.
    pub(crate) fn sample(&mut self, time: u64, tid: u32, cpu: u32) -> &mut Self {
        let record = sample(self.big, time, tid, cpu);
        self.push(&record)
    }

    pub(crate) fn round(&mut self) -> &mut Self {
        let record = self.bytes().record(68, 0);
        self.push(&record)
    }

    /// A regular file.
    pub(crate) fn regular(&self) -> Vec<u8> {
        let entry = self.events[0].attr_bytes + 16;
        let mut ids = Bytes::new(self.big);
        let mut attrs = Bytes::new(self.big);
        for event in &self.events {
            let at = 104 + ids.out.len() as u64;
            ids = ids.words(&event.ids);
            attrs = attrs
                .raw(&event.attr(self.big))
                .u64(at)
                .u64(8 * event.ids.len() as u64);
        }
        let attrs_at = 104 + ids.out.len() as u64;
        let data_at = attrs_at + attrs.out.len() as u64;
        let data_size = if self.unfinished {
            0
        } else {
            self.records.len() as u64
        };
        let mut bits = [0_u64; 4];
        for (bit, _) in &self.features {
            bits[usize::from(bit / 64)] |= 1 << (bit % 64);
        }
        let mut file = Bytes::new(self.big)
            .raw(if self.big { b"2ELIFREP" } else { b"PERFILE2" })
            .words(&[
                104,
                entry as u64,
                attrs_at,
                attrs.out.len() as u64,
                data_at,
                data_size,
            ])
            .words(&[0, 0])
            .words(&bits)
            .raw(&ids.out)
            .raw(&attrs.out)
            .raw(&self.records);
        if self.unfinished {
            return file.out;
        }
        let mut features = self.features.clone();
        features.sort();
        let mut at = file.out.len() as u64 + 16 * features.len() as u64;
        for (_, bytes) in &features {
            file = file.words(&[at, bytes.len() as u64]);
            at += bytes.len() as u64;
        }
        for (_, bytes) in &features {
            file = file.raw(bytes);
        }
        file.out
    }

    /// The same content as a stream in pipe mode.
    pub(crate) fn pipe(&self) -> Vec<u8> {
        let mut file = Bytes::new(self.big)
            .raw(if self.big { b"2ELIFREP" } else { b"PERFILE2" })
            .u64(16);
        for event in &self.events {
            let attr = self.bytes().raw(&event.attr(self.big)).words(&event.ids);
            file = file.raw(&attr.record(64, 0));
            let name = self
                .bytes()
                .u64(2)
                .u64(event.ids.first().copied().unwrap_or(0));
            file = file.raw(&name.name(event.name).record(78, 0));
        }
        for (bit, bytes) in &self.features {
            if *bit == 1 {
                let size = u32::try_from(bytes.len()).unwrap();
                let padding = bytes.len().next_multiple_of(8) - bytes.len();
                file = file.raw(&self.bytes().u32(size).record(66, 0));
                file = file.raw(bytes).zeros(padding);
            } else {
                file = file.raw(&self.bytes().u64(u64::from(*bit)).raw(bytes).record(80, 0));
            }
        }
        file.raw(&self.records).out
    }
}

/// A sample of the default event.
pub(crate) fn sample(big: bool, time: u64, tid: u32, cpu: u32) -> Vec<u8> {
    Bytes::new(big)
        .u64(1)
        .u32(tid)
        .u32(tid)
        .u64(time)
        .u32(cpu)
        .u32(0)
        .record(9, 2)
}

/// The end of every other record of the default event.
pub(crate) fn tail(bytes: Bytes, time: u64, tid: u32, cpu: u32) -> Bytes {
    bytes.u32(tid).u32(tid).u64(time).u32(cpu).u32(0).u64(1)
}

/// Repeatable random numbers.
#[derive(Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
