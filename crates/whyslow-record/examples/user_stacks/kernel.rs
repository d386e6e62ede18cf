//! The least of `perf_event_open` that the experiment needs: per CPU one sampling event with a ring
//! and one event that eBPF programs write to.
//!
//! Source: `perf_event_open(2)` and `include/uapi/linux/perf_event.h`.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use whyslow_symbols::unwind::UserRegs;

pub(crate) const LOST: u32 = 2;
pub(crate) const COMM: u32 = 3;
pub(crate) const EXIT: u32 = 4;
pub(crate) const FORK: u32 = 7;
pub(crate) const SAMPLE: u32 = 9;
pub(crate) const MMAP2: u32 = 10;
pub(crate) const MISC_COMM_EXEC: u16 = 1 << 13;
pub(crate) const MISC_MMAP_BUILD_ID: u16 = 1 << 14;
pub(crate) const CONTEXT_USER: u64 = -512i64 as u64;
pub(crate) const CONTEXT_MAX: u64 = -4095i64 as u64;

/// Samples begin with header, identifier, ip, tid, time; other records end with time, identifier.
const SAMPLE_TIME: u64 = 32;
const TIME_FROM_END: u64 = 16;
const PAGE: usize = 4096;
const FREQUENCY_HZ: u64 = 997;

/// How stacks are recorded.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) name: String,
    pub(crate) frame_pointers: bool,
    pub(crate) dump_bytes: u32,
    pub(crate) by_programs: bool,
}

impl Mode {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (kind, bytes) = text.split_once(':').unwrap_or((text, "0"));
        let dump_bytes = bytes.parse().ok()?;
        let frame_pointers = match kind {
            "none" | "dump" | "bpf" => false,
            "fp" | "both" => true,
            _ => return None,
        };
        Some(Self {
            name: text.to_owned(),
            frame_pointers,
            dump_bytes,
            by_programs: kind == "bpf",
        })
    }
}

/// `struct perf_event_attr`, 128 bytes.
#[repr(C)]
#[derive(Default)]
struct Attr {
    kind: u32,
    size: u32,
    config: u64,
    sample_freq: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_watermark: u32,
    bp_type: u32,
    config1: u64,
    config2: u64,
    branch_sample_type: u64,
    sample_regs_user: u64,
    sample_stack_user: u32,
    clockid: i32,
    sample_regs_intr: u64,
    aux_watermark: u32,
    sample_max_stack: u16,
    reserved: u16,
    rest: [u64; 2],
}

/// The events of one CPU and their ring.
pub(crate) struct Ring {
    pub(crate) cpu: u32,
    file: OwnedFd,
    output: Option<OwnedFd>,
    /// Identifier of the samples that programs write.
    output_id: u64,
    base: *mut u8,
    size: usize,
    head: u64,
}

/// Opens one sampling event per CPU, each with a ring, and the output event if `mode` needs it.
pub(crate) fn open(mode: &Mode) -> io::Result<Vec<Ring>> {
    const ID_IP_TID_TIME: u64 = 1 << 16 | 1 | 1 << 1 | 1 << 2;
    const CHAIN: u64 = 1 << 5;
    const RAW: u64 = 1 << 10;
    const SW_BPF_OUTPUT: u64 = 10;
    const REGS_STACK: u64 = 1 << 12 | 1 << 13;
    // freq, mmap, comm, task, watermark, sample_id_all, mmap2, comm_exec, use_clockid, build_id
    let bits = [8, 9, 10, 13, 14, 18, 23, 24, 25, 34];
    let mut flags = bits.iter().fold(0u64, |flags, bit| flags | 1 << bit);
    if !mode.frame_pointers {
        flags |= 1 << 22; // exclude_callchain_user
    }
    let dumps = mode.dump_bytes > 0;
    let size = if mode.dump_bytes > 20_000 || mode.by_programs {
        32 << 20
    } else {
        8 << 20
    };
    let cpus = std::thread::available_parallelism()?.get();
    (0..cpus)
        .map(|cpu| {
            let attr = Attr {
                kind: 1,
                size: 128,
                config: 0,
                sample_freq: FREQUENCY_HZ,
                sample_type: ID_IP_TID_TIME | CHAIN | if dumps { REGS_STACK } else { 0 },
                flags,
                wakeup_watermark: size / 8,
                sample_regs_user: if dumps { UserRegs::PERF_MASK_X86_64 } else { 0 },
                sample_stack_user: mode.dump_bytes,
                clockid: libc::CLOCK_MONOTONIC,
                ..Attr::default()
            };
            let mut ring = Ring::open(&attr, u32::try_from(cpu).unwrap_or(0), size as usize)?;
            if mode.by_programs {
                let attr = Attr {
                    config: SW_BPF_OUTPUT,
                    sample_freq: 1,
                    sample_type: ID_IP_TID_TIME | RAW,
                    flags: 1 << 18 | 1 << 25,
                    ..attr
                };
                ring.add_output(&attr)?;
            }
            Ok(ring)
        })
        .collect()
}

#[expect(unsafe_code, reason = "system call that std does not wrap")]
fn open_event(attr: &Attr, cpu: u32) -> io::Result<OwnedFd> {
    // SAFETY: `attr` is a valid structure of the size it states; the result is a fresh descriptor.
    unsafe {
        let file = libc::syscall(libc::SYS_perf_event_open, attr, -1, cpu as i32, -1, 8);
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(file as i32))
    }
}

impl Ring {
    #[expect(unsafe_code, reason = "system call that std does not wrap")]
    fn open(attr: &Attr, cpu: u32, size: usize) -> io::Result<Self> {
        let file = open_event(attr, cpu)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let number = file.as_raw_fd();
        // SAFETY: a fresh shared mapping; the kernel chooses the address.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                PAGE + size,
                protection,
                libc::MAP_SHARED,
                number,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self {
            cpu,
            file,
            output: None,
            output_id: 0,
            base: base.cast(),
            size,
            head: 0,
        })
    }

    #[expect(unsafe_code, reason = "system calls that std does not wrap")]
    fn add_output(&mut self, attr: &Attr) -> io::Result<()> {
        const SET_OUTPUT: libc::c_ulong = 0x2405;
        const ID: libc::c_ulong = 0x8008_2407;
        let output = open_event(attr, self.cpu)?;
        // SAFETY: the first request takes a descriptor, the second writes one number.
        let answers = unsafe {
            [
                libc::ioctl(output.as_raw_fd(), SET_OUTPUT, self.file.as_raw_fd()),
                libc::ioctl(output.as_raw_fd(), ID, &raw mut self.output_id),
            ]
        };
        if answers != [0, 0] {
            return Err(io::Error::last_os_error());
        }
        self.output = Some(output);
        Ok(())
    }

    /// The sampling event.
    pub(crate) fn sampler(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// The event that programs write to.
    pub(crate) fn output(&self) -> Option<BorrowedFd<'_>> {
        self.output.as_ref().map(AsFd::as_fd)
    }

    /// Whether a sample with this identifier was written by a program.
    pub(crate) fn is_output(&self, id: u64) -> bool {
        self.output.is_some() && id == self.output_id
    }

    /// `data_head` (0) or `data_tail` (1) of the control page.
    #[expect(unsafe_code, reason = "memory shared with the kernel")]
    fn position(&self, which: usize) -> &AtomicU64 {
        // SAFETY: within the first page of the mapping, aligned, valid as long as `self`.
        unsafe { &*self.base.add(1024 + 8 * which).cast::<AtomicU64>() }
    }

    #[expect(unsafe_code, reason = "memory shared with the kernel")]
    fn data(&self) -> &[u8] {
        // SAFETY: the mapping is that large; the kernel does not write what is not released.
        unsafe { std::slice::from_raw_parts(self.base.add(PAGE), self.size) }
    }

    fn copy(&self, at: u64, length: usize, scratch: &mut Vec<u8>) {
        let from = at as usize % self.size;
        let first = length.min(self.size - from);
        scratch.clear();
        scratch.extend_from_slice(&self.data()[from..from + first]);
        scratch.extend_from_slice(&self.data()[..length - first]);
    }

    /// Calls `found` with time and position of each new record older than `until_ns`.
    pub(crate) fn each(&mut self, until_ns: u64, mut found: impl FnMut(u64, u64)) {
        let end = self.position(0).load(Ordering::Acquire);
        let mut at = self.position(1).load(Ordering::Relaxed);
        let mut scratch = Vec::new();
        self.head = at;
        while at < end {
            self.copy(at, 8, &mut scratch);
            let kind = u32::from_le_bytes([scratch[0], scratch[1], scratch[2], scratch[3]]);
            let size = u64::from(u16::from_le_bytes([scratch[6], scratch[7]]));
            let time = if kind == SAMPLE {
                at + SAMPLE_TIME
            } else {
                at + size - TIME_FROM_END
            };
            self.copy(time, 8, &mut scratch);
            let time_ns = Fields::new(&scratch).u64();
            if time_ns >= until_ns {
                break;
            }
            found(time_ns, at);
            at += size;
            self.head = at;
        }
    }

    /// Kind, misc and body of the record at a position.
    pub(crate) fn record<'a>(&'a self, at: u64, scratch: &'a mut Vec<u8>) -> (u32, u16, &'a [u8]) {
        self.copy(at, 8, scratch);
        let kind = u32::from_le_bytes([scratch[0], scratch[1], scratch[2], scratch[3]]);
        let misc = u16::from_le_bytes([scratch[4], scratch[5]]);
        let size = usize::from(u16::from_le_bytes([scratch[6], scratch[7]]));
        let from = at as usize % self.size;
        if from + size <= self.size {
            return (kind, misc, &self.data()[from + 8..from + size]);
        }
        self.copy(at, size, scratch);
        (kind, misc, &scratch[8..])
    }

    /// Gives everything seen by [`Ring::each`] back to the kernel.
    pub(crate) fn release(&mut self) {
        self.position(1).store(self.head, Ordering::Release);
    }
}

/// Waits until a ring passed its watermark or the time is over.
#[expect(unsafe_code, reason = "system call that std does not wrap")]
pub(crate) fn wait_for_data(rings: &[Ring], milliseconds: i32) {
    let mut polls: Vec<libc::pollfd> = rings
        .iter()
        .map(|ring| libc::pollfd {
            fd: ring.file.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        })
        .collect();
    // SAFETY: a valid array of that length.
    unsafe {
        libc::poll(
            polls.as_mut_ptr(),
            polls.len() as libc::nfds_t,
            milliseconds,
        )
    };
}

/// Now, on the clock of the records.
#[expect(unsafe_code, reason = "system call that std does not wrap")]
pub(crate) fn monotonic_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the kernel fills the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

pub(crate) fn cpu_seconds_of_children() -> f64 {
    cpu_seconds(libc::RUSAGE_CHILDREN)
}

pub(crate) fn cpu_seconds_of_self() -> f64 {
    cpu_seconds(libc::RUSAGE_SELF)
}

#[expect(unsafe_code, reason = "system call that std does not wrap")]
fn cpu_seconds(who: i32) -> f64 {
    // SAFETY: all zeros is a valid value of this plain structure, which getrusage fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(who, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Takes little-endian fields off a record; zeros after its end.
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub(crate) fn u32(&mut self) -> u32 {
        self.bytes(4)
            .first_chunk()
            .map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    pub(crate) fn u64(&mut self) -> u64 {
        self.bytes(8)
            .first_chunk()
            .map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Text up to its NUL.
    pub(crate) fn text(&mut self) -> &'a [u8] {
        let end = self
            .0
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(self.0.len());
        self.bytes(end)
    }
}
