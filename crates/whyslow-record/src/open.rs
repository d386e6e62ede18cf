//! Opens the events: finds out what the kernel permits, takes that, and says what is missing.
//!
//! One ring per CPU; the side-band event owns it and all others are redirected into it, so that
//! the records of a CPU are in one place, in order, and one memory limit covers them.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use whyslow_perfdata::writer::{AttrFlag, EventDescription};

use crate::disk_layout::DiskPrograms;
use crate::error::Error;
use crate::events::{self, EventKind, EventSpec, OWN_IDS, Scope, TRACEPOINTS};
use crate::limiter::{Limiter, RingLimits};
use crate::python::Interpreters;
use crate::report::Missing;
use crate::rights;
use crate::settings::Settings;
use crate::switch_chain::SwitchChain;
use crate::switch_layout::SwitchLayout;
use crate::sys::perf::{PerfEvent, Target};
use crate::sys::ring::Ring;
use crate::sys::{clock, closing};
use crate::tracepoints::Tracepoints;
use crate::waking_layout::WakingLayout;
use whyslow_bpf::costs::{self, Cost, Moment, Runs};
use whyslow_bpf::network::NetworkFollower;
use whyslow_bpf::{
    BpfError, Config, Counters, Loaded, Output, Programs, PythonFrames, SystemCallCounter,
};
use whyslow_perfdata::abi::read_format;
use whyslow_proc::cpus;

/// Smallest ring worth having.
const MIN_RING_BYTES: usize = 64 << 10;

/// Events whose stacks are limited, and their duplicates without.
pub(crate) const LIMITED: [(EventKind, EventKind); 2] = [
    (EventKind::Switch, EventKind::SwitchBare),
    (EventKind::Waking, EventKind::WakingBare),
];

/// One event with its descriptors, one per CPU.
#[derive(Debug)]
pub(crate) struct OpenEvent {
    pub(crate) spec: EventSpec,
    pub(crate) per_cpu: Vec<Arc<PerfEvent>>,
    pub(crate) ids: Vec<u64>,
}

/// All events of a recording, open and disabled.
#[derive(Debug)]
pub(crate) struct OpenEvents {
    pub(crate) cpus: Vec<u32>,
    pub(crate) scope: Scope,
    pub(crate) events: Vec<OpenEvent>,
    pub(crate) rings: Vec<Ring>,
    pub(crate) tracepoints: Option<Tracepoints>,
    /// How `sched:sched_switch` looks, where it is permitted.
    pub(crate) switch_layout: Option<SwitchLayout>,
    /// How `sched:sched_waking` looks, where it is permitted.
    pub(crate) waking_layout: Option<WakingLayout>,
    pub(crate) programs: Option<Programs>,
    pub(crate) system_calls: Option<SystemCallCounter>,
    pub(crate) network: Option<NetworkFollower>,
    pub(crate) disks: Option<DiskPrograms>,
    /// What reads the frames of Python programs.
    pub(crate) python: Option<Interpreters>,
    pub(crate) missing: Vec<Missing>,
    /// Something that was opened does not work any more.
    pub(crate) is_spoiled: bool,
    /// How long the machine had been suspended in all when they were opened.
    pub(crate) suspended: Duration,
    pub(crate) earlier: Earlier,
}

/// What happened before the recording: in earlier ones with the same events.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// How much was missing when all was open.
    pub(crate) missing: usize,
    /// Samples that each event had lost.
    pub(crate) lost: Vec<u64>,
    /// How often the programs had run.
    pub(crate) runs: Runs,
}

/// What [`OpenEvents::open`] observes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed {
    /// Without the right to see everything: this process and its children.
    pub(crate) own_pid: Option<i32>,
}

impl OpenEvents {
    /// What limits switches and wake-ups, per ring, to so many stacks per second.
    pub(crate) fn limits(&self, stacks_per_second: u32) -> Vec<RingLimits> {
        let limiter = |cpu: usize, full, bare| {
            let (full, bare) = (self.of_kind(full)?, self.of_kind(bare)?);
            let events = (
                Arc::clone(full.per_cpu.get(cpu)?),
                Arc::clone(bare.per_cpu.get(cpu)?),
            );
            let ids = [*full.ids.get(cpu)?, *bare.ids.get(cpu)?];
            Some(Limiter::new(events, ids, stacks_per_second))
        };
        let of_cpu = |cpu| {
            let limiters = LIMITED.into_iter();
            let limiters = limiters.filter_map(|(full, bare)| limiter(cpu, full, bare));
            RingLimits::new(limiters.collect())
        };
        (0..self.cpus.len()).map(of_cpu).collect()
    }

    /// Opens all events that `scope` has; `unless_stopped` fails if the recording is given up meanwhile.
    pub(crate) fn open(
        settings: &Settings,
        scope: Scope,
        observed: Observed,
        unless_stopped: &dyn Fn() -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let cpus = cpus::online().map_err(Error::system("cannot list the CPUs"))?;
        let mut opened = Self {
            cpus,
            scope,
            events: Vec::new(),
            rings: Vec::new(),
            tracepoints: None,
            switch_layout: None,
            waking_layout: None,
            programs: None,
            system_calls: None,
            network: None,
            disks: None,
            python: None,
            missing: rights::missing_scope(scope),
            is_spoiled: false,
            suspended: clock::suspended(),
            earlier: Earlier::default(),
        };
        match opened.open_all(settings, observed, unless_stopped) {
            Ok(()) => {
                opened.earlier.missing = opened.missing.len();
                Ok(opened)
            }
            Err(error) => {
                opened.close();
                Err(error)
            }
        }
    }

    fn open_all(
        &mut self,
        settings: &Settings,
        observed: Observed,
        unless_stopped: &dyn Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let scope = self.scope;
        unless_stopped()?;
        // Kept while the programs are being loaded.
        let _types = settings.use_bpf.then(whyslow_bpf::kernel_types);
        let watermark = u32::try_from(settings.ring_bytes.next_power_of_two() / 8);
        let watermark = watermark.unwrap_or(u32::MAX);
        self.open_event(events::side_band(scope, watermark), observed)
            .map_err(|error| rights::refused("open the events", error))?;
        self.map_rings(settings)?;
        unless_stopped()?;
        let counter = self.begin_system_calls(settings, observed);
        if !scope.is_own_only {
            self.find_tracepoints();
            if settings.use_bpf {
                self.load_programs(settings, observed);
                unless_stopped()?;
                self.load_python(observed);
                unless_stopped()?;
            }
            self.open_tracepoints(settings, observed);
            let finds_all = self
                .programs
                .as_ref()
                .is_some_and(Programs::finds_unseen_switches);
            if !finds_all {
                // Without it, gaps stay gaps.
                let _ = self.open_event(events::switch_notes(scope), observed);
            }
        }
        unless_stopped()?;
        self.load_network(settings, observed);
        unless_stopped()?;
        self.end_system_calls(counter);
        if settings.sample_hz > 0 {
            self.open_cpu_clock(settings, observed);
        }
        self.try_event(events::major_faults(settings, scope), observed);
        for spec in events::own_events(scope) {
            self.add_own_event(spec);
        }
        unless_stopped()
    }

    /// Loads the eBPF programs, with an event for what they write.
    fn load_programs(&mut self, settings: &Settings, observed: Observed) {
        let config = Config {
            wait_threshold_ns: settings.wait_threshold_ns,
            own_pid: std::process::id(),
            stack_bytes_per_second: settings.user_stack_bytes_per_second,
            reports_switches: self.knows_layouts(),
            chains_per_second: settings.stacks_per_second,
            ..Config::default()
        };
        let before = self.events.len();
        let both = [
            events::bpf_output(self.scope),
            events::bpf_chained(self.scope),
        ];
        for spec in both {
            if let Err(error) = self.open_event(spec, observed) {
                self.events.truncate(before);
                let missing = rights::no_event("of eBPF programs", &error);
                return self.missing.push(missing);
            }
        }
        let Some([output, chained]) = self.events.get(before..) else {
            return;
        };
        let outputs: Vec<Output<'_>> = self
            .cpus
            .iter()
            .zip(output.per_cpu.iter().zip(&chained.per_cpu))
            .map(|(&cpu, (event, chained))| Output {
                cpu,
                event: event.as_fd(),
                chained: Some(chained.as_fd()),
            })
            .collect();
        match Programs::load(&config, &outputs) {
            Ok(programs) => self.programs = Some(programs),
            Err(error) => {
                self.events.truncate(before);
                self.missing.push(rights::no_programs(&error));
            }
        }
    }

    /// Loads the eBPF programs that read the frames of Python programs, with events for what they
    /// write and for waking the recorder.
    fn load_python(&mut self, observed: Observed) {
        let Some(mut programs) = self.programs.take() else {
            return;
        };
        let before = self.events.len();
        let missing = match self.try_load_python(&mut programs, observed) {
            Ok(Ok(python)) => {
                self.python = Some(Interpreters::new(python));
                None
            }
            Ok(Err(error)) => Some(rights::no_python(&error)),
            Err(error) => Some(rights::no_event("of the frames of Python programs", &error)),
        };
        if missing.is_some() {
            self.events.truncate(before);
        }
        self.missing.extend(missing);
        self.programs = Some(programs);
    }

    fn try_load_python(
        &mut self,
        programs: &mut Programs,
        observed: Observed,
    ) -> io::Result<Result<PythonFrames, BpfError>> {
        self.open_event(events::bell(self.scope), observed)?;
        let bell = self.events.len() - 1;
        self.open_event(events::python_output(self.scope), observed)?;
        let bells = self.outputs(self.events.get(bell));
        Ok(PythonFrames::load(programs, &self.last_outputs(), &bells))
    }

    /// Whether the eBPF programs report the switches and the wake-ups.
    fn programs_report_switches(&self) -> bool {
        self.programs.is_some() && self.knows_layouts()
    }

    fn knows_layouts(&self) -> bool {
        self.switch_layout.is_some() && self.waking_layout.is_some()
    }

    /// The event opened last, as the output of eBPF programs.
    pub(crate) fn last_outputs(&self) -> Vec<Output<'_>> {
        self.outputs(self.events.last())
    }

    fn outputs<'e>(&self, event: Option<&'e OpenEvent>) -> Vec<Output<'e>> {
        let events = event.map(|event| event.per_cpu.as_slice());
        let pairs = self.cpus.iter().zip(events.unwrap_or_default());
        pairs
            .map(|(&cpu, event)| Output {
                cpu,
                event: event.as_fd(),
                chained: None,
            })
            .collect()
    }

    /// Opens the CPU samples: with stacks from an eBPF program, else with plain dumps.
    fn open_cpu_clock(&mut self, settings: &Settings, observed: Observed) {
        let programs = self.programs.take_if(|_| settings.stack_dump_bytes > 0);
        if let Some(mut programs) = programs {
            let spec = events::cpu_clock(settings, self.scope, false);
            if self.open_event(spec, observed).is_ok() {
                let opened = self.events.last().map(|event| event.per_cpu.as_slice());
                let fds: Vec<_> = opened
                    .into_iter()
                    .flatten()
                    .map(|event| event.as_fd())
                    .collect();
                let attached = programs.attach_sampler(&fds);
                self.programs = Some(programs);
                if attached.is_ok() {
                    return;
                }
                self.events.pop();
            } else {
                self.programs = Some(programs);
            }
        }
        self.try_event(events::cpu_clock(settings, self.scope, true), observed);
    }

    /// Opens an event, or says that it is missing.
    fn try_event(&mut self, spec: EventSpec, observed: Observed) {
        let name = spec.name.clone();
        if let Err(error) = self.open_event(spec, observed) {
            self.missing.push(rights::no_event(&name, &error));
        }
    }

    fn map_rings(&mut self, settings: &Settings) -> Result<(), Error> {
        let Some(leader) = self.events.first() else {
            return Ok(());
        };
        let mut ring_bytes = settings.ring_bytes.max(MIN_RING_BYTES);
        loop {
            let rings: io::Result<Vec<Ring>> = leader
                .per_cpu
                .iter()
                .map(|event| Ring::map(event, ring_bytes))
                .collect();
            match rings {
                Ok(rings) => {
                    if ring_bytes < settings.ring_bytes {
                        self.missing
                            .push(rights::small_rings(ring_bytes, settings.ring_bytes));
                    }
                    self.rings = rings;
                    return Ok(());
                }
                Err(error)
                    if error.kind() == io::ErrorKind::PermissionDenied
                        && ring_bytes > MIN_RING_BYTES =>
                {
                    ring_bytes /= 2;
                }
                Err(error) => {
                    return Err(rights::no_rings(ring_bytes, self.cpus.len(), error));
                }
            }
        }
    }

    fn open_tracepoints(&mut self, settings: &Settings, observed: Observed) {
        let extra = settings.tracepoints.iter();
        // Settings that name one say whether it has a stack.
        let is_asked = |group: &str, name: &str| {
            let mut asked = settings.tracepoints.iter();
            asked.any(|tracepoint| tracepoint.group == group && tracepoint.name == name)
        };
        self.load_disks(settings, &is_asked, observed);
        let own = TRACEPOINTS
            .into_iter()
            .filter(|&(kind, group, name, _)| !kind.may_be_asked_for() || !is_asked(group, name));
        let extra = extra.map(|tracepoint| {
            (
                EventKind::Extra,
                &*tracepoint.group,
                &*tracepoint.name,
                tracepoint.has_stack,
            )
        });
        let by_programs = self.programs_report_switches();
        let own = own.filter(|&(kind, ..)| !by_programs || !kind.is_bare());
        let own = own.filter(|&(kind, ..)| !kind.is_left_out(settings));
        self.missing.extend(rights::left_out(settings));
        let all: Vec<_> = own.chain(extra).collect();
        for (kind, group, name, has_stack) in all {
            let full_name = format!("{group}:{name}");
            let id = self
                .tracepoints
                .as_mut()
                .map(|tracepoints| tracepoints.id(group, name));
            let opened = match id {
                Some(Ok(id)) => {
                    let spec = events::tracepoint(kind, &full_name, id, has_stack, self.scope);
                    let is_own = match kind {
                        EventKind::Switch | EventKind::Waking => by_programs,
                        EventKind::Operation => {
                            self.disks.as_ref().is_some_and(|it| it.report(name))
                        }
                        _ => false,
                    };
                    if is_own {
                        self.add_own_event(spec);
                        Ok(())
                    } else {
                        self.open_event(spec, observed)
                    }
                }
                Some(Err(error)) => Err(error),
                None => return,
            };
            if let Err(error) = opened
                && !kind.is_bare()
                && !(kind == EventKind::Stall && error.kind() == io::ErrorKind::NotFound)
            {
                self.missing.push(rights::no_event(&full_name, &error));
            }
        }
    }

    /// Adds an event whose samples the recorder writes itself.
    fn add_own_event(&mut self, spec: EventSpec) {
        let id = OWN_IDS + self.events.len() as u64;
        self.events.push(OpenEvent {
            spec,
            per_cpu: Vec::new(),
            ids: vec![id],
        });
    }

    /// Opens one event on every CPU and redirects it into the rings.
    pub(crate) fn open_event(&mut self, spec: EventSpec, observed: Observed) -> io::Result<()> {
        let mut per_cpu = Vec::new();
        let mut ids = Vec::new();
        for (index, &cpu) in self.cpus.iter().enumerate() {
            let target = match observed.own_pid {
                Some(pid) => Target::TaskOnCpu { pid, cpu },
                None => Target::Cpu(cpu),
            };
            let event = PerfEvent::open(&spec.attr, target)?;
            let leader = self
                .events
                .first()
                .and_then(|leader| leader.per_cpu.get(index));
            if let Some(leader) = leader {
                event.redirect_to(leader)?;
            }
            ids.push(event.id()?);
            per_cpu.push(Arc::new(event));
        }
        self.events.push(OpenEvent { spec, per_cpu, ids });
        Ok(())
    }

    /// The event of a kind, if it could be opened.
    pub(crate) fn of_kind(&self, kind: EventKind) -> Option<&OpenEvent> {
        self.events.iter().find(|event| event.spec.kind == kind)
    }

    /// What finds missing switches, if switches are recorded.
    pub(crate) fn switch_chain(&self) -> Option<SwitchChain> {
        let layout = self.switch_layout.clone()?;
        let notes = self.of_kind(EventKind::SwitchNote)?.per_cpu.clone();
        Some(SwitchChain::new(layout, self.cpus.len(), notes))
    }

    /// Starts or stops the side-band events, or all the others.
    ///
    /// The bare duplicates stay off: the limiter starts them.
    pub(crate) fn switch(&self, what: Switched, on: bool) -> io::Result<()> {
        for event in &self.events {
            let is_side_band = event.spec.kind == EventKind::SideBand;
            let is_bare = event.spec.kind.is_bare();
            if is_side_band != (what == Switched::SideBand) || (on && is_bare) {
                continue;
            }
            for event in &event.per_cpu {
                if on {
                    event.enable()?;
                } else {
                    event.disable()?;
                }
            }
        }
        Ok(())
    }

    /// What the eBPF programs have counted so far; nothing where there are none.
    pub(crate) fn counters(&self) -> Counters {
        let counters = self.programs.as_ref().map(Programs::counters);
        counters.and_then(Result::ok).unwrap_or_default()
    }

    /// How long the eBPF programs ran while the kernel measured them.
    pub(crate) fn costs(&self) -> BTreeMap<Moment, Cost> {
        let mut costs = BTreeMap::new();
        let before = &self.earlier.runs;
        self.each_object(|loaded| costs::add(loaded.object(), before, &mut costs));
        costs
    }

    /// Where the functions of the eBPF programs are in the kernel.
    pub(crate) fn own_functions(&self) -> HashSet<u64> {
        let mut all = HashSet::new();
        self.each_object(|loaded| all.extend(loaded.functions()));
        all
    }

    pub(crate) fn each_object(&self, mut take: impl FnMut(&dyn Loaded)) {
        let programs = self.programs.as_ref().map(|loaded| loaded as &dyn Loaded);
        let calls = self.system_calls.as_ref().map(|loaded| loaded as _);
        let network = self.network.as_ref().map(|loaded| loaded as _);
        let disks = self.disks.as_ref().map(|disks| &disks.reporter as _);
        for loaded in [programs, calls, network, disks].into_iter().flatten() {
            take(loaded);
        }
        if let Some(python) = &self.python {
            python.with_programs(|loaded| take(loaded));
        }
    }

    /// Closes everything when all is read. What takes long is left to another process.
    pub(crate) fn close(&mut self) {
        // What costs other programs time goes first: programs at tracepoints, without an event.
        self.programs = None;
        self.python = None;
        self.system_calls = None;
        // Without another process, it takes longer.
        let kept_open = closing::leave_to_another_process();
        self.network = None;
        self.disks = None;
        self.events.clear();
        self.rings.clear();
        drop(kept_open);
    }

    /// Samples that each event lost in this recording, in the order of [`events`](Self::events).
    pub(crate) fn lost(&self) -> Vec<u64> {
        let mut lost = self.lost_ever();
        for (lost, earlier) in lost.iter_mut().zip(&self.earlier.lost) {
            *lost = lost.saturating_sub(*earlier);
        }
        lost
    }

    /// Samples that each event lost since it was opened.
    pub(crate) fn lost_ever(&self) -> Vec<u64> {
        let lost = |event: &OpenEvent| {
            let has_lost = event.spec.attr.read_format & read_format::LOST != 0;
            let readings = event
                .per_cpu
                .iter()
                .filter_map(|event| event.read(has_lost).ok());
            readings.filter_map(|reading| reading.lost).sum()
        };
        self.events.iter().map(lost).collect()
    }

    /// The events as the file describes them. Hidden ones are not in it: their samples are written
    /// as those of others.
    pub(crate) fn descriptions(&self) -> Vec<EventDescription> {
        let in_file = self
            .events
            .iter()
            .filter(|event| !event.spec.kind.is_hidden());
        in_file
            .map(|event| {
                let mut attr = event.spec.file_attr();
                attr.set(AttrFlag::Disabled, false);
                EventDescription {
                    attr,
                    name: event.spec.name.clone(),
                    ids: event.ids.clone(),
                }
            })
            .collect()
    }
}

/// Which events to start or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switched {
    /// Names, forks, exits and mappings.
    SideBand,
    /// All others.
    Others,
}
