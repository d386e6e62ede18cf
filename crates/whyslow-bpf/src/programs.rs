//! The programs while they run. See [`super`] for what they do.

use std::error::Error;
use std::os::fd::{AsFd, BorrowedFd};

use aya::maps::{Map, PerCpuArray, ProgramArray};
use aya::programs::{BtfTracePoint, PerfEvent, ProgramFd};
use aya::{Btf, Ebpf};

use crate::clearing;
use crate::clock::now_ns;
use crate::config::{Config, Output};
use crate::counters::{Counters, KindCounters};
use crate::ends::{End, Ends};
use crate::error::{BpfError, MISSING};
use crate::interrupt_entries;
use crate::links::Links;
use crate::loaded::Loaded;
use crate::loading::{self, LIST_WAITING};
use crate::open_waits::{self, OpenWait};
use crate::sys::{set_descriptor, set_program};

/// Programs that keep whom datagrams ask: which calls end in them, their name in the source, tracepoint.
const DATAGRAMS: [(End, &str, &str); 2] = [
    (End::Sent, "on_datagram_sent", "sock_send_length"),
    (End::Received, "on_datagram_received", "sock_recv_length"),
];

/// Room for copies of stacks. Nothing is left in it when no program runs.
const BUFFERS: &str = "buffers";
/// What is left there says nothing: each entry is compared with the one that is looked for.
const OPEN_REQUESTS: &str = "open_requests";

/// The loaded, attached programs. Dropping it detaches and unloads all. Only what
/// [`Programs::attach_sampler`] gave to the caller's events lives on, as long as those events.
pub struct Programs {
    ebpf: Ebpf,
    links: Links,
    /// What switches and calls end in: of these programs, and of those that they end in themselves.
    pub(crate) ends: Ends,
    started_ns: u64,
    finds_unseen: bool,
    follows_rings: bool,
    pub(crate) wait_threshold_ns: u64,
    pub(crate) own_pid: u32,
}

impl Loaded for Programs {
    fn object(&self) -> &Ebpf {
        &self.ebpf
    }
}

impl std::fmt::Debug for Programs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The library would print every instruction.
        f.debug_struct("Programs").finish_non_exhaustive()
    }
}

impl Programs {
    /// Loads and attaches the programs; `outputs` has one event per CPU.
    ///
    /// # Errors
    ///
    /// See [`BpfError`]; nothing stays loaded then.
    pub fn load(config: &Config, outputs: &[Output<'_>]) -> Result<Self, BpfError> {
        if !cfg!(target_arch = "x86_64") {
            return Err(BpfError::OtherProcessor);
        }
        config.check()?;
        let btf = loading::kernel_types()?;
        let entries = config.interrupt_entries.clone();
        let config = &Config {
            interrupt_entries: Some(entries.unwrap_or_else(interrupt_entries::of_machine)),
            ..config.clone()
        };
        let mut ebpf = loading::load_object(config, &btf, outputs)?;
        loading::set_outputs(&ebpf, outputs)?;
        loading::set_chained_outputs(&ebpf, outputs)?;
        // All are loaded before the first is attached: a program that is refused changes nothing.
        loading::load_programs(&mut ebpf, &btf)?;
        let finds_unseen =
            config.reports_switches && loading::load_unseen(&mut ebpf, &btf).is_some();
        let follows_rings = loading::load_rings(&mut ebpf, &btf).is_some();
        let ends = Ends::take(&mut ebpf)?;
        let Config {
            wait_threshold_ns,
            own_pid,
            ..
        } = *config;
        let mut programs = Self {
            ebpf,
            links: Links::default(),
            ends,
            started_ns: 0,
            finds_unseen,
            follows_rings,
            wait_threshold_ns,
            own_pid,
        };
        programs.start()?;
        Ok(programs)
    }

    fn start(&mut self) -> Result<(), BpfError> {
        self.started_ns = now_ns();
        loading::set_start(&mut self.ebpf, self.started_ns)?;
        loading::attach(&mut self.ebpf, &mut self.links)?;
        loading::know_threads(&mut self.ebpf)?;
        if self.finds_unseen {
            let attached = loading::attach_unseen(&mut self.ebpf, &mut self.links);
            self.finds_unseen = attached.is_ok();
        }
        if self.follows_rings {
            let attached = loading::attach_rings(&mut self.ebpf, &mut self.links);
            self.follows_rings = attached.is_ok();
        }
        Ok(())
    }

    /// Detaches the programs. Those at sampling events run until these are switched off.
    ///
    /// # Errors
    ///
    /// [`BpfError`]; some of them may still be attached.
    pub fn pause(&mut self) -> Result<(), BpfError> {
        self.links.detach(&mut self.ebpf)
    }

    /// Attaches them again, after [`Programs::pause`] and as if they had just been loaded. No program may run that had
    /// begun before.
    ///
    /// # Errors
    ///
    /// [`BpfError`]; then they cannot be used any more.
    pub fn resume(&mut self) -> Result<(), BpfError> {
        clearing::forget_threads(&mut self.ebpf)?;
        clearing::clear(&self.ebpf, &[BUFFERS, OPEN_REQUESTS])?;
        let found_unseen = self.finds_unseen;
        self.start()?;
        match self.finds_unseen == found_unseen {
            true => Ok(()),
            false => Err(MISSING),
        }
    }

    /// Whether switches that the tracepoint does not report are reported, too.
    pub fn finds_unseen_switches(&self) -> bool {
        self.finds_unseen
    }

    /// When the programs began to be attached, ns of `CLOCK_MONOTONIC`. A wait that seems to begin exactly
    /// then was already under way.
    pub fn started_ns(&self) -> u64 {
        self.started_ns
    }

    /// Makes the CPU sampling events deliver their user stacks as [`crate::payload::Event::Sample`]
    /// right before each sample. The events then need no `PERF_SAMPLE_STACK_USER` of their own.
    ///
    /// # Errors
    ///
    /// [`BpfError`]; the events then need their own dumps.
    pub fn attach_sampler(&mut self, events: &[BorrowedFd<'_>]) -> Result<(), BpfError> {
        let refused = |error: &(dyn Error + 'static)| BpfError::refused("on_sample", error);
        let program = self.ebpf.program_mut("on_sample").ok_or(MISSING)?;
        let program: &mut PerfEvent = program.try_into().map_err(|error| refused(&error))?;
        if program.fd().is_err() {
            loading::again(|| program.load()).map_err(|error| refused(&error))?;
        }
        let program = program.fd().map_err(|error| refused(&error))?;
        for event in events {
            set_program(*event, program.as_fd()).map_err(|source| BpfError::System {
                what: "attach the program to the sampling event",
                source,
            })?;
        }
        Ok(())
    }

    /// Makes the programs end in `program` where they have copied a stack; `map` says which of
    /// them.
    pub(crate) fn call_at_end(&mut self, map: &str, program: &ProgramFd) -> Result<(), BpfError> {
        let refused = |error: &(dyn Error + 'static)| BpfError::refused("a called program", error);
        let map = self.ebpf.map_mut(map).ok_or(MISSING)?;
        let mut map: ProgramArray<_> = map.try_into().map_err(|error| refused(&error))?;
        map.set(0, program, 0).map_err(|error| refused(&error))
    }

    /// Makes programs that these end in add the time that they take to the same sums (`bpf/share.h`).
    ///
    /// # Errors
    ///
    /// [`BpfError`]; then what they take belongs to the programs that they run for.
    pub(crate) fn share_sums(&self, others: &Ebpf) -> Result<(), BpfError> {
        let Some(Map::PerCpuArray(sums)) = self.ebpf.map("shares") else {
            return Err(MISSING);
        };
        let Some(Map::ArrayOfMaps(place)) = others.map("other_shares") else {
            return Err(MISSING);
        };
        set_descriptor(place.fd().as_fd(), 0, sums.fd().as_fd()).map_err(|source| {
            BpfError::System {
                what: "let the eBPF programs add up the time that they take",
                source,
            }
        })
    }

    /// Makes the programs that have joined with [`Ends::add`] report datagrams to these here, so that waits for an
    /// answer have an address.
    ///
    /// # Errors
    ///
    /// [`BpfError`]; then such waits have none (before Linux 6.3, for example).
    pub(crate) fn follow_datagrams(&mut self, btf: &Btf) -> Result<(), BpfError> {
        for (end, name, tracepoint) in DATAGRAMS {
            let refused = |error: &(dyn Error + 'static)| BpfError::refused(name, error);
            let program = self.ebpf.program_mut(name).ok_or(MISSING)?;
            let program: &mut BtfTracePoint =
                program.try_into().map_err(|error| refused(&error))?;
            loading::again(|| program.load(tracepoint, btf)).map_err(|error| refused(&error))?;
            let program = program.fd().map_err(|error| refused(&error))?;
            self.ends.set(end, Some(program))?;
        }
        Ok(())
    }

    /// What was written and left out so far.
    ///
    /// # Errors
    ///
    /// [`BpfError`] if the kernel does not give the counts.
    pub fn counters(&self) -> Result<Counters, BpfError> {
        let refused = |error: &(dyn Error + 'static)| BpfError::refused("the counters", error);
        let map = self.ebpf.map("counters").ok_or(MISSING)?;
        let map: PerCpuArray<_, [u64; 4]> = map.try_into().map_err(|error| refused(&error))?;
        let kind = |kind: u32| -> Result<KindCounters, BpfError> {
            let mut sum = KindCounters::default();
            for [written, limited, lost, unreadable] in
                map.get(&kind, 0).map_err(|error| refused(&error))?.iter()
            {
                sum.written += written;
                sum.limited += limited;
                sum.lost += lost;
                sum.unreadable += unreadable;
            }
            Ok(sum)
        };
        Ok(Counters {
            waits: kind(1)?,
            blocks: kind(2)?,
            preempted: kind(3)?,
            samples: kind(4)?,
            wakers: kind(5)?,
            execs: kind(6)?,
            exits: kind(7)?,
            affinities: kind(8)?,
            switches: kind(9)?,
            wakings: kind(10)?,
            calls: kind(11)?,
            objects: kind(12)?,
        })
    }

    /// Threads that have waited at least the threshold and did not run while they were looked at,
    /// with their user stacks. No thread is stopped for it. For the end of a recording.
    ///
    /// # Errors
    ///
    /// [`BpfError`] if the threads cannot be listed.
    pub fn open_waits(&mut self) -> Result<Vec<OpenWait>, BpfError> {
        let first = self.list_waiting()?;
        let dumped = open_waits::dump(
            &first,
            open_waits::Known {
                own_pid: self.own_pid,
                wait_threshold_ns: self.wait_threshold_ns,
                started_ns: self.started_ns,
            },
        );
        let second = self.list_waiting()?;
        let mut waits = open_waits::keep_unmoved(dumped, &first, &second);
        open_waits::complete_objects(&mut waits);
        Ok(waits)
    }

    fn list_waiting(&mut self) -> Result<Vec<open_waits::Listed>, BpfError> {
        let file = loading::iterate(&mut self.ebpf, LIST_WAITING)?;
        open_waits::read_list(file).map_err(|source| BpfError::System {
            what: "list the waiting threads",
            source,
        })
    }
}
