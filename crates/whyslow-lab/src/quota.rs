//! CPU quotas of the groups (cgroups) that this process is in: for how long they stopped it.

use std::fs;
use std::path::{Path, PathBuf};

/// Where groups are.
const GROUPS: &str = "/sys/fs/cgroup";

/// Groups within each other that are asked, from the innermost.
const MOST_LEVELS: usize = 32;

/// Returns for how long quotas have stopped the groups of this process so far, in nanoseconds; 0 where none did.
pub(crate) fn throttled_ns() -> u64 {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    throttled_in(Path::new(GROUPS), &groups)
}

/// Returns the same of the groups that `groups` names, as in `/proc/self/cgroup`, below `root`. The time of a group
/// and of the one above it may overlap, so the largest counts.
fn throttled_in(root: &Path, groups: &str) -> u64 {
    let levels = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        let bases = match controllers {
            "" => vec![root.to_owned(), root.join("unified")],
            named if named.split(',').any(|one| one == "cpu") => {
                vec![root.join(named), root.join("cpu")]
            }
            _ => return None,
        };
        Some(bases.into_iter().flat_map(|base| levels(&base, group)))
    });
    let stats = levels
        .flatten()
        .filter_map(|level| fs::read_to_string(level.join("cpu.stat")).ok());
    stats.map(|stat| stopped(&stat)).max().unwrap_or(0)
}

/// Returns the directories of `group` and of those above it. In a container, only some of them exist.
fn levels(base: &Path, group: &str) -> Vec<PathBuf> {
    let inner = base.join(group);
    // Nothing outside: a group that the process does not see is called `/..`.
    let inner = match group.split('/').any(|part| part == "..") {
        true => base.to_owned(),
        false => inner,
    };
    let above = inner
        .ancestors()
        .take_while(|level| level.starts_with(base));
    above.take(MOST_LEVELS).map(Path::to_owned).collect()
}

/// Returns what a group's `cpu.stat` says: nanoseconds in version 1, microseconds in version 2.
fn stopped(stat: &str) -> u64 {
    let of = |name: &str| {
        let value = |line: &str| line.strip_prefix(name)?.trim().parse::<u64>().ok();
        stat.lines().find_map(value)
    };
    let micro = of("throttled_usec ").map(|us| us.saturating_mul(1_000));
    of("throttled_time ").or(micro).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_both_versions_say_how_long_they_were_stopped() {
        let root = std::env::temp_dir().join(format!("whyslow-quota-{}", std::process::id()));
        let write = |group: &str, stat: &str| {
            let group = root.join(group);
            fs::create_dir_all(&group).expect("a directory");
            fs::write(group.join("cpu.stat"), stat).expect("a file");
        };
        write("cpu", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
        write(
            "cpu/jobs/mine",
            "nr_periods 9\nnr_throttled 4\nthrottled_time 40\n",
        );
        write(
            "cpu/jobs",
            "nr_periods 9\nnr_throttled 5\nthrottled_time 55\n",
        );
        write("cpu,cpuacct/both", "throttled_time 77\n");
        write("own", "usage_usec 9\nthrottled_usec 3\n");
        write("unified/mixed", "usage_usec 9\nthrottled_usec 8\n");
        let of = |groups: &str| throttled_in(&root, groups);
        let first = "2:cpuacct:/\n1:cpu:/jobs/mine\n0::/\n";
        assert_eq!(of(first), 55, "the group above was stopped for longer");
        // A container sees its own group as the root, and a path that does not exist there.
        assert_eq!(of("1:cpu:/jobs/other/deep\n"), 55);
        assert_eq!(of("4:cpu,cpuacct:/both\n"), 77);
        assert_eq!(of("0::/own\n"), 3_000);
        assert_eq!(of("0::/mixed\n"), 8_000);
        assert_eq!(of("1:cpu:/jobs/../../../../..\n"), 0, "nothing outside");
        assert_eq!(of("odd\n3:cpuset:/jobs\n::\n"), 0);
        fs::remove_dir_all(&root).expect("removed");
    }
}
