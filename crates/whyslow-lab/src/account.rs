//! What the kernel accounts to the measuring thread, and to the processes that it starts.

use std::fs;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;

use crate::clock::now_ns;
use crate::quota::throttled_ns;
use whyslow_series::Spent;

/// What the kernel has accounted so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Account {
    at_ns: u64,
    own: [u64; 2],
    children: [u64; 2],
    ready_ns: Option<u64>,
    throttled_ns: u64,
}

impl Account {
    /// Returns that of the calling thread and of the children of its process.
    pub(crate) fn now() -> Self {
        Self {
            at_ns: now_ns(),
            own: cpu(UsageWho::RUSAGE_THREAD),
            children: children(),
            ready_ns: ready_ns(),
            throttled_ns: throttled_ns(),
        }
    }

    /// Returns what was spent since then.
    pub(crate) fn spent(self) -> Spent {
        let now = Self::now();
        let since = |now: [u64; 2], then: [u64; 2]| {
            [
                now[0].saturating_sub(then[0]),
                now[1].saturating_sub(then[1]),
            ]
        };
        let (own, children) = (since(now.own, self.own), since(now.children, self.children));
        let ready = now.ready_ns.zip(self.ready_ns);
        Spent {
            wall_ns: now.at_ns.saturating_sub(self.at_ns),
            program_ns: own[0] + children[0],
            kernel_ns: own[1] + children[1],
            ready_ns: ready
                .filter(|_| children == [0, 0])
                .map(|(now, then)| now.saturating_sub(then)),
            throttled_ns: now.throttled_ns.saturating_sub(self.throttled_ns),
        }
    }
}

/// Returns the CPU time of all processes that were waited for: their own and the kernel's.
pub(crate) fn children() -> [u64; 2] {
    cpu(UsageWho::RUSAGE_CHILDREN)
}

fn cpu(who: UsageWho) -> [u64; 2] {
    let ns = |time: TimeVal| {
        let (seconds, micros) = (u64::try_from(time.tv_sec()), u64::try_from(time.tv_usec()));
        seconds.unwrap_or(0) * 1_000_000_000 + micros.unwrap_or(0) * 1_000
    };
    let both = |usage: Usage| [ns(usage.user_time()), ns(usage.system_time())];
    getrusage(who).map(both).unwrap_or_default()
}

/// Returns for how long somebody on the machine has waited for a CPU so far; 0 where the kernel does not say.
pub(crate) fn contended_ns() -> u64 {
    let text = fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
    contended_in(&text)
}

/// Returns what the first line of a file of pressures says, in microseconds there.
fn contended_in(text: &str) -> u64 {
    let some = text.lines().find(|line| line.starts_with("some "));
    let total = some.and_then(|line| line.split("total=").nth(1));
    let micros = total.and_then(|total| total.trim().parse::<u64>().ok());
    micros.unwrap_or(0).saturating_mul(1_000)
}

/// Returns how long this thread was ready without a CPU; `None` where the kernel does not say.
fn ready_ns() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_on_the_cpus_is_read() {
        let text = "some avg10=1.02 avg60=0.40 avg300=0.08 total=2017\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n";
        assert_eq!(contended_in(text), 2_017_000);
        assert_eq!(contended_in("some avg10=1 total=x\n"), 0);
        assert_eq!(contended_in(""), 0);
    }

    #[test]
    fn computing_and_children_are_accounted() {
        let before = Account::now();
        while before.spent().program_ns + before.spent().kernel_ns < 5_000_000 {}
        let own = before.spent();
        // Children of other tests that end meanwhile count, too.
        assert!(own.wall_ns > 0, "{own:?}");
        let sh = ["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"];
        let ran = std::process::Command::new("sh").args(sh).status();
        assert!(ran.expect("a shell").success());
        let all = before.spent();
        assert!(all.program_ns > own.program_ns, "{all:?}");
        assert_eq!(all.ready_ns, None, "nobody adds up that of the child");
    }
}
