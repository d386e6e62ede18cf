//! Which tracker takes which event: the only list of what this front end reads.
//!
//! To add an event, write its handler in the file of its family, and a row here. The events of
//! [`operations`](crate::operations) are listed in that module; all of them are pushed the same
//! way.

use whyslow_etl::kernel::hooks::{
    Hook, event_trace, file_io, image, memory::HARD_FAULT, perf_info, process, stack_walk,
    system_config, thread,
};
use whyslow_etl::kernel::merged::{MergeHook, image_id, system_config_ex};
use whyslow_etl::{Descriptor, Guid, Record};

use super::clr::{self, Clr};
use super::datagrams;
use super::dns::{self, DNS_CLIENT, Dns};
use super::emitter::Emitter;
use super::files::{self, Files, KERNEL_FILE};
use super::handles::{self, Handles};
use super::images::Images;
use super::kernel_process::{self, KERNEL_PROCESS, KernelProcess};
use super::machine_facts::MachineFacts;
use super::memory::{self, ProcessMemory};
use super::notes::{self, Notes};
use super::packed_switches::PackedSwitches;
use super::prescan::{NetworkSource, Prescan};
use super::processes_and_threads::Processes;
use super::registry::{self, Registry};
use super::samples::Samples;
use super::stacks::StackRecords;
use super::switches;
use super::tcp::{self, Connections, KERNEL_NETWORK, TCPIP};
use crate::limits::Limits;
use crate::operations::{KernelEvents, Operation, ProviderEvents, SOURCES, Source};
use crate::payload::etw::{KernelEvent, ProviderEvent};
use whyslow_etl::kernel::KernelRecord;
use whyslow_model::Capability;

/// The trackers of this front end, one for each family of events.
#[derive(Debug)]
pub(super) struct Trackers {
    pub(super) samples: Samples,
    pub(super) packed_switches: PackedSwitches,
    pub(super) stacks: StackRecords,
    pub(super) processes: Processes,
    pub(super) images: Images,
    pub(super) clr: Clr,
    pub(super) machine: MachineFacts,
    pub(super) kernel_process: KernelProcess,
    pub(super) files: Files,
    pub(super) connections: Connections,
    pub(super) dns: Dns,
    pub(super) notes: Notes,
    pub(super) registry: Registry,
    pub(super) has_allocations: bool,
    pub(super) process_memory: ProcessMemory,
    pub(super) handles: Handles,
    pub(super) has_datagrams: bool,
    pub(super) network: NetworkSource,
}

impl Trackers {
    /// Returns trackers within these limits.
    pub(super) fn new(limits: &Limits, found: &Prescan) -> Self {
        let most_images = usize::try_from(limits.mappings).unwrap_or(usize::MAX) / 2;
        Self {
            samples: Samples::new(found.interval_ns),
            packed_switches: PackedSwitches::default(),
            stacks: StackRecords::new(limits.stack_handles),
            processes: Processes::new(most_images),
            images: Images::new(most_images),
            clr: Clr::new(most_images, limits.text_bytes / 2),
            machine: MachineFacts::default(),
            kernel_process: KernelProcess::new(found.own_events),
            files: Files::new(limits.files),
            connections: Connections::new(limits.open_operations),
            dns: Dns::new(limits.open_operations),
            notes: Notes::default(),
            registry: Registry::new(limits.files),
            has_allocations: false,
            process_memory: ProcessMemory::default(),
            handles: Handles::default(),
            has_datagrams: false,
            network: NetworkSource {
                has_kernel: found.own_events.network,
                ..NetworkSource::default()
            },
        }
    }
}

/// Events of the kernel, and what takes them.
struct KernelRow {
    /// The `used_for` text for them in the table `event_count`.
    used_for: &'static str,
    hooks: &'static [Hook],
    take: fn(&mut Trackers, &KernelRecord<'_>, &mut Emitter<'_>),
}

/// Events that merges add, and what takes them.
struct MergeRow {
    used_for: &'static str,
    hooks: &'static [MergeHook],
    take: fn(&mut Trackers, &Record<'_>, &mut Emitter<'_>),
}

/// Events of a manifest's provider, and what takes them.
struct ProviderRow {
    used_for: &'static str,
    provider: Guid,
    ids: &'static [u16],
    take: fn(&mut Trackers, &Record<'_>, &Descriptor, &mut Emitter<'_>),
}

const KERNEL: &[KernelRow] = &[
    KernelRow {
        used_for: "samples",
        hooks: &[perf_info::SAMPLE],
        take: |to, of, out| to.samples.sample(of.record, out),
    },
    KernelRow {
        used_for: "samples",
        hooks: &[perf_info::SAMPLE_CACHE],
        take: |to, of, out| to.samples.kept_back(of.record, out),
    },
    KernelRow {
        used_for: "samples",
        hooks: &[
            perf_info::SET_INTERVAL,
            perf_info::COLLECTION_START,
            perf_info::COLLECTION_END,
        ],
        take: |to, of, out| to.samples.interval(of.record, out),
    },
    KernelRow {
        used_for: "states",
        hooks: &[thread::SWITCH],
        take: |_, of, out| switches::switch(of.record, out),
    },
    KernelRow {
        used_for: "states",
        hooks: &[thread::PACKED_SWITCHES],
        take: |to, of, out| to.packed_switches.take(of.record, out),
    },
    KernelRow {
        used_for: "states",
        hooks: &[thread::READY_THREAD],
        take: |_, of, out| switches::ready(of.record, out),
    },
    KernelRow {
        used_for: "stacks",
        hooks: &[
            stack_walk::STACK,
            stack_walk::KERNEL_KEY,
            stack_walk::USER_KEY,
        ],
        take: |to, of, out| to.stacks.stack(of, out),
    },
    KernelRow {
        used_for: "stacks",
        hooks: &[stack_walk::KEY_DELETE, stack_walk::KEY_RUNDOWN],
        take: |to, of, out| to.stacks.definition(of.record, out),
    },
    KernelRow {
        used_for: "processes",
        hooks: &[
            process::START,
            process::STOP,
            process::DC_START,
            process::DC_STOP,
        ],
        take: |to, of, out| to.processes.process(of, out),
    },
    KernelRow {
        used_for: "threads",
        hooks: &[
            thread::START,
            thread::STOP,
            thread::DC_START,
            thread::DC_STOP,
        ],
        take: |_, of, out| super::processes_and_threads::thread(of, out),
    },
    KernelRow {
        used_for: "threads",
        hooks: &[thread::SET_NAME],
        take: |_, of, out| super::processes_and_threads::thread_name(of, out),
    },
    KernelRow {
        used_for: "mappings",
        hooks: &[image::LOAD, image::UNLOAD, image::DC_START, image::DC_STOP],
        take: |to, of, out| to.images.image(of, &mut to.processes, out),
    },
    KernelRow {
        used_for: "names of files",
        hooks: files::NAMES,
        take: |to, of, out| to.files.name(of, out),
    },
    KernelRow {
        used_for: "files",
        hooks: files::REQUESTS,
        take: |to, of, out| to.files.request(of, out),
    },
    KernelRow {
        used_for: "files",
        hooks: &[HARD_FAULT],
        take: |to, of, out| to.files.hard_fault(of, out),
    },
    KernelRow {
        used_for: "files",
        hooks: &[file_io::MAP_FILE],
        take: |to, of, out| to.files.map(of, out),
    },
    KernelRow {
        used_for: "mini-filters",
        hooks: files::FILTERS,
        take: |to, of, out| to.files.filter(of, out),
    },
    KernelRow {
        used_for: "memory",
        hooks: memory::EVENTS,
        take: |to, of, out| to.has_allocations |= memory::take(of, out),
    },
    KernelRow {
        used_for: "memory",
        hooks: memory::WORKING_SETS,
        take: |to, of, out| to.process_memory.working_sets(of.record, out),
    },
    KernelRow {
        used_for: "memory",
        hooks: memory::COUNTERS,
        take: |to, of, out| to.process_memory.counters(of, out),
    },
    KernelRow {
        used_for: "registry",
        hooks: registry::EVENTS,
        take: |to, of, out| to.registry.take(of, out),
    },
    KernelRow {
        used_for: "handles",
        hooks: handles::EVENTS,
        take: |to, of, out| to.handles.take(of, out),
    },
    KernelRow {
        used_for: "handles",
        hooks: handles::TYPES,
        take: |to, of, out| to.handles.name(of, out),
    },
    KernelRow {
        used_for: "datagrams",
        hooks: datagrams::KERNEL,
        take: |to, of, out| {
            to.network.has_kernel = true;
            to.has_datagrams = true;
            datagrams::take(of.record, of.hook, out);
        },
    },
    KernelRow {
        used_for: "connections",
        hooks: tcp::KERNEL,
        take: |to, of, out| {
            to.network.has_kernel = true;
            to.connections.kernel(of, out);
        },
    },
    KernelRow {
        used_for: "marks",
        hooks: &[perf_info::MARK],
        take: |to, of, out| to.notes.mark(of, out),
    },
    KernelRow {
        used_for: "processes",
        hooks: &[system_config::SERVICES],
        take: |to, of, out| to.machine.service(of.record, out),
    },
    KernelRow {
        used_for: "facts",
        hooks: &[system_config::CPU],
        take: |to, of, _| to.machine.processors(of.record),
    },
    KernelRow {
        used_for: "facts",
        hooks: &[event_trace::BUILD_LAB],
        take: |to, of, _| to.machine.build_lab(of.record),
    },
    KernelRow {
        used_for: "facts",
        hooks: &[event_trace::HEADER],
        // The reader keeps it as the session.
        take: |_, _, _| {},
    },
];

const MERGED: &[MergeRow] = &[
    MergeRow {
        used_for: "modules",
        hooks: &[image_id::INFO],
        take: |to, record, out| to.images.file(record, out),
    },
    MergeRow {
        used_for: "modules",
        hooks: &[image_id::SYMBOL_FILE],
        take: |to, record, out| to.images.symbol_file(record, out),
    },
    MergeRow {
        used_for: "modules",
        hooks: &[image_id::FILE_VERSION],
        take: |to, record, out| to.images.file_version(record, out),
    },
    MergeRow {
        used_for: "facts",
        hooks: &[
            system_config_ex::BUILD_INFO,
            system_config_ex::SYSTEM_PATHS,
            system_config_ex::VOLUME_MAPPING,
        ],
        take: |to, record, _| to.machine.merged(record),
    },
];

const PROVIDERS: &[ProviderRow] = &[
    ProviderRow {
        used_for: "processes",
        provider: KERNEL_PROCESS,
        ids: kernel_process::IDS,
        take: |to, record, of, out| {
            let parts = (&mut to.processes, &mut to.images);
            to.kernel_process.take(record, of, parts, out);
        },
    },
    ProviderRow {
        used_for: "connections",
        provider: KERNEL_NETWORK,
        ids: tcp::KERNEL_NETWORK_IDS,
        take: |to, record, of, out| {
            if to.network.see_provider() {
                to.connections.network(record, of, out);
            }
        },
    },
    ProviderRow {
        used_for: "datagrams",
        provider: KERNEL_NETWORK,
        ids: datagrams::NETWORK_IDS,
        take: |to, record, of, out| {
            if to.network.see_provider() {
                to.has_datagrams = true;
                datagrams::network(record, of, out);
            }
        },
    },
    ProviderRow {
        used_for: "connections",
        provider: TCPIP,
        ids: tcp::TCPIP_IDS,
        take: |to, record, of, out| to.connections.provided(record, of, out),
    },
    ProviderRow {
        used_for: "names",
        provider: DNS_CLIENT,
        ids: dns::DNS_CLIENT_IDS,
        take: |to, record, of, out| to.dns.take(record, of, out),
    },
    ProviderRow {
        used_for: "files",
        provider: KERNEL_FILE,
        ids: files::PROVIDED_IDS,
        take: |to, record, of, out| to.files.provided(record, of, out),
    },
    ProviderRow {
        used_for: "memory",
        provider: memory::KERNEL_MEMORY,
        ids: memory::KERNEL_MEMORY_IDS,
        take: |to, record, _, out| to.process_memory.working_sets(record, out),
    },
    ProviderRow {
        used_for: "names of methods",
        provider: clr::RUNTIME,
        ids: clr::RUNTIME_IDS,
        take: |to, record, of, out| to.clr.runtime(record, of, out),
    },
    ProviderRow {
        used_for: "exceptions",
        provider: clr::RUNTIME,
        ids: notes::RUNTIME_IDS,
        take: |to, record, of, out| to.notes.runtime(record, of, out),
    },
    ProviderRow {
        used_for: "names of methods",
        provider: clr::RUNDOWN,
        ids: clr::RUNDOWN_IDS,
        take: |to, record, of, out| to.clr.rundown(record, of, out),
    },
];

/// Events of the kernel that belong to an operation.
struct OperationRow {
    /// The place of its source in [`SOURCES`].
    source: usize,
    events: &'static KernelEvents,
}

/// Whether there were events of an operation.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// Kernel events that prove the capability.
    kernel: bool,
    /// Provider events that prove it.
    provider: bool,
}

/// Finds rows quickly.
pub(super) struct Dispatch {
    /// By group and opcode: the index in [`KERNEL`], or behind it in `operations`, plus 1; or 0.
    kernel: Vec<u8>,
    operations: Vec<OperationRow>,
    /// By the places in [`SOURCES`].
    seen: [Seen; SOURCES.len()],
}

impl Dispatch {
    /// Returns the dispatch of all events.
    pub(super) fn new() -> Self {
        let operations: Vec<_> = operations().collect();
        let hooks = KERNEL.iter().map(|row| row.hooks);
        let hooks = hooks.chain(operations.iter().map(|row| row.events.hooks));
        let mut kernel = vec![0; 1 << 16];
        for (hooks, number) in hooks.zip(1..) {
            for &hook in hooks {
                if let Some(at) = kernel.get_mut(place(hook)) {
                    *at = number;
                }
            }
        }
        Self {
            kernel,
            operations,
            seen: [Seen::default(); SOURCES.len()],
        }
    }

    /// Hands an event of the kernel to the tracker that takes it.
    #[inline]
    pub(super) fn kernel(
        &mut self,
        of: &KernelRecord<'_>,
        to: &mut Trackers,
        out: &mut Emitter<'_>,
    ) {
        let number = self.kernel.get(place(of.hook)).copied().unwrap_or(0);
        let Some(row) = usize::from(number).checked_sub(1) else {
            return;
        };
        if let Some(row) = KERNEL.get(row) {
            (row.take)(to, of, out);
        } else if let Some(row) = self.operations.get(row - KERNEL.len()) {
            if let Some(seen) = self.seen.get_mut(row.source) {
                seen.kernel |= row.events.is_proof;
            }
            let event = KernelEvent::new(of, out.clock());
            let operation = (row.events.decode)(&event);
            push(of.record, (row.source, event.tid), operation, to, out);
        }
    }

    /// Hands an event of a provider to the tracker that takes it.
    pub(super) fn provider(
        &mut self,
        of: &Descriptor,
        record: &Record<'_>,
        to: &mut Trackers,
        out: &mut Emitter<'_>,
    ) {
        let takes = |row: &&ProviderRow| row.provider == of.provider && row.ids.contains(&of.id);
        if let Some(row) = PROVIDERS.iter().find(takes) {
            (row.take)(to, record, of, out);
        }
        for ((source, events), seen) in SOURCES.iter().enumerate().zip(&mut self.seen) {
            let mut events = events.provider_events.iter();
            // The kernel's own events have more data.
            if seen.kernel {
                continue;
            }
            let Some(row) = events.find(|row| row.takes(of)) else {
                continue;
            };
            seen.provider |= row.is_proof;
            let event = ProviderEvent::read(record, of, out.clock());
            let tid = event.as_ref().and_then(|event| event.tid);
            let operation = event.and_then(|event| (row.decode)(&event));
            push(record, (source, tid), operation, to, out);
        }
    }

    /// Returns whether events of a provider were used, where the kernel may have equivalent events
    /// of its own.
    pub(super) fn uses(&self, provider: Guid) -> bool {
        let mut sources = SOURCES.iter().zip(&self.seen);
        !sources.any(|(source, seen)| {
            let mut events = source.provider_events.iter();
            !seen.provider && events.any(|row| row.provider == provider)
        })
    }

    /// Returns the capabilities for operations that these events give a trace.
    pub(super) fn capabilities(&self) -> impl Iterator<Item = Capability> {
        let sources = SOURCES.iter().zip(&self.seen);
        let seen = sources.filter(|(_, seen)| seen.kernel || seen.provider);
        seen.map(|(source, _)| source.capability)
    }
}

impl ProviderEvents {
    fn takes(&self, of: &Descriptor) -> bool {
        self.provider == of.provider && self.ids.contains(&of.id)
    }
}

/// Pushes the operation decoded from a record of a source; counts the record as damaged if there is
/// none.
fn push(
    record: &Record<'_>,
    (source, tid): (usize, Option<u32>),
    operation: Option<Operation>,
    to: &mut Trackers,
    out: &mut Emitter<'_>,
) {
    let Some(mut operation) = operation else {
        let used_for = SOURCES.get(source).map_or("", |source| source.used_for);
        return out.bad(record, &format!("an event of {used_for}"));
    };
    if let Operation::Disk(disk) = &mut operation {
        disk.request.file = to.files.names.by_key(disk.file_key, out);
    }
    out.push_operation(record, (tid, record.process_id()), operation);
}

fn operations() -> impl Iterator<Item = OperationRow> {
    let sources = SOURCES.iter().enumerate();
    sources.flat_map(|(source, of)| {
        let events = of.kernel_events.iter();
        events.map(move |events| OperationRow { source, events })
    })
}

fn place(hook: Hook) -> usize {
    usize::from(u16::from_be_bytes([hook.group, hook.opcode]))
}

/// Hands an event that a merge added to the tracker that takes it.
pub(super) fn merged(
    hook: MergeHook,
    record: &Record<'_>,
    to: &mut Trackers,
    out: &mut Emitter<'_>,
) {
    if let Some(row) = MERGED.iter().find(|row| row.hooks.contains(&hook)) {
        (row.take)(to, record, out);
    }
}

/// Returns what events of the kernel are used for; `None` where nothing takes them.
pub(super) fn kernel_used_for(hook: Hook) -> Option<&'static str> {
    let row = KERNEL.iter().find(|row| row.hooks.contains(&hook));
    row.map(|row| row.used_for).or_else(|| {
        let row = operations().find(|row| row.events.hooks.contains(&hook))?;
        Some(SOURCES.get(row.source)?.used_for)
    })
}

/// Returns what events of a class or provider are used for; `None` where nothing takes any.
pub(super) fn used_for(guid: Guid) -> Option<&'static str> {
    let of_class = |row: &&MergeRow| row.hooks.iter().any(|hook| hook.class == guid);
    let merged = MERGED.iter().find(of_class).map(|row| row.used_for);
    let of_provider = |row: &&ProviderRow| row.provider == guid;
    let provider = || PROVIDERS.iter().find(of_provider).map(|row| row.used_for);
    let of_source = |source: &&Source| {
        let mut events = source.provider_events.iter();
        events.any(|row| row.provider == guid)
    };
    let source = || SOURCES.iter().find(of_source).map(|row| row.used_for);
    merged.or_else(provider).or_else(source)
}
