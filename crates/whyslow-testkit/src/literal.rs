//! Traces as literals, for tests: processes, threads, named stacks, and what each thread did.
//!
//! ```text
//! trace.play(main, "R4 W10:fsync<disk r2:fsync R1");
//! //                │   │        │      └ ready 2 ms, then running 1 ms
//! //                │   │        └ woken by the thread named `disk` (`!` is an interrupt, `%disk` its
//! //                │   │          deferred work on top of that thread; `@irq` the waker's stack)
//! //                │   └ waiting 10 ms on the stack named `fsync`
//! //                └ running 4 ms
//! ```
//! Letters: `R` running, `W` waiting (`D` uninterruptible, `Z` for time, `M` for a message), `r`
//! ready, `P` ready after a preemption, `Q` ready with its CPU quota used up, `O` off-CPU, `U`
//! unknown, `S` stopped. All times are milliseconds.

use std::collections::HashMap;

use whyslow_model::tables::{
    AddressRow, CallSampleRow, CpuSampleRow, ModuleRow, ProcessRow, StackRow, SymbolRow,
    SystemCallRow, ThreadRow, ThreadStateRow, TraceRow,
};
use whyslow_model::{
    AddressId, Capabilities, Capability, MemoryTrace, ModuleId, Named, ProcessId, StackEnd,
    StackId, StackKind, System, Table, TableRow, ThreadId, ThreadState, WaitReason, WakerKind,
};

/// One millisecond.
pub const MS: i64 = 1_000_000;

/// A trace under construction.
#[derive(Debug, Default)]
pub struct Literal {
    /// Rows that a test may change.
    pub processes: Vec<ProcessRow>,
    /// Rows that a test may change.
    pub threads: Vec<ThreadRow>,
    /// What was recorded.
    pub capabilities: Capabilities,
    /// Further tables.
    pub tables: Vec<Table>,
    /// Modules of the stacks.
    pub modules: Vec<ModuleRow>,
    /// The command line of the recorder, if Whyslow recorded it.
    pub recorder_line: Option<String>,
    addresses: Vec<AddressRow>,
    symbols: Vec<SymbolRow>,
    stacks: Vec<StackRow>,
    samples: Vec<CpuSampleRow>,
    /// Rows that a test may change.
    pub states: Vec<ThreadStateRow>,
    calls: Vec<SystemCallRow>,
    call_samples: Vec<CallSampleRow>,
    duration_ms: i64,
    named_stacks: HashMap<String, StackId>,
    nodes: HashMap<(Option<StackId>, Option<AddressId>, i32), StackId>,
    functions: HashMap<String, AddressId>,
    cursor_ms: HashMap<ThreadId, i64>,
}

impl Literal {
    /// Returns an empty trace of `duration_ms` in which everything is recorded.
    pub fn new(duration_ms: i64) -> Self {
        let mut capabilities = Capabilities::default();
        for &capability in Capability::ALL {
            capabilities.set(capability);
        }
        Self {
            duration_ms,
            capabilities,
            ..Self::default()
        }
    }

    /// Adds a process and returns its id.
    pub fn process(&mut self, name: &str, os_pid: i32, parent: Option<ProcessId>) -> ProcessId {
        let id = ProcessId::from_index(self.processes.len()).expect("few");
        self.processes.push(ProcessRow {
            id,
            os_pid,
            parent,
            os_ppid: parent.map(|p| self.processes[p.index()].os_pid),
            predecessor: None,
            start_ns: None,
            end_ns: None,
            exit_code: None,
            exit_signal: None,
            name: name.to_owned(),
            path: None,
            command_line: None,
            user: None,
            session: None,
            services: None,
            is_kernel: 0,
        });
        id
    }

    /// Adds a thread and returns its id; its tid is `10 × pid + number`.
    pub fn thread(&mut self, process: ProcessId, name: &str) -> ThreadId {
        let id = ThreadId::from_index(self.threads.len()).expect("few");
        let number = self.threads.iter().filter(|t| t.process == process).count();
        let os_pid = self.processes[process.index()].os_pid;
        self.threads.push(ThreadRow {
            id,
            os_tid: os_pid * 10 + i32::try_from(number).expect("few"),
            process,
            start_ns: None,
            end_ns: None,
            name: Some(name.to_owned()),
            idle_cpu: None,
        });
        id
    }

    /// Names a stack: frames from the leaf to the root, separated by ` < `.
    ///
    /// A frame is `function` (of module `app`), `module!function`, `k:function` for the kernel,
    /// `a+b` for `a` inlined into `b`, `?module` unresolved. At the end, `~` means a user half that
    /// was not recorded, `…` a truncated stack, `.` a kernel thread; nothing means a complete
    /// stack.
    pub fn stack(&mut self, name: &str, frames: &str) -> StackId {
        let mut frames: Vec<&str> = frames.split(" < ").map(str::trim).collect();
        let end = match frames.last().copied() {
            Some("~") => StackEnd::NoUserHalf,
            Some("…") => StackEnd::Truncated,
            Some(".") => StackEnd::KernelOnly,
            _ => StackEnd::Complete,
        };
        if end != StackEnd::Complete {
            frames.pop();
        }
        let mut parent = None;
        if end == StackEnd::NoUserHalf {
            parent = Some(self.node(None, None, StackKind::User, Some(end)));
        }
        for frame in frames.iter().rev() {
            let kernel = frame.starts_with("k:");
            let kind = if kernel {
                StackKind::Kernel
            } else {
                StackKind::User
            };
            let address = self.address(frame);
            let end = parent.is_none().then_some(end);
            parent = Some(self.node(parent, Some(address), kind, end));
        }
        let stack = parent.expect("a frame");
        self.named_stacks.insert(name.to_owned(), stack);
        stack
    }

    fn node(
        &mut self,
        parent: Option<StackId>,
        address: Option<AddressId>,
        kind: StackKind,
        end: Option<StackEnd>,
    ) -> StackId {
        let key = (parent, address, end.map_or(-1, Named::code));
        let next = StackId::from_index(self.stacks.len()).expect("few");
        let id = *self.nodes.entry(key).or_insert(next);
        if id == next {
            self.stacks.push(StackRow {
                id,
                parent,
                address,
                kind: kind.code(),
                end: end.map(Named::code),
            });
        }
        id
    }

    fn address(&mut self, frame: &str) -> AddressId {
        if let Some(&address) = self.functions.get(frame) {
            return address;
        }
        let id = AddressId::from_index(self.addresses.len()).expect("few");
        let (module, text) = match frame.strip_prefix("k:") {
            Some(function) => ("[kernel]", function),
            None => frame.split_once('!').unwrap_or(("app", frame)),
        };
        let (module, text) = match text.strip_prefix('?') {
            Some(module) => (module, None),
            None => (module, Some(text)),
        };
        let known = self.modules.iter().position(|row| row.name == module);
        let module_id = known.unwrap_or(self.modules.len());
        if known.is_none() {
            self.modules.push(ModuleRow {
                id: ModuleId::from_index(module_id).expect("few"),
                path: format!("/{module}"),
                name: module.to_owned(),
                kind: kind_of(module).to_owned(),
                build_id: None,
                size_bytes: None,
                version: None,
                vendor: None,
                time_stamp: None,
                pdb_name: None,
                product: None,
            });
        }
        self.addresses.push(AddressRow {
            id,
            module: ModuleId::from_index(module_id),
            rva: i64::from(id.0) * 16,
        });
        for (depth, function) in (0..).zip(text.unwrap_or("?").split('+')) {
            self.symbols.push(SymbolRow {
                address: id,
                depth,
                function: text.map(|_| function.to_owned()),
                offset: None,
                file: None,
                line: None,
                reason: text.is_none().then(|| "no symbols".to_owned()),
            });
        }
        self.functions.insert(frame.to_owned(), id);
        id
    }

    /// Adds a sample of 1 ms at each of these times, on a named stack (empty: none).
    pub fn sample(&mut self, thread: ThreadId, at_ms: &[i64], stack: &str) {
        for &at in at_ms {
            self.samples.push(CpuSampleRow {
                time_ns: at * MS,
                process: self.threads[thread.index()].process,
                thread,
                cpu: 0,
                stack: self.named_stacks.get(stack).copied(),
                weight_ns: MS,
                priority: None,
            });
        }
    }

    /// Lets a thread do what `text` says, from the end of its last play on.
    pub fn play(&mut self, thread: ThreadId, text: &str) {
        for word in text.split_whitespace() {
            let (word, waker) = word.split_once('<').unwrap_or((word, ""));
            let (waker, waker_stack) = waker.split_once('@').unwrap_or((waker, ""));
            let (waker, soft) = match waker.strip_prefix('%') {
                Some(thread) => (thread, true),
                None => (waker, false),
            };
            let (word, stack) = word.split_once(':').unwrap_or((word, ""));
            let (letter, length) = word.split_at(1);
            let length_ms: i64 = length.parse().expect("milliseconds");
            let cursor = self.cursor_ms.entry(thread).or_insert(0);
            let start = *cursor;
            *cursor += length_ms;
            let (state, reason) = match letter {
                "R" => (ThreadState::Running, WaitReason::Unknown),
                "W" => (ThreadState::Waiting, WaitReason::Interruptible),
                "D" => (ThreadState::Waiting, WaitReason::Uninterruptible),
                "Z" => (ThreadState::Waiting, WaitReason::Sleep),
                "M" => (ThreadState::Waiting, WaitReason::Message),
                "r" => (ThreadState::Ready, WaitReason::Interruptible),
                "P" => (ThreadState::Ready, WaitReason::Preempted),
                "Q" => (ThreadState::Ready, WaitReason::Throttled),
                "O" => (ThreadState::OffCpu, WaitReason::Interruptible),
                "S" => (ThreadState::Stopped, WaitReason::Stopped),
                "U" => (ThreadState::Unknown, WaitReason::Unknown),
                other => panic!("no state {other}"),
            };
            let by_name = |row: &&ThreadRow| row.name.as_deref() == Some(waker);
            let waker_thread = self.threads.iter().find(by_name).map(|row| row.id);
            let kind = match waker {
                "" => None,
                "!" => Some(WakerKind::Interrupt.code()),
                _ if soft => Some(WakerKind::Softirq.code()),
                _ => Some(WakerKind::Thread.code()),
            };
            self.states.push(ThreadStateRow {
                start_ns: start * MS,
                process: self.threads[thread.index()].process,
                thread,
                duration_ns: length_ms * MS,
                state: state.code(),
                cpu: Some(0),
                stack: self.named_stacks.get(stack).copied(),
                reason: reason.code(),
                reason_raw: None,
                waker_thread,
                waker_stack: self.named_stacks.get(waker_stack).copied(),
                waker_kind: kind,
                priority: None,
                flags: 0,
                competing_ns: None,
                hand_over_ns: None,
                waking_ns: None,
                object: None,
                timeout_ns: None,
                cpu_ns: None,
                recorder_ns: None,
            });
        }
    }

    /// Counts system calls of a thread over the whole trace, by the numbers of call and error: how
    /// many, how many bytes, total time.
    pub fn calls(
        &mut self,
        thread: ThreadId,
        call: (i32, i32),
        count: i64,
        bytes: Option<i64>,
        time_ms: i64,
    ) {
        self.calls_from((thread, 0), call, count, bytes, time_ms);
    }

    /// The same from a time on.
    pub fn calls_from(
        &mut self,
        (thread, from_ms): (ThreadId, i64),
        (call, error): (i32, i32),
        count: i64,
        bytes: Option<i64>,
        time_ms: i64,
    ) {
        self.calls.push(SystemCallRow {
            from_ns: from_ms * MS,
            process: Some(self.threads[thread.index()].process),
            thread: Some(thread),
            duration_ns: (self.duration_ms - from_ms) * MS,
            call: Some(call),
            result: Some(error),
            count,
            bytes,
            time_ns: Some(time_ms * MS),
            longest_ns: Some(MS.min(time_ms * MS)),
            timed_count: count,
        });
    }

    /// Sets where a thread made system calls: one sample that represents `count` of them at each
    /// time.
    pub fn called_from(
        &mut self,
        thread: ThreadId,
        at_ms: &[i64],
        (call, count): (i32, i64),
        stack: &str,
    ) {
        for &at in at_ms {
            self.call_samples.push(CallSampleRow {
                time_ns: at * MS,
                process: Some(self.threads[thread.index()].process),
                thread: Some(thread),
                call,
                count,
                stack: self.named_stacks.get(stack).copied(),
            });
        }
    }

    /// Sets what all waits of a thread so far were for, by the number of an object, and their
    /// maximum duration.
    pub fn waited_for(&mut self, thread: ThreadId, object: Option<i32>, timeout_ms: Option<i64>) {
        let waiting = ThreadState::Waiting.code();
        let rows = self.states.iter_mut();
        for row in rows.filter(|row| row.thread == thread && row.state == waiting) {
            (row.object, row.timeout_ns) = (object, timeout_ms.map(|ms| ms * MS));
        }
    }

    /// Lets the next play of a thread begin at `at_ms`.
    pub fn start(&mut self, thread: ThreadId, at_ms: i64) {
        self.cursor_ms.insert(thread, at_ms);
    }

    /// Splits the ready time of each of a thread's intervals: competing, hand-over, waking.
    pub fn ready_was(&mut self, thread: ThreadId, parts_ms: [i64; 3]) {
        let [competing, hand_over, waking] = parts_ms.map(|ms| Some(ms * MS));
        let ready = ThreadState::Ready.code();
        let rows = self.states.iter_mut();
        for row in rows.filter(|row| row.thread == thread && row.state == ready) {
            (row.competing_ns, row.hand_over_ns, row.waking_ns) = (competing, hand_over, waking);
        }
    }

    /// Lets the system account this much CPU time to each time that a thread was running.
    pub fn accounted(&mut self, thread: ThreadId, cpu_ns: i64) {
        let running = ThreadState::Running.code();
        let rows = self.states.iter_mut();
        for row in rows.filter(|row| row.thread == thread && row.state == running) {
            row.cpu_ns = Some(cpu_ns);
        }
    }

    /// Gives a thread a priority, as the system counts it.
    pub fn priority(&mut self, thread: ThreadId, priority: i32) {
        for row in self.states.iter_mut().filter(|row| row.thread == thread) {
            row.priority = Some(priority);
        }
    }

    /// Gives every wait a waker: mostly some thread, which may make sense or not.
    pub fn wake_at_random(&mut self, seed: u64) {
        let threads = i32::try_from(self.threads.len()).expect("few");
        let mut number = i32::try_from(seed).expect("small");
        for state in &mut self.states {
            number = number.wrapping_mul(31).wrapping_add(17) & 0xffff;
            let waker = number % (threads + 1);
            if state.state == ThreadState::Waiting.code() && waker < threads {
                state.waker_thread = Some(ThreadId(waker));
                state.waker_kind = Some(WakerKind::Thread.code());
            }
        }
    }

    /// Returns the trace, without roll-ups.
    pub fn raw(&self, name: &str) -> MemoryTrace {
        let mut samples = self.samples.clone();
        samples.sort_by_key(|row| (row.process, row.thread, row.time_ns));
        let mut states = self.states.clone();
        states.sort_by_key(|row| (row.process, row.thread, row.start_ns));
        let trace = TraceRow {
            trace_id: "literal".to_owned(),
            schema_version: 1,
            tool_version: "0".to_owned(),
            source: name.to_owned(),
            source_bytes: 1000,
            host: Some("box".to_owned()),
            os: Some("Linux 6.18".to_owned()),
            arch: Some("x86_64".to_owned()),
            cpus: Some(2),
            memory_bytes: Some(1 << 30),
            start_unix_ns: Some(1_795_271_400_000_000_000),
            duration_ns: self.duration_ms * MS,
            utc_offset_s: Some(0),
            clock: Some("monotonic".to_owned()),
            sample_period_ns: Some(MS),
            recorder: self.recorder_line.as_ref().map(|_| "whyslow 0".to_owned()),
            command: self.recorder_line.clone(),
            ..TraceRow::unknown()
        };
        let mut tables = vec![
            Table::from_rows([trace]),
            Table::from_rows(self.capabilities.rows(System::Linux)),
            Table::from_rows(self.processes.clone()),
            Table::from_rows(self.threads.clone()),
            Table::from_rows(self.modules.clone()),
            Table::from_rows(self.addresses.clone()),
            Table::from_rows(self.symbols.clone()),
            Table::from_rows(self.stacks.clone()),
            Table::from_rows(samples),
            Table::from_rows(states),
            Table::from_rows(self.calls.clone()),
            Table::from_rows(self.call_samples.clone()),
        ];
        tables.extend(self.tables.iter().cloned());
        MemoryTrace::new(name, tables)
    }
}

/// The kind of a module: source files are recognized by their suffixes.
fn kind_of(module: &str) -> &'static str {
    match module.rsplit_once('.') {
        Some((_, "py")) => "python",
        Some((_, "java")) => "java",
        Some((_, "js")) => "javascript",
        Some((_, "rb")) => "ruby",
        Some((_, "php")) => "php",
        _ => "elf",
    }
}
