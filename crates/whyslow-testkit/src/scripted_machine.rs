//! A machine whose threads follow a script:
//!
//! ```
//! use whyslow_testkit::{Leaves, ScriptedMachine, Start, State, Waker};
//!
//! let mut machine = ScriptedMachine::new(2);
//! machine.process(100, 4, "a.exe", "a.exe -x");
//! machine.thread(100, 101, Start::Running(0));
//! machine.thread(100, 102, Start::Running(1));
//! machine.switch(10, 0, 0, Leaves::Waits(6)).stack(&[]);
//! machine.ready(30, 1, 101, Waker::Thread(102));
//! machine.switch(35, 0, 101, Leaves::Ready).stack(&[0x7ff6_0000_1000]);
//! let intervals = machine.intervals(50);
//! let wait = intervals.iter().find(|i| (i.thread, i.start) == (101, 10)).unwrap();
//! assert_eq!((wait.state, wait.end), (State::Waiting, 30));
//! assert_eq!(wait.waker, Some(Waker::Thread(102)));
//! let file = machine.trace().bytes();
//! # assert!(file.len() > 0x2000);
//! ```
//!
//! Times are ticks since the session's start. Every step writes the event that Windows would write
//! to the processor's buffer, and separately updates the states of the threads. An import must find
//! these states; they come from the script, not from the events.

use std::collections::BTreeMap;

use crate::event::{narrow, perfinfo, system};
use crate::file::{Header, T0, Trace};
use crate::packed::{Batch, Stop};
use crate::payload::{Image, Process, Ready, Switch, Thread, sample, sample_interval, stack};
use crate::states::{Interval, State, Timeline, Waker};

/// What a thread does when the session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// It runs on a processor.
    Running(u16),
    /// It is ready.
    Ready,
    /// It waits.
    Waiting,
}

/// How a thread leaves its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// It waits, for a `KWAIT_REASON`.
    Waits(u8),
    /// It could continue.
    Ready,
    /// It has ended.
    Ended,
}

/// How switches are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switching {
    /// One event each, of a version from 2 to 5.
    Single(u16),
    /// In batches, which do not say why a thread left.
    Packed,
}

/// The script so far.
#[derive(Debug, Clone)]
pub struct ScriptedMachine {
    /// What the session header says.
    pub header: Header,
    /// How switches are written from now on.
    pub switching: Switching,
    /// Whether processes, threads and images are listed at the end instead of the start.
    pub rundown_at_end: bool,
    /// The thread of each processor.
    pub(crate) running: Vec<u32>,
    batches: Vec<Batch>,
    idle: Vec<Timeline>,
    pub(crate) threads: BTreeMap<u32, (u32, Timeline)>,
    /// Hook, version, process, thread and payload of the events listed at start or end.
    rundown: Vec<(u16, u16, Vec<u8>)>,
    events: Vec<(i64, u16, Vec<u8>)>,
    batch_events: Vec<(i64, u16, Vec<u8>)>,
    last: Last,
}

/// What a stack would belong to.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    time: i64,
    cpu: u16,
    ids: (u32, u32),
    /// Whether it was a switch to this thread.
    is_switch: bool,
    /// The thread it made ready.
    woken: Option<u32>,
}

impl ScriptedMachine {
    /// Returns a machine of idle processors.
    pub fn new(cpus: u16) -> Self {
        let idle = |cpu| Timeline::new(0, 0, State::Running, Some(cpu));
        Self {
            header: Header {
                cpus: cpus.into(),
                buffer_bytes: 0x4000,
                buffers_lost: 0,
                ..Header::default()
            },
            switching: Switching::Single(4),
            rundown_at_end: false,
            running: vec![0; cpus.into()],
            batches: vec![Batch::default(); cpus.into()],
            idle: (0..cpus).map(idle).collect(),
            threads: BTreeMap::new(),
            rundown: vec![(0x0f49, 3, sample_interval(0, 10_000, 10_000, Some("Timer")))],
            events: Vec::new(),
            batch_events: Vec::new(),
            last: Last::default(),
        }
    }

    fn wide(&self) -> bool {
        self.header.wide
    }

    /// Adds a process that exists from the start.
    pub fn process(&mut self, pid: u32, parent: u32, image: &str, command_line: &str) {
        let process = Process {
            key: 0xffff_8000_0000_0000 | u64::from(pid) << 12,
            process_id: pid,
            parent_id: parent,
            session_id: 1,
            exit_status: 259,
            image,
            command_line,
            ..Process::default()
        };
        let payload = process.payload(self.wide(), 4);
        self.rundown.push((0x0303, 4, payload));
    }

    /// Adds an image that exists from the start; process 0 means the kernel.
    pub fn image(&mut self, pid: u32, base: u64, size: u64, path: &str) {
        let image = Image {
            base,
            size,
            process_id: pid,
            time_stamp: 0x5000_0000,
            path,
            ..Image::default()
        };
        let payload = image.payload(self.wide(), 3);
        self.rundown.push((0x1403, 3, payload));
    }

    fn thread_payload(&self, pid: u32, tid: u32, is_end: bool) -> Vec<u8> {
        let thread = Thread {
            process_id: pid,
            thread_id: tid,
            start_address: 0x7ff6_0000_1000,
            base_priority: 8,
            ..Thread::default()
        };
        thread.payload(self.wide(), 3, is_end)
    }

    /// Adds a thread that exists from the start.
    pub fn thread(&mut self, pid: u32, tid: u32, start: Start) {
        let (state, cpu) = match start {
            Start::Running(cpu) => {
                self.running[usize::from(cpu)] = tid;
                let idle = Timeline::new(0, 0, State::Waiting, Some(cpu));
                self.idle[usize::from(cpu)] = idle;
                (State::Running, Some(cpu))
            }
            Start::Ready => (State::Ready, None),
            Start::Waiting => (State::Waiting, None),
        };
        let timeline = Timeline::new(tid, 0, state, cpu);
        self.threads.insert(tid, (pid, timeline));
        let payload = self.thread_payload(pid, tid, false);
        self.rundown.push((0x0503, 3, payload));
    }

    /// Lets the thread of `cpu` start a thread, ready to run.
    pub fn start_thread(&mut self, time: i64, cpu: u16, pid: u32, tid: u32) {
        let timeline = Timeline::new(tid, time, State::Ready, None);
        self.threads.insert(tid, (pid, timeline));
        let payload = self.thread_payload(pid, tid, false);
        self.kernel(time, cpu, (0x0501, 3), &payload);
    }

    /// Lets `cpu` continue with a thread, or with its idle thread, 0.
    pub fn switch(&mut self, time: i64, cpu: u16, new: u32, leaves: Leaves) -> &mut Self {
        let old = std::mem::replace(&mut self.running[usize::from(cpu)], new);
        assert_ne!(old, new, "a switch to the same thread at {time}");
        if old == 0 {
            self.idle[usize::from(cpu)].go(time, State::Waiting);
        } else if leaves == Leaves::Ended {
            let pid = self.threads[&old].0;
            let payload = self.thread_payload(pid, old, true);
            self.kernel(time, cpu, (0x0502, 3), &payload);
            let (_, timeline) = self.threads.get_mut(&old).unwrap();
            timeline.close(time);
        } else {
            self.leave(time, old, leaves);
        }
        if new == 0 {
            self.idle[usize::from(cpu)].go(time, State::Running);
        } else {
            let (_, timeline) = self.threads.get_mut(&new).unwrap();
            assert_ne!(timeline.state(), State::Running, "{new} at {time}");
            timeline.go(time, State::Running).cpu = Some(cpu);
        }
        self.write_switch(time, cpu, (old, new), leaves);
        self.last = Last {
            time,
            cpu,
            ids: (self.pid(new), new),
            is_switch: true,
            woken: None,
        };
        self
    }

    fn leave(&mut self, time: i64, old: u32, leaves: Leaves) {
        let (_, timeline) = self.threads.get_mut(&old).unwrap();
        match leaves {
            Leaves::Waits(reason) => timeline.go(time, State::Waiting).reason = Some(reason),
            Leaves::Ready | Leaves::Ended => {
                timeline.go(time, State::Ready);
            }
        }
    }

    fn write_switch(&mut self, time: i64, cpu: u16, (old, new): (u32, u32), leaves: Leaves) {
        let (state, reason) = match leaves {
            _ if old == 0 => (2, 0),
            Leaves::Waits(reason) => (5, reason),
            Leaves::Ready => (1, 32),
            Leaves::Ended => (4, 22),
        };
        match self.switching {
            Switching::Single(version) => {
                let switch = Switch {
                    new_thread: new,
                    old_thread: old,
                    new_priority: if new == 0 { 0 } else { 8 },
                    old_priority: if old == 0 { 0 } else { 9 },
                    old_wait_reason: reason,
                    old_wait_mode: 1,
                    old_state: state,
                    ..Switch::default()
                };
                self.perfinfo(time, cpu, (0x0524, version), &switch.payload());
            }
            Switching::Packed => {
                let stop = Stop {
                    time: T0 + time,
                    thread: old,
                    raise: 1,
                    state_and_reason: state,
                    wait: 0,
                };
                if !self.batches[usize::from(cpu)].push(stop) {
                    self.write_batch(cpu);
                    assert!(self.batches[usize::from(cpu)].push(stop));
                }
            }
        }
    }

    fn write_batch(&mut self, cpu: u16) {
        let batch = &mut self.batches[usize::from(cpu)];
        let time = batch.first - T0;
        let payload = batch.take();
        let event = self.perfinfo_event(time, (0x0525, 2), &payload);
        self.batch_events.push((time, cpu, event));
    }

    /// Makes a waiting thread ready, on `cpu`: by the thread that runs there or by an interrupt.
    pub fn ready(&mut self, time: i64, cpu: u16, tid: u32, waker: Waker) -> &mut Self {
        let by = self.running[usize::from(cpu)];
        if let Waker::Thread(stated) = waker {
            assert_eq!(by, stated, "who runs on {cpu} at {time}");
        }
        let (_, timeline) = self.threads.get_mut(&tid).unwrap();
        assert_eq!(timeline.state(), State::Waiting, "{tid} at {time}");
        timeline.intervals.last_mut().unwrap().waker = Some(waker);
        timeline.go(time, State::Ready);
        let ready = Ready {
            thread: tid,
            adjust_reason: 1,
            adjust_increment: 0,
            flags: u8::from(waker == Waker::Interrupt),
        };
        self.perfinfo(time, cpu, (0x0532, 2), &ready.payload());
        self.last = Last {
            time,
            cpu,
            ids: (self.pid(by), by),
            is_switch: false,
            woken: Some(tid),
        };
        self
    }

    /// Takes a sample of the thread of `cpu`.
    pub fn sample(&mut self, time: i64, cpu: u16, instruction: u64) -> &mut Self {
        let tid = self.running[usize::from(cpu)];
        let payload = sample(self.wide(), instruction, tid, 1, 8 << 3);
        self.perfinfo(time, cpu, (0x0f2e, 2), &payload);
        self.last = Last {
            time,
            cpu,
            ids: (self.pid(tid), tid),
            is_switch: false,
            woken: None,
        };
        self
    }

    /// Writes a stack of the last step, innermost frame first; nothing if there are no frames.
    pub fn stack(&mut self, frames: &[u64]) -> &mut Self {
        let last = self.last;
        if frames.is_empty() {
            return self;
        }
        self.expect_stack(frames);
        let payload = stack(self.wide(), T0 + last.time, last.ids, frames);
        self.perfinfo(last.time, last.cpu, (0x1820, 2), &payload);
        self
    }

    /// Writes the halves of a stack of the last step separately: the kernel half at once, the user
    /// half when the thread returns to user mode, at `later`, perhaps on another processor.
    pub fn halves(&mut self, kernel: &[u64], user: &[u64], later: (i64, u16)) -> &mut Self {
        let last = self.last;
        self.expect_stack(&[kernel, user].concat());
        for (frames, (time, cpu)) in [(kernel, (last.time, last.cpu)), (user, later)] {
            let payload = stack(self.wide(), T0 + last.time, last.ids, frames);
            self.perfinfo(time, cpu, (0x1820, 2), &payload);
        }
        self
    }

    /// Sets the stack of the last step, which [`ScriptedMachine::perfinfo`] has written in another
    /// way.
    pub fn expect_stack(&mut self, frames: &[u64]) {
        let last = self.last;
        if let Some(woken) = last.woken {
            let (_, timeline) = self.threads.get_mut(&woken).unwrap();
            for interval in timeline.intervals.iter_mut().rev().take(2) {
                interval.waker_stack = frames.to_vec();
            }
        } else if last.is_switch && last.ids.1 != 0 {
            let (_, timeline) = self.threads.get_mut(&last.ids.1).unwrap();
            timeline
                .away()
                .for_each(|interval| interval.stack = frames.to_vec());
        }
    }

    /// Returns the process of a thread.
    fn pid(&self, tid: u32) -> u32 {
        self.threads.get(&tid).map_or(0, |(pid, _)| *pid)
    }

    /// Writes any kernel event with the ids of the thread of `cpu`; the hook comes with a version.
    pub fn kernel(&mut self, time: i64, cpu: u16, hook: (u16, u16), payload: &[u8]) {
        let tid = self.running[usize::from(cpu)];
        let ids = (self.pid(tid), tid);
        let event = system(self.wide(), hook.0, hook.1, T0 + time, ids, payload);
        self.events.push((time, cpu, event));
    }

    /// Writes any kernel event without ids; the hook comes with a version.
    pub fn perfinfo(&mut self, time: i64, cpu: u16, hook: (u16, u16), payload: &[u8]) {
        let event = self.perfinfo_event(time, hook, payload);
        self.events.push((time, cpu, event));
    }

    fn perfinfo_event(&self, time: i64, hook: (u16, u16), payload: &[u8]) -> Vec<u8> {
        let event = perfinfo(hook.0, hook.1, T0 + time, &[], payload);
        if self.wide() { event } else { narrow(event) }
    }

    /// Writes an event unchanged.
    pub fn event(&mut self, time: i64, cpu: u16, event: Vec<u8>) {
        self.events.push((time, cpu, event));
    }

    /// Returns what the threads did until `end`, by thread and time, idle threads first.
    pub fn intervals(&self, end: i64) -> Vec<Interval> {
        let threads = self.threads.values().map(|(_, timeline)| timeline);
        let all = self.idle.iter().chain(threads).cloned();
        let mut intervals = Vec::new();
        for mut timeline in all {
            timeline.close(end);
            intervals.extend(timeline.intervals);
        }
        intervals
    }

    /// Returns the trace; every buffer has its processor's events in order of time.
    pub fn trace(&mut self) -> Trace {
        for cpu in 0..self.batches.len() {
            if !self.batches[cpu].is_empty() {
                self.write_batch(u16::try_from(cpu).unwrap());
            }
        }
        let mut events = self.events.clone();
        let last = events.iter().chain(&self.batch_events).map(|event| event.0);
        let at = if self.rundown_at_end {
            last.max().unwrap_or(0)
        } else {
            0
        };
        let rundown = self.rundown.iter().map(|(hook, version, payload)| {
            let is_listed = hook & 0xff == 3;
            let hook = hook + u16::from(is_listed && self.rundown_at_end);
            let nobody = (u32::MAX, u32::MAX);
            let event = system(self.wide(), hook, *version, T0 + at, nobody, payload);
            (at, 0, event)
        });
        let place = if self.rundown_at_end { events.len() } else { 0 };
        events.splice(place..place, rundown);
        let mut trace = in_order(&self.header, events);
        let mut packed = in_order(&self.header, self.batch_events.clone());
        packed.buffers.iter_mut().for_each(|buffer| buffer.kind = 2);
        trace.buffers.append(&mut packed.buffers);
        trace.header.buffers_written = u32::try_from(trace.buffers.len() + 1).unwrap();
        trace
    }
}

fn in_order(header: &Header, mut events: Vec<(i64, u16, Vec<u8>)>) -> Trace {
    events.sort_by_key(|(time, ..)| *time);
    let events = events.into_iter().map(|(_, cpu, event)| (cpu, event));
    Trace::of(header.clone(), events)
}
