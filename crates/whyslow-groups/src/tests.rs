use std::collections::BTreeMap;

use whyslow_perfdata::whyslow_events::{GroupFigure as Figure, GroupKind};

use super::Hierarchies;
use crate::figures;

const VERSION_1: &str = "\
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu\\040acct rw,relatime - cgroup cgroup rw,cpuacct,cpu
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:3 - cgroup cgroup rw,memory
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
42 31 0:32 / /mnt/memory rw,relatime - cgroup cgroup rw,memory
";
const OWN: &str = "9:name=systemd:/\n4:memory:/a\n1:cpuacct,cpu:/b:c\n0::/d\n";

#[test]
fn hierarchies_are_found_by_what_they_limit() {
    let found = Hierarchies::parse(VERSION_1, OWN);
    let all: Vec<_> = found.0.iter().map(|h| (h.kind, h.number)).collect();
    let expected = [
        (GroupKind::Cpu, 1),
        (GroupKind::Memory, 4),
        (GroupKind::Unified, 0),
    ];
    assert_eq!(all, expected);
    assert_eq!(found.0[0].mount.to_str(), Some("/sys/fs/cgroup/cpu acct"));
    assert_eq!(found.0[1].mount.to_str(), Some("/sys/fs/cgroup/memory"));
    let members = found.members_in(7, OWN);
    let paths = members.iter().map(|m| String::from_utf8_lossy(&m.path));
    assert_eq!(Vec::from_iter(paths), ["/b:c", "/a", "/d"]);
    assert!(Hierarchies::parse("", "").members_in(7, OWN).is_empty());
}

fn parsed(kind: GroupKind, files: &[(&str, &str)]) -> BTreeMap<Figure, u64> {
    let text = |name: &str| {
        let found = files.iter().find(|(file, _)| *file == name);
        found.map_or_else(String::new, |(_, text)| (*text).to_owned())
    };
    figures::parse(kind, text).into_iter().collect()
}

#[test]
fn figures_of_version_1() {
    let stat = "nr_periods 25\nnr_throttled 18\nthrottled_time 940531440\nnr_bursts 0\n";
    let files = [
        ("cpu.cfs_quota_us", "20000\n"),
        ("cpu.cfs_period_us", "100000\n"),
        ("cpu.stat", stat),
        ("cpu.shares", "1024\n"),
    ];
    let expected = [
        (Figure::CpuQuotaNs, 20_000_000),
        (Figure::CpuPeriodNs, 100_000_000),
        (Figure::Periods, 25),
        (Figure::ThrottledPeriods, 18),
        (Figure::ThrottledNs, 940_531_440),
        (Figure::CpuShares, 1024),
    ];
    assert_eq!(parsed(GroupKind::Cpu, &files), BTreeMap::from(expected));
    // No quota: nothing that could stop it.
    let files = [("cpu.cfs_quota_us", "-1\n"), ("cpu.stat", stat)];
    assert!(parsed(GroupKind::Cpu, &files).is_empty());
    let files = [
        ("memory.limit_in_bytes", "9223372036854771712\n"),
        ("memory.usage_in_bytes", "5\n"),
    ];
    assert!(parsed(GroupKind::Memory, &files).is_empty());
    let files = [
        ("memory.limit_in_bytes", "50331648\n"),
        ("memory.usage_in_bytes", "50327552\n"),
        ("memory.failcnt", "1234\n"),
        (
            "memory.oom_control",
            "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
        ),
    ];
    let expected = [
        (Figure::MemoryLimit, 50_331_648),
        (Figure::MemoryUsage, 50_327_552),
        (Figure::MemoryFailures, 1234),
        (Figure::MemoryKills, 2),
    ];
    assert_eq!(parsed(GroupKind::Memory, &files), BTreeMap::from(expected));
}

#[test]
fn figures_of_version_2() {
    let pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\nfull avg10=0.00 total=5\n";
    let files = [
        ("cpu.max", "150000 100000\n"),
        (
            "cpu.stat",
            "usage_usec 9\nnr_periods 3\nnr_throttled 2\nthrottled_usec 1500\n",
        ),
        ("cpu.weight", "50\n"),
        ("cpu.pressure", pressure),
        ("memory.max", "max\n"),
        ("memory.high", "1048576\n"),
        ("memory.current", "2000000\n"),
        (
            "memory.events",
            "low 0\nhigh 41\nmax 0\noom 0\noom_kill 0\noom_group_kill 9\n",
        ),
        ("memory.pressure", ""),
    ];
    let expected = [
        (Figure::CpuQuotaNs, 150_000_000),
        (Figure::CpuPeriodNs, 100_000_000),
        (Figure::Periods, 3),
        (Figure::ThrottledPeriods, 2),
        (Figure::ThrottledNs, 1_500_000),
        (Figure::MemoryHigh, 1 << 20),
        (Figure::MemoryUsage, 2_000_000),
        (Figure::MemoryFailures, 0),
        (Figure::MemoryHighEvents, 41),
        (Figure::MemoryKills, 0),
        (Figure::CpuShares, 512),
        (Figure::CpuStallNs, 77_000),
    ];
    assert_eq!(parsed(GroupKind::Unified, &files), BTreeMap::from(expected));
    let files = [("cpu.max", "max 100000\n"), ("memory.max", "nonsense\n")];
    assert!(parsed(GroupKind::Unified, &files).is_empty());
}

#[test]
fn more_groups_than_are_looked_at_are_told() {
    let root = std::env::temp_dir().join(format!("whyslow-groups-{}", std::process::id()));
    for name in ["a/b", "a/c", "d"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    let (found, is_cut) = super::directories(&root, 4);
    assert_eq!((found.len(), is_cut), (4, false));
    let (found, is_cut) = super::directories(&root, 3);
    assert_eq!((found.len(), is_cut), (3, true));
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn the_memory_of_the_machine_is_in_meminfo() {
    let text = "MemTotal:  8000 kB\nMemFree: 100 kB\nMemAvailable:    5000 kB\nSwapCached: 9 kB\nSwapTotal:  300 kB\n\
        SwapFree:  100 kB\nDirty:  20 kB\nWriteback:  3 kB\nWritebackTmp: 50 kB\n";
    let expected = [
        (Figure::MemoryAvailable, Some(5000 << 10)),
        (Figure::MemoryDirty, Some(23 << 10)),
        (Figure::MemorySwapped, Some(200 << 10)),
    ];
    assert_eq!(figures::memory(text), expected);
    let nothing = figures::memory("MemTotal: 8000\nSwapTotal: 1 kB\nSwapFree: 2 kB\n");
    assert!(nothing.iter().all(|(_, value)| value.is_none()));
}
