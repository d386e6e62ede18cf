//! Any payload as every kernel event, or as what a merge adds: class, opcode, version, then bytes.
#![no_main]

use std::hint::black_box;

use whyslow_etl::PointerSize;
use whyslow_etl::kernel::hooks::Hook;
use whyslow_etl::kernel::{
    self, FileName, FileRequest, FileRequestEnd, FilterCall, HardFault, Image, Process,
    ProcessCounters, Ready,
    ObjectHandle, ObjectType, RegistryCall, Sample, StackDefinition, StackOf, Switch, SwitchBatch, Tcp, Thread, VirtualMemory, working_sets,
};
use whyslow_fuzz::with_record;
use whyslow_testkit::full;

/// Classes that merges add, in the order of their bytes: images, the machine, descriptions, `WinSAT`.
const MERGED: [[u8; 16]; 4] = [
    [
        0xd7, 0xe6, 0x75, 0xb3, 0x54, 0x25, 0x18, 0x4f, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60,
        0xde,
    ],
    [
        0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5, 0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9,
        0xd0,
    ],
    [
        0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c, 0xc4, 0x48, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76,
        0x71,
    ],
    [
        0xf8, 0xdf, 0x54, 0xed, 0x09, 0xc4, 0xf6, 0x4c, 0xbf, 0x83, 0x05, 0xe1, 0xe6, 0x1a, 0x09,
        0xc4,
    ],
];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [group, opcode, version, payload @ ..] = data else {
        return;
    };
    if payload.len() > 60_000 {
        return;
    }
    if let Some(class) = MERGED.get(usize::from(group.wrapping_sub(0xf0))) {
        let event = full(1_000_010, *class, (*opcode, u16::from(*version)), payload);
        with_record(event, |record| {
            if let Some(event) = kernel::describe(record) {
                let fields = event.fields(record.payload(), record.pointer_size());
                black_box(
                    fields
                        .map(|(_, value)| value.to_string().len())
                        .sum::<usize>(),
                );
            }
        });
        return;
    }
    let version = u16::from(*version);
    let hook = Hook {
        group: *group,
        opcode: *opcode,
    };
    for pointer in [PointerSize::Four, PointerSize::Eight] {
        if let Some(event) = kernel::event(hook, version) {
            let fields = event.fields(payload, pointer);
            black_box(
                fields
                    .map(|(_, value)| value.to_string().len())
                    .sum::<usize>(),
            );
        }
        match (group, opcode) {
            (2, 98 | 99) => {
                black_box(VirtualMemory::read(payload, pointer));
            }
            (2, 125) => {
                black_box(working_sets(payload, pointer).map(Iterator::count));
            }
            (2, 32) => {
                black_box(HardFault::read(payload, pointer));
            }
            (4, _) => {
                black_box(FileName::read(payload, pointer));
                black_box(FileRequest::read(payload, hook, version, pointer));
                black_box(FileRequestEnd::read(payload, pointer));
                black_box(FilterCall::read(payload, hook, pointer));
            }
            (9, _) => {
                black_box(RegistryCall::read(payload, version, pointer));
            }
            (6 | 8, _) => {
                black_box(Tcp::read(payload, hook));
            }
            (17, _) => {
                black_box(ObjectHandle::read(payload, hook, pointer));
                black_box(ObjectType::read(payload, pointer));
            }
            (3, 32 | 33) => {
                black_box(ProcessCounters::read(payload, pointer));
            }
            (3, _) => {
                black_box(Process::read(payload, version, pointer));
            }
            (5, 36) => {
                black_box(Switch::read(payload));
            }
            (5, 37) => {
                black_box(SwitchBatch::read(payload).map(Iterator::count));
            }
            (5, 50) => {
                black_box(Ready::read(payload));
            }
            (5, _) => {
                black_box(Thread::read(payload, version, pointer));
            }
            (15, _) => {
                black_box(Sample::read(payload, pointer));
                black_box(Sample::read_cache(payload, pointer).count());
            }
            (20, _) => {
                black_box(Image::read(payload, version, pointer));
            }
            (24, _) => {
                black_box(StackOf::read(payload, hook, pointer));
                let definition = StackDefinition::read(payload, pointer);
                black_box(definition.map(|stack| stack.frames.iter().fold(0, u64::wrapping_add)));
            }
            _ => {}
        }
    }
});
