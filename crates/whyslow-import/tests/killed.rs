//! What a recorder that was killed leaves behind: no facts at the end of the file, so no time from
//! which everything was on.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::io::Cursor;
use std::ops::ControlFlow;

use support::outcome;
use whyslow_import::{ImportOptions, MemorySink, import_perf};
use whyslow_perfdata::Reader;
use whyslow_perfdata::abi::{misc, record};
use whyslow_perfdata::whyslow_events::{EVENT_THREAD, FEATURE_INFO};
use whyslow_perfdata::writer::{
    AttrFlag, EventAttr, EventDescription, Features, FileWriter, RecordBuffer, SampleIdentity,
};

/// Returns the states in a recording of two threads; `info` holds the facts at its end.
fn states(info: Option<&str>) -> String {
    let attr = EventAttr {
        event_type: 1,
        config: 9,
        sample_type: RecordBuffer::RAW_SAMPLE,
        ..EventAttr::default()
    };
    let attr = attr
        .with(AttrFlag::SampleIdAll)
        .with(AttrFlag::ContextSwitch);
    let events = [EventDescription {
        attr,
        name: EVENT_THREAD.to_owned(),
        ids: vec![7],
    }];
    let mut out = RecordBuffer::new();
    let identity = SampleIdentity {
        pid: 11,
        tid: 11,
        time_ns: 1_000,
        cpu: 0,
        id: 7,
    };
    out.comm(11, 11, b"busy", &identity);
    for (time_ns, leaves, comes) in [(5_000, 11, 12), (7_000, 12, 11_u32)] {
        out.record(record::SWITCH_CPU_WIDE, misc::SWITCH_OUT, |out| {
            for id in [comes, comes, leaves, leaves] {
                out.u32(id);
            }
            out.u64(time_ns);
            out.u64(0);
            out.u64(7);
        });
    }
    out.finished_round();
    let mut bytes = Cursor::new(Vec::new());
    let mut features = Features::new();
    features.events(&events);
    let mut writer = FileWriter::create(&mut bytes, &events, &features).unwrap();
    writer.write(out.as_bytes()).unwrap();
    if let Some(info) = info {
        features.bytes(FEATURE_INFO, info.as_bytes().to_vec());
    }
    writer.finish(&features).unwrap();
    let reader = Reader::from_seekable(Box::new(Cursor::new(bytes.into_inner()))).unwrap();
    let mut sink = MemorySink::new();
    let mut progress = |_| ControlFlow::Continue(());
    let settled = import_perf(reader, ImportOptions::default(), &mut sink, &mut progress).unwrap();
    outcome(sink, settled).states()
}

#[test]
fn nothing_is_claimed_of_the_time_before_the_first_switch() {
    let of_11 = |states: String| states.lines().next().map(ToOwned::to_owned);
    assert_eq!(
        of_11(states(Some("start_ns 1000\nend_ns 8000\n"))).as_deref(),
        Some("11: 0-4000 running < | 4000-6000 off-CPU | 6000-7000 running >")
    );
    assert_eq!(
        of_11(states(None)).as_deref(),
        Some("11: 0-4000 unknown < | 4000-6000 off-CPU")
    );
}
