//! `limits`.

use whyslow_model::Table;
use whyslow_model::tables::{GroupReadingRow, GroupRow};

use super::*;
use crate::selection::ColumnChoice;

/// A machine on which nothing was held up.
fn healthy() -> MemoryTrace {
    let mut trace = scene().trace("t");
    let machine = GroupRow {
        id: 0,
        resource: "all".to_owned(),
        path: "/".to_owned(),
        name: "machine".to_owned(),
    };
    let reading = |ms: i64, available: i64| GroupReadingRow {
        process_group: 0,
        time_ns: ms * MS,
        cpu_quota_ns: None,
        cpu_period_ns: None,
        periods: None,
        throttled_periods: None,
        throttled_ns: None,
        cpu_shares: None,
        memory_limit_bytes: None,
        memory_high_bytes: None,
        memory_bytes: None,
        memory_failures: None,
        memory_high_events: None,
        memory_kills: None,
        cpu_stall_ns: Some(0),
        memory_stall_ns: Some(0),
        io_stall_ns: Some(0),
        steal_ns: Some(0),
        available_bytes: Some(available),
        dirty_bytes: Some(3),
        swapped_bytes: Some(0),
    };
    trace.put(Table::from_rows([machine]));
    trace.put(Table::from_rows([reading(0, 900), reading(399, 700)]));
    trace
}

#[test]
fn the_memory_of_a_healthy_machine_is_shown_if_it_is_asked_for() {
    let rows = |columns: &str| {
        let selection = Selection {
            columns: ColumnChoice::parse(columns),
            ..Selection::default()
        };
        let table = ask("limits", &healthy(), &selection);
        let is_shown = |word: &&str| table.column(word).is_some();
        let words = ["group", "available", "dirty"];
        cells(
            &table,
            &words.into_iter().filter(is_shown).collect::<Vec<_>>(),
        )
    };
    assert_eq!(rows("group,available,dirty"), ["machine 700 3"]);
    assert_eq!(rows("+available"), ["machine 700"]);
    assert!(rows("group,memory-stall").is_empty());
    assert!(rows("+path").is_empty());
}
