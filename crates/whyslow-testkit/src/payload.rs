//! Payloads of kernel events, from the classes documented on MSDN and the later versions known to
//! the `TraceEvent` library (MIT). The tests of the reader compare them with real ones, byte by
//! byte.

mod io;
mod net;
mod object;
mod process;
mod sched;

pub use io::{
    DiskIo, FileIo, FileOpen, FilterCall, HardFault, file_info, file_list, file_name, file_path,
    file_simple, operation_end,
};
pub use net::{Registry, Tcp, TcpTail, udp_v6};
pub use object::{duplicate, handle, listed, object_type};
pub use process::{Image, Process, Thread};
pub use sched::{Ready, Switch, deferred_call, interrupt, sample, stack, stack_key, stack_of_key};

use crate::bytes::Bytes;

/// Page fault (group 2, opcodes 10 to 15).
pub fn page_fault(wide: bool, address: u64, instruction: u64) -> Vec<u8> {
    Bytes::default().pointers(wide, &[address, instruction]).0
}

/// Memory reserved or released (group 2, opcodes 98 and 99).
pub fn virtual_memory(wide: bool, base: u64, size: u64, pid: u32, flags: u32) -> Vec<u8> {
    let out = Bytes::default().pointers(wide, &[base, size]);
    out.u32(pid).u32(flags).0
}

/// Working sets of processes (group 2, opcode 125): of each its id and sizes in pages.
pub fn working_sets(wide: bool, of: &[(u32, &[u64])]) -> Vec<u8> {
    let count = u32::try_from(of.len()).unwrap_or(u32::MAX);
    let all = of
        .iter()
        .fold(Bytes::default().u32(count), |out, (pid, pages)| {
            out.u32(*pid).pointers(wide, pages)
        });
    all.0
}

/// What a process has or had (group 3, opcodes 32 and 33): its id and sizes in bytes.
pub fn process_counters(wide: bool, pid: u32, sizes: [u64; 11]) -> Vec<u8> {
    let out = Bytes::default().u32(pid).u32(7).u32(8).u32(0);
    out.pointers(wide, &sizes).0
}

/// The interval between samples, in 100 ns (group 15, opcodes 72 to 74); `name` from version 3 on.
pub fn sample_interval(source: u32, new: u32, old: u32, name: Option<&str>) -> Vec<u8> {
    let out = Bytes::default().u32(source).u32(new).u32(old);
    match name {
        Some(name) => out.utf16(name).0,
        None => out.0,
    }
}
