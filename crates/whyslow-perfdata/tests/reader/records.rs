//! Every type of record other than samples.

use whyslow_perfdata::{Record, RecordBody};

use crate::fields::first;
use crate::synthetic::{Bytes, Event, File, SAMPLE_ID_ALL, tail};

fn check_record(big: bool, ty: u32, misc: u16, content: Bytes, check: impl FnOnce(&Record<'_>)) {
    let mut file = File::new(big);
    let record = tail(content, 500, 8, 3).record(ty, misc);
    file.push(&record);
    first(&file, |record| {
        assert_eq!((record.time_ns, record.cpu), (Some(500), Some(3)));
        assert_eq!(
            (record.pid, record.tid, record.misc),
            (Some(8), Some(8), misc)
        );
        check(record);
    });
}

#[test]
fn mappings() {
    for big in [false, true] {
        let start = || {
            Bytes::new(big)
                .i32(7)
                .i32(8)
                .words(&[0x1000, 0x2000, 0x3000])
        };
        let inode = start()
            .u32(8)
            .u32(1)
            .words(&[1234, 5])
            .u32(5)
            .u32(2)
            .name("/lib/a b.so");
        check_record(big, 10, 2, inode, |record| {
            let RecordBody::Mmap(mmap) = record.body else {
                panic!("{record:?}")
            };
            assert_eq!((mmap.pid, mmap.tid), (7, 8));
            assert_eq!(
                (mmap.address, mmap.length, mmap.file_offset),
                (0x1000, 0x2000, 0x3000)
            );
            assert!(mmap.executable && !mmap.kernel && mmap.build_id.is_empty());
            let inode = mmap.inode.unwrap();
            assert_eq!(
                (inode.major, inode.minor, inode.number, inode.generation),
                (8, 1, 1234, 5)
            );
            assert_eq!((mmap.protection, mmap.flags), (Some(5), Some(2)));
            assert_eq!(mmap.path, b"/lib/a b.so");
        });
        let with_id = start()
            .u8(16)
            .zeros(3)
            .raw(&[9; 20])
            .u32(1)
            .u32(2)
            .name("/lib/c.so");
        check_record(big, 10, 1 << 14 | 2, with_id, |record| {
            let RecordBody::Mmap(mmap) = record.body else {
                panic!("{record:?}")
            };
            assert_eq!(mmap.build_id, [9; 16]);
            assert!(mmap.inode.is_none() && !mmap.executable);
        });
        check_record(big, 1, 1 << 13 | 1, start().name("[kernel]"), |record| {
            let RecordBody::Mmap(mmap) = record.body else {
                panic!("{record:?}")
            };
            assert!(mmap.kernel && !mmap.executable && mmap.protection.is_none());
            assert_eq!(mmap.path, b"[kernel]");
        });
    }
}

/// The kernel leaves the bit for build ids set if another recorder, not this one, requested them.
#[test]
fn build_ids_that_are_none() {
    for (big, asked) in [(false, false), (true, false), (false, true)] {
        let start = || {
            Bytes::new(big)
                .i32(7)
                .i32(8)
                .words(&[0x1000, 0x2000, 0x3000])
        };
        let major = if big { 8 << 24 } else { 8 };
        let record = start()
            .u32(major)
            .u32(1)
            .words(&[1234, 5])
            .u32(5)
            .u32(2)
            .name("/lib/a.so");
        let mut file = File::new(big);
        let record = tail(record, 500, 8, 3).record(10, 1 << 14 | 2);
        file.push(&record);
        if asked {
            file.events[0].flags.push(34);
        }
        first(&file, |record| {
            let RecordBody::Mmap(mmap) = record.body else {
                panic!("{record:?}")
            };
            assert_eq!(mmap.build_id.len(), if asked { 8 } else { 0 });
            assert_eq!(
                mmap.inode.map(|inode| inode.number),
                (!asked).then_some(1234)
            );
            assert_eq!(
                (mmap.protection, mmap.path),
                (Some(5), b"/lib/a.so".as_slice())
            );
        });
    }
}

/// Records that perf synthesizes have no id; they belong to the event that tracks mappings.
#[test]
fn made_up_mappings_of_a_tracking_event() {
    let mut file = File::new(false);
    let tracker = Event {
        flags: vec![SAMPLE_ID_ALL, 34],
        ids: vec![2],
        ..file.events[0].clone()
    };
    file.events.push(tracker);
    let record = file.bytes().i32(7).i32(8).words(&[0x1000, 0x2000, 0]);
    let record = record
        .u8(8)
        .zeros(3)
        .raw(&[9; 20])
        .u32(5)
        .u32(2)
        .name("/lib/b.so");
    let record = record.words(&[0, 0, 0, 0]).record(10, 1 << 14 | 2);
    file.push(&record);
    first(&file, |record| {
        let RecordBody::Mmap(mmap) = record.body else {
            panic!("{record:?}")
        };
        assert_eq!(
            (mmap.build_id, record.event.map(|event| event.0)),
            ([9; 8].as_slice(), Some(1))
        );
    });
}

#[test]
fn threads() {
    for big in [false, true] {
        let bytes = || Bytes::new(big);
        check_record(
            big,
            3,
            1 << 13,
            bytes().i32(7).i32(8).name("new name"),
            |record| {
                let RecordBody::Comm {
                    pid: 7,
                    tid: 8,
                    exec: true,
                    name,
                } = record.body
                else {
                    panic!("{record:?}")
                };
                assert_eq!(name, b"new name");
            },
        );
        let task = || bytes().i32(7).i32(1).i32(8).i32(2).u64(499);
        check_record(big, 7, 0, task(), |record| {
            let RecordBody::Fork(task) = record.body else {
                panic!("{record:?}")
            };
            assert_eq!((task.pid, task.parent_pid), (7, 1));
            assert_eq!((task.tid, task.parent_tid, task.time_ns), (8, 2, 499));
        });
        check_record(big, 4, 0, task(), |record| {
            assert!(matches!(record.body, RecordBody::Exit(task) if task.tid == 8));
        });
        check_record(big, 14, 1 << 13 | 1 << 14, bytes(), |record| {
            assert!(matches!(
                record.body,
                RecordBody::Switch {
                    out: true,
                    other: None
                }
            ));
            assert!(record.is_preemption());
        });
        check_record(big, 15, 0, bytes().i32(5).i32(6), |record| {
            let other = Some((5, 6));
            assert!(
                matches!(record.body, RecordBody::Switch { out: false, other: o } if o == other)
            );
            assert!(!record.is_preemption());
        });
        check_record(
            big,
            16,
            0,
            bytes().i32(7).i32(8).words(&[2, 3, 40, 3, 41]),
            |record| {
                let RecordBody::Namespaces {
                    pid: 7,
                    tid: 8,
                    links,
                } = record.body
                else {
                    panic!("{record:?}")
                };
                assert_eq!(links.iter().collect::<Vec<_>>(), [3, 40, 3, 41]);
            },
        );
    }
}

#[test]
fn losses_and_rates() {
    for big in [false, true] {
        let bytes = || Bytes::new(big);
        check_record(big, 2, 0, bytes().words(&[1, 44]), |record| {
            assert!(matches!(record.body, RecordBody::Lost { id: 1, count: 44 }));
        });
        check_record(big, 13, 0, bytes().u64(45), |record| {
            assert!(matches!(record.body, RecordBody::LostSamples { count: 45 }));
        });
        check_record(big, 5, 0, bytes().words(&[500, 1, 2]), |record| {
            assert!(matches!(
                record.body,
                RecordBody::Throttle {
                    id: 1,
                    stream_id: 2
                }
            ));
        });
        check_record(big, 6, 0, bytes().words(&[500, 1, 2]), |record| {
            assert!(matches!(
                record.body,
                RecordBody::Unthrottle {
                    id: 1,
                    stream_id: 2
                }
            ));
        });
        check_record(big, 8, 0, bytes().i32(7).i32(8).u64(600), |record| {
            let RecordBody::Read {
                pid: 7,
                tid: 8,
                counters,
            } = record.body
            else {
                panic!("{record:?}")
            };
            assert_eq!(
                counters
                    .iter()
                    .map(|counter| counter.value)
                    .collect::<Vec<_>>(),
                [600]
            );
        });
        check_record(big, 11, 0, bytes().words(&[64, 128, 1]), |record| {
            let expected = matches!(
                record.body,
                RecordBody::Aux {
                    offset: 64,
                    size_bytes: 128,
                    flags: 1
                }
            );
            assert!(expected);
        });
    }
}

#[test]
fn code_of_the_kernel() {
    for big in [false, true] {
        let bytes = || Bytes::new(big);
        let symbol = bytes().u64(0xffff).u32(64).u16(1).u16(1).name("bpf_prog_1");
        check_record(big, 17, 0, symbol, |record| {
            let RecordBody::Ksymbol {
                address: 0xffff,
                length: 64,
                removed: true,
                name,
            } = record.body
            else {
                panic!("{record:?}")
            };
            assert_eq!(name, b"bpf_prog_1");
        });
        let program = bytes().u16(1).u16(0).u32(12).raw(b"tagtagta");
        check_record(big, 18, 0, program, |record| {
            let RecordBody::BpfEvent {
                kind: 1,
                id: 12,
                tag,
            } = record.body
            else {
                panic!("{record:?}")
            };
            assert_eq!(tag, b"tagtagta");
        });
        check_record(big, 19, 0, bytes().u64(5).name("/user.slice"), |record| {
            let RecordBody::Cgroup { id: 5, path } = record.body else {
                panic!("{record:?}")
            };
            assert_eq!(path, b"/user.slice");
        });
        let poke = bytes()
            .u64(0xffff)
            .u16(2)
            .u16(3)
            .raw(b"\x66\x90abc")
            .zeros(7);
        check_record(big, 20, 0, poke, |record| {
            let RecordBody::TextPoke {
                address: 0xffff,
                old,
                new,
            } = record.body
            else {
                panic!("{record:?}")
            };
            assert_eq!((old, new), (b"\x66\x90".as_slice(), b"abc".as_slice()));
        });
        check_record(big, 22, 0, bytes().words(&[9, 2, 0x11, 0x22]), |record| {
            let RecordBody::CallchainDeferred {
                cookie: 9,
                callchain,
            } = record.body
            else {
                panic!("{record:?}")
            };
            assert_eq!(callchain.iter().collect::<Vec<_>>(), [0x11, 0x22]);
        });
    }
}

/// Records that perf synthesizes at the start have no time; a time of 0 is not a time.
#[test]
fn a_time_of_zero_is_none() {
    let mut file = File::new(false);
    let record = tail(file.bytes().i32(7).i32(7).name("x"), 0, 7, 0).record(3, 0);
    file.push(&record);
    first(&file, |record| {
        assert_eq!((record.time_ns, record.tid), (None, Some(7)));
    });
}
