//! Whose events are: process and thread of each, and what processes are called over time.
//!
//! Kernel events happen while any thread runs, and many headers do not tell of it. Who an event is
//! about, its payload knows; else its header; else it is the thread that the last context switch
//! brought to the event's processor. Ids are used again, so lives are kept with their times.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::bytes::u32_at;
use crate::guid::Guid;
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

/// Most lives of processes and of threads that are kept.
const MOST_LIVES: usize = 1 << 20;

/// Most lives of an id that are known to have begun later when another is told of.
const MOST_BEHIND: usize = 1 << 10;

/// Length from which the name in a process event may be cut.
const CUT_NAME: usize = 14;

/// Process and thread of an event; `None` where nothing tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Owner {
    /// The process.
    pub process: Option<u32>,
    /// The thread.
    pub thread: Option<u32>,
}

/// A time during which an id meant one thing.
#[derive(Debug, Clone)]
struct Life<T> {
    /// Raw time; `i64::MIN` if it began before the trace.
    start: i64,
    end: Option<i64>,
    what: T,
}

/// Processes and threads over time.
///
/// As [`Decoder`](super::Decoder), it wants to see the trace twice: [`Owners::learn`] in the first
/// walk, [`Owners::of`] in the second. Of several files of one session, the one that began first is to
/// be learned first, and each is to be begun ([`Owners::begin`]).
#[derive(Debug, Default)]
pub struct Owners {
    processes: HashMap<u32, Vec<Life<Arc<str>>>>,
    threads: HashMap<u32, Vec<Life<u32>>>,
    lives: usize,
    /// The thread that each processor runs, as far as context switches have told.
    running: HashMap<u16, u32>,
}

impl Owners {
    /// Takes what a record says about processes and threads.
    #[inline]
    pub fn learn(&mut self, record: &Record<'_>) {
        let Some((group @ (0x03 | 0x05 | 0x14), opcode, version)) = kernel::hook(record) else {
            if let Identity::Event(event) = record.identity()
                && event.provider == KERNEL_PROCESS
            {
                self.learn_started(&event, record);
            }
            return;
        };
        let (payload, pointer) = (record.payload(), record.pointer_size());
        match (group, opcode) {
            (0x03, 1..=4 | 39) => {
                if let Some(process) = Process::read(payload, version, pointer) {
                    let name = super::name_of(process.image);
                    self.take_process(process.process_id, &name, opcode, record.raw_time);
                }
            }
            (0x05, 1..=4) => {
                if let Some(thread) = Thread::read(payload, version, pointer) {
                    let (id, of) = (thread.thread_id, thread.process_id);
                    let lives = self.threads.entry(id).or_default();
                    self.lives += take(lives, of, opcode, record.raw_time, self.lives);
                }
            }
            (0x14, 3 | 4 | 10) => {
                let image = Image::read(payload, version, pointer);
                if let Some((image, id)) = image.and_then(|image| Some((image, image.process_id?)))
                {
                    self.take_image(id, &super::name_of(image.path), record.raw_time);
                }
            }
            _ => {}
        }
    }

    /// Takes a process that the kernel's manifest provider tells of: 1 started, 15 there already.
    fn learn_started(&mut self, event: &Descriptor, record: &Record<'_>) {
        let opcode = match event.id {
            1 => 1,
            15 => 3,
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
            self.take_process(id, name, opcode, record.raw_time);
        }
    }

    fn take_process(&mut self, id: u32, name: &str, opcode: u8, time: i64) {
        let lives = self.processes.entry(id).or_default();
        // The whole name may be known from the image already.
        let known = at(lives, time).filter(|known| is_same(known, name));
        let name = known.map_or_else(|| name.into(), Arc::clone);
        self.lives += take(lives, name, opcode, time, self.lives);
    }

    /// Takes the path of an image: the process's own tells its whole name, or its only one.
    fn take_image(&mut self, id: u32, path: &str, time: i64) {
        let name = path.rsplit('\\').next().unwrap_or_default();
        let lives = self.processes.entry(id).or_default();
        match begun(lives, time).and_then(|at| lives.get_mut(at)) {
            Some(life) if is_same(name, &life.what) && name.len() > life.what.len() => {
                life.what = name.into();
            }
            None if id != 0 && name.to_ascii_lowercase().ends_with(".exe") => {
                self.lives += take(lives, name.into(), 3, time, self.lives);
            }
            _ => {}
        }
    }

    /// Begins the second walk of a file: what its processors run is not known yet.
    pub fn begin(&mut self) {
        self.running.clear();
    }

    /// Returns process and thread of a record. Records are to come in order of time.
    #[inline]
    pub fn of(&mut self, record: &Record<'_>) -> Owner {
        let header = Owner {
            process: record.process_id(),
            thread: record.thread_id(),
        };
        let Some((group, opcode, version)) = kernel::hook(record) else {
            return header;
        };
        let told = told(record, (group, opcode, version));
        if let (0x05, 36, Some(thread)) = (group, opcode, told.thread) {
            self.running.insert(record.cpu, thread);
        }
        let running = || self.running.get(&record.cpu).copied();
        let thread = match (told.thread, told.process) {
            (Some(thread), _) => Some(thread),
            // The thread that wrote it may be of another process.
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
            .and_then(|lives| at(lives, time))
            .copied()
    }

    /// Returns the name of a process at a raw time; `None` where nothing tells.
    pub fn name_of(&self, process: u32, time: i64) -> Option<&Arc<str>> {
        static IDLE: LazyLock<Arc<str>> = LazyLock::new(|| "Idle".into());
        static SYSTEM: LazyLock<Arc<str>> = LazyLock::new(|| "System".into());
        let lives = self.processes.get(&process);
        lives
            .and_then(|lives| at(lives, time))
            .or_else(|| match process {
                0 => Some(&*IDLE),
                4 => Some(&*SYSTEM),
                _ => None,
            })
    }

    /// Returns whether there were more processes and threads than are kept.
    pub fn is_limited(&self) -> bool {
        self.lives >= MOST_LIVES
    }
}

/// Returns whether `whole` is the name of a process whose event says `short`.
fn is_same(whole: &str, short: &str) -> bool {
    let start = whole.get(..short.len());
    let begins = start.is_some_and(|start| start.eq_ignore_ascii_case(short));
    begins && (whole.len() == short.len() || short.len() >= CUT_NAME)
}

/// Takes an event about a life: 1 start, 2 end, 3 and 4 there at the start and end of the session, 39
/// gone already. Returns how many lives were added.
fn take<T: PartialEq>(
    lives: &mut Vec<Life<T>>,
    what: T,
    opcode: u8,
    time: i64,
    all: usize,
) -> usize {
    const START: u8 = 1;
    const STOP: u8 = 2;
    const THERE: u8 = 3;
    const LISTED: u8 = 4;
    const DEFUNCT: u8 = 39;
    // Files of one session are learned one after the other, so what is told may not be the latest.
    let known = begun(lives, time);
    let at = known.map_or(0, |at| at + 1);
    let is_full = all >= MOST_LIVES || lives.len() - at > MOST_BEHIND;
    let known = known.and_then(|at| lives.get_mut(at));
    let start = match (opcode, &known) {
        (START, _) => time,
        (_, Some(life)) => life.end.map_or(time, |end| end.min(time)),
        (_, None) => i64::MIN,
    };
    let is_there = start == time;
    // One that began in an earlier file is gone where another is there.
    let is_same = |life: &Life<T>| opcode != THERE || life.start == i64::MIN || life.what == what;
    match (known, opcode) {
        (Some(life), STOP | DEFUNCT) if life.end.is_none() => {
            life.end = Some(time);
            life.what = what;
            return 0;
        }
        (Some(_), DEFUNCT) => return 0,
        (Some(life), THERE | LISTED) if is_there && is_same(life) => {
            life.what = what;
            return 0;
        }
        (Some(_), STOP) if is_there => return 0,
        _ if is_full => return 0,
        _ => {}
    }
    let life = Life {
        start,
        end: matches!(opcode, STOP | DEFUNCT).then_some(time),
        what,
    };
    lives.insert(at, life);
    1
}

/// Returns the place of the last life that had begun at a time.
fn begun<T>(lives: &[Life<T>], time: i64) -> Option<usize> {
    lives
        .partition_point(|life| life.start <= time)
        .checked_sub(1)
}

/// Returns what an id meant at a time: what it meant last before, also after that life's end, as the
/// last events about something come after it.
fn at<T>(lives: &[Life<T>], time: i64) -> Option<&T> {
    lives.get(begun(lives, time)?).map(|life| &life.what)
}

/// Returns what a payload tells of its owner.
fn told(record: &Record<'_>, (group, opcode, version): (u8, u8, u16)) -> Owner {
    let payload = record.payload();
    let word = record.pointer_size().bytes();
    let id = |at: usize| u32_at(payload, at);
    let process = |at| Owner {
        process: id(at),
        thread: None,
    };
    let thread = |at| Owner {
        process: None,
        thread: id(at),
    };
    match (group, opcode) {
        (0x01, 10 | 11 | 55 | 56) if version >= 3 => thread(32 + 2 * word),
        (0x01, 12 | 13 | 15) if version >= 3 => thread(word),
        (0x01, 14) if version >= 3 => thread(16 + word),
        (0x02, 32) => thread(16 + 2 * word),
        (0x02, 98 | 99) => process(2 * word),
        (0x03, 1..=4 | 39) => process(word),
        (0x03, 11 | 32 | 33) | (0x0b, 15) => process(0),
        (0x04, 64) if version < 3 => thread(word),
        (0x04, 64) => thread(2 * word),
        (0x04, 65 | 66 | 73) if version >= 3 => thread(3 * word),
        (0x04, 65 | 66 | 69..=75 | 77) if version < 3 => thread(word),
        (0x04, 67 | 68) if version < 3 => thread(8 + word),
        (0x04, 67 | 68) => thread(8 + 3 * word),
        (0x04, 69..=71 | 74 | 75 | 79 | 80) => thread(4 * word),
        (0x04, 72 | 77) => thread(3 * word),
        (0x05, 1..=4 | 72) => Owner {
            process: id(0),
            thread: id(4),
        },
        (0x05, 36) => thread(0),
        (0x06 | 0x08, 10..=16 | 18..=22 | 26..=34) => process(0),
        (0x0f, 46 | 47) => thread(word),
        (0x14, 2..=4 | 10) if version >= 1 => process(2 * word),
        (0x18, 32 | 37 | 38) => Owner {
            process: id(8),
            thread: id(12),
        },
        _ => Owner::default(),
    }
}
