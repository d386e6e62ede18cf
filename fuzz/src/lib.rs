//! What several targets need: one event in a trace, whatever is in it shown, the law of an import.

use std::collections::HashMap;
use std::hint::black_box;

use whyslow_etl::schema::Schema;
use whyslow_etl::{PointerSize, Reader, Record};
use whyslow_import::{ImportOptions, Limits, MemorySink, Settled};
use whyslow_model::tables::{ThreadRow, ThreadStateRow};
use whyslow_model::{TableRow, ThreadId};
use whyslow_testkit::{Buffer, Trace};

/// Writes a trace of one event and looks at the event as it is read.
pub fn with_record(event: Vec<u8>, look: impl FnOnce(&Record<'_>)) {
    let mut trace = Trace::new(vec![Buffer::new(0).push(event)]);
    trace.header.buffer_bytes = 1 << 17;
    let Ok(mut reader) = Reader::new(trace.bytes()) else {
        return;
    };
    // The session header comes first.
    if let (Ok(Some(_)), Ok(Some(record))) =
        (reader.next_record().map(|_| Some(())), reader.next_record())
    {
        look(&record);
    }
}

/// Reads a payload by a description, with pointers of either width.
pub fn show(schema: &Schema, payload: &[u8]) {
    for pointer in [PointerSize::Four, PointerSize::Eight] {
        let items = schema.items(payload, pointer);
        black_box(items.map(|item| format!("{item:?}").len()).sum::<usize>());
    }
}

/// Cuts `data` at a length that its first two bytes tell.
pub fn cut(data: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = data.split_first_chunk::<2>() else {
        return (data, &[]);
    };
    rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()))
}

/// Options of an import in little memory.
pub fn options() -> ImportOptions {
    ImportOptions {
        limits: Limits::within(16 << 20),
        ..ImportOptions::default()
    }
}

/// Sees to it that the states of every thread cover its lifetime.
pub fn check(sink: MemorySink, mut settled: Settled) {
    let summary = settled.summary();
    let mut tables = sink.into_tables(&mut settled);
    tables.extend(settled.into_tables());
    let table = |name: &str| tables.iter().find(|table| table.schema.name == name);
    let states = table(ThreadStateRow::SCHEMA.name).expect("a table of states");
    let threads = table(ThreadRow::SCHEMA.name).expect("a table of threads");
    let mut ends: HashMap<ThreadId, i64> = HashMap::new();
    let threads: Vec<ThreadRow> = threads.rows().collect();
    for state in states.rows::<ThreadStateRow>() {
        let thread = &threads[state.thread.index()];
        let end = ends
            .entry(state.thread)
            .or_insert(thread.start_ns.unwrap_or(0));
        assert_eq!(state.start_ns, *end, "a gap or an overlap");
        assert!(state.duration_ns > 0);
        *end = end.saturating_add(state.duration_ns);
    }
    for thread in &threads {
        if let Some(end) = ends.get(&thread.id) {
            assert_eq!(
                *end,
                thread.end_ns.unwrap_or(summary.duration_ns),
                "the end"
            );
        }
    }
}
