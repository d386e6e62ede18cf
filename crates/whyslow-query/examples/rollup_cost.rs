//! Measures what it costs to compute the roll-ups and ask the main questions, on a synthetic trace
//! of 600,000 raw rows: `cargo run --release -p whyslow-query --example rollup_cost`.
//!
//! 40 programs with 1 to 16 threads; 20,000 distinct stacks about 25 frames deep that share their
//! kernel and outer halves, as in recordings of a busy machine.
#![expect(clippy::print_stdout, reason = "it is a program that reports figures")]

use std::time::Instant;

use whyslow_model::tables::{
    AddressRow, CpuSampleRow, ModuleRow, ProcessRow, StackRow, SymbolRow, ThreadRow,
    ThreadStateRow, TraceRow,
};
use whyslow_model::{
    AddressId, Capabilities, Capability, MemoryTrace, ModuleId, ProcessId, StackId, System, Table,
    ThreadId,
};
use whyslow_query::{FunctionPattern, RollUps, Selection, questions};

const MS: i64 = 1_000_000;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: i32) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i32::try_from(self.0 % u64::from(n.unsigned_abs())).unwrap_or(0)
    }
}

/// Returns the tree and the stacks: 40 kernel paths below 20,000 user paths.
fn stacks(dice: &mut Dice) -> (Vec<StackRow>, Vec<StackId>) {
    let mut rows: Vec<StackRow> = Vec::new();
    let mut push = |parent: Option<StackId>, address: i32, kind: i32| {
        let id = StackId::from_index(rows.len()).unwrap_or(StackId(0));
        let end = parent.is_none().then_some(1);
        rows.push(StackRow {
            id,
            parent,
            address: Some(AddressId(address)),
            kind,
            end,
        });
        id
    };
    let mut user: Vec<StackId> = (0..40).map(|n| push(None, n, 0)).collect();
    for _ in 0..60_000 {
        let from = dice.below(i32::try_from(user.len()).unwrap_or(1));
        let parent = user[usize::try_from(from).unwrap_or(0)];
        user.push(push(Some(parent), dice.below(15_000), 0));
    }
    let mut leaves = Vec::new();
    for _ in 0..20_000 {
        let from = dice.below(i32::try_from(user.len()).unwrap_or(1));
        let mut node = user[usize::try_from(from).unwrap_or(0)];
        let path = dice.below(40);
        for depth in 0..12 {
            let step = if depth < 3 { depth } else { path * 12 + depth };
            node = push(Some(node), 15_000 + step, 1);
        }
        leaves.push(node);
    }
    (rows, leaves)
}

#[expect(clippy::too_many_lines, reason = "a long literal")]
fn trace(threads_per_process: i32) -> MemoryTrace {
    let mut dice = Dice(88_172_645_463_325_252);
    let (stack_rows, leaves) = stacks(&mut dice);
    let (mut processes, mut threads) = (Vec::new(), Vec::new());
    let (mut samples, mut states) = (Vec::new(), Vec::new());
    for process in 0..40 {
        processes.push(ProcessRow {
            id: ProcessId(process),
            os_pid: 1000 + process,
            parent: None,
            os_ppid: None,
            predecessor: None,
            start_ns: None,
            end_ns: None,
            exit_code: None,
            exit_signal: None,
            name: format!("program{process}"),
            path: None,
            command_line: None,
            user: None,
            session: None,
            services: None,
            is_kernel: 0,
        });
        let count = if process % 2 == 0 {
            1
        } else {
            threads_per_process
        };
        for _ in 0..count {
            let thread = i32::try_from(threads.len()).unwrap_or(0);
            threads.push(ThreadRow {
                id: ThreadId(thread),
                os_tid: 5000 + thread,
                process: ProcessId(process),
                start_ns: None,
                end_ns: None,
                name: None,
                idle_cpu: None,
            });
            let own: Vec<StackId> = (0..40)
                .map(|_| leaves[usize::try_from(dice.below(20_000)).unwrap_or(0)])
                .collect();
            let pick = |dice: &mut Dice| own[usize::try_from(dice.below(40)).unwrap_or(0)];
            let mut now = 0;
            for _ in 0..170_000 / (20 + 20 * threads_per_process) {
                for (state, length) in [(1, 40_000), (3, 400_000), (2, 20_000)] {
                    let duration_ns = i64::from(dice.below(length)) + 1;
                    let stack = (state != 1).then(|| pick(&mut dice));
                    states.push(ThreadStateRow {
                        start_ns: now,
                        process: ProcessId(process),
                        thread: ThreadId(thread),
                        duration_ns,
                        state,
                        cpu: Some(0),
                        stack,
                        reason: 1,
                        reason_raw: None,
                        waker_thread: Some(ThreadId(0)),
                        waker_stack: None,
                        waker_kind: Some(1),
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
                    now += duration_ns;
                }
            }
            for n in 0..100_000 / (20 + 20 * threads_per_process) {
                samples.push(CpuSampleRow {
                    time_ns: i64::from(n) * MS / 4,
                    process: ProcessId(process),
                    thread: ThreadId(thread),
                    cpu: 0,
                    stack: Some(pick(&mut dice)),
                    weight_ns: MS,
                    priority: None,
                });
            }
        }
    }
    println!(
        "{} samples, {} intervals, {} nodes",
        samples.len(),
        states.len(),
        stack_rows.len()
    );
    let modules = (0..50).map(|id| ModuleRow {
        id: ModuleId(id),
        path: String::new(),
        name: format!("lib{id}.so"),
        kind: "elf".to_owned(),
        build_id: None,
        size_bytes: None,
        version: None,
        vendor: None,
        time_stamp: None,
        pdb_name: None,
        product: None,
    });
    let addresses = (0..16_000).map(|id| AddressRow {
        id: AddressId(id),
        module: Some(ModuleId(id % 50)),
        rva: 0,
    });
    let symbols = (0..16_000).map(|address| SymbolRow {
        address: AddressId(address),
        depth: 0,
        function: Some(format!(
            "namespace::class{}::method{}",
            address % 500,
            address / 3
        )),
        offset: None,
        file: None,
        line: None,
        reason: None,
    });
    let row = TraceRow {
        trace_id: String::new(),
        schema_version: 1,
        tool_version: String::new(),
        source: String::new(),
        source_bytes: 0,
        host: None,
        os: None,
        arch: None,
        cpu_name: None,
        cpus: Some(2),
        memory_bytes: None,
        start_unix_ns: None,
        duration_ns: 40_000 * MS,
        zone: None,
        utc_offset_s: None,
        boot_unix_ns: None,
        boot_id: None,
        clock: None,
        clock_start_ns: 0,
        sample_period_ns: None,
        lost_events: 0,
        lost_buffers: None,
        recorder: None,
        command: None,
        test_case: None,
        measured_ms: None,
    };
    let mut capabilities = Capabilities::default();
    Capability::ALL
        .iter()
        .for_each(|&capability| capabilities.set(capability));
    MemoryTrace::new(
        "made-up",
        vec![
            Table::from_rows([row]),
            Table::from_rows(capabilities.rows(System::Linux)),
            Table::from_rows(processes),
            Table::from_rows(threads),
            Table::from_rows(modules),
            Table::from_rows(addresses),
            Table::from_rows(symbols),
            Table::from_rows(stack_rows),
            Table::from_rows(samples),
            Table::from_rows(states),
        ],
    )
}

/// Returns the CPU time of this process so far, in milliseconds.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    10.0 * ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
}

fn measure(what: &str, mut work: impl FnMut()) {
    const TIMES: u32 = 20;
    let (start, before) = (Instant::now(), cpu_ms());
    (0..TIMES).for_each(|_| work());
    let wall = start.elapsed().as_secs_f64() * 1e3 / f64::from(TIMES);
    let cpu = (cpu_ms() - before) / f64::from(TIMES);
    println!("{what:40} {cpu:8.1} ms CPU {wall:8.1} ms wall");
}

fn main() {
    for threads in [1, 4, 16] {
        let mut trace = trace(threads);
        measure(&format!("roll-ups, {threads} threads per process"), || {
            let _ = RollUps::compute(&trace);
        });
        if let Ok(rollups) = RollUps::compute(&trace) {
            println!("{} rows of method", rollups.methods.len());
            trace.put(rollups.methods);
            trace.put(rollups.timeline);
        }
        let top = Selection {
            top: Some(20),
            functions: Some(FunctionPattern::parse("*")),
            ..Selection::default()
        };
        let Some(cpu) = questions::find("cpu") else {
            return;
        };
        measure("functions, top 20", || {
            let _ = cpu.answer(&[&trace], &top);
        });
        let many = vec![&trace as whyslow_query::View<'_>; 200];
        measure("functions of 200 traces, top 20", || {
            let _ = cpu.answer(&many, &top);
        });
    }
}
