//! How long the programs ran, as the kernel measures it.
//!
//! While somebody holds a descriptor of `bpf(BPF_ENABLE_STATS)`, the kernel reads its clock before and
//! after each run of each program (Linux 5.8 and later; about 40 ns more per run). So we hold one only for short
//! periods, further and further apart: what matters is the average time of a run. A program that another one
//! tail-calls counts as part of that one. All programs of all objects count, including those that follow the
//! network, except those that run when a packet arrives. The time belongs to the thread that was interrupted: it is
//! part of its CPU time, and the recorded program takes that much longer.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use aya::Ebpf;
use aya::programs::{Program, ProgramInfo};
use aya::sys::{Stats, enable_stats};

/// What makes programs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// A thread leaves the CPU.
    Switch,
    /// A thread is woken.
    WakeUp,
    /// A system call begins or ends.
    SystemCall,
    /// A CPU sample is taken.
    Sample,
}

impl Moment {
    /// Returns the name of the moment in the section of facts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::WakeUp => "wake_up",
            Self::SystemCall => "system_call",
            Self::Sample => "sample",
        }
    }

    /// Returns what makes the program of this name run; `None` if the kernel runs it by itself, on behalf of
    /// no thread: when a packet arrives, or when a timer expires; or if nobody counts how often: a call may make any
    /// number of requests to disks or through io_uring. Programs that are not named here run in system calls: threads, processes and
    /// connections act through those.
    fn of(program: &str) -> Option<Self> {
        match program {
            "on_switch" | "on_switched" => Some(Self::Switch),
            "on_waking" => Some(Self::WakeUp),
            "on_sample" => Some(Self::Sample),
            "on_retransmit" | "on_receive_reset" | "on_packet_received" | "on_request"
            | "on_request_end" | "on_disk_insert" | "on_disk_requeue" | "on_disk_issue"
            | "on_disk_complete" => None,
            _ => Some(Self::SystemCall),
        }
    }
}

/// How often programs ran at a moment while the kernel measured, and how long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// How often the moment came: as often as the program that ran most.
    pub moments: u64,
    /// How long all of its programs ran, in ns.
    pub ns: u64,
}

/// How long each measurement lasts: the first one, and later ones. While it measures, each system call takes
/// some
/// 100 ns longer.
const FIRST: Duration = Duration::from_millis(20);
const WINDOW: Duration = Duration::from_millis(10);
/// The first pause between measurements. Each pause is twice as long as the one before, because each change patches
/// the kernel's code on all CPUs.
const FIRST_PAUSE: Duration = Duration::from_millis(40);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Lets the kernel measure now and then, until it is dropped.
#[derive(Debug)]
pub struct Meter {
    /// Dropped to stop it.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Meter {
    /// Starts; `None` if the kernel cannot measure.
    pub fn start() -> Option<Self> {
        let measured = enable_stats(Stats::RunTime).ok()?;
        let (stop, stopped) = channel();
        let thread = Builder::new().name("whyslow-costs".to_owned());
        let thread = thread.spawn(move || measure(measured, &stopped)).ok()?;
        Some(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It cannot panic, and there would be nothing to do.
            let _ = thread.join();
        }
    }
}

/// Measures while it holds the descriptor, `first` at the beginning.
fn measure(first: OwnedFd, stopped: &Receiver<()>) {
    let goes_on = |time| stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    let mut go_on = goes_on(FIRST);
    drop(first);
    let mut pause = FIRST_PAUSE;
    while go_on && goes_on(pause) {
        pause = (pause * 2).min(LONGEST_PAUSE);
        let Ok(_measured) = enable_stats(Stats::RunTime) else {
            return;
        };
        go_on = goes_on(WINDOW);
    }
}

/// How often each program ran while the kernel measured, and how long in ns, by the kernel's number of the program.
pub type Runs = BTreeMap<u32, (u64, u64)>;

/// Adds the runs of the programs of `ebpf` since they were loaded.
pub fn add_runs(ebpf: &Ebpf, runs: &mut Runs) {
    for (_, program) in ebpf.programs() {
        if let Ok(info) = program.info() {
            runs.insert(info.id(), runs_of(&info));
        }
    }
}

fn runs_of(info: &ProgramInfo) -> (u64, u64) {
    let ns = u64::try_from(info.run_time().as_nanos()).unwrap_or(u64::MAX);
    (info.run_count(), ns)
}

/// Adds how long the programs of `ebpf` ran while the kernel measured, after those runs. Programs that were
/// unloaded are no longer known.
pub fn add(ebpf: &Ebpf, before: &Runs, costs: &mut BTreeMap<Moment, Cost>) {
    for (name, program) in ebpf.programs() {
        let Ok(info) = program.info() else {
            continue;
        };
        // The recorder itself runs these, when it begins and when it ends.
        if matches!(program, Program::Iter(_)) {
            continue;
        }
        let Some(moment) = Moment::of(name) else {
            continue;
        };
        let cost = costs.entry(moment).or_default();
        let (count, ns) = runs_of(&info);
        let (count_before, ns_before) = before.get(&info.id()).copied().unwrap_or_default();
        cost.moments = cost.moments.max(count.saturating_sub(count_before));
        cost.ns += ns.saturating_sub(ns_before);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::net::{TcpListener, TcpStream};

    use whyslow_testenv::{Feature, has};

    use super::{Moment, Runs, Stats, add, enable_stats};
    use crate::loaded::Loaded as _;
    use crate::network::NetworkFollower;

    #[test]
    fn programs_that_follow_the_network_count_as_part_of_the_calls() {
        if !has(Feature::Bpf) {
            return;
        }
        let mut follower = NetworkFollower::load(None, &[]).unwrap();
        follower.start(None).unwrap();
        let _measured = enable_stats(Stats::RunTime).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut costs = BTreeMap::new();
        add(follower.object(), &Runs::new(), &mut costs);
        let cost = costs[&Moment::SystemCall];
        assert!(cost.moments > 0 && cost.ns > 0, "{costs:?}");
        assert_eq!(costs.len(), 1, "{costs:?}");
    }
}
