//! The figures of one group, from the files that the kernel shows for it.

use std::path::Path;

use rustix::param::clock_ticks_per_second;
use whyslow_perfdata::whyslow_events::{GroupFigure as Figure, GroupKind};

/// A limit of memory beyond this is none (version 1 writes the largest number of whole pages).
const NO_LIMIT: u64 = 1 << 62;

/// Whether a group with this figure has a limit.
pub(crate) fn is_limit(figure: Figure) -> bool {
    matches!(
        figure,
        Figure::CpuQuotaNs | Figure::MemoryLimit | Figure::MemoryHigh
    )
}

/// Reads the figures of a group; nothing if it is gone meanwhile.
pub(crate) fn read(directory: &Path, kind: GroupKind) -> Vec<(Figure, u64)> {
    let text = |file: &str| std::fs::read_to_string(directory.join(file)).unwrap_or_default();
    parse(kind, text)
}

/// What the files of a group say; `text` reads one, empty where there is none.
pub(crate) fn parse(kind: GroupKind, text: impl Fn(&str) -> String) -> Vec<(Figure, u64)> {
    let mut found = Vec::new();
    let mut add = |figure: Figure, value: Option<u64>| {
        if let Some(value) = value {
            found.push((figure, value));
        }
    };
    let micro = |us: u64| us.saturating_mul(1000);
    let number = |file: &str| text(file).trim().parse::<u64>().ok();
    let limit = |file: &str| number(file).filter(|&bytes| bytes < NO_LIMIT);
    match kind {
        GroupKind::Cpu => {
            // -1: none.
            let quota = number("cpu.cfs_quota_us");
            add(Figure::CpuQuotaNs, quota.map(micro));
            if quota.is_some() {
                add(Figure::CpuPeriodNs, number("cpu.cfs_period_us").map(micro));
                let stat = text("cpu.stat");
                add(Figure::Periods, value(&stat, "nr_periods"));
                add(Figure::ThrottledPeriods, value(&stat, "nr_throttled"));
                add(Figure::ThrottledNs, value(&stat, "throttled_time"));
            }
            add(Figure::CpuShares, number("cpu.shares"));
        }
        GroupKind::Memory => {
            let most = limit("memory.limit_in_bytes");
            add(Figure::MemoryLimit, most);
            if most.is_some() {
                add(Figure::MemoryUsage, number("memory.usage_in_bytes"));
                add(Figure::MemoryFailures, number("memory.failcnt"));
                let kills = value(&text("memory.oom_control"), "oom_kill");
                add(Figure::MemoryKills, kills);
            }
        }
        GroupKind::Unified => {
            let max = text("cpu.max");
            let mut max = max.split_whitespace().map(|word| word.parse::<u64>().ok());
            let quota = max.next().flatten();
            add(Figure::CpuQuotaNs, quota.map(micro));
            if quota.is_some() {
                add(Figure::CpuPeriodNs, max.next().flatten().map(micro));
                let stat = text("cpu.stat");
                add(Figure::Periods, value(&stat, "nr_periods"));
                add(Figure::ThrottledPeriods, value(&stat, "nr_throttled"));
                add(
                    Figure::ThrottledNs,
                    value(&stat, "throttled_usec").map(micro),
                );
            }
            let (most, high) = (limit("memory.max"), limit("memory.high"));
            add(Figure::MemoryLimit, most);
            add(Figure::MemoryHigh, high);
            if most.or(high).is_some() {
                add(Figure::MemoryUsage, number("memory.current"));
                let events = text("memory.events");
                add(Figure::MemoryFailures, value(&events, "max"));
                add(Figure::MemoryHighEvents, value(&events, "high"));
                add(Figure::MemoryKills, value(&events, "oom_kill"));
            }
            // A machine may have hundreds of groups; the rest matters of those with a limit.
            if quota.or(most).or(high).is_some() {
                // The usual weight is 100.
                let shares = number("cpu.weight").map(|weight| weight.saturating_mul(1024) / 100);
                add(Figure::CpuShares, shares);
                add(Figure::CpuStallNs, stall(&text("cpu.pressure")));
                add(Figure::MemoryStallNs, stall(&text("memory.pressure")));
                add(Figure::IoStallNs, stall(&text("io.pressure")));
            }
        }
    }
    found
}

/// The figures of the whole machine.
pub(crate) fn of_machine() -> Vec<(Figure, u64)> {
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let stalls = [
        (Figure::CpuStallNs, "/proc/pressure/cpu"),
        (Figure::MemoryStallNs, "/proc/pressure/memory"),
        (Figure::IoStallNs, "/proc/pressure/io"),
    ];
    let stalls = stalls.map(|(figure, file)| (figure, stall(&text(file))));
    let steal = (Figure::StealNs, steal(&text("/proc/stat")));
    let memory = memory(&text("/proc/meminfo"));
    let all = stalls.into_iter().chain([steal]).chain(memory);
    all.filter_map(|(figure, value)| Some((figure, value?)))
        .collect()
}

/// The machine's memory, of `/proc/meminfo`.
pub(crate) fn memory(text: &str) -> [(Figure, Option<u64>); 3] {
    let bytes = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        let kilobytes = line.strip_prefix(':')?.trim().strip_suffix("kB")?;
        kilobytes.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let dirty = || bytes("Dirty")?.checked_add(bytes("Writeback")?);
    let swapped = || bytes("SwapTotal")?.checked_sub(bytes("SwapFree")?);
    [
        (Figure::MemoryAvailable, bytes("MemAvailable")),
        (Figure::MemoryDirty, dirty()),
        (Figure::MemorySwapped, swapped()),
    ]
}

/// The value of a key in lines of `key value`.
fn value(text: &str, key: &str) -> Option<u64> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let mut values = lines.filter(|(known, _)| *known == key);
    values.next()?.1.trim().parse().ok()
}

/// The sum of stalls of some threads, of a file as `/proc/pressure/cpu`.
fn stall(text: &str) -> Option<u64> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = some
        .split(' ')
        .find_map(|word| word.strip_prefix("total="))?;
    total.parse::<u64>().ok()?.checked_mul(1000)
}

/// The stolen time of all CPUs, of `/proc/stat`.
fn steal(text: &str) -> Option<u64> {
    let all = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: u64 = all.split_whitespace().nth(7)?.parse().ok()?;
    ticks.checked_mul(1_000_000_000 / clock_ticks_per_second().max(1))
}
