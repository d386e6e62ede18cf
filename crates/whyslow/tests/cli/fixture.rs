//! A small extract, the same every time: a shell starts a worker that computes, waits for the disk
//! and for a lock, with names chosen to break tables.

use std::path::Path;

use whyslow_extract::{ExtractWriter, Options};
use whyslow_model::tables::{
    self, AddressRow, CpuSampleRow, EventCountRow, FactRow, GroupMemberRow, GroupRow, LabelRow,
    MarkRow, ModuleRow, ProcessRow, StackRow, SymbolRow, ThreadRow, ThreadStateRow, TraceRow,
};
use whyslow_model::{
    AddressId, Capabilities, Capability, LabelId, ModuleId, NULL_I64, OwnerRef, Presence,
    ProblemKind, Problems, ProcessId, RawTable, RowSink, Settle, StackEnd, StackId, StackKind,
    System, Table, TableRow, ThreadId, ThreadState, WaitReason, WakerKind,
};
use whyslow_query::rollup::RollUps;

const MS: i64 = 1_000_000;

/// Writes the extract `path`, in which everything took `factor` times as long.
pub(crate) fn write(path: &Path, factor: i64) {
    write_marked(path, factor, &[]);
}

/// Writes the same with marks: milliseconds and texts.
pub(crate) fn write_marked(path: &Path, factor: i64, marks: &[(i64, &str)]) {
    let options = Options {
        trace_id: "0123456789abcdef".to_owned(),
        ..Options::default()
    };
    let mut writer = ExtractWriter::create(path, options).expect("an extract");
    push(&mut writer, RawTable::CpuSample, samples(factor));
    push(&mut writer, RawTable::ThreadState, states(factor));
    let ids = (0..).map(LabelId);
    let rows = marks.iter().zip(ids.clone()).map(|(&(ms, _), id)| MarkRow {
        time_ns: ms * MS,
        process: None,
        thread: Some(ThreadId(0)),
        text: Some(id),
    });
    push(&mut writer, RawTable::Mark, rows.collect());
    writer.merge(&mut AsIs).expect("raw tables");
    let labels = marks.iter().zip(ids).map(|(&(_, text), id)| LabelRow {
        id,
        text: text.to_owned(),
    });
    let labels = Table::from_rows(labels.collect::<Vec<_>>());
    for table in facts(factor).into_iter().chain([labels]) {
        writer.write_table(&table).expect("a table");
    }
    let sums = RollUps::compute(&writer.view().expect("a view")).expect("sums");
    writer.write_table(&sums.methods).expect("methods");
    writer.write_table(&sums.timeline).expect("timeline");
    writer.finish().expect("a whole extract");
}

/// Writes an extract in which the worker is in a container, and everything in a service.
pub(crate) fn write_with_units(path: &Path) {
    let mut writer = ExtractWriter::create(path, Options::default()).expect("an extract");
    push(&mut writer, RawTable::CpuSample, samples(1));
    push(&mut writer, RawTable::ThreadState, states(1));
    writer.merge(&mut AsIs).expect("raw tables");
    let paths = [
        "/system.slice/web.service".to_owned(),
        format!("/system.slice/docker-{}.scope", "ab".repeat(32)),
    ];
    let groups = (0..).zip(paths).map(|(id, path)| GroupRow {
        id,
        resource: "all".to_owned(),
        name: path.clone(),
        path,
    });
    let members = [(1, 0), (2, 1)].map(|(process, process_group)| GroupMemberRow {
        process: ProcessId(process),
        from_ns: None,
        process_group,
    });
    let units = [Table::from_rows(groups), Table::from_rows(members)];
    for table in facts(1).into_iter().chain(units) {
        writer.write_table(&table).expect("a table");
    }
    writer.finish().expect("a whole extract");
}

/// Writes an extract of a recording without context switches.
pub(crate) fn write_without_switches(path: &Path) {
    let options = Options::default();
    let mut writer = ExtractWriter::create(path, options).expect("an extract");
    push(&mut writer, RawTable::CpuSample, samples(1));
    writer.merge(&mut AsIs).expect("raw tables");
    for table in facts(1) {
        if table.schema.name != tables::CAPABILITY.name {
            writer.write_table(&table).expect("a table");
        }
    }
    let mut has = Capabilities::default();
    has.set(Capability::CpuSamples);
    has.set(Capability::SampleStacks);
    writer
        .write_table(&Table::from_rows(has.rows(System::Linux)))
        .expect("capabilities");
    let sums = RollUps::compute(&writer.view().expect("a view")).expect("sums");
    writer.write_table(&sums.methods).expect("methods");
    writer.write_table(&sums.timeline).expect("timeline");
    writer.finish().expect("a whole extract");
}

/// Writes an extract in which the worker is a Windows program, nameless so far.
pub(crate) fn write_windows(path: &Path, module: ModuleRow, functions: [i64; 4]) {
    let mut writer = ExtractWriter::create(path, Options::default()).expect("an extract");
    push(&mut writer, RawTable::CpuSample, samples(1));
    push(&mut writer, RawTable::ThreadState, states(1));
    writer.merge(&mut AsIs).expect("raw tables");
    let mut rvas = functions.into_iter();
    let mut addresses = addresses();
    let mut symbols = symbols();
    for (address, symbol) in addresses.iter_mut().zip(&mut symbols) {
        if address.module == Some(ModuleId(1)) {
            address.rva = rvas.next().expect("an address");
            (symbol.function, symbol.offset) = (None, None);
            symbol.reason = Some("pdb-missing".to_owned());
        }
    }
    let mut modules = modules();
    modules[1] = ModuleRow {
        id: ModuleId(1),
        ..module
    };
    for table in facts(1) {
        let table = match table.schema.name {
            "module" => Table::from_rows(modules.clone()),
            "address" => Table::from_rows(addresses.clone()),
            "symbol" => Table::from_rows(symbols.clone()),
            _ => table,
        };
        writer.write_table(&table).expect("a table");
    }
    let sums = RollUps::compute(&writer.view().expect("a view")).expect("sums");
    writer.write_table(&sums.methods).expect("methods");
    writer.write_table(&sums.timeline).expect("timeline");
    writer.finish().expect("a whole extract");
}

/// Rows are final already.
struct AsIs;

impl Settle for AsIs {
    fn owners(&self) -> Vec<OwnerRef> {
        (0..6).map(OwnerRef).collect()
    }

    fn settle(&mut self, _table: RawTable, _owner: OwnerRef, _row: &mut [i64]) {}
}

fn push<R: TableRow>(writer: &mut ExtractWriter, table: RawTable, rows: Vec<R>) {
    let rows = Table::from_rows(rows);
    let thread = R::SCHEMA.column("thread").expect("rows of threads");
    for row in 0..rows.len() {
        let cells = rows.columns.iter();
        let cells: Vec<i64> = cells
            .map(|column| column.int(row).unwrap_or(NULL_I64))
            .collect();
        let thread = u32::try_from(cells[thread]).expect("a thread");
        writer.push(table, OwnerRef(thread), &cells).expect("a row");
    }
}

fn facts(factor: i64) -> Vec<Table> {
    let mut has = Capabilities::default();
    for &capability in Capability::ALL {
        has.set(capability);
    }
    has.note(
        Capability::ExitCodes,
        Presence::Partial,
        "the kernel forbids eBPF",
    );
    let mut problems = Problems::default();
    problems.add_many(
        ProblemKind::LostEvents,
        12,
        Some(0x1f40),
        Some(700 * MS),
        || "12 events of CPU 1".to_owned(),
    );
    problems.add(ProblemKind::NotUtf8, None, || "a process name".to_owned());
    let fact = |subject: &str, key: &str, value: &str| FactRow {
        subject: subject.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
    };
    let event = |event: &str, count, lost, bytes, used: &str| EventCountRow {
        event: event.to_owned(),
        count,
        lost,
        bytes,
        used_for: Some(used.to_owned()),
    };
    vec![
        Table::from_rows([trace(factor)]),
        Table::from_rows([fact("recorder", "recorder_cpu_ns", "12345678")]),
        Table::from_rows(has.rows(System::Linux)),
        Table::from_rows([
            event("cpu-clock", 20, 0, 4_000, "samples"),
            event("sched:sched_switch", 11, 12, 3_000, "states"),
        ]),
        Table::from_rows(tables::codes()),
        Table::from_rows(problems.rows(System::Linux, 0)),
        Table::from_rows(processes(factor)),
        Table::from_rows(threads(factor)),
        Table::from_rows(modules()),
        Table::new(&tables::MAPPING),
        Table::from_rows(addresses()),
        Table::from_rows(symbols()),
        Table::from_rows(stacks()),
    ]
}

fn trace(factor: i64) -> TraceRow {
    TraceRow {
        trace_id: "0123456789abcdef".to_owned(),
        schema_version: tables::SCHEMA_VERSION,
        tool_version: "0.0.0".to_owned(),
        source: "app.data".to_owned(),
        source_bytes: 123_456,
        host: Some("box".to_owned()),
        os: Some("Linux 6.1".to_owned()),
        arch: Some("x86_64".to_owned()),
        cpu_name: Some("Imagined CPU".to_owned()),
        cpus: Some(2),
        memory_bytes: Some(8 << 30),
        // 2026-11-21T10:15:00Z
        start_unix_ns: Some(1_795_256_100_000_000_000),
        duration_ns: 1000 * MS * factor,
        zone: Some("CET".to_owned()),
        utc_offset_s: Some(3600),
        boot_unix_ns: None,
        boot_id: None,
        clock: Some("monotonic".to_owned()),
        clock_start_ns: 0,
        sample_period_ns: Some(10 * MS),
        lost_events: 12,
        lost_buffers: None,
        recorder: Some("whyslow 0.0.0".to_owned()),
        command: Some("whyslow record".to_owned()),
        test_case: None,
        measured_ms: None,
    }
}

fn processes(factor: i64) -> Vec<ProcessRow> {
    let row = |id, os_pid, parent: Option<i32>, name: &str| ProcessRow {
        id: ProcessId(id),
        os_pid,
        parent: parent.map(ProcessId),
        os_ppid: parent.map(|parent| parent * 100),
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
    };
    let kernel = ProcessRow {
        is_kernel: 1,
        ..row(0, 0, None, "kernel")
    };
    let worker = ProcessRow {
        start_ns: Some(100 * MS * factor),
        end_ns: Some(900 * MS * factor),
        exit_code: Some(3),
        command_line: Some("worker --input 'data file' --verbose --color=\u{1b}[31mred".to_owned()),
        ..row(2, 200, Some(1), "worker")
    };
    let wide = ProcessRow {
        start_ns: Some(500 * MS * factor),
        command_line: Some("日本語 --\"quoted\",comma".to_owned()),
        ..row(3, 300, Some(2), "日本語")
    };
    vec![kernel, row(1, 100, None, "bash"), worker, wide]
}

fn threads(factor: i64) -> Vec<ThreadRow> {
    let row =
        |id, os_tid, process, start_ms: Option<i64>, end_ms: Option<i64>, name: &str| ThreadRow {
            id: ThreadId(id),
            os_tid,
            process: ProcessId(process),
            start_ns: start_ms.map(|ms| ms * MS * factor),
            end_ns: end_ms.map(|ms| ms * MS * factor),
            name: Some(name.to_owned()),
            idle_cpu: None,
        };
    let idle = |id, cpu| ThreadRow {
        idle_cpu: Some(cpu),
        ..row(id, 0, 0, None, None, "idle")
    };
    vec![
        idle(0, 0),
        idle(1, 1),
        row(2, 100, 1, None, None, "bash"),
        row(3, 200, 2, Some(100), Some(900), "worker"),
        row(4, 201, 2, Some(200), Some(900), "pool\n1"),
        row(5, 300, 3, Some(500), None, "日本語"),
    ]
}

fn modules() -> Vec<ModuleRow> {
    let row = |id, path: &str, kind: &str| ModuleRow {
        id: ModuleId(id),
        path: path.to_owned(),
        name: path.rsplit('/').next().unwrap_or(path).to_owned(),
        kind: kind.to_owned(),
        build_id: None,
        size_bytes: None,
        version: None,
        vendor: None,
        time_stamp: None,
        pdb_name: None,
        product: None,
    };
    vec![
        row(0, "[kernel.kallsyms]", "kernel"),
        row(1, "/usr/bin/worker", "elf"),
        row(2, "/usr/lib/libc.so.6", "elf"),
    ]
}

/// Functions by address: module and name.
const FUNCTIONS: [(i32, &str); 9] = [
    (1, "main"),
    (
        1,
        "std::vector<std::pair<int, std::string>>::emplace_back(int&&, char const*)",
    ),
    (1, "parse"),
    (2, "read"),
    (0, "ksys_read"),
    (0, "io_schedule"),
    (2, "pthread_mutex_lock"),
    (0, "futex_wait"),
    (1, ""),
];

fn addresses() -> Vec<AddressRow> {
    let row = |(id, (module, _)): (i32, &(i32, &str))| AddressRow {
        id: AddressId(id),
        module: Some(ModuleId(*module)),
        rva: i64::from(id) * 0x100,
    };
    (0..).zip(&FUNCTIONS).map(row).collect()
}

fn symbols() -> Vec<SymbolRow> {
    let row = |(address, (_, name)): (i32, &(i32, &str))| SymbolRow {
        address: AddressId(address),
        depth: 0,
        function: (!name.is_empty()).then(|| (*name).to_owned()),
        offset: Some(4),
        file: None,
        line: None,
        reason: name.is_empty().then(|| "no-symbols".to_owned()),
    };
    (0..).zip(&FUNCTIONS).map(row).collect()
}

/// Stacks by node: parent and address.
///
/// 0 main, 1 main>emplace_back, 2 main>parse, 3 …>read, 4 …>ksys_read, 5 …>io_schedule,
/// 6 main>pthread_mutex_lock, 7 …>futex_wait, 8 main>unresolved
const STACKS: [(Option<i32>, i32); 9] = [
    (None, 0),
    (Some(0), 1),
    (Some(0), 2),
    (Some(2), 3),
    (Some(3), 4),
    (Some(4), 5),
    (Some(0), 6),
    (Some(6), 7),
    (Some(0), 8),
];

fn stacks() -> Vec<StackRow> {
    let row = |(id, &(parent, address)): (i32, &(Option<i32>, i32))| {
        let module = FUNCTIONS[usize::try_from(address).expect("an address")].0;
        StackRow {
            id: StackId(id),
            parent: parent.map(StackId),
            address: Some(AddressId(address)),
            kind: if module == 0 {
                StackKind::Kernel
            } else {
                StackKind::User
            } as i32,
            end: parent.is_none().then_some(StackEnd::Complete as i32),
        }
    };
    (0..).zip(&STACKS).map(row).collect()
}

fn samples(factor: i64) -> Vec<CpuSampleRow> {
    let row = |ms: i64, process, thread, stack| CpuSampleRow {
        time_ns: ms * MS * factor,
        process: ProcessId(process),
        thread: ThreadId(thread),
        cpu: 0,
        stack: Some(StackId(stack)),
        weight_ns: 10 * MS * factor,
        priority: None,
    };
    let mut rows: Vec<CpuSampleRow> = (0..12)
        .map(|n| row(100 + n * 10, 2, 3, n32(n % 3)))
        .collect();
    rows.extend((0..5).map(|n| row(205 + n * 10, 2, 4, if n == 4 { 8 } else { 1 })));
    rows.extend((0..3).map(|n| row(505 + n * 10, 3, 5, 2)));
    rows
}

fn n32(n: i64) -> i32 {
    i32::try_from(n).expect("a small number")
}

/// What every thread did: milliseconds, state, stack, who woke it.
fn states(factor: i64) -> Vec<ThreadStateRow> {
    use ThreadState::{Ready, Running, Waiting};
    type Piece = (i64, ThreadState, Option<i32>, Option<i32>);
    let lives: [(i32, i32, i64, &[Piece]); 4] = [
        (
            1,
            2,
            0,
            &[
                (100, Running, None, None),
                (800, Waiting, None, Some(3)),
                (100, Running, None, None),
            ],
        ),
        (
            2,
            3,
            100,
            &[
                (120, Running, Some(5), None),
                (180, Waiting, Some(5), None),
                (20, Ready, Some(5), None),
                (80, Running, Some(7), None),
                (300, Waiting, Some(7), Some(4)),
                (100, Running, None, None),
            ],
        ),
        (
            2,
            4,
            200,
            &[
                (500, Running, Some(1), None),
                (50, Ready, Some(1), None),
                (150, Running, None, None),
            ],
        ),
        (
            3,
            5,
            500,
            &[(30, Running, Some(5), None), (470, Waiting, Some(5), None)],
        ),
    ];
    let mut rows = Vec::new();
    for (process, thread, start_ms, pieces) in lives {
        let mut at_ns = start_ms * MS * factor;
        for &(ms, state, stack, waker) in pieces {
            let duration_ns = ms * MS * factor;
            let waits = state == Waiting;
            let reasons = [WaitReason::Preempted, WaitReason::Uninterruptible];
            rows.push(ThreadStateRow {
                start_ns: at_ns,
                process: ProcessId(process),
                thread: ThreadId(thread),
                duration_ns,
                state: state as i32,
                cpu: Some(0),
                stack: stack.map(StackId),
                reason: reasons[usize::from(waits)] as i32,
                reason_raw: None,
                waker_thread: waker.map(ThreadId),
                waker_stack: None,
                waker_kind: waits.then_some(match waker {
                    Some(_) => WakerKind::Thread as i32,
                    None => WakerKind::Interrupt as i32,
                }),
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
            at_ns += duration_ns;
        }
    }
    rows
}
