//! What a trace holds, found out before it is imported: whether there are switches and wake-ups
//! decides what even the first event means.

use std::ops::ControlFlow;

use whyslow_etl::kernel::hooks::{Hook, image, perf_info, process, tcp_ip, thread, udp_ip};
use whyslow_etl::{Reader, Record, Source, kernel};

use super::samples::Interval;
use crate::error::Error;
use crate::importer::Recording;

/// If wake-ups are recorded, one comes within this many events after the first switch.
const ENOUGH: u32 = 1 << 17;

/// Maximum number of buffers examined, spread over the trace: where switches are recorded, nearly
/// every kernel buffer has some.
const MOST_BUFFERS: usize = 1 << 10;

/// Wall clocks of sessions of one boot may differ by corrections made in between.
const MOST_CORRECTION_NS: i64 = 60_000_000_000;

/// Groups of the kernel's events about connections and datagrams.
const NETWORK: [u8; 2] = [tcp_ip::GROUP, udp_ip::GROUP];

/// What the kernel reports in events of its own.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnEvents {
    pub(super) processes: bool,
    pub(super) threads: bool,
    pub(super) images: bool,
    /// Connections and datagrams.
    pub(super) network: bool,
}

impl OwnEvents {
    /// Notes an event of the kernel.
    fn see(&mut self, hook: Hook) {
        match hook {
            process::START | process::STOP | process::DC_START | process::DC_STOP => {
                self.processes = true;
            }
            thread::START | thread::STOP | thread::DC_START | thread::DC_STOP => {
                self.threads = true;
            }
            image::LOAD | image::UNLOAD | image::DC_START | image::DC_STOP => self.images = true,
            _ if NETWORK.contains(&hook.group) => self.network = true,
            _ => {}
        }
    }

    /// Returns whether it reports everything that the manifest provider reports.
    pub(super) fn is_all(self) -> bool {
        self.processes && self.threads && self.images
    }
}

/// Who reports connections and datagrams: the kernel, or Kernel-Network, whose events would count twice then.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NetworkSource {
    /// Whether the kernel does, as far as its events were seen, before the import or in it.
    pub(super) has_kernel: bool,
    pub(super) has_provider: bool,
}

impl NetworkSource {
    /// Notes an event of Kernel-Network; returns whether it counts.
    pub(super) fn see_provider(&mut self) -> bool {
        self.has_provider = true;
        self.uses_provider()
    }

    /// Returns whether events of Kernel-Network are used.
    pub(super) fn uses_provider(self) -> bool {
        self.has_provider && !self.has_kernel
    }
}

/// Checks that traces have one clock: the same ticks, and the same time at its zero.
///
/// # Errors
/// When they do not have one clock, so that they cannot be imported together.
pub fn check_together<S: Source>(readers: &[Reader<S>]) -> Result<(), Error> {
    let zero_ns = |reader: &Reader<S>| reader.clock().unix_ns(0);
    let Some((first, others)) = readers.split_first() else {
        return Ok(());
    };
    for other in others {
        let (a, b) = (first.session(), other.session());
        let why = if a.clock != b.clock {
            format!("clocks {:?} and {:?}", a.clock, b.clock)
        } else if first.clock().frequency() != other.clock().frequency() {
            let (a, b) = (first.clock().frequency(), other.clock().frequency());
            format!("clocks of {a} Hz and {b} Hz")
        } else if zero_ns(first).abs_diff(zero_ns(other)) > MOST_CORRECTION_NS.unsigned_abs() {
            "the machine was rebooted in between, or they are of two machines".to_owned()
        } else {
            continue;
        };
        return Err(Error::NotTogether(why));
    }
    Ok(())
}

/// What the traces hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prescan {
    pub(super) recording: Recording,
    pub(super) own_events: OwnEvents,
    /// Time between two samples at the start.
    pub(super) interval_ns: Option<i64>,
    interval_time: i64,
    has_samples: bool,
}

impl Prescan {
    fn see(&mut self, record: &Record<'_>, hook: Hook) {
        let recording = &mut self.recording;
        match hook {
            thread::SWITCH | thread::PACKED_SWITCHES => recording.switches = true,
            thread::READY_THREAD => recording.wake_ups = true,
            perf_info::SAMPLE | perf_info::SAMPLE_CACHE => self.has_samples = true,
            perf_info::SET_INTERVAL | perf_info::COLLECTION_START | perf_info::COLLECTION_END => {
                let interval = Interval::read(record.payload());
                let ns = match hook {
                    perf_info::SET_INTERVAL => interval.and_then(Interval::old_ns),
                    _ => interval.and_then(Interval::new_ns),
                };
                if ns.is_some() && record.raw_time < self.interval_time {
                    (self.interval_ns, self.interval_time) = (ns, record.raw_time);
                }
            }
            _ => self.own_events.see(hook),
        }
    }

    fn is_clear(&self) -> bool {
        let has_interval = !self.has_samples || self.interval_ns.is_some();
        let recording = &self.recording;
        let own = self.own_events;
        recording.switches && recording.wake_ups && own.is_all() && own.network && has_interval
    }
}

/// Reads the traces' events until it is clear what they hold, and which of it the kernel reports in
/// events of its own.
pub(super) fn prescan<S: Source>(sources: &[S]) -> Result<Prescan, Error> {
    let mut found = Prescan {
        recording: Recording {
            switches: false,
            wake_ups: false,
            has_all_wake_ups: true,
            whole_machine: true,
            late_user_halves: false,
            late_events: false,
            pid_is_first_tid: false,
            told_first: false,
        },
        own_events: OwnEvents::default(),
        interval_ns: None,
        interval_time: i64::MAX,
        has_samples: false,
    };
    for source in sources {
        let mut left = ENOUGH;
        Reader::new(source)?.sample_buffers(MOST_BUFFERS, &mut |record| {
            if let Some((hook, _)) = kernel::hook(record) {
                found.see(record, hook);
            }
            left -= u32::from(found.recording.switches);
            if found.is_clear() || left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        if found.is_clear() {
            break;
        }
    }
    Ok(found)
}
