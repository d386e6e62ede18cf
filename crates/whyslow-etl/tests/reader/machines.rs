//! Whole traces of machines that follow a script, as the reader sees them.

use whyslow_etl::Reader;
use whyslow_etl::kernel::hooks::thread;
use whyslow_etl::kernel::{self, Switch, SwitchBatch};
use whyslow_testkit::{Random, ScriptedMachine, Switching, T0, Trace};

use crate::touch::{walk, walk_reader};

fn machine(wide: bool, switching: Switching) -> ScriptedMachine {
    let mut machine = ScriptedMachine::new(4);
    machine.header.wide = wide;
    machine.switching = switching;
    machine.wander(&mut Random(42), 12, 3000);
    machine
}

/// Every event comes, in order, whatever the form of the file.
#[test]
fn in_any_file() {
    for wide in [true, false] {
        let trace = machine(wide, Switching::Single(4)).trace();
        let whole = walk(&trace.bytes()).unwrap();
        assert!(whole.order.is_sorted_by_key(|(time, ..)| *time));
        let files = [
            trace.clone().compressed(),
            trace.clone().unclosed(),
            trace.clone().wrapped(trace.buffers.len()),
        ];
        for file in files {
            assert_eq!(walk(&file.bytes()).unwrap(), whole);
        }
        let (first, second) = trace.clone().split();
        let parts = [first.clone(), second.clone()].map(|part| walk(&part.bytes()).unwrap());
        // Each has a session header.
        assert_eq!(parts[0].records + parts[1].records, whole.records + 1);
        let merged = Trace::merged(vec![second, first]);
        assert_eq!(walk(&merged.bytes()).unwrap(), whole);
        let mut last = Reader::new(trace.wrapped(5).bytes()).unwrap();
        assert!(last.is_wrapped());
        let last = walk_reader(&mut last).unwrap();
        let tail = last.order.last_chunk::<100>().unwrap();
        assert!(last.order.is_sorted_by_key(|(time, ..)| *time));
        assert!(last.records < whole.records / 2 && whole.order.ends_with(tail));
    }
}

/// The thread that stops at each switch: time, processor, thread and priority.
fn stops(trace: &Trace) -> Vec<(i64, u16, u32, i8)> {
    let mut reader = Reader::new(trace.bytes()).unwrap();
    let mut stops = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        match kernel::hook(&record) {
            Some((thread::SWITCH, _)) => {
                let switch = Switch::read(record.payload()).unwrap();
                let (thread, priority) = (switch.old_thread_id, switch.old_priority);
                stops.push((record.raw_time - T0, record.cpu, thread, priority));
            }
            Some((thread::PACKED_SWITCHES, _)) => {
                let mut batch = SwitchBatch::read(record.payload()).unwrap();
                stops.extend(batch.by_ref().map(|stop| {
                    let (thread, priority) = (stop.old_thread_id, stop.old_priority);
                    (stop.time - T0, record.cpu, thread, priority)
                }));
                assert!(batch.rest().is_empty());
            }
            _ => {}
        }
    }
    assert!(reader.faults().is_empty(), "{:?}", reader.faults());
    stops.sort_unstable();
    stops
}

#[test]
fn packed_or_single_is_the_same() {
    for wide in [true, false] {
        let single = stops(&machine(wide, Switching::Single(3)).trace());
        let packed = stops(&machine(wide, Switching::Packed).trace());
        assert!(single.len() > 1000);
        assert_eq!(single, packed);
    }
}
