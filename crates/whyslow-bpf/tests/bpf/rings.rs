//! Rings of `PERF_COUNT_SW_BPF_OUTPUT` events, one per CPU, and what the programs wrote into them.
#![expect(unsafe_code, reason = "perf_event_open and mmap")]

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use whyslow_bpf::Output;

const PAGE: usize = 4096;
const RING: usize = 16 << 20;
const SAMPLE: u32 = 9;

/// `struct perf_event_attr`, 128 bytes.
#[repr(C)]
#[derive(Default)]
struct Attr {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    rest: [u64; 10],
}

/// One event, and its ring if it has one.
pub(crate) struct Event {
    file: OwnedFd,
    ring: *mut u8,
}

/// Events of all CPUs.
pub(crate) struct Rings {
    pub(crate) outputs: Vec<Event>,
    pub(crate) samplers: Vec<Event>,
}

impl Rings {
    /// Opens an output event with a ring on each CPU and, redirected into it, a sampling event.
    pub(crate) fn open() -> io::Result<Self> {
        const SW_CPU_CLOCK: u64 = 0;
        const SW_BPF_OUTPUT: u64 = 10;
        let mut rings = Self {
            outputs: Vec::new(),
            samplers: Vec::new(),
        };
        for cpu in 0..std::thread::available_parallelism()?.get() {
            let output = Event::open(SW_BPF_OUTPUT, 1, 1 << 10, cpu)?.with_ring()?;
            let sampler = Event::open(SW_CPU_CLOCK, 1_000_000, 1 << 1, cpu)?;
            rings.outputs.push(output);
            rings.samplers.push(sampler);
        }
        Ok(rings)
    }

    pub(crate) fn outputs(&self) -> Vec<Output<'_>> {
        let output = |(cpu, event): (usize, &'_ Event)| (cpu as u32, event.file.as_raw_fd());
        let numbers: Vec<_> = self.outputs.iter().enumerate().map(output).collect();
        numbers
            .into_iter()
            .zip(&self.outputs)
            .map(|((cpu, _), event)| Output {
                cpu,
                event: event.file.as_fd(),
                chained: None,
            })
            .collect()
    }

    pub(crate) fn samplers(&self) -> Vec<BorrowedFd<'_>> {
        self.samplers
            .iter()
            .map(|event| event.file.as_fd())
            .collect()
    }

    /// The raw data of all output since the last call, and the number of lost records.
    pub(crate) fn take(&mut self) -> (Vec<Vec<u8>>, u64) {
        let (mut raws, mut lost) = (Vec::new(), 0);
        for event in &self.outputs {
            event.take(&mut raws, &mut lost);
        }
        (raws, lost)
    }
}

impl Event {
    fn open(config: u64, sample_period: u64, sample_type: u64, cpu: usize) -> io::Result<Self> {
        let attr = Attr {
            kind: 1,
            size: 128,
            config,
            sample_period,
            sample_type,
            ..Attr::default()
        };
        // SAFETY: a valid structure of the size it states; the result is a fresh descriptor.
        let file = unsafe {
            let file = libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attr,
                -1,
                cpu as i32,
                -1,
                8,
            );
            if file < 0 {
                return Err(io::Error::last_os_error());
            }
            OwnedFd::from_raw_fd(file as i32)
        };
        Ok(Self {
            file,
            ring: std::ptr::null_mut(),
        })
    }

    fn with_ring(mut self) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (size, file) = (PAGE + RING, self.file.as_raw_fd());
        // SAFETY: a fresh shared mapping at an address of the kernel's choice.
        let ring = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size,
                access,
                libc::MAP_SHARED,
                file,
                0,
            )
        };
        if ring == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        self.ring = ring.cast();
        Ok(self)
    }

    fn take(&self, raws: &mut Vec<Vec<u8>>, lost: &mut u64) {
        // SAFETY: both positions are in the control page; the data follows it; what lies between
        // them is not written by the kernel until the tail moves.
        let (head, tail, data) = unsafe {
            (
                &*self.ring.add(1024).cast::<AtomicU64>(),
                &*self.ring.add(1032).cast::<AtomicU64>(),
                std::slice::from_raw_parts(self.ring.add(PAGE), RING),
            )
        };
        let end = head.load(Ordering::Acquire);
        let mut at = tail.load(Ordering::Relaxed);
        let copy = |from: u64, length: usize| -> Vec<u8> {
            (0..length)
                .map(|offset| data[(from as usize + offset) % RING])
                .collect()
        };
        while at < end {
            let header = copy(at, 16);
            let kind = u32::from_le_bytes(header[..4].try_into().unwrap());
            let size = u64::from(u16::from_le_bytes(header[6..8].try_into().unwrap()));
            if kind == SAMPLE {
                let raw = u32::from_le_bytes(header[8..12].try_into().unwrap()) as usize;
                raws.push(copy(at + 12, raw));
            } else if kind == 2 {
                *lost += u64::from_le_bytes(copy(at + 16, 8).try_into().unwrap());
            }
            at += size;
        }
        tail.store(end, Ordering::Release);
    }
}
