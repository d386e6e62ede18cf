//! Any bytes, imported: no panic, and the states of every thread cover its lifetime exactly.
#![no_main]

use std::collections::HashMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use whyslow_import::{ImportOptions, Limits, MemorySink, import_perf};
use whyslow_model::TableRow;
use whyslow_model::tables::{ThreadRow, ThreadStateRow};
use whyslow_perfdata::Reader;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(reader) = Reader::from_seekable(Box::new(Cursor::new(data.to_vec()))) else {
        return;
    };
    let options = ImportOptions {
        limits: Limits::within(16 << 20),
        ..ImportOptions::default()
    };
    let mut sink = MemorySink::new();
    let imported = import_perf(reader, options, &mut sink, &mut |_| {
        ControlFlow::Continue(())
    });
    let Ok(mut settled) = imported else {
        return;
    };
    let summary = settled.summary();
    let mut tables = sink.into_tables(&mut settled);
    tables.extend(settled.into_tables());
    let table = |name: &str| tables.iter().find(|table| table.schema.name == name);
    let states = table(ThreadStateRow::SCHEMA.name).expect("a table of states");
    let threads = table(ThreadRow::SCHEMA.name).expect("a table of threads");
    let mut ends: HashMap<i32, i64> = HashMap::new();
    let threads: Vec<ThreadRow> = threads.rows().collect();
    for state in states.rows::<ThreadStateRow>() {
        let thread = &threads[usize::try_from(state.thread).expect("a thread's number")];
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
});
