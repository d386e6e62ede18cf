//! Files of every kind: sessions of 32 and 64 bits, clocks, compressed, circular, unclosed.

use whyslow_etl::{ClockKind, ErrorKind, FaultKind, FileTime, LogMode, Reader};

use crate::touch::{Touched, walk, walk_both_ways, walk_reader};
use whyslow_testkit::{Buffer, Header, START_TIME, T0, Trace, system};

/// A buffer of `count` events, `step` ticks apart.
pub(crate) fn ticks(cpu: u16, first: i64, step: i64, count: i64) -> Buffer {
    (0..count).fold(Buffer::new(cpu), |buffer, number| {
        let payload = vec![u8::try_from(number % 251).unwrap(); 5 + (number % 7) as usize];
        let time = T0 + first + number * step;
        buffer.push(system(true, 0x0501, 3, time, (4, 8), &payload))
    })
}

pub(crate) fn sample() -> Trace {
    Trace::new(vec![
        ticks(0, 10, 3, 50),
        ticks(1, 5, 7, 60),
        ticks(300, 100, 1, 40),
        ticks(1, 430, 2, 70),
    ])
}

fn reader(header: Header) -> Reader<Vec<u8>> {
    let buffers = vec![ticks(0, 20, 1, 1)];
    Reader::new(Trace { header, buffers }.bytes()).unwrap()
}

#[test]
fn the_session_of_either_width() {
    for wide in [false, true] {
        let header = Header {
            wide,
            mode: 0x1_0001,
            events_lost: 41,
            ..Header::default()
        };
        let reader = reader(header);
        let session = reader.session();
        assert_eq!((session.buffer_bytes, session.cpus), (0x1000, 8));
        assert_eq!((session.os_version, session.os_build), ((10, 0), 19045));
        assert_eq!(session.end_time, Some(FileTime(START_TIME + 50_000_000)));
        assert_eq!(session.start_time, FileTime(START_TIME));
        assert_eq!(
            session.boot_time,
            Some(FileTime(START_TIME - 36_000_000_000))
        );
        assert_eq!(
            (session.timer_resolution, session.max_file_size),
            (156_250, 500)
        );
        assert_eq!((session.buffers_written, session.start_buffers), (3, 1));
        assert_eq!((session.events_lost, session.buffers_lost), (41, 2));
        assert_eq!((session.cpu_mhz, session.frequency), (3592, 10_000_000));
        assert_eq!(session.pointer_size, if wide { 8 } else { 4 });
        assert_eq!(session.clock, ClockKind::PerformanceCounter);
        assert!(session.mode.has(LogMode::RELOGGED) && !session.mode.has(LogMode::CIRCULAR));
        assert_eq!(
            (session.name.as_str(), session.file_name.as_str()),
            ("Test session", "C:\\trace.etl")
        );
        let zone = &session.time_zone;
        assert_eq!((zone.bias_minutes, zone.daylight_bias_minutes), (300, -60));
        assert_eq!(zone.standard_name, "Eastern");
        assert_eq!(zone.daylight_name, "Eastern summer");
        let (winter, summer) = (zone.standard_start, zone.daylight_start);
        assert_eq!((winter.month, winter.day, winter.hour), (11, 1, 2));
        assert_eq!((summer.month, summer.day, summer.hour), (3, 2, 2));
    }
}

/// 2020-07-29 00:00:00 UTC.
const START_UNIX_NS: i64 = 1_595_952_000_000_000_000;

#[test]
fn every_clock() {
    // Kind, stated frequency, ticks, nanoseconds.
    let cases = [
        (1, 10_000_000, 20, 2_000),
        (1, 2_337_949, 2_337_949 * 3_600 + 1, 3_600_000_000_427),
        (1, 2_337_949, -1, -428),
        (1, 1_000_000_000, 7, 7),
        (1, 3_000_000_000, 9_000_000_001, 3_000_000_000),
        (2, 2_337_949, 5, 500),
        (3, 10_000_000, 3_592_000_000 * 7 + 3592, 7_000_001_000),
        (9, 1_000_000, 4, 4_000),
    ];
    for (clock, frequency, ticks, ns) in cases {
        let reader = reader(Header {
            clock,
            frequency,
            ..Header::default()
        });
        let clock = reader.clock();
        assert_eq!(clock.ns(T0 + ticks), ns, "{clock:?}");
        assert_eq!(clock.unix_ns(T0 + ticks), START_UNIX_NS + ns);
        assert_eq!(clock.ns(clock.start()), 0);
        for extreme in [i64::MIN, i64::MAX] {
            assert_eq!(clock.ns(extreme) < 0, extreme < 0);
        }
    }
}

#[test]
fn an_unusable_clock_is_counted() {
    for frequency in [0, -1, i64::MIN] {
        let reader = reader(Header {
            frequency,
            ..Header::default()
        });
        assert!(reader.faults().get(FaultKind::BadClock).is_some());
        assert_eq!(reader.clock().ns(T0 + 1), 100);
    }
}

fn whole(bytes: &[u8]) -> Touched {
    let mut reader = Reader::new(bytes).unwrap();
    let touched = walk_reader(&mut reader).unwrap();
    assert!(reader.faults().is_empty(), "{:?}", reader.faults());
    assert_eq!(touched.records, 1 + 50 + 60 + 40 + 70);
    touched
}

#[test]
fn compressed_or_not_is_the_same() {
    assert_eq!(
        whole(&sample().bytes()),
        whole(&sample().compressed().bytes())
    );
}

/// Buffers and events larger than any window, compressed and not.
#[test]
fn large_buffers_and_events() {
    let mut random = whyslow_testkit::Random(9);
    let mut buffer = Buffer::new(2);
    for number in 0..20 {
        let mut payload = vec![7; random.below(65_000)];
        for _ in 0..payload.len() / 4 {
            let at = random.below(payload.len());
            payload[at] = random.number().to_le_bytes()[0];
        }
        buffer = buffer.push(system(true, 0x0501, 3, T0 + number, (4, 8), &payload));
    }
    let mut trace = Trace::new(vec![buffer]);
    trace.header.buffer_bytes = 4 << 20;
    let plain = walk(&trace.bytes()).unwrap();
    assert_eq!(plain.records, 21);
    assert_eq!(plain, walk_both_ways(trace.compressed().bytes()).unwrap());
}

/// The fixed first buffers stay; the others are overwritten again and again.
#[test]
fn a_wrapped_file_comes_in_order() {
    let mut trace = Trace::new(
        (0..8)
            .map(|n| ticks(n % 2, 100 * i64::from(n), 1, 20))
            .collect(),
    );
    let straight = walk(&trace.bytes()).unwrap();
    assert_eq!(straight.late, 0);
    trace.header.mode = 2;
    trace.header.buffers_written = 40;
    trace.buffers.rotate_left(3);
    let mut reader = Reader::new(trace.bytes()).unwrap();
    assert!(reader.is_wrapped());
    assert_eq!(walk_reader(&mut reader).unwrap(), straight);
    trace.header.buffers_written = 9;
    assert!(!Reader::new(trace.bytes()).unwrap().is_wrapped());
}

#[test]
fn an_unclosed_file_is_told_from_a_closed_one() {
    let mut trace = sample();
    trace.header.end_time = 0;
    let mut reader = Reader::new(trace.bytes()).unwrap();
    assert_eq!(reader.session().end_time, None);
    assert!(reader.faults().get(FaultKind::NotClosed).is_some());
    assert_eq!(walk_reader(&mut reader).unwrap().records, 221);
}

#[test]
fn reserved_space_is_no_damage_to_events() {
    for trace in [sample(), sample().compressed()] {
        let mut bytes = trace.bytes();
        let end = bytes.len() as u64;
        bytes.resize(bytes.len() + 300_000, 0);
        let mut reader = Reader::new(bytes).unwrap();
        assert_eq!(walk_reader(&mut reader).unwrap().records, 221);
        let unused = reader.faults().get(FaultKind::Unused).unwrap();
        assert_eq!((unused.count, unused.lost_bytes), (1, 300_000));
        assert_eq!(
            (unused.first_offset, reader.faults().iter().count()),
            (end, 1)
        );
    }
}

#[test]
fn losses_are_told() {
    let mut trace = sample();
    trace.buffers[1].flags = 2;
    trace.buffers[2].flags = 4;
    let reader = Reader::new(trace.bytes()).unwrap();
    let fault = reader.faults().get(FaultKind::LossFlagged).unwrap();
    assert_eq!((fault.count, fault.first_offset), (2, 0x2000));
}

#[test]
fn what_is_no_trace_is_one_clear_error() {
    let mut random = whyslow_testkit::Random(3);
    let noise: Vec<u8> = (0..9000)
        .map(|_| random.number().to_le_bytes()[3])
        .collect();
    let cut = sample().bytes()[..300].to_vec();
    let mut other_event = sample().bytes();
    other_event[72 + 6] = 1;
    let cases: [(&[u8], ErrorKind, &str); 8] = [
        (b"", ErrorKind::Empty, "the file is empty at 0x0"),
        (
            &[0; 5000],
            ErrorKind::Empty,
            "expected a trace buffer, found nothing but zeros at 0x0",
        ),
        (
            b"PERFILE2xxxx",
            ErrorKind::NotEtl,
            "expected a trace buffer, found a perf.data file at 0x0",
        ),
        (
            b"7z\xbc\xaf\x27\x1c\0\x04",
            ErrorKind::NotEtl,
            "expected a trace buffer, found a 7z archive; unpack it first at 0x0",
        ),
        (
            b"hello world",
            ErrorKind::NotEtl,
            "expected a trace buffer, found text at 0x0",
        ),
        (
            &noise,
            ErrorKind::NotEtl,
            "expected a trace buffer, found data without structure: it is probably encrypted or \
             compressed at 0x0",
        ),
        (
            &cut,
            ErrorKind::BadHeader,
            "expected a session header of 364 bytes, the file ends at 0x48",
        ),
        (
            &other_event,
            ErrorKind::BadHeader,
            "expected a session header, found Kernel { group: 0, opcode: 1, version: 2 } at 0x48",
        ),
    ];
    for (bytes, kind, text) in cases {
        let error = Reader::new(bytes).unwrap_err();
        assert_eq!((error.kind, error.to_string().as_str()), (kind, text));
        assert!(!error.advice().is_empty());
    }
}
