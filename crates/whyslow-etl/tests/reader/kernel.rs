//! Payloads of kernel events: scheduling from a trace, and arbitrary bytes.

use std::hint::black_box;

use whyslow_etl::decode::Decoder;
use whyslow_etl::kernel::hooks::{Hook, stack_walk, thread};
use whyslow_etl::kernel::{
    self, Image, Process, Ready, Sample, StackDefinition, StackFrames, StackOf, Switch,
    SwitchBatch, Thread, WAIT_REASONS,
};
use whyslow_etl::tracelogging::What;
use whyslow_etl::{PointerSize, Reader, Value};

use whyslow_testkit::{Buffer, Bytes, Random, T0, Trace, full, perfinfo, system};

const WIDTHS: [PointerSize; 2] = [PointerSize::Four, PointerSize::Eight];

/// Reads a payload with every decoder.
fn touch(payload: &[u8]) {
    for pointer in WIDTHS {
        for version in 0..6 {
            black_box(Process::read(payload, version, pointer).map(|p| format!("{p:?}")));
            black_box(Thread::read(payload, version, pointer).map(|t| format!("{t:?}")));
            black_box(Image::read(payload, version, pointer).map(|i| format!("{i:?}")));
        }
        black_box(StackDefinition::read(payload, pointer).map(|s| s.frames.iter().count()));
        black_box((
            Sample::read(payload, pointer),
            StackOf::read(payload, stack_walk::STACK, pointer),
        ));
        black_box((
            StackOf::read(payload, stack_walk::KERNEL_KEY, pointer),
            StackOf::read(payload, stack_walk::USER_KEY, pointer),
        ));
    }
    black_box((Switch::read(payload), Ready::read(payload)));
    black_box(SwitchBatch::read(payload).map(Iterator::count));
    for pointer in WIDTHS {
        black_box(Sample::read_cache(payload, pointer).count());
    }
}

/// Whatever the bytes, a decoder fails only by saying that they are too short.
#[test]
fn any_bytes() {
    let mut random = Random(12);
    for length in (0..40).chain([90, 200]) {
        let mut payload: Vec<u8> = (0..length)
            .map(|_| random.number().to_le_bytes()[5])
            .collect();
        touch(&payload);
        payload.iter_mut().for_each(|byte| *byte &= 1);
        touch(&payload);
        for hook in 0..u16::from(u8::MAX) {
            let [low, _] = (hook * 3).to_le_bytes();
            for group in [0, 1, 2, 3, 4, 5, 6, 8, 9, 11, 15, 17, 20, 24, 26] {
                let Some(event) = kernel::event(Hook { group, opcode: low }, hook % 6) else {
                    continue;
                };
                for pointer in WIDTHS {
                    let fields = event.fields(&payload, pointer);
                    black_box(fields.map(|(name, value)| format!("{name}{value}")).count());
                }
            }
        }
    }
}

/// A thread waits, is made ready and runs again.
#[test]
fn scheduling() {
    let switch = |new: u32, old: u32, state: u8, reason: u8| {
        let out = Bytes::default().u32(new).u32(old).u8(8).u8(9).u8(1).u8(0);
        out.u8(reason).u8(1).u8(state).u8(3).u32(7).u32(0).0
    };
    let ready = Bytes::default().u32(70).u8(1).u8(2).u8(1).u8(0).0;
    let buffer = Buffer::new(2)
        .push(perfinfo(0x0524, 2, T0 + 10, &[], &switch(0, 70, 5, 6)))
        .push(perfinfo(0x0532, 2, T0 + 50, &[], &ready))
        .push(perfinfo(0x0524, 2, T0 + 60, &[], &switch(70, 0, 2, 0)));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    let mut told = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        let time = record.raw_time - T0;
        match kernel::hook(&record) {
            Some((thread::SWITCH, 2)) => {
                let switch = Switch::read(record.payload()).unwrap();
                assert!(switch.old_waits_in_user_mode && switch.new_wait_ticks == 7);
                assert_eq!((switch.new_priority, switch.old_priority), (8, 9));
                let reason = WAIT_REASONS[usize::from(switch.old_wait_reason)];
                let (old, new) = (switch.old_thread_id, switch.new_thread_id);
                told.push(format!(
                    "{time}: {old} to {new}, state {}, {reason}",
                    switch.old_state
                ));
            }
            Some((thread::READY_THREAD, 2)) => {
                let ready = Ready::read(record.payload()).unwrap();
                assert!(ready.in_dpc && ready.adjust_increment == 2);
                told.push(format!("{time}: {} ready", ready.thread_id));
            }
            _ => {}
        }
    }
    let wanted = [
        "10: 70 to 0, state 5, UserRequest",
        "50: 70 ready",
        "60: 0 to 70, state 2, Executive",
    ];
    assert_eq!(told, wanted);
}

/// Switches in packed form, one packet of each kind.
#[test]
fn batched_switches() {
    let mut tables = Bytes::default().i64(T0 + 5);
    for thread in 0..16 {
        tables = tables.u32(100 + thread);
    }
    for priority in 0..16 {
        tables = tables.u8(priority);
    }
    let (idle_short, idle) = (3_u16 << 2, 70_000_u32 << 2 | 1);
    // Thread 7, 2 above its base, state and reason 37.
    let lite = 2_u32 | 7 << 2 | 2 << 6 | 37 << 9 | 90_000 << 15;
    // Thread 15, state and reason 63, priority 31, after waiting 70000 ticks.
    let full = 3_u64 | 900_000_000 << 2 | 15 << 32 | 63 << 36 | 31 << 42 | 70_000 << 47;
    let payload = tables.u16(idle_short).u32(idle).u32(lite).u64(full).0;
    let buffer = Buffer::new(2).push(perfinfo(0x0525, 2, T0 + 9, &[], &payload));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(kernel::hook(&record), Some((thread::PACKED_SWITCHES, 2)));
    let mut batch = SwitchBatch::read(record.payload()).unwrap();
    let told: Vec<_> = batch
        .by_ref()
        .map(|switch| {
            let packed = (switch.old_state_and_reason, switch.new_wait_ticks);
            let (thread, priority) = (switch.old_thread_id, switch.old_priority);
            (switch.time - T0, thread, priority, packed)
        })
        .collect();
    let wanted = [
        (8, 0, 0, (0, 0)),
        (70_008, 0, 0, (0, 0)),
        (160_008, 107, 9, (37, 0)),
        (900_160_008, 115, 31, (63, 70_000)),
    ];
    assert_eq!(told, wanted);
    assert!(batch.rest().is_empty());
    // A truncated payload ends before the incomplete packet.
    for (cut, whole) in [(1, 3), (8, 3), (9, 2), (13, 1), (17, 0), (18, 0)] {
        let mut batch = SwitchBatch::read(&payload[..payload.len() - cut]).unwrap();
        assert_eq!(batch.by_ref().count(), whole);
    }
    assert!(SwitchBatch::read(&payload[..87]).is_none());
}

/// Samples that were held back, with both pointer sizes.
#[test]
fn cached_samples() {
    let sample = |out: Bytes, thread: u32| out.u32(thread).u16(1).u8(8 << 3 | 2).u8(0);
    let wide = sample(Bytes::default().u32(2).u32(0).u64(0x1000), 5);
    let wide = sample(wide.u64(0xffff_8000_0000_1000), 6).0;
    let narrow = sample(Bytes::default().u32(9).u32(0x1000), 5).0;
    for (payload, pointer, wanted) in [
        (
            &wide[..],
            WIDTHS[1],
            &[(0x1000, 5), (0xffff_8000_0000_1000, 6)][..],
        ),
        (&wide[..wide.len() - 1], WIDTHS[1], &[(0x1000, 5)]),
        (&narrow[..], WIDTHS[0], &[(0x1000, 5)]),
    ] {
        let told: Vec<_> = Sample::read_cache(payload, pointer)
            .map(|sample| {
                assert!(sample.in_isr && !sample.in_dpc && sample.priority == 8);
                (sample.instruction, sample.thread_id)
            })
            .collect();
        assert_eq!(told, wanted);
    }
}

/// Counters are in the header of a switch, before its payload.
#[test]
fn counters_on_a_switch() {
    let switch = Bytes::default().u32(70).u32(0).zeros(16).0;
    let event = perfinfo(0x0524, 2 | 2 << 8, T0, &[1000, 2000], &switch);
    let buffer = Buffer::new(0).push(event);
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(kernel::hook(&record), Some((thread::SWITCH, 2)));
    assert_eq!(Switch::read(record.payload()).unwrap().new_thread_id, 70);
    let counters: Vec<_> = record.counters().unwrap().iter().collect();
    assert_eq!(counters, [1000, 2000]);
    let mut decoder = Decoder::default();
    let kind = decoder.kind(&record);
    let fields = decoder.fields(kind, &record);
    let last = fields.map(|field| {
        (
            field.item.name.to_string(),
            field.item.index,
            field.item.what,
        )
    });
    let last: Vec<_> = last.skip_while(|(name, ..)| name != "Counters").collect();
    let name = || "Counters".to_owned();
    let value = |value| What::Value(Value::Unsigned(value));
    assert_eq!(
        last,
        [
            (name(), None, What::Array(2)),
            (name(), Some(0), value(1000)),
            (name(), Some(1), value(2000)),
        ]
    );
}

/// Image events have two groups and, re-logged, a class.
#[test]
fn images_by_any_name() {
    let image = Bytes::default()
        .u64(0x7ff0_0000)
        .u64(0x5000)
        .u32(42)
        .u32(1)
        .u32(2)
        .u32(0);
    let image = image.u64(0x1000_0000).zeros(16).utf16("\\Windows\\a.dll").0;
    let class = [
        0x1d, 0x5d, 0xb1, 0x2c, 0xc1, 0x5f, 0xd2, 0x11, 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5,
        0x18,
    ];
    let buffer = Buffer::new(0)
        .push(system(true, 0x030a, 2, T0 + 1, (4, 8), &image))
        .push(system(true, 0x140a, 2, T0 + 2, (4, 8), &image))
        .push(full(T0 + 3, class, (10, 2), &image));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    let mut seen = 0;
    while let Some(record) = reader.next_record().unwrap() {
        let (hook, version) = kernel::hook(&record).unwrap();
        assert_eq!((hook.group, hook.opcode, version), (0x14, 10, 2));
        let event = kernel::event(hook, version).unwrap();
        assert_eq!((event.class, event.name), ("Image", "Load"));
        let image = Image::read(record.payload(), version, record.pointer_size()).unwrap();
        assert_eq!(
            (image.base, image.size, image.process_id),
            (0x7ff0_0000, 0x5000, Some(42))
        );
        assert_eq!(image.path.to_string(), "\\Windows\\a.dll");
        seen += 1;
    }
    assert_eq!(seen, 3);
}

/// A process with either pointer size, with a user, without one, and with a token that was wiped.
#[test]
fn processes_and_their_users() {
    let sid = [1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 32, 2, 0, 0];
    for (pointer, wide) in [(PointerSize::Four, 4), (PointerSize::Eight, 8)] {
        let token = |first: u8| {
            let mut token = vec![0; 2 * wide];
            token[0] = first;
            [&token[..], &sid].concat()
        };
        for (user, shown) in [
            (token(9), &sid[..]),
            (token(0), &sid[..]),
            (vec![0; 4], &[][..]),
        ] {
            let payload = Bytes::default().zeros(wide).u32(11).u32(12).u32(1).u32(259);
            let payload = payload.zeros(wide).u32(2).bytes(&user).bytes(b"a.exe\0");
            let payload = payload.utf16("a.exe -x").utf16("").utf16("App").0;
            let process = Process::read(&payload, 4, pointer).unwrap();
            assert_eq!((process.process_id, process.parent_id), (11, 12));
            assert_eq!(
                (process.sid, process.flags, process.exit_code),
                (shown, 2, 259)
            );
            assert_eq!(process.image.to_string(), "a.exe");
            assert_eq!(process.command_line.to_string(), "a.exe -x");
            assert_eq!(process.application.to_string(), "App");
            assert_eq!(process.exit_time, None);
        }
    }
}

/// Stacks given inline, by key, and the key's definition.
#[test]
fn stacks() {
    let of = Bytes::default().i64(T0).u32(10).u32(20);
    let inline = of
        .clone()
        .u64(0xffff_8000_0000_0010)
        .u64(0x7ff6_0000_0010)
        .0;
    let stack = StackOf::read(&inline, stack_walk::STACK, PointerSize::Eight).unwrap();
    assert_eq!(
        (stack.event_time, stack.process_id, stack.thread_id),
        (T0, 10, 20)
    );
    let StackFrames::Inline(frames) = stack.frames else {
        panic!("{stack:?}");
    };
    let wanted = [0xffff_8000_0000_0010, 0x7ff6_0000_0010];
    assert_eq!(frames.iter().collect::<Vec<_>>(), wanted);
    let key = of.u64(0xabcd).0;
    let keys = [stack_walk::KERNEL_KEY, stack_walk::USER_KEY].map(|hook| {
        StackOf::read(&key, hook, PointerSize::Eight)
            .unwrap()
            .frames
    });
    assert_eq!(
        keys,
        [StackFrames::KernelKey(0xabcd), StackFrames::UserKey(0xabcd)]
    );
    assert_eq!(
        StackOf::read(&key, thread::SWITCH, PointerSize::Eight),
        None
    );
    let definition = Bytes::default().u32(0xabcd).u32(0x8000_0010).u32(0x10).0;
    let definition = StackDefinition::read(&definition, PointerSize::Four).unwrap();
    assert_eq!(definition.key, 0xabcd);
    assert_eq!(
        definition.frames.iter().collect::<Vec<_>>(),
        [0x8000_0010, 0x10]
    );
}

/// The fields of a graphics card as in the documentation of `SystemConfig_Video`: texts of 256
/// characters each.
#[test]
fn a_graphics_card_has_its_fields() {
    let fixed = |out: Bytes, text: &str| {
        let text = Bytes::default().utf16(text);
        let filling = 512 - text.0.len();
        out.bytes(&text.0).zeros(filling)
    };
    let numbers = Bytes::default()
        .u32(64 << 20)
        .u32(1920)
        .u32(1080)
        .u32(32)
        .u32(60);
    let texts = [
        "chip",
        "internal",
        "A graphics card",
        "bios 7",
        "PCI\\VEN_1",
    ];
    let payload = texts.into_iter().fold(numbers, fixed).u32(5);
    let hook = Hook {
        group: 0x0b,
        opcode: 14,
    };
    let event = kernel::event(hook, 2).unwrap();
    assert_eq!((event.class, event.name), ("SystemConfig", "Video"));
    let fields = event.fields(&payload.0, PointerSize::Eight);
    let texts: Vec<_> = fields
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(
        texts.join(" "),
        "MemorySize=67108864 XResolution=1920 YResolution=1080 BitsPerPixel=32 VRefresh=60 \
         ChipType=chip DACType=internal AdapterString=A graphics card BiosString=bios 7 \
         DeviceId=PCI\\VEN_1 StateFlags=5"
    );
}
