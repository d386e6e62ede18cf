//! One ring of records that the kernel fills and we empty.
//!
//! The kernel maps a header page and `2^n` data pages. It writes records at `data_head` and never
//! overwrites what lies between our `data_tail` and its head, so that part may be borrowed as a
//! plain slice until we move the tail. Source: `linux/perf_event.h`, `struct perf_event_mmap_page`.
#![expect(unsafe_code, reason = "memory shared with the kernel")]

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use rustix::param::page_size;

use super::perf::PerfEvent;

const OFFSET_HEAD: usize = 1024;
const OFFSET_TAIL: usize = 1032;

/// A mapped ring. Only one thread may use it at a time, hence `&mut` to move on.
#[derive(Debug)]
pub(crate) struct Ring {
    base: NonNull<u8>,
    mapped_bytes: usize,
    page_bytes: usize,
    data_bytes: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and the ring is used by one owner.
unsafe impl Send for Ring {}

impl Ring {
    /// Maps the ring of `leader`; `data_bytes` is rounded up to a power of two.
    pub(crate) fn map(leader: &PerfEvent, data_bytes: usize) -> io::Result<Self> {
        let page_bytes = page_size();
        let data_bytes = data_bytes.max(page_bytes).next_power_of_two();
        let mapped_bytes = data_bytes + page_bytes;
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory of ours.
        let base = unsafe {
            mmap(
                std::ptr::null_mut(),
                mapped_bytes,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED,
                leader,
                0,
            )
        }?;
        let base = NonNull::new(base.cast::<u8>())
            .ok_or_else(|| io::Error::other("the ring was mapped at address 0"))?;
        Ok(Self {
            base,
            mapped_bytes,
            page_bytes,
            data_bytes,
        })
    }

    /// How far the kernel has written, in bytes since the beginning.
    pub(crate) fn head(&self) -> u64 {
        self.position(OFFSET_HEAD).load(Ordering::Acquire)
    }

    /// How far we have read, in bytes since the beginning.
    pub(crate) fn tail(&self) -> u64 {
        self.position(OFFSET_TAIL).load(Ordering::Relaxed)
    }

    /// Gives everything before `tail` back to the kernel.
    pub(crate) fn set_tail(&mut self, tail: u64) {
        self.position(OFFSET_TAIL).store(tail, Ordering::Release);
    }

    /// The `length` bytes at `position`, in one or (where the ring wraps) two parts.
    ///
    /// Meaningful only between the tail and a head that was read before; `length` is cut to the
    /// ring's size.
    pub(crate) fn bytes(&self, position: u64, length: usize) -> (&[u8], &[u8]) {
        let length = length.min(self.data_bytes);
        let start = usize::try_from(position % self.data_bytes as u64).unwrap_or(0);
        let first = length.min(self.data_bytes - start);
        // SAFETY: `start + first` is at most `data_bytes`, so the part lies within the mapping; the
        // kernel does not write between the tail and the head, and moving the tail needs `&mut`.
        let head = unsafe {
            std::slice::from_raw_parts(self.base.as_ptr().add(self.page_bytes + start), first)
        };
        // SAFETY: as above; the rest is at most `data_bytes` long and starts at the data's start.
        let rest = unsafe {
            std::slice::from_raw_parts(self.base.as_ptr().add(self.page_bytes), length - first)
        };
        (head, rest)
    }

    fn position(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: both offsets lie in the header page, are multiples of 8, and the kernel treats
        // the words as atomics too.
        unsafe { &*self.base.as_ptr().add(offset).cast::<AtomicU64>() }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `map` with this size and nobody borrows it any more.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.mapped_bytes) };
    }
}
