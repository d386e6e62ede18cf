//! The owner of each event, process and thread, and the names of processes over time.
//!
//! Kernel events happen while any thread runs, and many headers do not name it. The owner is the
//! one the payload names; else the one in the header; else the thread that the last context switch
//! brought to the event's processor. Ids are reused, so lifetimes are kept with their times.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::bytes::u32_at;
use crate::guid::Guid;
use crate::kernel::hooks::{
    Hook, disk_io, file_io, image, memory, perf_info, process, stack_walk, system_config, tcp_ip,
    thread, udp_ip,
};
use crate::kernel::{self, Image, Process, Thread};
use crate::providers;
use crate::record::{Descriptor, Identity, Record};
use crate::tracelogging::What;

/// The kernel's manifest provider of processes.
const KERNEL_PROCESS: Guid = Guid::new(
    0x22fb_2cd6,
    0x0e7b,
    0x422b,
    [0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16],
);

/// Maximum number of lifetimes of processes and of threads that are kept.
const MOST_LIFETIMES: usize = 1 << 20;

/// Maximum number of an id's lifetimes known to begin later when another one is reported.
const MOST_BEHIND: usize = 1 << 10;

/// Length from which the name in a process event may be cut off.
const CUT_NAME: usize = 14;

/// Process and thread of an event; `None` if not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Owner {
    /// The process.
    pub process: Option<u32>,
    /// The thread.
    pub thread: Option<u32>,
}

/// A period during which an id had one meaning.
#[derive(Debug, Clone)]
struct Lifetime<T> {
    /// Raw time; `i64::MIN` if it began before the trace.
    start: i64,
    end: Option<i64>,
    what: T,
}

/// Processes and threads over time.
///
/// Like [`Decoder`](super::Decoder), it must see the trace twice: [`Owners::learn`] in the first
/// walk, [`Owners::of`] in the second. If a session has several files, learn the one that began
/// first before the others, and call [`Owners::begin`] for each.
#[derive(Debug, Default)]
pub struct Owners {
    processes: FxHashMap<u32, Vec<Lifetime<Arc<str>>>>,
    threads: FxHashMap<u32, Vec<Lifetime<u32>>>,
    spans: usize,
    /// The thread that each processor runs, according to context switches.
    running: FxHashMap<u16, u32>,
}

impl Owners {
    /// Learns what a record says about processes and threads.
    #[inline]
    pub fn learn(&mut self, record: &Record<'_>) {
        let Some((hook, version)) = kernel::hook(record) else {
            if let Identity::Event(event) = record.identity()
                && event.provider == KERNEL_PROCESS
            {
                self.learn_started(&event, record);
            }
            return;
        };
        let (payload, pointer) = (record.payload(), record.pointer_size());
        match hook {
            process::START
            | process::STOP
            | process::DC_START
            | process::DC_STOP
            | process::DEFUNCT => {
                if let Some(process) = Process::read(payload, version, pointer) {
                    let name = super::name_of(process.image);
                    self.take_process(process.process_id, &name, Said::of(hook), record.raw_time);
                }
            }
            thread::START | thread::STOP | thread::DC_START | thread::DC_STOP => {
                if let Some(thread) = Thread::read(payload, version, pointer) {
                    let (id, of) = (thread.thread_id, thread.process_id);
                    let lifetimes = self.threads.entry(id).or_default();
                    self.spans += take(lifetimes, of, Said::of(hook), record.raw_time, self.spans);
                }
            }
            image::DC_START | image::DC_STOP | image::LOAD => {
                let image = Image::read(payload, version, pointer);
                if let Some((image, id)) = image.and_then(|image| Some((image, image.process_id?)))
                {
                    self.take_image(id, &super::name_of(image.path), record.raw_time);
                }
            }
            _ => {}
        }
    }

    /// Learns a process that the kernel's manifest provider reports: 1 started, 15 existed already.
    fn learn_started(&mut self, event: &Descriptor, record: &Record<'_>) {
        let said = match event.id {
            1 => Said::Start,
            15 => Said::There,
            _ => return,
        };
        let Some(schema) = providers::schema(event) else {
            return;
        };
        let (mut id, mut path) = (None, None);
        for item in schema.items(record.payload(), record.pointer_size()) {
            match (item.name.0, item.what) {
                (b"ProcessID", What::Value(value)) => id = value.as_u64(),
                (b"ImageName", What::Value(value)) => path = Some(super::name_of(value)),
                _ => {}
            }
        }
        let id = id.and_then(|id| u32::try_from(id).ok());
        if let (Some(id), Some(path)) = (id, path) {
            let name = path.rsplit('\\').next().unwrap_or_default();
            self.take_process(id, name, said, record.raw_time);
        }
    }

    fn take_process(&mut self, id: u32, name: &str, said: Said, time: i64) {
        let lifetimes = self.processes.entry(id).or_default();
        // The whole name may be known from the image already.
        let known = at(lifetimes, time).filter(|known| is_same(known, name));
        let name = known.map_or_else(|| name.into(), Arc::clone);
        self.spans += take(lifetimes, name, said, time, self.spans);
    }

    /// Learns the path of an image: a process's own image gives its whole name, or the only name it
    /// has.
    fn take_image(&mut self, id: u32, path: &str, time: i64) {
        let name = path.rsplit('\\').next().unwrap_or_default();
        let lifetimes = self.processes.entry(id).or_default();
        match begun(lifetimes, time).and_then(|at| lifetimes.get_mut(at)) {
            Some(lifetime) if is_same(name, &lifetime.what) && name.len() > lifetime.what.len() => {
                lifetime.what = name.into();
            }
            None if id != 0 && name.to_ascii_lowercase().ends_with(".exe") => {
                self.spans += take(lifetimes, name.into(), Said::There, time, self.spans);
            }
            _ => {}
        }
    }

    /// Begins the second walk of a file: at first it is not known which threads its processors run.
    pub fn begin(&mut self) {
        self.running.clear();
    }

    /// Returns process and thread of a record. Records must come in order of time.
    #[inline]
    pub fn of(&mut self, record: &Record<'_>) -> Owner {
        let header = Owner {
            process: record.process_id(),
            thread: record.thread_id(),
        };
        let Some((hook, version)) = kernel::hook(record) else {
            return header;
        };
        let told = told(record, hook, version);
        if let (thread::SWITCH, Some(thread)) = (hook, told.thread) {
            self.running.insert(record.cpu, thread);
        }
        let running = || self.running.get(&record.cpu).copied();
        let thread = match (told.thread, told.process) {
            (Some(thread), _) => Some(thread),
            // The thread that wrote it may belong to another process.
            (None, Some(_)) => header.thread.filter(|_| told.process == header.process),
            (None, None) if header.process.is_some() => header.thread,
            (None, None) => header.thread.or_else(running),
        };
        let process = told.process.or_else(|| {
            let of_thread = thread.and_then(|id| self.process_of(id, record.raw_time));
            of_thread.or(header.process.filter(|_| told.thread.is_none()))
        });
        Owner { process, thread }
    }

    /// Returns the process of a thread at a raw time.
    pub fn process_of(&self, thread: u32, time: i64) -> Option<u32> {
        if thread == 0 {
            return Some(0);
        }
        self.threads
            .get(&thread)
            .and_then(|lifetimes| at(lifetimes, time))
            .copied()
    }

    /// Returns the name of a process at a raw time; `None` if it is not known.
    pub fn name_of(&self, process: u32, time: i64) -> Option<&Arc<str>> {
        static IDLE: LazyLock<Arc<str>> = LazyLock::new(|| "Idle".into());
        static SYSTEM: LazyLock<Arc<str>> = LazyLock::new(|| "System".into());
        let lifetimes = self.processes.get(&process);
        lifetimes
            .and_then(|lifetimes| at(lifetimes, time))
            .or_else(|| match process {
                0 => Some(&*IDLE),
                4 => Some(&*SYSTEM),
                _ => None,
            })
    }

    /// Returns whether there were more processes and threads than are kept.
    pub fn is_limited(&self) -> bool {
        self.spans >= MOST_LIFETIMES
    }
}

/// Returns whether `whole` is the name of a process whose event says `short`.
fn is_same(whole: &str, short: &str) -> bool {
    let start = whole.get(..short.len());
    let begins = start.is_some_and(|start| start.eq_ignore_ascii_case(short));
    begins && (whole.len() == short.len() || short.len() >= CUT_NAME)
}

/// What an event says about a process or thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Start,
    Stop,
    /// It is there at the start of the session.
    There,
    /// It is there at the end of the session.
    Listed,
    /// It is gone already.
    Defunct,
}

impl Said {
    fn of(hook: Hook) -> Self {
        match hook {
            process::START | thread::START => Self::Start,
            process::STOP | thread::STOP => Self::Stop,
            process::DC_STOP | thread::DC_STOP => Self::Listed,
            process::DEFUNCT => Self::Defunct,
            _ => Self::There,
        }
    }
}

/// Takes what an event says about a lifetime. Returns how many lifetimes were added.
fn take<T: PartialEq>(
    lifetimes: &mut Vec<Lifetime<T>>,
    what: T,
    said: Said,
    time: i64,
    all: usize,
) -> usize {
    // Files of one session are learned one after another, so the known ones may include later
    // times.
    let known = begun(lifetimes, time);
    let at = known.map_or(0, |at| at + 1);
    let is_full = all >= MOST_LIFETIMES || lifetimes.len() - at > MOST_BEHIND;
    let known = known.and_then(|at| lifetimes.get_mut(at));
    let start = match (said, &known) {
        (Said::Start, _) => time,
        (_, Some(lifetime)) => lifetime.end.map_or(time, |end| end.min(time)),
        (_, None) => i64::MIN,
    };
    let is_there = start == time;
    // A lifetime that began in an earlier file has ended if the id means something else here.
    let is_same = |lifetime: &Lifetime<T>| {
        said != Said::There || lifetime.start == i64::MIN || lifetime.what == what
    };
    match (known, said) {
        (Some(lifetime), Said::Stop | Said::Defunct) if lifetime.end.is_none() => {
            lifetime.end = Some(time);
            lifetime.what = what;
            return 0;
        }
        (Some(_), Said::Defunct) => return 0,
        (Some(lifetime), Said::There | Said::Listed) if is_there && is_same(lifetime) => {
            lifetime.what = what;
            return 0;
        }
        (Some(_), Said::Stop) if is_there => return 0,
        _ if is_full => return 0,
        _ => {}
    }
    let lifetime = Lifetime {
        start,
        end: matches!(said, Said::Stop | Said::Defunct).then_some(time),
        what,
    };
    lifetimes.insert(at, lifetime);
    1
}

/// Returns the place of the last lifetime that had begun at a time.
fn begun<T>(lifetimes: &[Lifetime<T>], time: i64) -> Option<usize> {
    lifetimes
        .partition_point(|lifetime| lifetime.start <= time)
        .checked_sub(1)
}

/// Returns what an id meant at a time: its last meaning before that time. This holds even after the
/// end of that lifetime, because the last events about something come after it ended.
fn at<T>(lifetimes: &[Lifetime<T>], time: i64) -> Option<&T> {
    lifetimes
        .get(begun(lifetimes, time)?)
        .map(|lifetime| &lifetime.what)
}

/// Returns what a payload says about its owner.
fn told(record: &Record<'_>, hook: Hook, version: u16) -> Owner {
    let payload = record.payload();
    let word = record.pointer_size().bytes();
    let id = |at: usize| u32_at(payload, at);
    let both = |at: usize| Owner {
        process: id(at),
        thread: id(at + 4),
    };
    let process = |at| Owner {
        process: id(at),
        thread: None,
    };
    let thread = |at| Owner {
        process: None,
        thread: id(at),
    };
    let told = match hook.group {
        disk_io::GROUP if version >= 3 => disk_thread_at(hook, word).map(thread),
        file_io::GROUP => file_thread_at(hook, version, word).map(thread),
        tcp_ip::GROUP | udp_ip::GROUP => (hook.opcode != tcp_ip::FAIL.opcode).then(|| process(0)),
        _ => match hook {
            memory::HARD_FAULT => Some(thread(16 + 2 * word)),
            memory::VIRTUAL_ALLOC | memory::VIRTUAL_FREE => Some(process(2 * word)),
            process::START
            | process::STOP
            | process::DC_START
            | process::DC_STOP
            | process::DEFUNCT => Some(process(word)),
            process::TERMINATE
            | process::PERF_CTR
            | process::PERF_CTR_RUNDOWN
            | system_config::SERVICES => Some(process(0)),
            thread::START
            | thread::STOP
            | thread::DC_START
            | thread::DC_STOP
            | thread::SET_NAME => Some(both(0)),
            thread::SWITCH => Some(thread(0)),
            perf_info::SAMPLE | perf_info::COUNTER_SAMPLE => Some(thread(word)),
            image::LOAD | image::UNLOAD | image::DC_START | image::DC_STOP if version >= 1 => {
                Some(process(2 * word))
            }
            stack_walk::STACK | stack_walk::KERNEL_KEY | stack_walk::USER_KEY => Some(both(8)),
            _ => None,
        },
    };
    told.unwrap_or_default()
}

/// Returns where a disk request of version 3 has its thread.
fn disk_thread_at(hook: Hook, word: usize) -> Option<usize> {
    Some(match hook {
        disk_io::READ | disk_io::WRITE | disk_io::OPTICAL_READ | disk_io::OPTICAL_WRITE => {
            32 + 2 * word
        }
        disk_io::READ_INIT | disk_io::WRITE_INIT | disk_io::FLUSH_INIT => word,
        disk_io::FLUSH_BUFFERS => 16 + word,
        _ => return None,
    })
}

/// Returns where a file operation has its thread.
fn file_thread_at(hook: Hook, version: u16, word: usize) -> Option<usize> {
    Some(match hook {
        file_io::CREATE if version < 3 => word,
        file_io::CREATE => 2 * word,
        file_io::READ | file_io::WRITE if version < 3 => 8 + word,
        file_io::READ | file_io::WRITE => 8 + 3 * word,
        file_io::DELETE_PATH | file_io::RENAME_PATH => 4 * word,
        file_io::CLEANUP
        | file_io::CLOSE
        | file_io::SET_INFO
        | file_io::DELETE
        | file_io::RENAME
        | file_io::DIR_ENUM
        | file_io::FLUSH
        | file_io::QUERY_INFO
        | file_io::FS_CONTROL
        | file_io::DIR_NOTIFY
            if version < 3 =>
        {
            word
        }
        file_io::CLEANUP
        | file_io::CLOSE
        | file_io::FLUSH
        | file_io::DIR_ENUM
        | file_io::DIR_NOTIFY => 3 * word,
        file_io::SET_INFO
        | file_io::DELETE
        | file_io::RENAME
        | file_io::QUERY_INFO
        | file_io::FS_CONTROL => 4 * word,
        _ => return None,
    })
}
