//! Encoded payloads are decoded again, and the ends of chains are distinguished.

use super::user_stack::CONTEXT_USER;
use super::{
    Affinity, CODE_ADDRESSES, CodeLanguage, CodeObject, EARLY_MAGIC, EarlySection, Exec,
    ExecSource, Exit, ThreadState, UserStack, UserStackEnd, UserStackKind, WakerKind,
    early_sections,
};
use crate::endian::Endian;

const NATIVE: Endian = if cfg!(target_endian = "big") {
    Endian::Big
} else {
    Endian::Little
};

#[test]
fn payloads_survive_and_short_ones_are_refused() {
    let stack = UserStack {
        waker: WakerKind::Interrupt,
        is_exiting: true,
        system_call: 202,
        off_cpu_ns: 7,
        sampled_ns: 8,
        wait_count: 9,
        sampled_count: 10,
        other_pid: 11,
        other_tid: 12,
        ..UserStack::new(UserStackKind::Waker, UserStackEnd::BadMemory, 6)
    };
    let mut bytes = Vec::new();
    stack.encode(&mut bytes);
    assert_eq!(bytes.len(), UserStack::BYTES);
    assert_eq!(UserStack::decode(&bytes, NATIVE), Some(stack));
    assert_eq!(UserStack::decode(&bytes[..47], NATIVE), None);

    let exec = Exec {
        source: ExecSource::Rundown,
        is_cut: true,
        pid: 1,
        parent_pid: 2,
        start_ns: -3,
        arguments: b"a\0b c\0".to_vec(),
    };
    let mut bytes = Vec::new();
    exec.encode(&mut bytes);
    bytes.extend_from_slice(&[0; 3]);
    assert_eq!(Exec::decode(&bytes, NATIVE), Some(exec));
    assert_eq!(Exec::decode(&bytes[..26], NATIVE), None);

    let exit = Exit {
        pid: 1,
        tid: 2,
        wait_status: 0x0300,
        is_process: true,
        user: Some(1000),
    };
    let mut bytes = Vec::new();
    exit.encode(&mut bytes);
    assert_eq!(Exit::decode(&bytes, NATIVE), Some(exit));
    // Older recorders wrote no user; the kernel pads with zeros.
    bytes[12..].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0]);
    let older = Exit { user: None, ..exit };
    assert_eq!(Exit::decode(&bytes, NATIVE), Some(older));

    let state = ThreadState {
        at_end: true,
        state: b'D',
        pid: 1,
        tid: 2,
        parent_pid: 3,
        start_ns: 4,
        wait_channel: b"do_nanosleep".to_vec(),
    };
    let mut bytes = Vec::new();
    state.encode(&mut bytes);
    assert_eq!(ThreadState::decode(&bytes, NATIVE), Some(state));
}

#[test]
fn trailing_markers_tell_how_a_user_half_ends() {
    let (kernel, user) = (CONTEXT_USER + 384, CONTEXT_USER);
    let cases: [(&[u64], usize, usize); 7] = [
        // Chain, number of entries that are not trailing markers, number of trailing markers.
        (&[kernel, 1, user, 2, 3], 5, 0),
        (&[kernel, 1, user, 2, 3, user, user, user], 5, 3),
        (&[user, 2, user], 2, 1),
        (&[kernel, 1, user, user, user], 3, 2),
        (&[user], 1, 0),
        (&[kernel, 1], 2, 0),
        (&[], 0, 0),
    ];
    for (chain, kept, markers) in cases {
        let (frames, count) = UserStackEnd::split(chain);
        assert_eq!((frames.len(), count), (kept, markers), "{chain:x?}");
    }
    for (number, end) in UserStackEnd::ALL.into_iter().enumerate() {
        assert_eq!(UserStackEnd::from_number(number), Some(end));
        assert_eq!(end as usize, number);
    }
}

#[test]
fn early_directory_is_read_and_a_cut_one_is_read_as_far_as_it_goes() {
    let mut bytes = EARLY_MAGIC.to_vec();
    for word in [2_u64, 3, 100, 8, 240, 108, 16] {
        bytes.extend_from_slice(&word.to_ne_bytes());
    }
    let first = EarlySection {
        feature: 3,
        offset: 100,
        size_bytes: 8,
    };
    let second = EarlySection {
        feature: 240,
        offset: 108,
        size_bytes: 16,
    };
    assert_eq!(early_sections(&bytes, NATIVE), [first, second]);
    assert_eq!(early_sections(&bytes[..60], NATIVE), [first]);
    assert_eq!(early_sections(&bytes[..10], NATIVE), []);
    assert_eq!(early_sections(b"something else", NATIVE), []);
}

#[test]
fn affinity_comes_back_and_a_cut_one_is_none() {
    let affinity = Affinity {
        is_rundown: true,
        pid: 7,
        tid: 8,
        cpus: vec![0b101, 1 << 63],
    };
    let mut bytes = Vec::new();
    affinity.encode(&mut bytes);
    bytes.extend_from_slice(&[0; 4]);
    assert_eq!(Affinity::decode(&bytes, NATIVE), Some(affinity));
    assert_eq!(Affinity::decode(&bytes[..31], NATIVE), None);
    bytes[12..16].copy_from_slice(&[0xff; 4]);
    assert_eq!(Affinity::decode(&bytes, NATIVE), None);
}

#[test]
fn functions_of_interpreted_programs_have_two_addresses_for_each_line() {
    let object = CodeObject {
        language: CodeLanguage::Python,
        first_line: 41,
        address: CODE_ADDRESSES.start + 64,
        n_lines: 3,
        name: "Größe.parse".to_owned(),
        file: "job.py".to_owned(),
    };
    let mut bytes = Vec::new();
    object.encode(&mut bytes);
    assert_eq!(CodeObject::decode(&bytes, NATIVE).as_ref(), Some(&object));
    assert_eq!(CodeObject::decode(&bytes[..bytes.len() - 1], NATIVE), None);
    let lines = [None, Some(40), Some(41), Some(43), Some(44)].map(|line| {
        let offset = object.address_of_line(line) - object.address;
        assert!(offset < object.size());
        offset
    });
    assert_eq!(lines, [1, 1, 3, 7, 1]);
    let elsewhere = CodeObject {
        address: CODE_ADDRESSES.end - 4,
        ..object
    };
    bytes.clear();
    elsewhere.encode(&mut bytes);
    assert_eq!(CodeObject::decode(&bytes, NATIVE), None);
}
