//! Asks the kernel.

use std::fs;

use whyslow_record::Permitted;

/// Numbers of capabilities.
const SYS_ADMIN: u32 = 21;
const BPF: u32 = 39;

/// What can be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recordable {
    /// The whole machine.
    Machine,
    /// The user's own commands.
    OwnCommands,
    /// Nothing.
    Nothing,
}

/// What a user can find out now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether the user is root.
    pub is_root: bool,
    /// What can be recorded.
    pub recordable: Recordable,
    /// Whether CPU time in the kernel is recorded.
    pub kernel: bool,
    /// Whether it is recorded when and why threads wait: tracepoints.
    pub waits: bool,
    /// Whether programs in the kernel can count calls about files, connections and more: eBPF.
    pub calls: bool,
}

impl Abilities {
    /// Asks the kernel.
    #[must_use]
    pub fn now() -> Self {
        let permitted = whyslow_record::permitted().ok();
        let recordable = match &permitted {
            Some(Permitted {
                is_own_only: false, ..
            }) => Recordable::Machine,
            Some(_) => Recordable::OwnCommands,
            None => Recordable::Nothing,
        };
        let is_machine = recordable == Recordable::Machine;
        let format = "/sys/kernel/tracing/events/sched/sched_switch/format";
        let formats = [
            format.to_owned(),
            format.replace("tracing/", "debug/tracing/"),
        ];
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let has_types = fs::File::open("/sys/kernel/btf/vmlinux").is_ok();
        Self {
            is_root: rustix::process::geteuid().is_root(),
            recordable,
            kernel: permitted.is_some_and(|permitted| permitted.has_kernel),
            waits: is_machine && formats.iter().any(|path| fs::File::open(path).is_ok()),
            calls: is_machine && has_types && may_load(&status),
        }
    }
}

/// Returns whether a process whose `/proc/PID/status` is `status` may load eBPF programs.
fn may_load(status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = line.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    let effective = effective.unwrap_or(0);
    [SYS_ADMIN, BPF]
        .iter()
        .any(|bit| effective & (1 << bit) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_read_from_the_status() {
        assert!(may_load("Name:\tx\nCapEff:\t000001ffffffffff\n"));
        assert!(may_load("CapEff:\t0000008000000000"));
        assert!(!may_load(
            "CapInh:\t000001ffffffffff\nCapEff:\t0000004000000000"
        ));
        assert!(!may_load("CapEff:\tnonsense") && !may_load(""));
    }
}
