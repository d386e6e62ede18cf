//! Threads that still wait when the recording ends: the hang.
//!
//! Their system call has not returned, so no program could copy their stack. They are asleep, so their registers are on
//! the kernel's stack and their user stack does not change: an iterator lists registers and switch counts, the stacks
//! are read from `/proc/PID/mem` and `/proc/PID/task/TID/stack`, and the iterator runs again. A thread whose switch
//! count is unchanged was asleep all the time.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

use whyslow_perfdata::whyslow_events::WaitObject;
use whyslow_proc::mountinfo::Devices;
use whyslow_unwind::UserRegs;

use crate::clock::now_ns;
use crate::open_objects;

/// Registers listed.
const REGISTERS: usize = 17;
/// `struct open_wait` in the source.
const LISTED_BYTES: usize = 8 + 4 * 8 + (REGISTERS + 2) * 8;
/// Most bytes of one stack read. There is no ring to pass through, so this is generous.
const MAX_STACK_BYTES: u64 = 1 << 20;
/// Bytes read where the start of the stack is not known.
const UNKNOWN_STACK_BYTES: u64 = 256 << 10;
/// Most threads whose stacks are read.
const MAX_THREADS: usize = 20_000;
/// Most bytes of all stacks; a recording's end must not eat the machine.
const MAX_TOTAL_BYTES: usize = 256 << 20;
/// Bytes of the list that are read; 250 bytes per thread.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// What decides who is listed, and what is known of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// The recorder, which is left out.
    pub(crate) own_pid: u32,
    /// Shorter waits are left out.
    pub(crate) wait_threshold_ns: u64,
    /// Older waits began unseen.
    pub(crate) started_ns: u64,
}

/// A thread that still waits when the recording ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWait {
    /// Its process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// Since when it waits, ns of `CLOCK_MONOTONIC`; `None`: since before the recording.
    pub since_ns: Option<u64>,
    /// User registers.
    pub regs: UserRegs,
    /// Stack from the stack pointer upwards; empty if not readable.
    pub stack: Vec<u8>,
    /// What it waits for, if that is known.
    pub object: Option<WaitObject>,
    /// Where in the kernel it waits, as `/proc` shows it: per line a function, an offset into it
    /// and its size, innermost first; empty if hidden.
    pub kernel_stack: String,
}

/// A waiting thread as the iterator lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Listed {
    pid: u32,
    tid: u32,
    off_since_ns: u64,
    switches: u64,
    stack_base: u64,
    regs: UserRegs,
}

impl Listed {
    fn read(bytes: &[u8]) -> Option<Self> {
        let word = |index: usize| -> Option<u64> {
            Some(u64::from_ne_bytes(*bytes.get(index * 8..)?.first_chunk()?))
        };
        let half = |index: usize| -> Option<u32> {
            Some(u32::from_ne_bytes(*bytes.get(index * 4..)?.first_chunk()?))
        };
        let mut values = [0; REGISTERS];
        for (index, value) in values.iter_mut().enumerate() {
            *value = word(5 + index)?;
        }
        Some(Self {
            pid: half(0)?,
            tid: half(1)?,
            off_since_ns: word(1)?,
            switches: word(2)?,
            stack_base: word(3)?,
            regs: UserRegs::from_perf_x86_64(UserRegs::PERF_MASK_X86_64, &values)?,
        })
    }
}

/// Reads what the iterator writes.
pub(crate) fn read_list(file: File) -> io::Result<Vec<Listed>> {
    let mut bytes = Vec::new();
    file.take(MAX_LIST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes
        .chunks_exact(LISTED_BYTES)
        .filter_map(Listed::read)
        .collect())
}

/// Reads the stacks of threads that have waited long enough, except the recorder's.
pub(crate) fn dump(listed: &[Listed], known: Known) -> Vec<OpenWait> {
    let now_ns = now_ns();
    let mut total = 0;
    let mut devices = Devices::default();
    listed
        .iter()
        .filter(|thread| thread.pid != known.own_pid)
        .filter(|thread| now_ns.saturating_sub(thread.off_since_ns) >= known.wait_threshold_ns)
        .take(MAX_THREADS)
        .map(|thread| {
            let stack = if total < MAX_TOTAL_BYTES {
                read_stack(thread)
            } else {
                Vec::new()
            };
            total += stack.len();
            OpenWait {
                pid: thread.pid,
                tid: thread.tid,
                since_ns: (thread.off_since_ns > known.started_ns).then_some(thread.off_since_ns),
                regs: thread.regs,
                stack,
                object: (thread.regs.sp() != 0)
                    .then(|| open_objects::of_thread(thread.pid, thread.tid, &mut devices))
                    .flatten(),
                kernel_stack: read_kernel_stack(thread),
            }
        })
        .collect()
}

/// Those of `waits` that were not switched between the two lists.
pub(crate) fn keep_unmoved(
    mut waits: Vec<OpenWait>,
    first: &[Listed],
    second: &[Listed],
) -> Vec<OpenWait> {
    let state = |thread: &Listed| (thread.off_since_ns, thread.switches);
    let before: HashMap<u32, _> = first
        .iter()
        .map(|thread| (thread.tid, state(thread)))
        .collect();
    let after: HashMap<u32, _> = second
        .iter()
        .map(|thread| (thread.tid, state(thread)))
        .collect();
    waits.retain(|wait| {
        before
            .get(&wait.tid)
            .is_some_and(|before| after.get(&wait.tid) == Some(before))
    });
    waits
}

/// Looks up what takes long to know of what threads wait for.
pub(crate) fn complete_objects(waits: &mut [OpenWait]) {
    let mut with_object: Vec<&mut OpenWait> = Vec::new();
    let mut objects = Vec::new();
    for wait in waits {
        if let Some(object) = wait.object.take() {
            objects.push((wait.pid, object));
            with_object.push(wait);
        }
    }
    open_objects::complete(&mut objects);
    for (wait, (_, object)) in with_object.into_iter().zip(objects) {
        wait.object = Some(object);
    }
}

fn read_kernel_stack(thread: &Listed) -> String {
    let path = format!("/proc/{}/task/{}/stack", thread.pid, thread.tid);
    std::fs::read_to_string(path).unwrap_or_default()
}

fn read_stack(thread: &Listed) -> Vec<u8> {
    const PAGE: u64 = 4096;
    let sp = thread.regs.sp();
    if sp == 0 {
        return Vec::new();
    }
    let size = match thread.stack_base.checked_sub(sp) {
        Some(size) if thread.stack_base != 0 => size.min(MAX_STACK_BYTES),
        _ => UNKNOWN_STACK_BYTES,
    };
    let Ok(memory) = File::open(format!("/proc/{}/task/{}/mem", thread.pid, thread.tid)) else {
        return Vec::new();
    };
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
    let mut read = 0;
    // Page by page, to get everything before an unmapped page.
    while read < bytes.len() {
        let at = sp.wrapping_add(read as u64);
        let piece = usize::try_from((16 * PAGE) - at % PAGE).unwrap_or(0);
        let end = bytes.len().min(read + piece);
        match memory.read_at(&mut bytes[read..end], at) {
            Ok(0) | Err(_) => break,
            Ok(count) => read += count,
        }
    }
    bytes.truncate(read);
    bytes
}
