//! Makes loaded programs forget all that they know, as if they had just been loaded. None of them may run meanwhile.
//!
//! What they know is in maps: arrays become zero, tables empty. What belongs to a thread is part of the kernel's memory
//! of that thread; an iterator over all threads removes it. What the loader wrote, where the output goes, and which
//! programs others end in, stays.

use std::io::Read;
use std::os::fd::AsFd as _;

use aya::Ebpf;
use aya::maps::{Map, MapData};

use crate::error::BpfError;
use crate::loading;
use crate::sys;

/// How often it is tried to remove what is known of threads. That fails only while another program uses the same memory
/// on the same CPU.
const ATTEMPTS: u32 = 20;

/// Empties the maps of an object, except those in `kept`.
pub(crate) fn clear(ebpf: &Ebpf, kept: &[&str]) -> Result<(), BpfError> {
    for (name, map) in ebpf.maps() {
        // The loader's own sections begin with a dot.
        if name.starts_with('.') || kept.contains(&name) {
            continue;
        }
        clear_map(map)?;
    }
    Ok(())
}

/// Empties one map.
pub(crate) fn clear_map(map: &Map) -> Result<(), BpfError> {
    match map {
        Map::Array(map) => zero(map, None),
        Map::PerCpuArray(map) => zero(map, Some(possible_cpus()?)),
        Map::HashMap(map) | Map::LruHashMap(map) => empty(map),
        _ => Ok(()),
    }
}

/// Removes what an object keeps of threads.
pub(crate) fn forget_threads(ebpf: &mut Ebpf) -> Result<(), BpfError> {
    for _ in 0..ATTEMPTS {
        let mut refused = Vec::new();
        let mut list = loading::iterate(ebpf, loading::FORGET_THREAD)?;
        let read = list.read_to_end(&mut refused);
        read.map_err(|source| BpfError::System {
            what: "go through the threads",
            source,
        })?;
        if refused.is_empty() {
            return Ok(());
        }
    }
    Err(BpfError::Settings(
        "what is known of threads cannot be removed",
    ))
}

/// Empties a table.
pub(crate) fn empty(map: &MapData) -> Result<(), BpfError> {
    let info = map.info().map_err(|error| refused(&error))?;
    sys::delete_all(map.fd().as_fd(), info.key_size(), info.max_entries()).map_err(uncleared)
}

/// Sets all elements of an array to zero; each may have a value for each of so many CPUs.
fn zero(map: &MapData, cpus: Option<usize>) -> Result<(), BpfError> {
    let info = map.info().map_err(|error| refused(&error))?;
    let size = usize::try_from(info.value_size()).unwrap_or(usize::MAX);
    // The kernel puts the values of CPUs at multiples of eight bytes.
    let size = match cpus {
        None => size,
        Some(cpus) => size.next_multiple_of(8).saturating_mul(cpus),
    };
    sys::set_all_to_zero(map.fd().as_fd(), size, info.max_entries()).map_err(uncleared)
}

fn possible_cpus() -> Result<usize, BpfError> {
    aya::util::nr_cpus().map_err(|(_, source)| BpfError::System {
        what: "count the CPUs",
        source,
    })
}

fn refused(error: &aya::maps::MapError) -> BpfError {
    BpfError::refused("a map", error)
}

fn uncleared(source: std::io::Error) -> BpfError {
    let what = "clear the memory of the eBPF programs";
    BpfError::System { what, source }
}
