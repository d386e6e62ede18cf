//! The records that a recorder creates itself, as bytes.
//!
//! Records of the kernel are copied unchanged. The others are created here: the state before the
//! recording started (as `perf record` synthesizes it), rewritten samples, round marks. Layouts:
//! `linux/perf_event.h` and perf's own `util/event.h`, in this machine's byte order. Every record
//! starts with `type: u32, misc: u16, size: u16` and is a multiple of 8 bytes long.

use super::identity::SampleIdentity;
use crate::abi::{misc, record, sample};

/// Maximum length of a record: its size field has 16 bits, and it is a multiple of 8.
pub const MAX_RECORD_BYTES: usize = 65_528;

/// Bytes of records under construction.
#[derive(Debug, Default)]
pub struct RecordBuffer {
    bytes: Vec<u8>,
}

/// An executable mapping for a synthesized `MMAP2` record.
#[derive(Clone, Copy, Debug)]
pub struct MappingRecord<'a> {
    /// The process.
    pub pid: u32,
    /// The thread (the process's first one is enough).
    pub tid: u32,
    /// First address.
    pub start: u64,
    /// Bytes mapped.
    pub size_bytes: u64,
    /// Offset of the first byte in the file.
    pub file_offset: u64,
    /// Identifies the file.
    pub file: MappedFile<'a>,
    /// `PROT_*` bits.
    pub protection: u32,
    /// `MAP_*` bits.
    pub flags: u32,
    /// Path as the process saw it.
    pub path: &'a [u8],
}

/// Identifies a mapped file.
#[derive(Clone, Copy, Debug)]
pub enum MappedFile<'a> {
    /// The GNU build id, at most 20 bytes.
    BuildId(&'a [u8]),
    /// Device and inode.
    Inode {
        /// Major number of the device.
        major: u32,
        /// Minor number of the device.
        minor: u32,
        /// The inode's number.
        inode: u64,
    },
}

impl RecordBuffer {
    /// The `sample_type` of events whose samples [`raw_sample`](Self::raw_sample) writes.
    pub const RAW_SAMPLE: u64 = sample::IDENTIFIER
        | sample::IP
        | sample::TID
        | sample::TIME
        | sample::CPU
        | sample::CALLCHAIN
        | sample::RAW;

    /// Returns an empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The records so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Removes the records but keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Returns the records and continues in `room`, which should be empty.
    pub fn replace(&mut self, room: Vec<u8>) -> Vec<u8> {
        std::mem::replace(&mut self.bytes, room)
    }

    /// Appends a whole record unchanged.
    pub fn copy(&mut self, record: &[u8]) {
        self.bytes.extend_from_slice(record);
    }

    /// Appends a record: `fill` writes the content after the header. Returns false, and appends
    /// nothing, if the record would be longer than [`MAX_RECORD_BYTES`].
    pub fn record(&mut self, kind: u32, misc: u16, fill: impl FnOnce(&mut Self)) -> bool {
        let start = self.bytes.len();
        self.u32(kind);
        self.bytes(&misc.to_ne_bytes());
        self.bytes(&[0, 0]);
        fill(self);
        let padding = (self.bytes.len() - start).next_multiple_of(8) - (self.bytes.len() - start);
        self.zeros(padding);
        let size = self.bytes.len() - start;
        let size = u16::try_from(size)
            .ok()
            .filter(|_| size <= MAX_RECORD_BYTES);
        let place = self
            .bytes
            .get_mut(start + 6..)
            .and_then(|rest| rest.first_chunk_mut::<2>());
        match (size, place) {
            (Some(size), Some(place)) => *place = size.to_ne_bytes(),
            _ => self.bytes.truncate(start),
        }
        size.is_some()
    }

    /// The kernel's, or a kernel module's, text at `start`.
    ///
    /// For the kernel itself `name` is `[kernel.kallsyms]_text` and `reference` the address of
    /// `_text`: perf relocates by it.
    pub fn kernel_mapping(
        &mut self,
        start: u64,
        size_bytes: u64,
        reference: u64,
        name: &[u8],
        identity: &SampleIdentity,
    ) {
        self.record(record::MMAP, misc::KERNEL, |record| {
            record.u32(u32::MAX);
            record.u32(0);
            record.u64(start);
            record.u64(size_bytes);
            record.u64(reference);
            record.padded_string(name);
            record.identity(identity);
        });
    }

    /// The name of a thread.
    pub fn comm(&mut self, pid: u32, tid: u32, name: &[u8], identity: &SampleIdentity) {
        self.record(record::COMM, 0, |record| {
            record.u32(pid);
            record.u32(tid);
            record.padded_string(name);
            record.identity(identity);
        });
    }

    /// A thread that `parent` (its process, or the parent of its process) started.
    pub fn fork(
        &mut self,
        (pid, tid): (u32, u32),
        (parent_pid, parent_tid): (u32, u32),
        identity: &SampleIdentity,
    ) {
        self.record(record::FORK, 0, |record| {
            record.u32(pid);
            record.u32(parent_pid);
            record.u32(tid);
            record.u32(parent_tid);
            record.u64(identity.time_ns);
            record.identity(identity);
        });
    }

    /// An executable mapping of a process.
    pub fn mapping(&mut self, mapping: &MappingRecord<'_>, identity: &SampleIdentity) {
        let misc = misc::USER
            | if let MappedFile::BuildId(_) = mapping.file {
                misc::MMAP_BUILD_ID
            } else {
                0
            };
        self.record(record::MMAP2, misc, |record| {
            record.u32(mapping.pid);
            record.u32(mapping.tid);
            record.u64(mapping.start);
            record.u64(mapping.size_bytes);
            record.u64(mapping.file_offset);
            match mapping.file {
                MappedFile::BuildId(id) => {
                    let id = id.get(..20).unwrap_or(id);
                    record.bytes(&[u8::try_from(id.len()).unwrap_or(0), 0, 0, 0]);
                    record.bytes(id);
                    record.zeros(20 - id.len());
                }
                MappedFile::Inode {
                    major,
                    minor,
                    inode,
                } => {
                    record.u32(major);
                    record.u32(minor);
                    record.u64(inode);
                    record.u64(0);
                }
            }
            record.u32(mapping.protection);
            record.u32(mapping.flags);
            record.padded_string(mapping.path);
            record.identity(identity);
        });
    }

    /// Appends the mark that all rings were emptied once.
    pub fn finished_round(&mut self) {
        self.record(record::FINISHED_ROUND, 0, |_| {});
    }

    /// A sample with the fields `IDENTIFIER | IP | TID | TIME | CPU | CALLCHAIN | RAW`.
    ///
    /// Returns false, and appends nothing, if it is longer than a record can be.
    pub fn raw_sample(
        &mut self,
        identity: &SampleIdentity,
        ip: u64,
        chain: &[u64],
        payload: &[u8],
    ) -> bool {
        let misc = if ip >> 63 == 0 {
            misc::USER
        } else {
            misc::KERNEL
        };
        self.record(record::SAMPLE, misc, |record| {
            record.sample_head(identity, ip);
            record.chain(chain);
            record.raw(payload);
        })
    }

    /// The fields `IDENTIFIER | IP | TID | TIME | CPU` of a sample.
    pub fn sample_head(&mut self, identity: &SampleIdentity, ip: u64) {
        self.u64(identity.id);
        self.u64(ip);
        self.u32(identity.pid);
        self.u32(identity.tid);
        self.u64(identity.time_ns);
        self.u32(identity.cpu);
        self.u32(0);
    }

    /// The field `CALLCHAIN` of a sample.
    pub fn chain(&mut self, chain: &[u64]) {
        self.u64(chain.len() as u64);
        for &ip in chain {
            self.u64(ip);
        }
    }

    /// The field `RAW` of a sample: an event's payload.
    pub fn raw(&mut self, payload: &[u8]) {
        let padded = (payload.len() + 4).next_multiple_of(8) - 4;
        self.u32(u32::try_from(padded).unwrap_or(u32::MAX));
        self.bytes(payload);
        self.zeros(padded - payload.len());
    }

    /// A number.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_ne_bytes());
    }

    /// A number.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_ne_bytes());
    }

    /// Bytes, unchanged.
    pub fn bytes(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    /// Zero bytes.
    pub fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    /// A string, ended by at least one zero byte and padded to a multiple of 8.
    fn padded_string(&mut self, text: &[u8]) {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        self.bytes(text);
        self.zeros((text.len() + 1).next_multiple_of(8) - text.len());
    }

    /// The trailer of records other than samples: `TID | TIME | CPU | IDENTIFIER`.
    fn identity(&mut self, identity: &SampleIdentity) {
        self.u32(identity.pid);
        self.u32(identity.tid);
        self.u64(identity.time_ns);
        self.u32(identity.cpu);
        self.u32(0);
        self.u64(identity.id);
    }
}
