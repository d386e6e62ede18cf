//! The reader: returns a trace's events in order of time.
//!
//! The events of one buffer are in order; those of different buffers overlap, because every
//! processor has its own. So each buffer is a sorted run, opened when the time of its first event
//! has come, and the open runs are merged:
//!
//! ```text
//! cpu 0  |1  4  7 |9 12 |        open at 5: first of cpu 0, first of cpu 1
//! cpu 1     |2  5  10   |        delivered: 1 2 4 5 7 8 9 10 12
//! cpu 2               |8     |
//! ```
//!
//! The result is exact for any order of the file (wrapped, merged, relogged), with as many windows
//! in memory as buffers overlap. Events of equal time are ordered by processor, then by place.
//!
//! *Folklore:* the events of a buffer are in order: among the 850,271 of 42 real traces there is no
//! exception. One that is out of order, because of damage, is delivered at its place in the buffer,
//! late, and flagged as such ([`Record::late`], [`FaultKind::Late`]). Sorting every buffer for its
//! sake would mean reading all events of a buffer before the first is delivered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::ahead::Ahead;
use crate::buffer::{BufferHeader, HEADER_BYTES, KIND_HEADER};
use crate::bytes::size;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind};
use crate::fault::{FaultKind, Faults};
use crate::foreign;
use crate::head::{Head, HeaderKind};
use crate::index::{self, Index};
use crate::kernel::{self, hooks::event_trace};
use crate::record::Record;
use crate::run::Run;
use crate::session::{LogMode, Session};
use crate::source::Source;

/// Maximum number of open buffers: one for each processor a machine can have.
const MOST_OPEN: usize = 2048;

/// Maximum number of open buffers that are decompressed as a whole.
const MOST_WHOLE: usize = 64;

/// Bytes at the start of a file that hold the session header, including its names.
const START_BYTES: usize = 4096;

/// Order of an event among others: time, processor, buffer.
type Key = (i64, u16, usize);

/// A reader of one trace file.
#[derive(Debug)]
pub struct Reader<S> {
    source: S,
    session: Session,
    clock: Clock,
    /// Longest plausible time between two events, in ticks: an hour.
    jump: i64,
    faults: Faults,
    index: Index,
    next_slot: usize,
    /// Open runs by place, and free places.
    runs: Vec<Run>,
    free: Vec<usize>,
    waiting: BinaryHeap<Reverse<(Key, usize)>>,
    current: Option<Current>,
    ahead: Option<Ahead>,
    /// Time of the newest event delivered.
    delivered: i64,
}

/// The run that has the next event.
#[derive(Debug, Clone, Copy)]
struct Current {
    place: usize,
    cpu: u16,
    slot: usize,
    /// Whether its event has been returned.
    is_lent: bool,
    /// Key of the next event of all other runs, opened or not.
    limit: Key,
}

impl<S: Source> Reader<S> {
    /// Takes a trace and reads the headers of its buffers.
    ///
    /// # Errors
    /// When the source cannot be read, is empty or not a trace, or its session header is
    /// inconsistent.
    pub fn new(source: S) -> Result<Self, Box<Error>> {
        let mut start = vec![0; START_BYTES];
        let read = source.read_at(0, &mut start);
        start.truncate(read.map_err(|cause| Error::io(0, cause))?);
        let (session, first_time) = read_session(&start, source.size())?;
        let mut faults = Faults::default();
        let (clock, is_good) =
            Clock::new(session.ticks_per_second(), first_time, session.start_time);
        if !is_good {
            let detail = || format!("{:?} at {} Hz", session.clock, session.frequency);
            faults.add(FaultKind::BadClock, 0, detail);
        }
        if session.end_time.is_none() {
            let detail = || "the session header has no end time".to_owned();
            faults.add(FaultKind::NotClosed, 0, detail);
        }
        let index = index::scan(&source, &session, &mut faults)?;
        Ok(Self {
            source,
            session,
            clock,
            jump: clock.frequency().saturating_mul(3600),
            faults,
            index,
            next_slot: 0,
            runs: Vec::new(),
            free: Vec::new(),
            waiting: BinaryHeap::new(),
            current: None,
            ahead: None,
            delivered: i64::MIN,
        })
    }

    /// Decompresses buffers before their turn, in another thread, if the trace is compressed and
    /// its source can be shared. Must be called before the first event; events and faults stay the
    /// same.
    pub fn decompress_ahead(&mut self) {
        if self.next_slot == 0
            && self.session.mode.has(LogMode::COMPRESSED)
            && let Some(source) = self.source.share()
        {
            self.ahead = Ahead::start(source, Arc::clone(&self.index.slots));
        }
    }

    /// Returns what the session header says.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the clock of the time stamps.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the damage met so far.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Returns how many buffers the file has.
    pub fn buffers(&self) -> u64 {
        self.index.buffers
    }

    /// Returns the share of the trace that has been read, from 0 to 1.
    pub fn progress(&self) -> f64 {
        let all = self.index.slots.len().max(1);
        // Numbers of buffers are far below 2⁵³.
        self.next_slot as f64 / all as f64
    }

    /// Returns whether the file is circular and its oldest events were overwritten.
    pub fn is_wrapped(&self) -> bool {
        let written = u64::from(self.session.buffers_written);
        self.session.mode.has(LogMode::CIRCULAR) && written > self.index.buffers
    }

    /// Returns the raw time stamp of the event that [`Reader::next_record`] will return; for
    /// merging several files of one machine.
    ///
    /// # Errors
    /// As [`Reader::next_record`].
    pub fn next_time(&mut self) -> Result<Option<i64>, Box<Error>> {
        let current = self.prepare()?;
        Ok(current.and_then(|current| Some(self.runs.get(current.place)?.time)))
    }

    /// Passes the events of at most `most` buffers, spread evenly over the trace, to `look`, until
    /// it breaks off. This is for questions that need neither every event nor their order, and
    /// costs a small fraction of a full walk. Damage is not counted. It does not affect
    /// [`Reader::next_record`].
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn sample_buffers(
        &self,
        most: usize,
        look: &mut dyn FnMut(&Record<'_>) -> ControlFlow<()>,
    ) -> Result<(), Box<Error>> {
        let mut run = Run::new(self.jump);
        let mut faults = Faults::default();
        let step = self.index.slots.len().div_ceil(most.max(1)).max(1);
        for &slot in self.index.slots.iter().step_by(step) {
            let mut more = run.open(&self.source, slot, None, &mut faults)?;
            while more {
                if look(&run.record().0).is_break() {
                    return Ok(());
                }
                more = run.advance(&self.source, &mut faults)?;
            }
        }
        Ok(())
    }

    /// Returns the next event in order of time, or `None` at the end.
    ///
    /// # Errors
    /// When the source cannot be read. Damage is not an error; it is counted, see
    /// [`Reader::faults`].
    #[inline]
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, Box<Error>> {
        let Some(current) = self.prepare()? else {
            return Ok(None);
        };
        self.current = Some(Current {
            is_lent: true,
            ..current
        });
        let Some(run) = self.runs.get(current.place) else {
            return Ok(None);
        };
        let (mut record, is_sound) = run.record();
        if !is_sound {
            self.faults.add(FaultKind::BadExtended, record.offset, || {
                format!("of an event of {} bytes", record.bytes().len())
            });
        }
        record.late = record.raw_time < self.delivered;
        if record.late {
            let behind = self.delivered.saturating_sub(record.raw_time);
            self.faults.add(FaultKind::Late, record.offset, || {
                format!("{behind} ticks before the last event")
            });
        } else {
            self.delivered = record.raw_time;
        }
        Ok(Some(record))
    }

    /// Chooses the run with the next event.
    #[inline]
    fn prepare(&mut self) -> Result<Option<Current>, Box<Error>> {
        if let Some(current) = self.current {
            if !current.is_lent {
                return Ok(Some(current));
            }
            if let Some(run) = self.runs.get_mut(current.place) {
                let more = run.advance(&self.source, &mut self.faults)?;
                let key = (run.time, current.cpu, current.slot);
                if more && key < current.limit {
                    self.current = Some(Current {
                        is_lent: false,
                        ..current
                    });
                    return Ok(self.current);
                }
                self.current = None;
                if !more {
                    self.free.push(current.place);
                } else if let Some(next) = self.exchange((key, current.place)) {
                    return Ok(Some(self.make_current(next)));
                } else {
                    self.waiting.push(Reverse((key, current.place)));
                }
            }
        }
        self.choose()
    }

    /// Swaps the first of the waiting runs with one that is to wait, if no buffer has to be opened
    /// before; `None` if one has, or if the waiting run is not the earlier one.
    #[inline]
    fn exchange(&mut self, run: (Key, usize)) -> Option<(Key, usize)> {
        let next_slot = self.index.slots.get(self.next_slot);
        let mut first = self.waiting.peek_mut()?;
        let Reverse((key, _)) = *first;
        let is_due = next_slot.is_some_and(|slot| slot.time <= key.0);
        let is_first = key < run.0 && !is_due;
        is_first.then(|| std::mem::replace(&mut *first, Reverse(run)).0)
    }

    fn choose(&mut self) -> Result<Option<Current>, Box<Error>> {
        self.open_due()?;
        let next = self.waiting.pop();
        Ok(next.map(|Reverse(next)| self.make_current(next)))
    }

    #[inline]
    fn make_current(&mut self, ((_, cpu, slot), place): (Key, usize)) -> Current {
        let next_open = self.waiting.peek().map(|Reverse((key, _))| *key);
        let next_slot = self.index.slots.get(self.next_slot);
        // At equal times the buffer must be opened before it can be compared.
        let next_slot = next_slot.map(|slot| (slot.time, 0, 0));
        let never = (i64::MAX, u16::MAX, usize::MAX);
        let limit = next_open.unwrap_or(never).min(next_slot.unwrap_or(never));
        let current = Current {
            place,
            cpu,
            slot,
            is_lent: false,
            limit,
        };
        self.current = Some(current);
        current
    }

    /// Opens every buffer whose first event comes before those of the open ones, or at the same
    /// time.
    fn open_due(&mut self) -> Result<(), Box<Error>> {
        while let Some(slot) = self.index.slots.get(self.next_slot).copied() {
            let next = self.waiting.peek().map(|Reverse((key, _))| key.0);
            if next.is_some_and(|next| slot.time > next) {
                break;
            }
            if self.waiting.len() >= MOST_OPEN {
                self.faults.add(FaultKind::Limit, slot.offset, || {
                    format!("more than {MOST_OPEN} buffers overlap")
                });
                break;
            }
            let place = self.free.pop().unwrap_or_else(|| {
                self.runs.push(Run::new(self.jump));
                self.runs.len() - 1
            });
            if self.runs.len() > MOST_WHOLE {
                self.ahead = None;
            }
            let mut ready = self.ahead.as_ref().and_then(Ahead::next);
            let number = self.next_slot;
            self.next_slot += 1;
            if let Some(run) = self.runs.get_mut(place) {
                if run.open(&self.source, slot, ready.as_mut(), &mut self.faults)? {
                    let key = (run.time, slot.cpu, number);
                    self.waiting.push(Reverse((key, place)));
                } else {
                    self.free.push(place);
                }
            }
            if let (Some(ahead), Some(old)) = (&self.ahead, ready) {
                ahead.give_back(old);
            }
        }
        Ok(())
    }
}

/// Returns whether a file that begins with `start` is a trace; the first 4096 bytes are enough.
pub fn is_trace(start: &[u8]) -> bool {
    let size = u64::try_from(start.len()).unwrap_or(u64::MAX);
    read_session(start, size).is_ok()
}

/// Reads the session header from the start of a file; also returns its time stamp.
fn read_session(start: &[u8], file_bytes: u64) -> Result<(Session, i64), Box<Error>> {
    if file_bytes == 0 {
        return Err(Error::new(ErrorKind::Empty, 0, "the file is empty"));
    }
    let header = BufferHeader::read(start).filter(|header| header.kind == KIND_HEADER);
    let events = start.get(size(HEADER_BYTES)..).unwrap_or_default();
    let head = header.and_then(|header| Head::read(events, header.end - HEADER_BYTES));
    let Some(head) = head.filter(|head| head.kind == HeaderKind::System) else {
        return Err(foreign::describe(start));
    };
    let bad = |what| Error::new(ErrorKind::BadHeader, u64::from(HEADER_BYTES), what);
    let Some(bytes) = events.get(..size(head.size)) else {
        let what = format!(
            "expected a session header of {} bytes, the file ends",
            head.size
        );
        return Err(bad(what));
    };
    let (record, _) = Record::new(head, bytes);
    let hook = kernel::hook(&record);
    if hook.is_none_or(|(hook, _)| hook != event_trace::HEADER) {
        let what = format!("expected a session header, found {:?}", record.identity());
        return Err(bad(what));
    }
    let Some(session) = Session::read(record.payload(), record.pointer_size()) else {
        let what = format!(
            "expected a session header, found only {} bytes of it",
            record.payload().len()
        );
        return Err(bad(what));
    };
    Ok((session, record.raw_time))
}
