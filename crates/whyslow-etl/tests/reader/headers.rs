//! Every kind of event header, and the extended data items.

use whyslow_etl::{Descriptor, Extended, Guid, HeaderKind, Identity, PointerSize, Reader, Record};

use whyslow_testkit::{
    Buffer, Bytes, Manifest, T0, Trace, compact, full, instance, message, perfinfo, system,
};

const CLASS: [u8; 16] = *b"0123456789abcdef";

/// Reads the only event of a trace and passes it to `look`.
fn check(event: Vec<u8>, look: impl FnOnce(Record<'_>)) {
    let bytes = Trace::new(vec![Buffer::new(3).push(event)]).bytes();
    let mut reader = Reader::new(bytes).unwrap();
    reader.next_record().unwrap().unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!((record.cpu, record.offset), (3, 0x1000 + 72));
    look(record);
    assert!(reader.next_record().unwrap().is_none());
    assert!(reader.faults().is_empty(), "{:?}", reader.faults());
}

#[test]
fn kernel_events_with_ids() {
    let hook = Identity::Kernel {
        group: 5,
        opcode: 36,
        version: 2,
    };
    for (wide, size) in [(true, PointerSize::Eight), (false, PointerSize::Four)] {
        let event = system(wide, 0x0524, 2, T0 + 5, (10, 20), b"payload");
        check(event, |record| {
            assert_eq!(record.kind(), HeaderKind::System);
            assert_eq!(record.identity(), hook);
            assert_eq!(record.pointer_size(), size);
            assert_eq!(
                (record.process_id(), record.thread_id()),
                (Some(10), Some(20))
            );
            assert_eq!(record.processor_times(), Some((11, 12)));
            assert_eq!(
                (record.raw_time, record.payload()),
                (T0 + 5, &b"payload"[..])
            );
        });
    }
    check(compact(0x0524, T0 + 5, (10, u32::MAX), b"xy"), |record| {
        assert_eq!(
            (record.kind(), record.identity()),
            (HeaderKind::Compact, hook)
        );
        assert_eq!((record.process_id(), record.thread_id()), (Some(10), None));
        assert_eq!(
            (record.processor_times(), record.payload()),
            (None, &b"xy"[..])
        );
    });
}

#[test]
fn kernel_events_with_counters() {
    let hook = |version| Identity::Kernel {
        group: 15,
        opcode: 46,
        version,
    };
    check(perfinfo(0x0f2e, 2, T0, &[], b"sample"), |record| {
        assert_eq!(
            (record.kind(), record.identity()),
            (HeaderKind::PerfInfo, hook(2))
        );
        assert_eq!((record.thread_id(), record.counters()), (None, None));
        assert_eq!(record.payload(), b"sample");
    });
    // Two counters after an index of precise sampling.
    let event = perfinfo(0x0f2e, 0x8203, T0, &[1, 500, 600], b"sample");
    check(event, |record| {
        assert_eq!(record.identity(), hook(3));
        let counters: Vec<_> = record.counters().unwrap().iter().collect();
        assert_eq!(
            (counters, record.payload()),
            (vec![500, 600], &b"sample"[..])
        );
    });
}

#[test]
fn classic_events() {
    let identity = |opcode| Identity::Classic {
        class: Guid(CLASS),
        opcode,
        version: 2,
        level: 4,
    };
    check(full(T0, CLASS, (36, 2), b"pay"), |record| {
        assert_eq!(
            (record.kind(), record.identity()),
            (HeaderKind::Full, identity(36))
        );
        assert_eq!(
            (record.process_id(), record.thread_id()),
            (Some(60), Some(70))
        );
        assert_eq!(record.processor_times(), Some((5, 6)));
        assert_eq!(record.payload(), b"pay");
    });
    check(instance(T0, CLASS, b"pay"), |record| {
        assert_eq!(
            (record.kind(), record.identity()),
            (HeaderKind::Instance, identity(1))
        );
        assert_eq!(record.instance(), Some((33, 44)));
        assert_eq!(record.payload(), b"pay");
    });
}

#[test]
fn messages_and_placeholders() {
    check(message(T0 + 9, CLASS, b"args"), |record| {
        let identity = Identity::Message {
            source: Guid(CLASS),
            number: 99,
        };
        assert_eq!(
            (record.kind(), record.identity()),
            (HeaderKind::Message, identity)
        );
        assert_eq!(
            (record.process_id(), record.thread_id()),
            (Some(32), Some(31))
        );
        assert_eq!((record.raw_time, record.payload()), (T0 + 9, &b"args"[..]));
    });
    // Without a time of its own, it has the time at which its buffer begins.
    let error = Bytes::default().u16(8).u8(13).u8(0xc0).u32(0).0;
    let first = system(true, 0x0301, 3, T0 + 7, (1, 2), b"");
    let bytes = Trace::new(vec![Buffer::new(0).push(first).push(error)]).bytes();
    let mut reader = Reader::new(bytes).unwrap();
    reader.next_record().unwrap();
    reader.next_record().unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(
        (record.identity(), record.raw_time),
        (Identity::Error, T0 + 7)
    );
}

#[test]
fn events_of_manifests() {
    let manifest = Manifest {
        wide: false,
        provider: CLASS,
        id: 42,
        ids: (60, 70),
        items: &[],
        payload: b"data",
    };
    check(manifest.at(T0), |record| {
        let descriptor = Descriptor {
            provider: Guid(CLASS),
            id: 42,
            version: 3,
            channel: 11,
            level: 5,
            opcode: 9,
            task: 77,
            keyword: 0x8000_0000_0000_0010,
        };
        assert_eq!(record.identity(), Identity::Event(descriptor));
        assert_eq!(record.pointer_size(), PointerSize::Four);
        assert_eq!(
            (record.process_id(), record.thread_id()),
            (Some(60), Some(70))
        );
        assert_eq!(record.activity(), Some(Guid([7; 16])));
        assert_eq!(
            (record.extended().count(), record.payload()),
            (0, &b"data"[..])
        );
    });
}

#[test]
fn extended_items() {
    let guid = Guid(CLASS);
    let stack = Bytes::default()
        .u64(5)
        .u64(0xffff_8000_0000_1000)
        .u64(0x1234);
    let narrow = Bytes::default().u64(0).u32(0x8000_1000).u32(0x1234).u32(1);
    let items = [
        (1, CLASS.to_vec()),
        (3, vec![2, 0, 0, 0]),
        (6, stack.0),
        (5, narrow.0),
        (10, 9_u64.to_le_bytes().to_vec()),
        (11, b"schema".to_vec()),
        (12, b"traits!".to_vec()),
        (8, vec![1; 16]),
        (13, 77_u64.to_le_bytes().to_vec()),
        (99, vec![1, 2, 3]),
        (2, vec![]),
        (1, vec![5; 3]),
        (18, Bytes::default().u64(3).u32(0xfeed).0),
    ];
    let manifest = Manifest {
        wide: true,
        provider: CLASS,
        id: 1,
        ids: (1, 2),
        items: &items,
        payload: b"behind",
    };
    check(manifest.at(T0), |record| {
        assert_eq!(record.payload(), b"behind");
        let all: Vec<_> = record.extended().collect();
        assert_eq!(all.len(), items.len());
        assert_eq!(all[0], Extended::RelatedActivity(guid));
        assert_eq!(all[1], Extended::Session(2));
        let Extended::Stack {
            match_id: 5,
            frames,
        } = all[2]
        else {
            panic!("{:?}", all[2]);
        };
        assert_eq!(
            frames.iter().collect::<Vec<_>>(),
            [0xffff_8000_0000_1000, 0x1234]
        );
        let Extended::Stack {
            match_id: 0,
            frames,
        } = all[3]
        else {
            panic!("{:?}", all[3]);
        };
        assert_eq!(
            (frames.len(), frames.get(0), frames.get(3)),
            (3, Some(0x8000_1000), None)
        );
        assert_eq!(all[4], Extended::EventKey(9));
        assert_eq!(
            (all[5], all[6]),
            (Extended::Schema(b"schema"), Extended::Traits(b"traits!"))
        );
        assert!(matches!(all[7], Extended::Counters(counters) if counters.len() == 2));
        assert_eq!(all[8], Extended::ProcessStartKey(77));
        let data = &[1, 2, 3][..];
        assert_eq!(all[9], Extended::Unknown { kind: 99, data });
        assert_eq!(all[10], Extended::Sid(&[]));
        // Too short for its type.
        let data = &[5, 5, 5][..];
        assert_eq!(all[11], Extended::Unknown { kind: 1, data });
        let Extended::StackKey {
            match_id: 3,
            key: 0xfeed,
            ..
        } = all[12]
        else {
            panic!("{:?}", all[12]);
        };
    });
}
